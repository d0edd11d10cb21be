#!/usr/bin/env bash
# Installs the agents that package.json pins into a directory. What is there
# already is not fetched again. No install script of a package runs.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
to=$1
mkdir -p "$to"
if cmp -s "$here/package-lock.json" "$to/installed.json"; then
  exit 0
fi
cp "$here/package.json" "$here/package-lock.json" "$to/"
cd "$to"
npm ci --ignore-scripts --omit=optional --no-audit --no-fund --loglevel=error
cp package-lock.json installed.json
