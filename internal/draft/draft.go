// Package draft makes rule files to start from: of what a program says of
// itself.
package draft

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/layout"
	"github.com/bashgate/bashgate/internal/manual"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

// Rules returns a user's rule file about a program, made of the text of its
// --help. Every use asks by it, but those that only tell about the program; its
// options are declared where the text is clear and tells of no harm, and stand
// in comments where it is not. The file compiles, without a note of the linter;
// where it would not, or where the text says nothing, there is an error.
func Rules(name, help string, known ruleset.Known) ([]byte, error) {
	read := manual.ReadHelp(help)
	if len(read.Options)+len(read.Unclear)+len(read.Commands) == 0 {
		return nil, ErrNothing
	}
	text, err := layout.Format([]byte(write(name, read)), ruleset.Order)
	if err != nil {
		return nil, err
	}
	file := ruleset.Load(name+".toml", text, ruleset.User)
	gates, err := ruleset.Compile([]*ruleset.File{file}, known)
	if err != nil {
		return nil, fmt.Errorf("what it says of its options makes no rule file: %w", err)
	}
	if notes := ruleset.Lint(file, gates[0]); len(notes) > 0 {
		return nil, fmt.Errorf("what it says of its options makes no good rule file: %w", notes[0].Error)
	}
	return text, nil
}

// ErrNothing is the error of a text in which there is neither an option nor a
// subcommand.
var ErrNothing = errors.New("no options and no subcommands in the text")

// declared sorts a program's options by what is said about them.
type declared struct {
	flag, data, unclear []string
	about               []string
	long                bool // -name is one option, and no letters
	taken               map[string]bool
}

func sorted(h manual.Help) declared {
	d := declared{taken: map[string]bool{}}
	for _, o := range slices.Concat(h.Options, h.Unclear) {
		for _, s := range o.Spellings {
			d.long = d.long || len(s) > 2 && s[1] != '-'
		}
	}
	for _, o := range h.Options {
		d.option(o, manual.Harmful(o) != "" || o.Value != manual.None && names(o))
	}
	for _, o := range h.Unclear {
		d.option(o, true)
	}
	if !d.taken["--help"] {
		// This is how the text was asked for.
		d.taken["--help"] = true
		d.flag = append(d.flag, "--help")
		d.about = append(d.about, "--help")
	}
	return d
}

// option declares an option. The first line about a spelling counts.
func (d *declared) option(o manual.Option, unclear bool) {
	var fresh []string
	for _, s := range o.Spellings {
		if !d.taken[s] {
			d.taken[s] = true
			fresh = append(fresh, s)
		}
	}
	if fresh == nil {
		return
	}
	entry := strings.Join(fresh, " ")
	tells := slices.ContainsFunc(fresh, func(s string) bool { return s == "--help" || s == "--version" || s == "-help" || s == "-version" })
	switch {
	case tells && o.Value == manual.None:
		d.flag = append(d.flag, entry)
		d.about = append(d.about, fresh...)
	case unclear:
		suffix := map[manual.Value]string{manual.Required: "=", manual.Optional: "?"}[o.Value]
		d.unclear = append(d.unclear, fmt.Sprintf("%s,  # %s", quote(entry+suffix), line(o.Text)))
	case o.Value == manual.None:
		d.flag = append(d.flag, entry)
	case o.Value == manual.Optional:
		d.data = append(d.data, entry+"?")
	default:
		d.data = append(d.data, entry)
	}
}

// names reports whether an option's value may name what has a kind of its own: a
// file, a machine, a command.
func names(o manual.Option) bool {
	text := strings.ToLower(o.Takes + " " + o.Text)
	for _, word := range [...]string{
		"file", "path", "dir", "folder", "archive", "image", "config", "socket", "device", "disk", "cert", "key", "url", "uri", "host",
		"server", "address", "proxy", "endpoint", "remote", "program", "command", "cmd", "script", "editor", "pager", "shell", "exec",
		"code", "expression", "template", "module", "plugin", "output", "log",
	} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// line is a description as a comment of one line.
func line(text string) string {
	const most = 80 // characters
	text = policy.Visible(text)
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "..."
	}
	return text
}

func quote(s string) string { return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"` }

func list(key string, entries []string) string {
	if len(entries) == 0 {
		return ""
	}
	quoted := make([]string, len(entries))
	for i, e := range entries {
		quoted[i] = quote(e)
	}
	return key + " = [" + strings.Join(quoted, ", ") + "]\n"
}

// looks reports whether a subcommand is called as those are that change nothing.
func looks(command string) bool {
	return slices.Contains([]string{"list", "ls", "show", "status", "info", "get", "describe", "version", "check", "validate", "diff"}, command)
}

// write writes the file.
func write(name string, h manual.Help) string {
	d := sorted(h)
	example, sub := name+" FILE", ""
	if i := slices.IndexFunc(h.Commands, looks); i >= 0 {
		example, sub = name+" "+h.Commands[i], "#     subcommand = "+quote(h.Commands[i])+"\n"
	} else if len(h.Commands) > 0 {
		example, sub = name+" SUBCOMMAND", "#     subcommand = \"SUBCOMMAND\"\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, `# %[1]s, begun from what it says with --help. So far every use asks that does
# more than tell about the program. Next:
#
#  1. Look the options over. "flag" takes no value, "data" one that names nothing.
#     A file that is read or written, a machine, a command have kinds of their
#     own: read, write, host, url, command, ... They are judged by themselves.
#     What is declared nowhere asks.
#  2. Say what may run without a question, for example:
#
#     [[programs.allow]]
%[2]s#     operands = ["read*"]
#     examples = [%[3]s]
#
#     and what never runs: [[programs.block]], with a reason.
#  3. Run bashgate rules lint, and bashgate rules test.

[[programs]]
name = %[4]s
`, name, sub, quote(example), quote(name))
	b.WriteString(list("about", d.about))
	b.WriteString("\n[[programs.options]]\n")
	if d.long {
		b.WriteString("style = \"long\"\n")
	}
	b.WriteString(list("flag", d.flag) + list("data", d.data))
	if len(d.unclear) > 0 {
		b.WriteString("# Not clear, or they may do harm. As acts, an allow has to name them:\n# acts = [\n")
		for _, entry := range d.unclear {
			b.WriteString("#   " + strings.TrimRight(entry, "# ") + "\n")
		}
		b.WriteString("# ]\n")
	}
	if len(h.Commands) > 0 {
		fmt.Fprintf(&b, "\n# The options of each stand in what %s SUBCOMMAND --help says.\n[[programs.options]]\n%s", name, list("subcommand", h.Commands))
	}
	return b.String()
}
