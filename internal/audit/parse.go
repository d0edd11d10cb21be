package audit

import (
	"errors"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/mask"
	"github.com/bashgate/bashgate/internal/wire"
)

// Parse reads a line of the log, as this or an older bashgate has written it. It
// is an error if it is none: not this JSON, another version, without a time or an
// event. Keys that are not known say nothing. What a line does not say is its zero
// value; the workspace is Cwd then.
func Parse(raw []byte) (Line, error) {
	var l Line
	document, err := wire.Parse(raw)
	if err != nil {
		return l, err
	}
	object, err := document.Object()
	if err != nil {
		return l, err
	}
	version, at := 0, ""
	for _, m := range object {
		v := m.Value
		switch m.Key {
		case "v":
			version, err = v.Count()
		case "time":
			if at, err = v.Text(); err == nil {
				l.Time, err = time.Parse(time.RFC3339Nano, at)
			}
		case "event":
			l.Event, err = v.Text()
		case "host":
			l.Host, err = v.Text()
		case "session":
			l.Session, err = v.Text()
		case "agent":
			l.Agent, err = v.Text()
		case "use":
			l.Use, err = v.Text()
		case "tool":
			l.Tool, err = v.Text()
		case "command":
			l.Command, err = v.Text()
		case "args":
			l.Args, err = parseArgs(v)
		case "cwd":
			l.Cwd, err = v.Text()
		case "workspace":
			l.Workspace, err = v.Text()
		case "masked":
			l.Masked, err = v.Bool()
		case "cut":
			l.Cut, err = v.Bool()
		case "names":
			l.Names, err = v.Bool()
		case "mode":
			l.Mode, err = v.Text()
		case "shell":
			l.Shell, err = v.Text()
		case "profile":
			l.Profile, err = v.Text()
		case "unattended":
			l.Unattended, err = v.Bool()
		case "decision":
			l.Decision, err = v.Text()
		case "human":
			l.Human, err = v.Bool()
		case "reason":
			l.Reason, err = v.Text()
		case "rules":
			l.Rules, err = v.Texts()
		case "reach":
			l.Reach, err = v.Text()
		case "corruption":
			l.Corruption, err = v.Count()
		case "secret":
			l.Secret, err = v.Count()
		case "damaged":
			l.Damaged, err = v.Bool()
		case "untouched":
			l.Untouched, err = v.Bool()
		case "seen":
			l.Seen, err = v.Texts()
		case "cop":
			l.Cop, err = v.Text()
		case "cop_code":
			l.CopCode, err = v.Text()
		case "cop_text":
			l.CopText, err = v.Text()
		case "cop_risk":
			l.CopRisk, err = v.Text()
		case "cop_cached":
			l.CopCached, err = v.Bool()
		case "provider":
			l.Provider, err = v.Text()
		case "code":
			l.Code, err = v.Text()
		case "by":
			l.By, err = v.Text()
		case "cop_ms":
			l.CopMillis, err = v.Count()
		case "us":
			var n int
			n, err = v.Count()
			l.Microseconds = int64(n)
		}
		if err != nil {
			return Line{}, err
		}
	}
	if version != 1 || at == "" || l.Event == "" {
		return Line{}, errors.New("no line of the decision log")
	}
	if l.Workspace == "" {
		l.Workspace = l.Cwd
	}
	// Older lines don't say so.
	l.Masked = l.Masked || strings.Contains(l.Command, mask.Mark)
	l.Cut = l.Cut || len(l.Command) > maxCommand
	return l, nil
}

// parseArgs reads [["file_path","/w/a"],...].
func parseArgs(v wire.Value) ([]Arg, error) {
	rows, err := v.Values()
	if err != nil {
		return nil, err
	}
	var list []Arg
	for _, row := range rows {
		pair, err := row.Texts()
		if err != nil {
			return nil, err
		}
		if len(pair) != 2 {
			return nil, row.Errorf("an argument is a name and a value")
		}
		list = append(list, Arg{pair[0], pair[1]})
	}
	return list, nil
}
