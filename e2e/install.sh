#!/usr/bin/env bash
# Installs the agents that package.json pins into a directory. What is there
# already is not fetched again. No install script of a package runs.
set -euo pipefail
# What a lock file pins: names, versions, hashes.
locked() { grep -E '^    "node_modules/|^      "(version|integrity|resolved)"' "$1"; }
here=$(cd "$(dirname "$0")" && pwd)
to=$1
mkdir -p "$to"
if cmp -s "$here/package-lock.json" "$to/installed.json"; then
  exit 0
fi
cp "$here/package.json" "$here/package-lock.json" "$to/"
cd "$to"
# Not "npm ci": it refuses a lock file that says nothing of optional packages
# for other machines. What is installed are the locked versions all the same,
# held to the lock's hashes; the comparison below makes sure.
rm -rf node_modules
npm install --ignore-scripts --omit=optional --no-audit --no-fund --loglevel=error
if ! cmp -s <(locked "$here/package-lock.json") <(locked package-lock.json); then
  echo 'install.sh: error: npm has changed the locked versions' >&2
  exit 1
fi
cp "$here/package-lock.json" installed.json
