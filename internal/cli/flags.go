package cli

import (
	"errors"
	"flag"
	"io"
	"strings"
)

// newFlags makes a subcommand's set of flags. Their help is the subcommand's.
func newFlags(name string) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	return flags
}

// parseFlags reads flags anywhere among the operands, up to "--", and returns
// the operands. --a_b is --a-b, for check's machine form has underscores. The
// error is flag.ErrHelp, or says what is wrong.
func parseFlags(flags *flag.FlagSet, args []string) (operands []string, err error) {
	args = dashed(args)
	for {
		if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
			return nil, err
		} else if err != nil {
			return nil, errors.New(strings.NewReplacer(
				"flag provided but not defined: -", "unknown flag: --",
				" for flag -", " for flag --",
				"flag needs an argument: -", "flag needs an argument: --",
			).Replace(err.Error()))
		}
		rest := flags.Args()
		read := args[:len(args)-len(rest)]
		if len(rest) == 0 || len(read) > 0 && read[len(read)-1] == "--" {
			return append(operands, rest...), nil
		}
		operands, args = append(operands, rest[0]), rest[1:]
	}
}

func dashed(args []string) []string {
	out := make([]string, len(args))
	for i, arg := range args {
		if arg == "--" {
			copy(out[i:], args[i:])
			break
		}
		if strings.HasPrefix(arg, "--") {
			name, value, valued := strings.Cut(arg, "=")
			arg = strings.ReplaceAll(name, "_", "-")
			if valued {
				arg += "=" + value
			}
		}
		out[i] = arg
	}
	return out
}

// list is a flag's value of names with commas between them; given again, the
// flag adds to it.
type list []string

func (l *list) String() string { return strings.Join(*l, ",") }

func (l *list) Set(s string) error {
	if s != "" {
		*l = append(*l, strings.Split(s, ",")...)
	}
	return nil
}
