package policy

import "slices"

// systemDirs are in the order of a PATH: what was added to a system stands
// before what it came with.
var systemDirs = [...]string{
	"/opt/homebrew/bin", "/snap/bin", "/run/current-system/sw/bin",
	"/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin",
}

// SystemDirs returns the directories of programs into which only an
// administrator puts some, so that a program in one of them is what its name
// says. They are in the order of a PATH.
func SystemDirs() []string { return slices.Clone(systemDirs[:]) }

// SystemDir reports whether a directory is one of SystemDirs.
func SystemDir(dir string) bool { return slices.Contains(systemDirs[:], dir) }
