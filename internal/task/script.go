package task

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// script finds the text of a shell script that is run by its name:
//
//	bash x.sh a b    . ./x.sh    ./x.sh
//
// The first operand is the file, the others are its $1, $2, ... Only scripts
// inside the workspace are read: elsewhere somebody else may change one
// between the question and its answer.
func script(s *search) {
	if len(s.Call.Operands) == 0 {
		return
	}
	name, ok := s.Call.Operands[0].Const()
	if !ok || name == "" {
		return
	}
	switch s.Call.Program {
	case ".", "source":
		if !strings.Contains(name, "/") {
			return // looked for in PATH first
		}
	}
	s.shell(join(s.Dir, name), s.Call.Program, s.Call.Operands, nil)
}

// shell adds the text of a script. program is the shell that was asked to run
// it; "" leaves that to the file's first line. It reports false for a file that
// is no shell script of the workspace.
func (s *search) shell(file, program string, args []policy.Word, env []policy.Assign) bool {
	if !s.inside(file) {
		return false
	}
	data, err := s.text(file)
	if program == "" && bytes.IndexByte(data, 0) >= 0 {
		return false // a program for the machine
	}
	if err != nil {
		if !absent(err) {
			s.File = file
			s.unreadable(file, err)
		}
		return false
	}
	text := string(data)
	first, _, _ := strings.Cut(text, "\n")
	asked, known := interpreter(first)
	switch {
	case program == "" && (!known || !isShell(asked)):
		return false
	case program == "":
		program = asked
	case program == "." || program == "source":
		program = SameShell
	}
	if strings.IndexByte(text, 0) >= 0 {
		return false
	}
	s.File = file
	s.step(Step{Name: args[0].String(), File: file, Line: 1, Text: text, Shell: program, Args: args, Dir: s.Dir, Env: env})
	return true
}

// interpreter reads a script's first line: the name of the program that the
// kernel runs it with. A text without such a line is run by the shell itself.
// It reports false for a line that says more than a program and plain options.
func interpreter(line string) (program string, ok bool) {
	rest, is := strings.CutPrefix(line, "#!")
	if !is {
		return "sh", true
	}
	words := strings.Fields(rest)
	if len(words) == 0 {
		return "sh", true
	}
	if words[0] == "/usr/bin/env" || words[0] == "/bin/env" {
		if words = words[1:]; len(words) > 0 && words[0] == "-S" {
			words = words[1:]
		}
		if len(words) == 0 || strings.ContainsAny(words[0], "=-/") {
			return "", false
		}
	} else {
		dir, base := path.Split(words[0])
		if !policy.SystemDir(strings.TrimSuffix(dir, "/")) {
			return "", false
		}
		words[0] = base
	}
	for _, option := range words[1:] {
		// -e, -eu, -x: what else an option may do is not looked at.
		if !strings.HasPrefix(option, "-") || strings.Trim(option[1:], "euxvfl") != "" {
			return "", false
		}
	}
	return words[0], true
}

func isShell(program string) bool {
	return slices.Contains(policy.Shells(), policy.ShellLanguage(program))
}
