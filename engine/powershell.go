package engine

import (
	"strings"

	"github.com/bashgate/bashgate/internal/shell"
	"github.com/bashgate/bashgate/policy"
)

// PowerShell and cmd.exe have languages that nothing here understands, and what is
// written in them is asked about. So much is read that what certainly destroys is
// blocked: each statement by its own words, written as a line of bash for the rules
// of rules/windows.toml. What is not read in it (blocks, pipelines, objects, loops)
// can only hide something to block, and nothing is allowed for it.

// statements are the commands of a text in PowerShell or, if cmd is set, in cmd.exe's
// language, as lines of bash.
func statements(text string, cmd bool, depth int) (lines []string) {
	if depth > 4 || len(text) > 64<<10 {
		return nil
	}
	var words []string
	var word strings.Builder
	inWord := false
	endWord := func() {
		if inWord {
			words = append(words, word.String())
		}
		word.Reset()
		inWord = false
	}
	end := func() {
		endWord()
		lines = append(lines, statement(words, cmd, depth)...)
		words = nil
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '"', c == '\'' && !cmd:
			from, stop := i+1, i+1
			for stop < len(text) && text[stop] != c {
				if c == '"' && text[stop] == '`' && !cmd {
					stop++
				}
				stop++
			}
			inside := text[from:min(stop, len(text))]
			for rest := inside; c == '"' && !cmd; { // "$(this runs)"
				_, after, found := strings.Cut(rest, "$(")
				if !found {
					break
				}
				lines = append(lines, statements(after, cmd, depth+1)...)
				rest = after
			}
			word.WriteString(inside)
			inWord, i = true, stop
		case c == '#' && !cmd && !inWord:
			for i < len(text) && text[i] != '\n' {
				i++
			}
			end()
		case c == '\n', c == ';' && !cmd, c == '|', c == '&', strings.IndexByte("{}()", c) >= 0:
			if c == '(' && !cmd && strings.HasSuffix(word.String(), "$") {
				word.Reset()
				inWord = false
			}
			end()
		case c == ' ', c == '\t', c == '\r', c == ',' && !cmd, c == '@' && cmd && !inWord:
			endWord()
		case (c == '`' && !cmd || c == '^' && cmd) && i+1 < len(text):
			i++
			word.WriteByte(text[i])
			inWord = true
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	end()
	return lines
}

// removers are the names under which PowerShell and cmd.exe know what removes.
var removers = [...]string{"remove-item", "ri", "rm", "rmdir", "rd", "del", "erase"}

// statement is one command as a line of bash, with those that it runs.
func statement(words []string, cmd bool, depth int) []string {
	for len(words) > 0 && (words[0] == "" || words[0] == "." || words[0] == "=" || strings.HasPrefix(words[0], "$")) {
		words = words[1:] // $x = Get-Item y
	}
	if len(words) == 0 {
		return nil
	}
	name := windowsProgram(words[0])
	name = name[strings.LastIndexByte(name, '/')+1:]
	args := words[1:]
	if text, inCmd, ok := otherShell(name, args); ok {
		return statements(text, inCmd, depth+1)
	}
	switch name {
	case "iex", "invoke-expression":
		return statements(strings.Join(args, " "), false, depth+1)
	case "if", "else", "for", "foreach", "do", "call", "start", "while", "try", "not", "exist":
		return statement(args, cmd, depth) // what follows may be a command
	case "echo", "write-host", "write-output", "rem":
		return nil
	case "format", "reg": // others are called so too
		name = map[string]string{"format": "format.com", "reg": "reg.exe"}[name]
	}
	for _, remover := range removers {
		if name == remover {
			name = "remove-item"
		}
	}
	var b strings.Builder
	b.WriteString(policy.Quote(name))
	for _, arg := range args {
		lower := strings.ToLower(arg)
		switch {
		case cmd && len(lower) > 1 && lower[0] == '/' && len(lower) <= 3:
			b.WriteString(" " + policy.Quote("-"+lower[1:]))
		case !cmd && len(lower) > 1 && lower[0] == '-':
			b.WriteString(" " + policy.Quote(parameter(lower)))
		default:
			b.WriteString(" " + argument(arg))
		}
	}
	return []string{b.String()}
}

// parameter is a parameter of PowerShell by its whole name, which any beginning
// that is long enough stands for.
func parameter(lower string) string {
	lower, _, _ = strings.Cut(lower, ":")
	for _, whole := range [...]string{"-recurse", "-force"} {
		if len(lower) > 1 && strings.HasPrefix(whole, lower) {
			return whole
		}
	}
	return lower
}

// argument writes an argument for bash: a path as rules name it, with its wildcards.
func argument(text string) string {
	lower := strings.ToLower(strings.ReplaceAll(text, `\`, "/"))
	for _, v := range [...][2]string{
		{"$env:userprofile", "~"}, {"$home", "~"}, {"%userprofile%", "~"}, {"${home}", "~"}, {"${env:userprofile}", "~"},
		{"%homedrive%%homepath%", "~"}, {"$env:homedrive$env:homepath", "~"},
		{"$env:systemroot", "/mnt/c/windows"}, {"$env:windir", "/mnt/c/windows"}, {"%systemroot%", "/mnt/c/windows"}, {"%windir%", "/mnt/c/windows"},
		{"$env:systemdrive", "/mnt/c"}, {"%systemdrive%", "/mnt/c"}, {"$env:programfiles", "/mnt/c/program files"}, {"%programfiles%", "/mnt/c/program files"},
	} {
		if rest, ok := strings.CutPrefix(lower, v[0]); ok && (rest == "" || rest[0] == '/') {
			lower = v[1] + rest
		}
	}
	if as, known := windowsPath(lower); known && len(lower) > 1 && lower[1] == ':' {
		lower = "/mnt" + as
	}
	var b strings.Builder
	if lower == "~" || strings.HasPrefix(lower, "~/") {
		b.WriteByte('~')
		lower = lower[1:]
	}
	for lower != "" {
		at := strings.IndexAny(lower, "*?")
		if at < 0 {
			at = len(lower)
		}
		if at > 0 {
			b.WriteString("'" + strings.ReplaceAll(lower[:at], "'", `'\''`) + "'")
		}
		if at < len(lower) {
			b.WriteByte(lower[at])
			at++
		}
		lower = lower[at:]
	}
	if b.Len() == 0 {
		return "''"
	}
	return b.String()
}

// otherShell is the text that a command hands to PowerShell or cmd.exe; false where
// it is none of these, or reads a file.
func otherShell(name string, args []string) (text string, cmd, ok bool) {
	name = strings.TrimSuffix(name, ".exe")
	switch name {
	case "cmd":
		for i, arg := range args {
			if len(arg) > 1 && arg[0] == '/' && strings.ContainsAny(arg[1:2], "cCkKrR") {
				return strings.TrimSpace(arg[2:] + " " + strings.Join(args[i+1:], " ")), true, true
			}
		}
	case "powershell", "pwsh":
		for i, arg := range args {
			lower := strings.ToLower(arg)
			switch {
			case len(lower) > 1 && (strings.HasPrefix("-command", lower) || strings.HasPrefix("/command", lower)):
				return strings.Join(args[i+1:], " "), false, true
			case lower == "" || lower[0] != '-' && lower[0] != '/' && (i == 0 || args[i-1] == "" || args[i-1][0] != '-'):
				return strings.Join(args[i:], " "), false, name == "powershell"
			}
		}
	}
	return "", false, false
}

// inOtherShell adds what certainly destroys of a text that a command hands to
// PowerShell or cmd.exe.
func (j *judge) inOtherShell(n *Node, name string, depth int) {
	switch name {
	case "cmd", "cmd.exe", "powershell", "powershell.exe", "pwsh", "pwsh.exe":
	default:
		return
	}
	var args []string
	for _, w := range n.command.Words[1:] {
		if text, ok := w.Const(); ok {
			args = append(args, text)
		} else {
			args = append(args, w.Unresolved())
		}
	}
	// Git Bash writes //c for /c.
	for i, arg := range args {
		if strings.HasPrefix(arg, "//") && len(arg) == 3 {
			args[i] = arg[1:]
		}
	}
	text, cmd, ok := otherShell(strings.ToLower(name), args)
	if !ok {
		return
	}
	for _, line := range statements(text, cmd, 0) {
		nodes := j.text(shell.Input{Text: line, Dialect: shell.Bash, Dirs: n.command.Dirs, Home: j.request.Home}, frame{depth: depth + 1})
		j.decide(nodes, context{})
		for i := range nodes {
			if nodes[i].Decision == policy.Block {
				n.Children = append(n.Children, nodes[i])
			}
		}
	}
}
