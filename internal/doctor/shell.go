package doctor

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/shell"
	"github.com/bashgate/bashgate/policy"
)

// snapshots are where agents keep what they have taken over from the user's own
// shell, to read it before each command: a script of functions, options and
// aliases. Claude Code 2.1.329 sweeps them away when it ends, Codex 0.169.0 has
// them where its feature shell_snapshot is on.
var snapshots = [...]struct{ host, path string }{
	{"claude", "~/.claude/shell-snapshots/*.sh"},
	{"codex", "~/.codex/shell_snapshots/*.sh"},
}

// meanings are the options of shells, on where they are off by default, that let
// a command mean something else than what is judged. Those that are reckoned with
// whether they are on or not (BRACE_CCL, CDABLE_VARS) are not among them, nor those
// of people who type. From zshoptions(1) of 5.9 and bash(1) of 5.3; a name is
// written as setopt lists it, with a "no" before it where being off is the news. One
// text, for a table would be pointers that each start of the program pays for.
const meanings = `
dotglob globdots: patterns match hidden files
globstar globstarshort: ** matches what lies in directories, too
nullglob cshnullglob: a pattern without a match is no word at all
nocaseglob nocasematch: patterns match names in other cases
extendedglob kshglob: more characters are patterns
globsubst shwordsplit: values of variables are patterns, or several words
ksharrays: arrays begin at 0
rcexpandparam: a word with an array is several
rcquotes: '' in quotes is a quote
ignorebraces: braces are text
nomultios: the last of several redirects counts alone
magicequalsubst: ~ behind = is a directory
autopushd pushdignoredups pushdtohome pushdminus: cd and pushd go by another stack of directories
chaselinks chasedots physical: cd follows links
pathdirs: a name with a slash is looked for in the PATH
allexport: all variables are handed to programs
keyword: an assignment behind a command counts as one before it
lastpipe: the last command of a pipe changes the shell
xpgecho bsdecho: echo reads its text in another way
posix posixbuiltins posixidentifiers shfileexpansion shoptionletters cshjunkiequotes: the text is read as another shell does
localvarinherit typesetsilent kshtypeset: declarations do something else
octalzeroes cbases cprecedences: numbers mean something else
`

// maxOdd is how many findings about a snapshot are shown.
const maxOdd = 12

// shells looks what the agent's shell takes over from the user's own: aliases and
// functions with the names of programs, and options that change what a line means.
// What is judged is the line as a plain shell reads it.
func (p *patient) shells() {
	for _, s := range snapshots {
		if s.host != p.agent.Host {
			continue
		}
		paths, _ := filepath.Glob(p.Expand(s.path)) // the table's patterns are well-formed
		path := newest(paths)
		if path == "" {
			continue
		}
		text, err := disk.OS{}.ReadFile(path, maxFile)
		if err != nil {
			p.add(Warn, p.Show(path), "what "+p.agent.Title+" has taken over from your shell can't be read: "+policy.Visible(err.Error()), "mend the file")
			continue
		}
		odd := oddities(string(text), strings.Contains(filepath.Base(path), "zsh"), p.told)
		for _, o := range odd[:min(len(odd), maxOdd)] {
			p.add(Warn, fmt.Sprintf("%s:%d:1", p.Show(path), o.line), o.what, "take it out of your shell's start-up files, or leave it to interactive shells")
		}
		if more := len(odd) - maxOdd; more > 0 {
			p.add(Warn, p.Show(path), fmt.Sprintf("%d more of the kind", more), "")
		}
		if len(odd) == 0 {
			p.add(OK, p.Show(path), "what "+p.agent.Title+" has taken over from your shell changes no line", "")
		}
	}
}

// told is what the rules say of a command, and whether they know it.
func (p *patient) told(command, in string) (d policy.Decision, known bool) {
	v := p.Judge(host.Question{Event: host.BeforeToolUse, Shell: true, Request: engine.Request{
		Command: command, Shell: in, Cwd: p.Workspace, Workspace: p.Workspace, Home: p.Home, Host: p.agent.Host,
	}})
	return v.Decision, !slices.ContainsFunc(v.Reasons, func(r engine.Reason) bool { return r.ID == "unknown-command" })
}

// newest is the file that was written last; "" for none.
func newest(paths []string) (path string) {
	var written time.Time
	for _, candidate := range paths {
		if info, err := os.Stat(candidate); err == nil && (path == "" || info.ModTime().After(written)) {
			path, written = candidate, info.ModTime()
		}
	}
	return path
}

// oddity is what makes a line mean something else.
type oddity struct {
	line int // counted from 1
	what string
}

// oddities lists what a snapshot changes. Told is what the rules say of a command
// in a shell, and whether they know it.
func oddities(text string, zsh bool, told func(command, in string) (policy.Decision, bool)) (list []oddity) {
	lines := strings.Split(text, "\n")
	zsh = zsh || slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "setopt ") })
	dialect, in := shell.Bash, "bash"
	if zsh {
		dialect, in = shell.Zsh, "zsh"
	}
	reader := shell.New()
	for i := 0; i < len(lines); i++ {
		add := func(what string) { list = append(list, oddity{i + 1, what}) }
		if name, body := function(lines[i:]); name != "" {
			// One that speaks of the program is a tool's own, as nvm and pyenv have them.
			if _, known := told(name, in); known && !strings.Contains(body, name) {
				add("a function of your shell is called " + policy.Visible(name) + ", and what is judged is the command of that name")
			}
			continue
		}
		first, _, _ := strings.Cut(lines[i], " ")
		if !slices.Contains([]string{"alias", "setopt", "shopt", "set"}, first) {
			continue
		}
		words := constants(reader.Read(shell.Input{Text: lines[i], Dialect: dialect}).Commands, first)
		switch {
		case len(words) < 2 && first == "alias" && lines[i] != first:
			add("your shell has an alias that is not understood: " + policy.Visible(policy.Clip(lines[i], 60)))
		case len(words) < 2:
		case first == "alias":
			if what := alias(words[1:], in, told); what != "" {
				add(what)
			}
		case first == "setopt", words[1] == "-s", words[1] == "-o":
			for _, name := range words[1:] {
				plain := strings.ToLower(strings.ReplaceAll(name, "_", ""))
				for m := range strings.Lines(meanings) {
					if names, effect, ok := strings.Cut(strings.TrimSpace(m), ": "); ok && slices.Contains(strings.Fields(names), plain) {
						add("your shell has " + policy.Visible(name) + " on: " + effect)
					}
				}
			}
		}
	}
	return list
}

// constants are the words of the first command of that name, if all are known.
func constants(commands []policy.Command, name string) (words []string) {
	for i := range commands {
		for k, w := range commands[i].Words {
			text, ok := w.Const()
			if !ok || k == 0 && text != name {
				words = nil
				break
			}
			words = append(words, text)
		}
		if len(words) > 0 {
			return words
		}
	}
	return nil
}

// alias says what is odd about one: that it stands for another program, or for
// more than the name may do.
func alias(words []string, in string, told func(command, in string) (policy.Decision, bool)) string {
	kind := ""
	for len(words) > 0 && strings.HasPrefix(words[0], "-") && !strings.Contains(words[0], "=") {
		kind += words[0]
		words = words[1:]
	}
	if len(words) == 0 {
		return ""
	}
	name, value, ok := strings.Cut(words[0], "=")
	shown := policy.Visible(name) + " as an alias of " + policy.Visible(policy.Clip(value, 60))
	switch {
	case !ok:
	case strings.Contains(kind, "g"):
		return "your shell has " + shown + " wherever it stands in a line"
	case strings.Contains(kind, "s"):
		return "your shell runs files that end in ." + policy.Visible(name) + " with " + policy.Visible(policy.Clip(value, 60))
	default:
		plain, known := told(name, in)
		does, _ := told(value, in)
		if program, _, _ := strings.Cut(strings.TrimSpace(value), " "); known && (program != name || does > plain) {
			return "your shell has " + shown + ", and what is judged is " + policy.Visible(name)
		}
	}
	return ""
}

// function reads the definition of a function that begins with the first line:
// as shells print it, or encoded, as Claude Code writes down those of bash.
func function(lines []string) (name, body string) {
	if encoded, ok := strings.CutPrefix(lines[0], `eval "$(echo '`); ok {
		for i := 1; i < len(lines) && !strings.Contains(encoded, "'"); i++ {
			encoded += lines[i]
		}
		encoded, _, _ = strings.Cut(encoded, "'")
		text, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil {
			return "", ""
		}
		lines = strings.Split(string(text), "\n")
	}
	name, _, ok := strings.Cut(lines[0], " ()")
	if !ok || name == "" || strings.ContainsAny(name, " \t'\"") {
		return "", ""
	}
	for _, l := range lines[1:] {
		if strings.HasPrefix(l, "}") {
			break
		}
		body += l + "\n"
	}
	return name, body
}
