#!/usr/bin/env bash
# Installs the newest versions of the packages that a directory's package.json
# names into another directory, and prints them. Nothing is locked: what is
# there already stays only where it still is the newest. No install script of a
# package runs.
#
#   e2e/newest.sh FROM TO
set -euo pipefail
from=$(cd "$1" && pwd)
to=$2
mkdir -p "$to"
cd "$to"
echo '{"private": true}' > package.json # npm would look for one further up
dependencies=$(node -e '
for (const [name, spec] of Object.entries(require(process.argv[1]).dependencies)) console.log(name, spec);
' "$from/package.json")
wanted=()
while read -r name spec; do
  version=latest
  if [[ $spec == npm:* ]]; then
    # A package under another name: npm:@openai/codex@0.169.0-linux-x64. What
    # stands behind the version is a build for one machine, which no tag of the
    # newest needs to be about.
    package=${spec#npm:}
    pinned=${package##*@}
    package=${package%@*}
    version=npm:$package@$(npm view "$package" version --loglevel=error)
    if [[ $pinned == *-* ]]; then version+=-${pinned#*-}; fi
  fi
  wanted+=("$name@$version")
done <<<"$dependencies"
npm install --ignore-scripts --omit=optional --no-save --no-package-lock --no-audit --no-fund --loglevel=error "${wanted[@]}"
while read -r name spec; do
  node -e '
const [name, pinned] = process.argv.slice(1);
console.log(`${name}: ${require(`./node_modules/${name}/package.json`).version}, pinned ${pinned}`);
' "$name" "${spec##*@}"
done <<<"$dependencies"
