#!/bin/sh
# bashgate v0.0.0: export copilot --mode useful
# Without allows, for Copilot CLI (read in its documentation, not run). 5 rules.
# Place: anywhere: a script that starts copilot with the rules as flags
# Remove: delete the file
exec copilot \
  --deny-tool 'shell(shop --help close:*)' \
  --deny-tool 'shell(shop --verbose close:*)' \
  --deny-tool 'shell(shop -v close:*)' \
  --deny-tool 'shell(shop close:*)' \
  --deny-tool 'shell(shop stock burn --all:*)' \
  "$@"
