package handbook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"
)

// step is a command of a block and what is shown to come of it.
type step struct {
	lines   string // as they stand in the block
	command string
	shown   string
}

// steps reads a block: "$ " begins a command, a backslash at the end of a line or
// "> " on the next one continues it.
func steps(text string) (steps []step, err error) {
	continues := false
	for line := range strings.Lines(text) {
		last := len(steps) - 1
		command, begins := strings.CutPrefix(line, "$ ")
		more, within := strings.CutPrefix(line, "> ")
		switch {
		case continues:
			steps[last].lines += line
			steps[last].command += more
		case begins:
			steps = append(steps, step{lines: line, command: command})
		case last < 0:
			return nil, fmt.Errorf("it begins with no command: %q\nhint: $ COMMAND", line)
		case within && steps[last].shown == "":
			steps[last].lines += line
			steps[last].command += more
		default:
			steps[last].shown += line
			continue
		}
		continues = strings.HasSuffix(line, "\\\n")
	}
	return steps, nil
}

// Play does what a block says. It returns what the block should say: its text, or
// another one if the error is that something else is printed.
func (s *Stage) Play(b *Block) (text string, err error) {
	if b.Skip != "" {
		return b.Text, nil
	}
	if b.File != "" {
		if err := s.Write(b.File, b.Text); err != nil {
			return b.Text, err
		}
	}
	switch {
	case b.Prints != "":
		printed, err := s.Run(b.Prints)
		if err != nil {
			return b.Text, err
		}
		return s.compared(b, printed)
	case b.Language == "console":
		return s.console(b.Text)
	case b.Language == "sh" && b.File == "":
		if seen, err := s.Dialog("set -e\n"+b.Text, agreed); err != nil {
			return b.Text, fmt.Errorf("%w:\n%s", err, seen)
		}
	case b.Language == "json":
		_, err := compact(b.Text)
		return b.Text, err
	}
	return b.Text, nil
}

// compared holds a block against what its command has printed; where white space
// means nothing it may differ.
func (s *Stage) compared(b *Block, printed string) (string, error) {
	shown := b.Text
	if b.Language == "json" {
		var err error
		if shown, err = compact(shown); err == nil {
			printed, err = compact(printed)
		}
		if err != nil {
			return b.Text, err
		}
	}
	fresh, same := compare(shown, printed, s.names)
	if b.Language == "json" { // its lines are not the page's
		fresh = b.Text
	}
	if !same {
		return fresh, fmt.Errorf("%s prints\n%s", b.Prints, printed)
	}
	return fresh, nil
}

func (s *Stage) console(text string) (string, error) {
	steps, err := steps(text)
	if err != nil {
		return text, err
	}
	var fresh strings.Builder
	var wrong error
	for _, step := range steps {
		printed, err := s.take(step)
		if err != nil {
			return text, err
		}
		now, same := compare(step.shown, printed, s.names)
		if !same && wrong == nil {
			wrong = fmt.Errorf("$ %sprints\n%s", step.command, printed)
		}
		fresh.WriteString(step.lines + now)
	}
	return fresh.String(), wrong
}

// typed is a line in which a person was asked something and has answered, or after
// which they have pressed Ctrl-C.
var typed = regexp.MustCompile(`(?m)^(.*\bType .*: )(.+)$|^(.+)\n\^C$`)

// take runs the command of a step: at a terminal if a person types something.
func (s *Stage) take(step step) (printed string, err error) {
	rest := typed.FindAllStringSubmatch(step.shown, -1)
	if rest == nil {
		return s.Run(step.command)
	}
	printed, err = s.Dialog(step.command, func(line string) string {
		for i, m := range rest {
			if _, ok := patternOf(m[1]+m[3]).match(line, s.names); ok {
				rest = rest[i+1:]
				if m[3] != "" {
					return "\x03"
				}
				return m[2] + "\n"
			}
		}
		if strings.HasSuffix(line, ": ") {
			return "\n"
		}
		return ""
	})
	if _, ended := errors.AsType[*exec.ExitError](err); ended {
		err = nil // the status is the decision
	}
	return printed, err
}

var toType = regexp.MustCompile(`Type (\w+).*: $`)

// agreed answers what is asked with the word that agrees.
func agreed(line string) string {
	if m := toType.FindStringSubmatch(line); m != nil {
		return m[1] + "\n"
	}
	return ""
}

// compact is JSON without white space, a value a line.
func compact(text string) (string, error) {
	var out bytes.Buffer
	for values := json.NewDecoder(strings.NewReader(text)); ; {
		var value json.RawMessage
		err := values.Decode(&value)
		if err == io.EOF {
			return out.String(), nil
		}
		if err == nil {
			err = json.Compact(&out, value)
		}
		if err != nil {
			return "", err
		}
		out.WriteByte('\n')
	}
}
