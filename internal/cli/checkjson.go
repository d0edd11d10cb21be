package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/config"
	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/expect"
	"github.com/bashgate/bashgate/internal/wire"
	"github.com/bashgate/bashgate/policy"
)

// checkLines answers every line of the input with a line, in order. An answer
// is flushed before the next line is waited for, so that another program can
// hold a conversation.
func checkLines(p *Process, s *situation) error {
	in := bufio.NewReaderSize(p.Stdin, 64<<10)
	out := bufio.NewWriterSize(p.Stdout, 64<<10)
	j := newJudge(p)
	var line []byte // and its answer, in its place
	for {
		var err error
		line, err = readLine(in, line[:0])
		if err == io.EOF {
			return out.Flush()
		}
		long := new(tooLarge)
		if err != nil && !errors.As(err, &long) {
			return fmt.Errorf("reading the questions: %w", errors.Join(err, out.Flush()))
		}
		if err != nil {
			line = appendError(line[:0], err)
		} else {
			line = checkLine(line, p, j, *s)
		}
		if _, err := out.Write(line); err != nil {
			return err
		}
		if waiting, _ := in.Peek(in.Buffered()); bytes.IndexByte(waiting, '\n') < 0 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
}

// readLine appends the next line to line, without its end. A line of more
// than maxInput bytes is skipped and a *tooLarge error.
func readLine(in *bufio.Reader, line []byte) ([]byte, error) {
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxInput; !long {
			line = append(roomier(line, len(part), maxInput), part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && (long || len(line) > 0), err == nil:
			if long {
				return line, &tooLarge{maxInput}
			}
			return bytes.TrimSuffix(line, []byte("\n")), nil
		}
		return line, err
	}
}

// checkLine answers one question, with the answer in its place. A panic of the engine is
// a reason to ask about this line, and none to leave the others without an answer.
func checkLine(line []byte, p *Process, j *judge, s situation) (answer []byte) {
	defer func() {
		if cause := recover(); cause != nil {
			answer = appendError(line[:0], fmt.Errorf("internal error: %v", cause))
		}
	}()
	if len(line) > largeInput {
		defer sooner()()
	}
	command, err := readQuestion(line, &s, j.setup)
	if err != nil {
		return appendError(line[:0], err)
	}
	r := s.request(p, command)
	v := j.evaluate(r)
	r.Taint = j.taintRules().Within(&v, r.Taint)
	table, review := j.table(), s.review
	if table.Free = review != nil; !table.Free && j.config.Cop.Provider != "" {
		review = func(*engine.Request, *engine.Verdict) cop.Outcome {
			return cop.Outcome{Kind: cop.Failed, Code: "not-asked", Text: "check does not ask the reviewer (" + policy.Visible(j.config.Cop.Provider) + "), whom the hook asks"}
		}
	}
	table.Decide(&r, &v, review)
	return appendVerdict(line[:0], command, &v)
}

// readQuestion reads a line over the defaults in s.
func readQuestion(line []byte, s *situation, setup *config.Setup) (command string, err error) {
	document, err := wire.Parse(line)
	if err != nil {
		return "", err
	}
	object, err := document.Object()
	if err != nil {
		return "", err
	}
	if object.Get("command").Kind() == "nothing" {
		return "", errors.New(`no "command"`)
	}
	for _, m := range object {
		switch m.Key {
		case "command":
			command, err = m.Value.Text()
		case "cwd":
			s.cwd, err = absolute(m)
		case "workspace":
			s.workspace, err = absolute(m)
		case "mode":
			s.mode, err = oneOf(m, expect.Modes(), nil)
		case "shell":
			s.shell, err = oneOf(m, expect.Shells(), knownShell)
		case "attended":
			s.attended, err = m.Value.Bool()
		case "profile":
			if s.profile, err = m.Value.Text(); err == nil {
				err = missing(m, setup, s.profile, nil)
			}
		case "packs":
			if s.packs, err = m.Value.Texts(); err == nil {
				err = missing(m, setup, "", s.packs)
			}
		case "denied_commands":
			if s.deniedCommands, err = m.Value.Texts(); err == nil {
				if what, _ := deniedProblem(s.deniedCommands); what != "" {
					err = m.Value.Errorf("%.200s", what)
				}
			}
		case "allowed_dirs":
			s.allowedDirs, err = m.Value.Texts()
		case "taint":
			s.taint, err = readTaint(m.Value)
		case "cop":
			s.review, err = readCop(m.Value)
		default:
			err = m.Value.Errorf("unknown key %.80q", m.Key)
		}
		if err != nil {
			return "", err
		}
	}
	return command, nil
}

// oneOf reads one of some words, or another text that fits; "" is the default.
func oneOf(m wire.Member, words []string, also func(string) bool) (string, error) {
	text, err := m.Value.Text()
	if err == nil && text != "" && !slices.Contains(words, text) && (also == nil || !also(text)) {
		err = m.Value.Errorf("%s %.80q is none of %s", m.Key, text, strings.Join(words, ", "))
	}
	return text, err
}

// missing is an error about a profile or a pack that there is not.
func missing(m wire.Member, setup *config.Setup, profile string, packs []string) error {
	if what, hint := unknownName(setup, profile, packs); what != "" {
		return m.Value.Errorf("%.200s: %.400s", what, hint)
	}
	return nil
}

func absolute(m wire.Member) (string, error) {
	dir, err := m.Value.Text()
	if err == nil && dir != "" && dir[0] != '/' {
		err = m.Value.Errorf("%s %.80q is not an absolute path", m.Key, dir)
	}
	return dir, err
}

// readTaint reads what a session has seen, as levels from 0 to 3.
func readTaint(v wire.Value) (t engine.Taint, err error) {
	object, err := v.Object()
	if err != nil {
		return t, err
	}
	for _, m := range object {
		switch m.Key {
		case "corruption":
			t.Corruption, err = readLevel(m.Value)
		case "secret":
			t.Secret, err = readLevel(m.Value)
		case "damaged":
			t.Damaged, err = m.Value.Bool()
		default:
			err = m.Value.Errorf("unknown key %.80q in taint", m.Key)
		}
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

func readLevel(v wire.Value) (int, error) {
	n, err := v.Count()
	if err == nil && n > 3 {
		err = v.Errorf("a level of taint is 0 to 3, not %d", n)
	}
	return n, err
}

// readCop reads how a reviewer's answer ends.
func readCop(v wire.Value) (cop.Review, error) {
	text, err := v.Text()
	if err != nil {
		return nil, err
	}
	kind, ok := cop.ParseKind(text)
	if !ok {
		return nil, v.Errorf("cop is \"clear\", \"flag\" or \"error\", not %.80q", text)
	}
	return cop.Recorded(kind), nil
}

// appendVerdict appends the answer to a question as one line.
func appendVerdict(dst []byte, command string, v *engine.Verdict) []byte {
	dst = append(dst, `{"command":`...)
	dst = wire.AppendText(dst, command)
	dst = append(dst, `,"decision":`...)
	dst = wire.AppendText(dst, v.Decision.String())
	dst = append(dst, `,"human":`...)
	dst = strconv.AppendBool(dst, v.Human)
	dst = append(dst, `,"reason":`...)
	dst = wire.AppendText(dst, v.Reason)
	dst = append(dst, `,"reach":`...)
	dst = wire.AppendText(dst, v.Reach.String())
	dst = append(dst, `,"effects":[`...)
	for i, name := range v.Effects.Names() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = wire.AppendText(dst, name)
	}
	dst = append(dst, `],"rules":[`...)
	from, to := 0, 0 // where the command of the reason before stands in dst
	commands, cut := 0, false
	for i := range v.Reasons {
		r := &v.Reasons[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendReason(dst, r)
		start := len(dst)
		if full := commands > maxCommands; i == 0 || !r.SameCommand(&v.Reasons[i-1]) || full && !cut {
			text := r.Command()
			if cut = full; cut {
				text = policy.Clip(text, maxCommand)
			}
			dst = wire.AppendText(dst, text)
		} else {
			dst = append(dst, dst[from:to]...)
		}
		from, to = start, len(dst)
		commands += to - from
		dst = append(dst, '}')
	}
	return append(dst, "]}\n"...)
}

// A command of a thousand redirects has a thousand reasons, each of which names it.
// Behind maxCommands bytes of commands in one answer, no more than maxCommand of one
// are told.
const (
	maxCommands = 1 << 20
	maxCommand  = 200
)

// appendReason appends a reason up to its command.
func appendReason(dst []byte, r *engine.Reason) []byte {
	dst = append(dst, `{"id":`...)
	dst = wire.AppendText(dst, r.ID)
	dst = append(dst, `,"decision":`...)
	dst = wire.AppendText(dst, r.Counts().String())
	dst = append(dst, `,"reason":`...)
	dst = wire.AppendText(dst, r.Text())
	dst = append(dst, `,"file":`...)
	dst = wire.AppendText(dst, r.File)
	dst = append(dst, `,"line":`...)
	dst = strconv.AppendInt(dst, int64(r.Line), 10)
	return append(dst, `,"command":`...)
}

// appendError appends the answer to a line that is no question.
func appendError(dst []byte, err error) []byte {
	dst = append(dst, `{"command":"","decision":`...)
	dst = wire.AppendText(dst, policy.Ask.String())
	dst = append(dst, `,"reason":"The question can't be understood","error":`...)
	dst = wire.AppendText(dst, err.Error())
	return append(dst, "}\n"...)
}
