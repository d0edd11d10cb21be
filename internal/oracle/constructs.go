//go:build linux

package main

import (
	_ "embed"
	"strings"
)

//go:embed constructs.txt
var constructText string

// construct is one thing that a manual of a shell describes, and a line that
// uses it.
type construct struct {
	kind  string // builtin, option, keyword, shopt, set, setopt, variable; a section of the grammar for others
	shell string
	name  string
	line  string // "" of keywords, which stand in the others' lines
}

// forms are lines for what the shells list by themselves.
var forms = map[string]string{
	"builtin":  "NAME a; ls $x",
	"option":   "NAME -OPTION a; ls $x",
	"shopt":    "shopt -s NAME; x=a*; ls $x",
	"set":      "set -o NAME; x=a*; ls $x",
	"setopt":   "setopt NAME; x=a*; ls $x",
	"variable": "NAME=1; ls $x",
	"keyword":  "",
}

// constructs are all of constructs.txt.
var constructs = func() (all []construct) {
	for line := range strings.Lines(constructText) {
		line = strings.TrimSuffix(line, "\n")
		if fields := strings.Split(line, "\t"); len(fields) == 4 {
			for shell := range strings.FieldsSeq(fields[0]) {
				all = append(all, construct{fields[1], shell, fields[2], strings.NewReplacer(`\n`, "\n", `\\`, `\`).Replace(fields[3])})
			}
			continue
		}
		head, names, ok := strings.Cut(line, ":")
		kind, shell, listed := strings.Cut(head, " ")
		if !ok || !listed || strings.HasPrefix(line, "#") {
			continue
		}
		for name := range strings.FieldsSeq(names) {
			program, letters, ofOption := strings.Cut(name, "/")
			if kind != "option" || !ofOption {
				all = append(all, construct{kind, shell, name, strings.ReplaceAll(forms[kind], "NAME", name)})
				continue
			}
			for _, letter := range letters {
				all = append(all, construct{kind, shell, program + " -" + string(letter), strings.NewReplacer("NAME", program, "OPTION", string(letter)).Replace(forms[kind])})
			}
		}
	}
	return all
}()

// constructLines are options of the grammar: each construct, and a look at what
// came of it.
func constructLines() []string {
	var lines []string
	for _, c := range constructs {
		if c.line != "" && c.name != "suspend" { // which sleeps until the time is over
			lines = append(lines, c.line)
		}
	}
	return lines
}
