package match

import "strings"

// Fill puts settings into a reason: {name:default} becomes the setting of that
// name, or its default. Other braces stay as they are.
//
//	use {use_instead:sync_worktree_to_main} instead
func Fill(reason string, settings map[string]string) string {
	before, rest, ok := strings.Cut(reason, "{")
	if !ok {
		return reason
	}
	setting, after, ok := strings.Cut(rest, "}")
	name, value, isSetting := strings.Cut(setting, ":")
	if !ok || !isSetting || strings.ContainsAny(name, " {") {
		return before + "{" + Fill(rest, settings)
	}
	if set, ok := settings[name]; ok {
		value = set
	}
	return before + value + Fill(after, settings)
}
