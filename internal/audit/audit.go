// Package audit writes and reads the decision log: one line of JSON for each
// decision and each event of a session, so that a person can see later what was
// asked, what was answered and why. It decides nothing, and nothing is decided
// by it: where a line can't be written, the answer is the same.
//
// A line is written with one write(2) to a file that only its owner can read.
// A file that has grown to the limit is put aside under a name with the time,
// and of those only the newest are kept. A Reader goes through all of them,
// the newest line first or last.
package audit

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/mask"
	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/internal/wire"
	"github.com/bashgate/bashgate/policy"
)

// Log is where the lines go.
type Log struct {
	Path     string // absolute
	MaxBytes int64  // when a new file is begun; 0 = never
	Keep     int    // how many full files are kept; 0 = all
	Key      string // absolute, the file of the key that chains the lines; "" = they are not chained
}

// Line is one decision or event. What is empty is left out. Its texts are
// written with masks in the place of secrets.
type Line struct {
	Time     time.Time
	Event    string // "before_tool_use"
	Host     string // "claude"
	Session  string
	Agent    string // the subagent's id
	Use      string // the agent's id of the tool's use
	Tool     string
	Command  string // as much of it as is logged
	Args     []Arg  // of another tool than the shell: the places that it is given
	Decision string // "allow", "ask", "block"; "skip" where it is left to the agent
	Human    bool   // nothing but a person lifts it
	Reason   string
	Rules    []string // ids of the reasons, strictest first
	Reach    string

	// What Command, Args and the directories lack of what was judged.
	Masked bool // a secret, or what looks like one
	Cut    bool // an end, or arguments of the tool
	Names  bool // all but the names of the programs

	// The situation in which it was judged.
	Cwd        string
	Workspace  string // "" = Cwd
	Mode       string
	Shell      string // "bash", "sh", "zsh"; "" where the agent does not say
	Profile    string // "" = "default"
	Unattended bool   // nobody could be asked

	Corruption int // what counted: 0 to 3
	Secret     int
	Damaged    bool
	Untouched  bool     // the project's code was as no tainted session had left it
	Seen       []string // what the session has seen by it, in words

	Cop          string // "clear", "flag", "error"
	CopCode      string
	CopText      string // why, as a sentence's end
	CopRisk      string // of a flag: "low" to "critical"
	CopCached    bool   // an earlier answer to the same question
	Provider     string
	Code         string // of a request that a person answers elsewhere; of an event "approval" Decision is what has become of it
	By           string // who has answered it
	CopMillis    int
	Microseconds int64 // from the start of the hook to the answer
}

// Arg is one argument of a tool.
type Arg struct{ Name, Value string }

// Exact reports whether the line holds the very command that was judged, where
// it was judged.
func (l *Line) Exact() bool {
	return l.Command != "" && !l.Masked && !l.Cut && !l.Names
}

// Started is when the agent's event came in.
func (l *Line) Started() time.Time {
	return l.Time.Add(-time.Duration(l.Microseconds) * time.Microsecond)
}

// maxCommand is how much of a command is logged, in bytes, and maxText how
// much of other texts.
const (
	maxCommand = 16 << 10
	maxText    = 1000
	maxRules   = 40
)

// Append writes a line, and chains it. An error is of writing; the line is lost
// then, or cut off. But for an *UnchainedError: then it is written.
func (l Log) Append(line *Line) error {
	text := line.append(nil)
	var c *chain
	var unchained error
	if l.Key != "" {
		if c, unchained = l.lock(system.Exclusive); c != nil {
			defer c.close()
		}
	}
	f, info, err := l.open()
	if err != nil {
		return err
	}
	defer f.Close()
	if c != nil {
		chained, err := c.link(l.Path, f, info, text)
		if err != nil {
			c, unchained = nil, err
		} else {
			text = chained
		}
	}
	if _, err := f.Write(text); err != nil {
		return err
	}
	if c != nil {
		unchained = c.written(f, info)
	}
	if l.MaxBytes > 0 && info.Size() >= l.MaxBytes {
		err = l.rotate(info, c)
	}
	if err == nil && unchained != nil {
		err = &UnchainedError{unchained}
	}
	return err
}

// open opens the file that is written to.
func (l Log) open() (*os.File, os.FileInfo, error) {
	const flags = os.O_WRONLY | os.O_APPEND | os.O_CREATE | system.NoFollow | system.NoWait
	f, err := system.OpenFile(l.Path, flags, 0o600)
	if errors.Is(err, os.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(l.Path), 0o700); err != nil {
			return nil, nil, err
		}
		f, err = system.OpenFile(l.Path, flags, 0o600)
	}
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New(l.Path + " is not a regular file")
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// rotate puts the file aside, unless another process has done so just now.
// Lines that others are writing go to the file that is put aside. The chain, if
// there is one, goes on behind what is removed.
func (l Log) rotate(full os.FileInfo, c *chain) error {
	now, err := os.Lstat(l.Path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !os.SameFile(full, now):
		return nil
	}
	name := l.Path + "." + time.Now().UTC().Format("20060102T150405.000000000")
	switch err := system.Replace(l.Path, name); {
	case errors.Is(err, os.ErrNotExist):
		return nil // another process was faster
	case err != nil:
		return err
	}
	if l.Keep == 0 {
		return nil
	}
	old, err := aside(l.Path)
	if err != nil {
		return err
	}
	var failed error
	for len(old) > l.Keep {
		if c != nil {
			if err := c.drop(old[0]); err != nil {
				failed = err
			}
		}
		if err := os.Remove(old[0]); err != nil && !errors.Is(err, os.ErrNotExist) {
			failed = err
		}
		old = old[1:]
	}
	return failed
}

// aside lists the full files that lie beside a log, the oldest first.
func aside(path string) ([]string, error) {
	list, err := filepath.Glob(strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`, `\`, `\\`).Replace(path) + ".????????T??????.?????????")
	slices.Sort(list)
	return list, err
}

// append appends the line as JSON. The agent's ids are as they were given.
func (l *Line) append(dst []byte) []byte {
	dst = append(dst, `{"v":1,"time":"`...)
	dst = l.Time.UTC().AppendFormat(dst, time.RFC3339Nano)
	dst = append(dst, '"')
	text := func(key, value string, most int) {
		if value != "" {
			dst = append(dst, `,"`+key+`":`...)
			dst = wire.AppendText(dst, policy.Clip(value, most))
		}
	}
	// A reason may quote the command, and a piece of it is not known for a secret.
	reason := func(value, command string) string {
		is := strings.Fields(command)
		was := make([]string, 0, len(is))
		for w := range strings.FieldsSeq(l.Command) { // of which there may be a million
			if len(was) == len(is) {
				return Text(value)
			}
			was = append(was, w)
		}
		if len(was) < len(is) {
			return Text(value)
		}
		for i := range was {
			if was[i] != is[i] {
				value = strings.ReplaceAll(value, strings.Trim(was[i], `"'`), strings.Trim(is[i], `"'`))
			}
		}
		return Text(value)
	}
	free := func(key, value string) { text(key, Text(value), maxText+len("...")) }
	// exact writes what a later reader may want to judge again.
	lacks := *l
	exact := func(value string) string {
		out := masked(value, maxCommand)
		lacks.Masked = lacks.Masked || out != policy.Clip(value, maxCommand+maxToken)
		lacks.Cut = lacks.Cut || len(out) > maxCommand || len(value) > maxCommand+maxToken
		return out
	}
	number := func(key string, n int64) {
		if n != 0 {
			dst = append(dst, `,"`+key+`":`...)
			dst = strconv.AppendInt(dst, n, 10)
		}
	}
	yes := func(key string, is bool) {
		if is {
			dst = append(dst, `,"`+key+`":true`...)
		}
	}
	list := func(key string, texts []string) {
		if len(texts) == 0 {
			return
		}
		dst = append(dst, `,"`+key+`":[`...)
		for i, t := range texts[:min(len(texts), maxRules)] {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = wire.AppendText(dst, policy.Clip(masked(t, maxText), maxText))
		}
		dst = append(dst, ']')
	}
	text("event", l.Event, maxText)
	text("host", l.Host, maxText)
	text("session", l.Session, maxText)
	text("agent", l.Agent, maxText)
	text("use", l.Use, maxText)
	free("tool", l.Tool)
	command := exact(l.Command)
	text("command", command, maxCommand)
	if len(l.Args) > 0 {
		dst = append(dst, `,"args":[`...)
		for i, a := range l.Args[:min(len(l.Args), maxRules)] {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = wire.AppendText(append(dst, '['), policy.Clip(a.Name, maxText))
			dst = wire.AppendText(append(dst, ','), policy.Clip(exact(a.Value), maxText))
			dst = append(dst, ']')
			lacks.Cut = lacks.Cut || len(a.Value) > maxText
		}
		dst = append(dst, ']')
		lacks.Cut = lacks.Cut || len(l.Args) > maxRules
	}
	text("cwd", exact(l.Cwd), maxCommand)
	if l.Workspace != l.Cwd {
		text("workspace", exact(l.Workspace), maxCommand)
	}
	yes("masked", lacks.Masked)
	yes("cut", lacks.Cut)
	yes("names", l.Names)
	text("mode", l.Mode, maxText)
	text("shell", l.Shell, maxText)
	text("profile", l.Profile, maxText)
	yes("unattended", l.Unattended)
	text("decision", l.Decision, maxText)
	yes("human", l.Human)
	text("reason", reason(l.Reason, command), maxText+len("..."))
	list("rules", l.Rules)
	text("reach", l.Reach, maxText)
	number("corruption", int64(l.Corruption))
	number("secret", int64(l.Secret))
	yes("damaged", l.Damaged)
	yes("untouched", l.Untouched)
	list("seen", l.Seen)
	text("cop", l.Cop, maxText)
	text("cop_code", l.CopCode, maxText)
	free("cop_text", l.CopText)
	text("cop_risk", l.CopRisk, maxText)
	yes("cop_cached", l.CopCached)
	text("provider", l.Provider, maxText)
	text("code", l.Code, maxText)
	free("by", l.By)
	number("cop_ms", int64(l.CopMillis))
	number("us", l.Microseconds)
	return append(dst, "}\n"...)
}

// Text is a text, such as a reason, as the log holds it.
func Text(text string) string { return policy.Clip(masked(text, maxText), maxText) }

// maxToken is how much of a text is looked at behind what is wanted of it: half
// a token is not known for one.
const maxToken = 4 << 10

// masked masks the secrets of a text of which no more than most bytes are
// wanted.
func masked(text string, most int) string { return mask.Text(policy.Clip(text, most+maxToken)) }
