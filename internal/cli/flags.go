package cli

import (
	"errors"
	"flag"
	"io"
	"strings"
)

// newFlags makes a subcommand's set of flags. What a flag means stands in the
// subcommand's help. In place of a usage each flag has the word that the help
// writes for its value, "DIR", by which it is completed too (values.go); "" for
// a flag that is there or not.
func newFlags(name string) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	return flags
}

// parseFlags reads flags anywhere among the operands, up to "--", and returns
// the operands. --a_b is --a-b, for check's machine form has underscores. The
// error is flag.ErrHelp, or a *usageError.
func parseFlags(flags *flag.FlagSet, args []string) (operands []string, err error) {
	args = dashed(flags, args)
	for {
		if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
			return nil, err
		} else if err != nil {
			return nil, badFlag(flags, err.Error())
		}
		rest := flags.Args()
		read := args[:len(args)-len(rest)]
		if len(rest) == 0 || len(read) > 0 && read[len(read)-1] == "--" {
			return append(operands, rest...), nil
		}
		operands, args = append(operands, rest[0]), rest[1:]
	}
}

// badFlag says what is wrong with a flag in our words.
func badFlag(flags *flag.FlagSet, what string) error {
	if name, ok := strings.CutPrefix(what, "flag provided but not defined: -"); ok {
		var names []string
		flags.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
		hint := alike(name, append(names, "help"))
		return usagef(strings.Replace(hint, "did you mean ", "did you mean --", 1), "unknown flag: --%s", name)
	}
	what, hint, _ := strings.Cut(what, "\nhint: ")
	return usagef(hint, "%s", strings.NewReplacer(
		`" for flag -`, `" for flag --`,
		`" for -`, `" for flag --`,
		"flag needs an argument: -", "flag needs an argument: --",
	).Replace(what))
}

// spelt is a flag's name as it is written: "--json", "-n".
func spelt(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// dashed writes arguments as the flags are declared: --a_b as --a-b, -fn20 as -f
// -n=20.
func dashed(flags *flag.FlagSet, args []string) []string {
	out := make([]string, 0, len(args))
	for i, arg := range args {
		switch {
		case arg == "--":
			return append(out, args[i:]...)
		case strings.HasPrefix(arg, "--"):
			name, value, valued := strings.Cut(arg, "=")
			arg = strings.ReplaceAll(name, "_", "-")
			if valued {
				arg += "=" + value
			}
			out = append(out, arg)
		default:
			out = append(out, letters(flags, arg)...)
		}
	}
	return out
}

// letters takes flags of one letter apart that are written as one word. What is
// none stays as it is.
func letters(flags *flag.FlagSet, arg string) (apart []string) {
	name, _, _ := strings.Cut(arg, "=")
	if len(name) < 3 || name[0] != '-' || flags.Lookup(name[1:]) != nil {
		return []string{arg}
	}
	for rest := arg[1:]; rest != ""; rest = rest[1:] {
		f := flags.Lookup(rest[:1])
		switch {
		case f == nil:
			return []string{arg}
		case !takesNone(f) && len(rest) > 1:
			return append(apart, "-"+rest[:1]+"="+strings.TrimPrefix(rest[1:], "="))
		}
		apart = append(apart, "-"+rest[:1])
	}
	return apart
}

// takesNone reports whether a flag may stand without a value.
func takesNone(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}
