// Package folder is a directory through which a container asks about commands that
// a server on the machine around it decides about: two texts of JSON a command,
// each a file of its own.
//
//	DIR/alive              that somebody serves the directory, and how long it waits for a person
//	DIR/requests/ID.json   a question; the container writes it, and the server takes it away
//	DIR/responses/ID.json  the answer; the server writes it, and takes it away minutes later
//
// A file is written under a name that begins with a dot and renamed, so nobody reads
// half of one. Both ends read with what is here: what is not understood is never an
// allow.
package folder

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/internal/wire"
)

// The names in the directory.
const (
	Requests  = "requests"
	Responses = "responses"
	Alive     = "alive"
)

// How large the files may be, in bytes.
const (
	MaxQuestion = 1 << 20
	MaxAnswer   = 64 << 10
)

// Times of the protocol.
const (
	Beat  = 2 * time.Second  // how often the server says that it is there
	Stale = 10 * time.Second // after so long without that it is not
)

// How long may be, in bytes,
const (
	maxID      = 64   // an id
	maxSession = 1000 // the id of a session
)

// ValidID reports whether a text is a question's id: 1 to 64 letters, digits,
// underscores and hyphens of ASCII.
func ValidID(id string) bool {
	if id == "" || len(id) > maxID {
		return false
	}
	for i := range len(id) {
		switch c := id[i]; {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_', c == '-':
		default:
			return false
		}
	}
	return true
}

// Type is what a question's type must be.
const Type = "security:bash_check"

// Question asks about a command.
type Question struct {
	ID        string
	Command   string
	Cwd       string // absolute and clean, in the container; "" = not known
	Workspace string // likewise; "" = Cwd
	Session   string // the agent's id of the session; "" = the folder's own
	Shell     string // "bash", "sh", "zsh"; "" = bash or zsh

	// What a container knows that has rules of its own.
	Asks       string // why they ask; "" = they don't
	Corruption int    // how untrusted is what the session has seen, 0 to 3
	Secret     int    // how secret
	Damaged    bool   // nobody knows what it has seen
}

// Append appends the question as JSON.
func (q *Question) Append(dst []byte) []byte {
	text := func(key, value string) {
		if value != "" {
			dst = wire.AppendText(append(dst, `,"`+key+`":`...), value)
		}
	}
	level := func(key string, n int) {
		if n > 0 {
			dst = strconv.AppendInt(append(dst, `,"`+key+`":`...), int64(n), 10)
		}
	}
	dst = append(dst, `{"type":"`+Type+`","v":1`...)
	text("request_id", q.ID)
	dst = wire.AppendText(append(dst, `,"command":`...), q.Command)
	text("cwd", q.Cwd)
	text("workspace", q.Workspace)
	text("session", q.Session)
	text("shell", q.Shell)
	text("asks", q.Asks)
	level("corruption", q.Corruption)
	level("secret", q.Secret)
	if q.Damaged {
		dst = append(dst, `,"damaged":true`...)
	}
	return append(dst, "}\n"...)
}

// ParseQuestion reads a question that stands under an id's name.
func ParseQuestion(data []byte, id string) (q Question, err error) {
	o, err := object(data)
	if err != nil {
		return q, err
	}
	command, kind := false, ""
	for _, m := range o {
		switch m.Key {
		case "type":
			kind, err = m.Value.Text()
		case "v":
			err = isOne(m.Value)
		case "request_id":
			q.ID, err = m.Value.Text()
		case "command":
			command = true
			q.Command, err = m.Value.Text()
		case "cwd":
			q.Cwd, err = directory(m.Value)
		case "workspace":
			q.Workspace, err = directory(m.Value)
		case "session":
			if q.Session, err = m.Value.Text(); err == nil && len(q.Session) > maxSession {
				err = m.Value.Errorf("longer than %d bytes", maxSession)
			}
		case "shell":
			q.Shell, err = m.Value.Text()
			if err == nil && q.Shell != "bash" && q.Shell != "sh" && q.Shell != "zsh" {
				err = m.Value.Errorf("the shell is bash, sh or zsh, not %.40q", q.Shell)
			}
		case "asks":
			q.Asks, err = m.Value.Text()
		case "corruption":
			q.Corruption, err = level(m.Value)
		case "secret":
			q.Secret, err = level(m.Value)
		case "damaged":
			q.Damaged, err = m.Value.Bool()
		default:
			err = m.Value.Errorf("unknown key %.80q", m.Key)
		}
		if err != nil {
			return q, fmt.Errorf("%.80s: %w", m.Key, err)
		}
	}
	switch {
	case kind != Type:
		return q, fmt.Errorf("the type is %q, found %.80q", Type, kind)
	case q.ID == "":
		return q, errors.New("no request_id")
	case q.ID != id:
		return q, fmt.Errorf("request_id is %.80q, and the file's name says %q", q.ID, id)
	case !command:
		return q, errors.New("no command")
	}
	return q, nil
}

// Answer is what becomes of a command. The zero value denies it.
type Answer struct {
	ID     string
	Allow  bool
	Reason string // one line; "" = none is given
	Sum    string // Sum of the question's file, so that another one is not answered by it
}

// Sum is the hash of a question's file: SHA-256, in hexadecimal digits.
func Sum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Append appends the answer as JSON.
func (a *Answer) Append(dst []byte) []byte {
	decision := "deny"
	if a.Allow {
		decision = "allow"
	}
	dst = append(dst, `{"decision":"`+decision+`","reason":`...)
	dst = wire.AppendText(dst, a.Reason)
	dst = wire.AppendText(append(dst, `,"request_id":`...), a.ID)
	if a.Sum != "" {
		dst = wire.AppendText(append(dst, `,"sum":`...), a.Sum)
	}
	return append(dst, "}\n"...)
}

// ParseAnswer reads the answer to a question, whose id and sum it must carry. An
// error denies the command.
func ParseAnswer(data []byte, id, sum string) (a Answer, err error) {
	o, err := object(data)
	if err != nil {
		return Answer{}, err
	}
	decision := ""
	for _, m := range o {
		switch m.Key {
		case "decision":
			decision, err = m.Value.Text()
		case "reason":
			a.Reason, err = m.Value.Text()
		case "request_id":
			a.ID, err = m.Value.Text()
		case "sum":
			a.Sum, err = m.Value.Text()
		default:
			err = m.Value.Errorf("unknown key %.80q", m.Key)
		}
		if err != nil {
			return Answer{}, fmt.Errorf("%.80s: %w", m.Key, err)
		}
	}
	switch {
	case a.ID != id:
		return Answer{}, fmt.Errorf("it answers %.80q", a.ID)
	case a.Sum != sum:
		return Answer{}, errors.New("it answers another text than was asked about")
	case decision != "allow" && decision != "deny":
		return Answer{}, fmt.Errorf("it decides %.80q, not allow or deny", decision)
	}
	a.Allow = decision == "allow"
	return a, nil
}

// Pulse says that a server is there.
type Pulse struct {
	At   time.Time
	Life time.Duration // how long it waits for a person
}

// Append appends it as JSON.
func (p *Pulse) Append(dst []byte) []byte {
	dst = append(dst, `{"v":1,"at":"`+p.At.UTC().Format(time.RFC3339Nano)+`","life_ms":`...)
	return append(strconv.AppendInt(dst, p.Life.Milliseconds(), 10), "}\n"...)
}

// ParsePulse reads it.
func ParsePulse(data []byte) (p Pulse, err error) {
	o, err := object(data)
	if err != nil {
		return p, err
	}
	if err := isOne(o.Get("v")); err != nil {
		return p, err
	}
	at, err := o.Get("at").Text()
	if err != nil {
		return p, err
	}
	if p.At, err = time.Parse(time.RFC3339Nano, at); err != nil {
		return p, err
	}
	life, err := o.Get("life_ms").Count()
	p.Life = time.Duration(life) * time.Millisecond
	return p, err
}

// Fresh reports whether a server that has said so is still there, at a moment.
func (p *Pulse) Fresh(now time.Time) bool {
	age := now.Sub(p.At)
	return age > -Stale && age < Stale
}

func object(data []byte) (wire.Object, error) {
	v, err := wire.Parse(data)
	if err != nil {
		return nil, err
	}
	return v.Object()
}

func isOne(v wire.Value) error {
	if n, err := v.Count(); err != nil {
		return err
	} else if n != 1 {
		return v.Errorf("version 1 is understood, not %d", n)
	}
	return nil
}

func level(v wire.Value) (int, error) {
	n, err := v.Count()
	if err == nil && n > 3 {
		err = v.Errorf("a level is 0 to 3, found %d", n)
	}
	return n, err
}

// directory returns an absolute path without "." and "..": what these lead to
// hangs on links.
func directory(v wire.Value) (string, error) {
	dir, err := v.Text()
	if err == nil && (!path.IsAbs(dir) || path.Clean(dir) != dir || strings.IndexByte(dir, 0) >= 0) {
		err = v.Errorf("not an absolute path without . and ..: %.200q", dir)
	}
	return dir, err
}

// Owners are the users whose files count, by their numbers.
type Owners []uint32

// Plain reports whether a file is one that can be read: a regular one, with one
// name, of somebody who counts. Nil owners are not looked at.
func Plain(info os.FileInfo, owners Owners) error {
	if !info.Mode().IsRegular() {
		return errors.New("it is no regular file")
	}
	if names, known := system.Names(info); known && names > 1 {
		return errors.New("the file has another name, too")
	}
	user, known := OwnerOf(info)
	if !known || owners == nil || slices.Contains(owners, user) {
		return nil
	}
	return fmt.Errorf("it is the file of another user (%d)", user)
}

// OwnerOf is the user of a file, by number; false where the system does not tell.
func OwnerOf(info os.FileInfo) (uint32, bool) {
	user, _, known := system.Owner(info)
	return user, known
}

// ReadOpen reads a file that was opened without waiting, and of which info was known
// before: it must still be that one.
func ReadOpen(f *os.File, info os.FileInfo, owners Owners, limit int) ([]byte, error) {
	now, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !os.SameFile(now, info) {
		return nil, errors.New("it is another file than a moment ago")
	}
	if err := Plain(now, owners); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	if err == nil && len(data) > limit {
		return nil, fmt.Errorf("it is larger than %d bytes", limit)
	}
	return data, err
}
