package cli

import (
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/wire"
)

const versionHelp = `version prints the version and what it was built from.

Usage:
  bashgate version [--json]

With --json it is an object of version, revision (the commit, "" where that is
not known), modified (files were changed since), rules (a sum of the built-in
rules and of what compiles rules), go, os and arch.

Flags:
  --json   one JSON object

Example:
  $ bashgate version
  bashgate v0.1.0 (go1.26.8, linux/amd64)
`

func versionCommand() command {
	return command{
		name:    "version",
		summary: "print the version",
		help:    versionHelp,
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			json := flags.Bool("json", false, "")
			return func(p *Process, args []string) (int, error) {
				if *json && len(args) == 0 {
					info, _ := debug.ReadBuildInfo()
					_, err := p.Stdout.Write(versionJSON(info))
					return exitOK, err
				}
				return printVersion(p, args)
			}
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

func versionJSON(info *debug.BuildInfo) []byte {
	commit, changed := revision(info)
	b := []byte(`{"version":`)
	b = wire.AppendText(b, version(info))
	b = append(b, `,"revision":`...)
	b = wire.AppendText(b, commit)
	b = fmt.Appendf(b, `,"modified":%v,"rules":"%s","go":`, changed, gates.Compiler)
	b = wire.AppendText(b, runtime.Version())
	return fmt.Appendf(b, `,"os":"%s","arch":"%s"}`+"\n", runtime.GOOS, runtime.GOARCH)
}

// Version is that of the program that runs.
func Version() string {
	info, _ := debug.ReadBuildInfo()
	return version(info)
}

// version is what the release was stamped with, or the module's version; for a
// build of a working copy the commit, with a "+" if files were changed, and
// "unknown" if even that was not kept.
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
	commit, changed := revision(info)
	switch commit = commit[:min(12, len(commit))]; {
	case commit == "":
		return "unknown"
	case changed:
		return commit + "+"
	}
	return commit
}

// revision is the commit that was built, "" where that was not kept, and whether
// files were changed since.
func revision(info *debug.BuildInfo) (commit string, changed bool) {
	if stampedRevision != "" {
		return stampedRevision, false
	}
	if info == nil {
		return "", false
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value
		case "vcs.modified":
			changed = s.Value == "true"
		}
	}
	return commit, changed
}
