# bashgate v0.0.0: export cline --mode useful
# Judged by Cline (read in its documentation, not run). 6 rules.
# Place: anywhere: a script to be sourced before cline starts
# Remove: unset CLINE_COMMAND_PERMISSIONS
export CLINE_COMMAND_PERMISSIONS='{"deny": ["shop close", "shop close *", "shop stock burn --all", "shop stock burn --all *", "shop stock burn * --all", "shop stock burn * --all *"], "allowRedirects": false}'
