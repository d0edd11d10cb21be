package policy

// Languages of shells. A line of ShellKorn or ShellOther is not read.
const (
	ShellBash  = "bash"
	ShellPOSIX = "sh"
	ShellZsh   = "zsh"
	ShellKorn  = "ksh"   // and its kin, whose scripts look like POSIX's
	ShellOther = "other" // fish, csh and whatever else
)

// Shells returns the languages that are read.
func Shells() []string { return []string{ShellBash, ShellPOSIX, ShellZsh} }

// ShellLanguage returns the language of a shell by its program's name, "" for
// a program that is none.
func ShellLanguage(program string) string {
	switch program {
	case "bash", "rbash":
		return ShellBash
	case "zsh":
		return ShellZsh
	case "sh", "dash", "ash":
		return ShellPOSIX
	case "ksh", "ksh93", "mksh", "lksh", "pdksh", "oksh", "loksh", "yash", "posh":
		return ShellKorn
	case "fish", "csh", "tcsh", "pwsh", "nu":
		return ShellOther
	}
	return ""
}
