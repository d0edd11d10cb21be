package cli

import (
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"
)

const versionHelp = `version prints the version and what it was built from.

Usage:
  bashgate version

Example:
  $ bashgate version
  bashgate v0.1.0 (go1.26.8, linux/amd64)
`

func versionCommand() command {
	return command{
		name:    "version",
		summary: "print the version",
		help:    versionHelp,
		setup: func(*flag.FlagSet) func(*Process, []string) (int, error) {
			return printVersion
		},
	}
}

func printVersion(p *Process, args []string) (int, error) {
	if len(args) > 0 {
		return 0, usagef("bashgate version", "version takes no arguments, found %q", args[0])
	}
	_, err := fmt.Fprintf(p.Stdout, "bashgate %s (%s, %s/%s)\n", Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return exitOK, err
}

// Version is that of the program that runs.
func Version() string {
	info, _ := debug.ReadBuildInfo()
	return version(info)
}

// version is what the release was stamped with, or the module's version; for a build of a working copy the commit,
// with a "+" if files were changed, and "unknown" if even that was not kept.
func version(info *debug.BuildInfo) string {
	if stampedVersion != "" {
		return stampedVersion
	}
	if info == nil {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	commit, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+"
		}
	}
	if commit == "" {
		return "unknown"
	}
	return commit + changed
}
