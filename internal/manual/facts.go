package manual

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/bashgate/bashgate/internal/wire"
)

// Facts is a file of option tables: a line of JSON for each subcommand.
//
//	{"path": ["git", "commit"], "options": [{"n": ["-m", "--message"], "args": [{"name": "text"}]}]}
//
// An option without args takes none; one whose first has optional takes it
// only in its own word. Other keys mean nothing here.
type Facts map[string][]Described // by program

// ReadFacts reads such a file. The error names the line.
func ReadFacts(name string, text []byte) (Facts, error) {
	facts := Facts{}
	for i, line := range bytes.Split(text, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		at := fmt.Sprintf("%s:%d", name, i+1)
		program, d, err := readFact(line)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", at, err)
		}
		d.Source = at
		facts[program] = append(facts[program], d)
	}
	return facts, nil
}

func readFact(line []byte) (program string, d Described, err error) {
	document, err := wire.Parse(line)
	if err != nil {
		return "", d, err
	}
	object, err := document.Object()
	if err != nil {
		return "", d, err
	}
	path, err := object.Get("path").Texts()
	if err != nil || len(path) == 0 {
		return "", d, fmt.Errorf("no \"path\" with the words of the command")
	}
	d.Path = strings.Join(path[1:], " ")
	if object.Get("options").Kind() == "nothing" {
		return path[0], d, nil
	}
	options, err := object.Get("options").Values()
	if err != nil {
		return "", d, err
	}
	for _, v := range options {
		o, err := readOption(v)
		if err != nil {
			return "", d, err
		}
		if len(o.Spellings) > 0 {
			d.Options = append(d.Options, o)
		}
	}
	return path[0], d, nil
}

func readOption(v wire.Value) (o Option, err error) {
	object, err := v.Object()
	if err != nil {
		return o, err
	}
	spellings, err := object.Get("n").Values()
	if err != nil {
		return o, err
	}
	for _, v := range spellings {
		if text, err := v.Text(); err == nil && text != "" && text[0] == '-' {
			o.Spellings = append(o.Spellings, text) // others are what a generator left
		}
	}
	o.Value = None
	if object.Get("args").Kind() == "nothing" {
		return o, nil
	}
	args, err := object.Get("args").Values()
	if err != nil || len(args) == 0 {
		return o, err
	}
	first, err := args[0].Object()
	if err != nil {
		return o, err
	}
	o.Value = Required
	if first.Get("optional").Kind() != "nothing" {
		o.Value = Optional
	}
	return o, nil
}
