#!/usr/bin/env bash
# Installs the packages that a directory's package.json pins into another
# directory. What is there already is not fetched again. No install script of
# a package runs.
#
#   e2e/install.sh FROM TO
set -euo pipefail
# What a lock file pins: names, versions, hashes. Where they came from is no
# part of that.
locked() { grep -E '^    "node_modules/|^      "(version|integrity)"' "$1"; }
from=$(cd "$1" && pwd)
to=$2
mkdir -p "$to"
if cmp -s "$from/package-lock.json" "$to/installed.json"; then
  exit 0
fi
cp "$from/package.json" "$from/package-lock.json" "$to/"
cd "$to"
# Not "npm ci": it refuses a lock file that says nothing of optional packages
# for other machines. What is installed are the locked versions all the same,
# held to the lock's hashes; the comparison below makes sure.
rm -rf node_modules
npm install --ignore-scripts --omit=optional --no-audit --no-fund --loglevel=error
if ! cmp -s <(locked "$from/package-lock.json") <(locked package-lock.json); then
  echo 'install.sh: error: npm has changed the locked versions' >&2
  exit 1
fi
cp "$from/package-lock.json" installed.json
