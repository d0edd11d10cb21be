package expect

import (
	"errors"
	"strings"

	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/internal/wire"
	"github.com/bashgate/bashgate/policy"
)

// json reads the form of lines. Empty ones count for nothing.
func (l *loader) json() {
	for i, line := range l.lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		at := ruleset.Span{Line: i + 1, Col: 1, Len: len(line)}
		t := Test{File: l.name, At: at}
		if err := t.read([]byte(line)); err != nil {
			if wrong, ok := errors.AsType[*wire.Error](err); ok {
				l.errorf(ruleset.Span{Line: i + 1, Col: wrong.Offset + 1, Len: 1}, "", "%s", wrong.What)
			}
			continue
		}
		if strings.TrimSpace(t.Command) == "" {
			l.errorf(at, `{"command": "git push", "decision": "ask"}`, `the line has no "command"`)
		}
		if t.Decision == policy.Skip {
			l.errorf(at, `"decision": "allow", "ask" or "block"`, `the line has no "decision"`)
		}
		l.word(at, "mode", t.Mode, Modes())
		l.word(at, "shell", t.Shell, Shells())
		l.tests = append(l.tests, t)
	}
}

// read fills a test from a line. The error is a *wire.Error.
func (t *Test) read(line []byte) error {
	document, err := wire.Parse(line)
	if err != nil {
		return err
	}
	object, err := document.Object()
	if err != nil {
		return err
	}
	for _, m := range object {
		switch m.Key {
		case "command":
			t.Command, err = m.Value.Text()
		case "cwd":
			t.Cwd, err = m.Value.Text()
		case "workspace":
			t.Workspace, err = m.Value.Text()
		case "mode":
			t.Mode, err = m.Value.Text()
		case "shell":
			t.Shell, err = m.Value.Text()
		case "profile":
			t.Profile, err = m.Value.Text()
		case "unattended":
			t.Unattended, err = m.Value.Bool()
		case "id":
			t.ID, err = m.Value.Text()
		case "note":
			t.Note, err = m.Value.Text()
		case "decision":
			word, e := m.Value.Text()
			decision, ok := policy.ParseDecision(word)
			if err = e; err == nil && (!ok || decision == policy.Skip) {
				err = m.Value.Errorf("decision is \"allow\", \"ask\" or \"block\", not %.80q", word)
			}
			t.Decision = decision
		default:
			err = m.Value.Errorf("unknown key %.80q", m.Key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
