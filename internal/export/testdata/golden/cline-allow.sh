# bashgate v0.0.0: export cline --mode useful --allow
# Judged by Cline (read in its documentation, not run). 21 rules.
# Place: anywhere: a script to be sourced before cline starts
# Remove: unset CLINE_COMMAND_PERMISSIONS
export CLINE_COMMAND_PERMISSIONS='{"allow": ["shop order --help", "shop stock list", "shop stock list -l", "shop stock list --long", "shop stock list --json", "shop stock show", "shop stock show -l", "shop stock show --long", "shop stock show --json", "shopcat", "shopcat -n", "shopcat --number", "shopcat -s", "shopcat --help", "shoplint"], "deny": ["shop close", "shop close *", "shop stock burn --all", "shop stock burn --all *", "shop stock burn * --all", "shop stock burn * --all *"], "allowRedirects": false}'
