package approval

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/system"
)

// How long requests last.
const (
	RequestLife = 5 * time.Minute // until nobody waits for an answer any more, unless somebody says otherwise
	kept        = 24 * time.Hour  // until what has ended is taken away
)

// How many there may be: of all in the life of one, and of one asker those that wait
// and those of the last RequestLife. Whoever is asked more than that reads none of
// them.
const (
	mostAsked = 20
	mostOpen  = 2000
)

// alphabet is what codes are made of: no two letters look or sound alike, and
// without vowels they are no words.
const alphabet = "BCDFGHJKMNPRSTVWXZ"

// Queue is the directory of the requests, a file each. The first line of a file is
// the question, each further one is what has become of it; it is appended under a
// lock of the file, by whoever found the state before. So an answer is given once
// and used once, however many try at a time, and a line that is not whole, after a
// crash or on a full disk, makes the request count for nothing.
type Queue struct{ Store }

// Ask puts a question. Where the same one waits already, or is approved and not
// used yet, that is returned, and fresh is false. What it is bound to, the facts and
// Life (0 = RequestLife) are the caller's, the rest is filled in. The error is
// ErrFull where too many wait.
func (q Queue) Ask(r Request) (asked *Request, fresh bool, err error) {
	if r.Life <= 0 {
		r.Life = RequestLife
	}
	r.State, r.made = Pending, q.moment()
	r.Made, r.changed, r.Changed = r.made.at, r.made, r.made.at
	if err := q.open(true); err != nil {
		return nil, false, err
	}
	lock, err := q.lock(filepath.Join(q.Dir, ".lock"), os.O_CREATE)
	if err != nil {
		return nil, false, err
	}
	defer lock.Close()
	entries, err := os.ReadDir(q.Dir)
	if err != nil {
		return nil, false, err
	}
	codes := map[string]bool{}
	sum, asker, open, own := r.Sum()[:sumLength], r.asker(), 0, 0
	for _, entry := range entries {
		name, ok := parseName(entry.Name())
		if !ok {
			continue
		}
		info, err := entry.Info()
		if err != nil {
			continue // somebody has taken it away
		}
		age := r.made.at.Sub(info.ModTime())
		if age > kept {
			os.Remove(filepath.Join(q.Dir, entry.Name()))
			continue
		}
		codes[name.code] = true
		if name.sum == sum {
			same, err := q.load(entry.Name())
			if err == nil && same.Sum() == r.Sum() && (same.State == Pending || same.State == Approved) {
				return same, false, nil
			}
		}
		if age < r.Life {
			open++
		}
		if name.asker == asker && (age < RequestLife || q.waits(entry.Name())) {
			own++
		}
	}
	if open >= mostOpen || own >= mostAsked {
		return nil, false, ErrFull
	}
	if r.Code, err = freeCode(codes); err != nil {
		return nil, false, err
	}
	text := r.append(nil)
	if back, err := parseRequest(text); err != nil || back.Sum() != r.Sum() || len(text) > maxFile/2 {
		return nil, false, errors.New("the command is not text that can be written down, or too long")
	}
	r.file = fileName{sum, asker, r.Code}.String()
	return &r, true, q.write(r.file, text)
}

// waits reports whether a request still waits.
func (q Queue) waits(name string) bool {
	r, err := q.load(name)
	return err == nil && r.State == Pending
}

// freeCode returns a code that no request has.
func freeCode(taken map[string]bool) (string, error) {
	for range 1000 {
		var random, code [4]byte
		if _, err := rand.Read(random[:]); err != nil {
			return "", err
		}
		for i, b := range random { // 256 is no multiple of 18, which makes some letters rarer
			code[i] = alphabet[int(b)%len(alphabet)]
		}
		if !taken[string(code[:])] {
			return string(code[:]), nil
		}
	}
	return "", ErrFull
}

// Requests returns all requests, the newest first, also those that have ended
// within a day. The error is about files that do not count.
func (q Queue) Requests() (list []*Request, complaint error) {
	names, err := q.names("")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		r, err := q.load(name)
		switch {
		case err == nil:
			list = append(list, r)
		case !errors.Is(err, fs.ErrNotExist):
			complaint = err
		}
	}
	slices.SortStableFunc(list, func(a, b *Request) int {
		return cmp.Or(b.Made.Compare(a.Made), strings.Compare(a.Code, b.Code))
	})
	return list, complaint
}

// Request returns the request that has a code, typed in any case. The error may be
// ErrUnknown.
func (q Queue) Request(code string) (*Request, error) {
	code = strings.ToUpper(strings.TrimSpace(code))
	if len(code) != 4 || strings.Trim(code, alphabet) != "" {
		return nil, ErrUnknown
	}
	names, err := q.names("-" + code + ".jsonl")
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, ErrUnknown
	}
	return q.load(names[0])
}

// Answer gives a request another state, and returns it. Pending ones are approved,
// denied or expire; approved ones are denied after all, or expire. The error may be
// ErrUnknown, ErrEnded or ErrOther.
func (q Queue) Answer(code string, a Answer) (*Request, error) {
	r, err := q.Request(code)
	if err != nil {
		return nil, err
	}
	if a.State == Used { // only Use does that, which knows for what
		return nil, errors.New("an answer is not used by its code")
	}
	return q.turn(r.file, func(now *Request) (Answer, error) {
		if a.Sum != "" && a.Sum != now.Sum() {
			return Answer{}, ErrOther
		}
		return a, nil
	})
}

// Use looks for an approved request of exactly this, and uses it up. However many
// look for it at a time, one of them gets it; nil for all others. The error is about
// a file that does not count.
func (q Queue) Use(want *Bound) (*Request, error) {
	return q.find(want, func(name string) (*Request, error) {
		return q.turn(name, func(r *Request) (Answer, error) {
			if r.State != Approved || r.Sum() != want.Sum() {
				return Answer{}, &EndedError{Code: r.Code, State: r.State}
			}
			return Answer{State: Used}, nil
		})
	})
}

// See returns the request that is pending or approved for exactly this, or nil.
func (q Queue) See(want *Bound) (*Request, error) {
	return q.find(want, func(name string) (*Request, error) {
		r, err := q.load(name)
		if err == nil && (r.State != Pending && r.State != Approved || r.Sum() != want.Sum()) {
			err = &EndedError{Code: r.Code, State: r.State}
		}
		return r, err
	})
}

// Denied returns the request of the same asker that a person has denied, for the same
// use of the same tool in the same place, for as long as it would have waited; nil if
// there is none. What else it is bound to may be another by now: who has said no is
// not asked again because the session has read more.
func (q Queue) Denied(want *Bound) (*Request, error) {
	names, err := q.names("")
	if err != nil {
		return nil, err
	}
	var complaint error
	for _, name := range names {
		if known, _ := parseName(name); known.asker != want.asker() {
			continue
		}
		r, err := q.load(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			complaint = err
		case r.State == Denied && r.Tool == want.Tool && r.Command == want.Command && r.Cwd == want.Cwd && q.within(r.changed, r.Life):
			return r, complaint
		}
	}
	return nil, complaint
}

// End gives an answer to all that waits of one asker for a tool's use, wherever the
// rest of what they are bound to stands by now.
func (q Queue) End(use *Bound, a Answer) error {
	names, err := q.names("")
	if err != nil {
		return err
	}
	for _, name := range names {
		if known, _ := parseName(name); known.asker != use.asker() {
			continue
		}
		_, wrong := q.turn(name, func(r *Request) (Answer, error) {
			if r.State != Pending || r.Tool != use.Tool || r.Command != use.Command || r.Cwd != use.Cwd {
				return Answer{}, &EndedError{Code: r.Code, State: r.State}
			}
			return a, nil
		})
		if !errors.Is(wrong, ErrEnded) && !errors.Is(wrong, fs.ErrNotExist) {
			err = errors.Join(err, wrong)
		}
	}
	return err
}

func (q Queue) find(want *Bound, take func(name string) (*Request, error)) (found *Request, complaint error) {
	names, err := q.names(want.Sum()[:sumLength] + "-")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		r, err := take(name)
		switch {
		case err == nil:
			return r, complaint
		case !errors.Is(err, ErrEnded) && !errors.Is(err, fs.ErrNotExist):
			complaint = err
		}
	}
	return nil, complaint
}

// pollTime is how often a file is looked at by whoever waits for it to change.
const pollTime = 10 * time.Millisecond

// Wait returns the request once it is no longer pending, or after patience as it is
// then.
func (q Queue) Wait(r *Request, patience time.Duration) (*Request, error) {
	path := filepath.Join(q.Dir, r.file)
	var size int64
	for end := time.Now().Add(patience); ; time.Sleep(pollTime) {
		info, err := os.Lstat(path)
		if err != nil {
			return nil, err
		}
		late := !time.Now().Before(end)
		over := !q.within(r.made, r.Life)
		if info.Size() == size && !late && !over {
			continue
		}
		size = info.Size()
		now, err := q.load(r.file)
		if err == nil && now.State == Pending && !late {
			continue
		}
		if err != nil && !late { // half of a line, which somebody is writing
			time.Sleep(pollTime)
			now, err = q.load(r.file)
		}
		return now, err
	}
}

// turn gives a request the state that to says, once it has seen the present one.
func (q Queue) turn(name string, to func(*Request) (Answer, error)) (*Request, error) {
	f, err := q.lock(filepath.Join(q.Dir, name), os.O_APPEND)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := q.load(name)
	if err != nil {
		return nil, err
	}
	a, err := to(r)
	if err != nil {
		return nil, err
	}
	if !may(r.State, a.State) {
		return nil, &EndedError{r.Code, r.State, r.By}
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	text := a.append(nil, q.moment())
	if _, err := f.Write(text); err != nil {
		f.Truncate(info.Size())
		return nil, err
	}
	if err := f.Sync(); err != nil {
		return nil, err
	}
	return q.load(name)
}

// load reads a request, and what the time has made of it.
func (q Queue) load(name string) (*Request, error) {
	known, ok := parseName(name)
	if !ok {
		return nil, ErrUnknown
	}
	if err := q.open(false); err != nil {
		return nil, err
	}
	text, _, err := q.read(name)
	if err != nil {
		return nil, err
	}
	r, err := parseRequest(text)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", filepath.Join(q.Dir, name), err)
	case r.Code != known.code || r.Sum()[:sumLength] != known.sum:
		return nil, fmt.Errorf("%s: it is another request than its name says", filepath.Join(q.Dir, name))
	}
	r.file = name
	switch {
	case r.State == Pending && !q.within(r.made, r.Life):
		r.State, r.Changed = Expired, r.made.at.Add(r.Life)
	case r.State == Approved && !q.within(r.changed, TicketLife):
		r.State, r.Changed = Expired, r.changed.at.Add(TicketLife)
	}
	return r, nil
}

// fileName is "SUM-ASKER-CODE.jsonl": whoever looks for one reads no other.
type fileName struct{ sum, asker, code string }

const sumLength = 32 // of the hash's digits

func (n fileName) String() string { return n.sum + "-" + n.asker + "-" + n.code + ".jsonl" }

func parseName(name string) (n fileName, ok bool) {
	parts := strings.Split(strings.TrimSuffix(name, ".jsonl"), "-")
	if len(parts) != 3 || len(parts[0]) != sumLength || len(parts[2]) != 4 {
		return n, false
	}
	n = fileName{parts[0], parts[1], parts[2]}
	return n, n.String() == name
}

// names lists the files of requests whose names begin or end so.
func (q Queue) names(part string) ([]string, error) {
	if err := q.open(false); err != nil {
		return nil, none(err)
	}
	entries, err := os.ReadDir(q.Dir)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, entry := range entries {
		name := entry.Name()
		if _, ok := parseName(name); ok && (strings.HasPrefix(name, part) || strings.HasSuffix(name, part)) {
			list = append(list, name)
		}
	}
	return list, nil
}

// lockTime is how long somebody else may hold a lock. Nobody holds one for longer
// than it takes to write a line.
const lockTime = 2 * time.Second

// lock opens a file, for nobody else who does.
func (q Queue) lock(path string, flags int) (*os.File, error) {
	f, err := system.OpenFile(path, os.O_RDWR|system.NoFollow|system.NoWait|flags, fileMode)
	if err != nil {
		return nil, err
	}
	if err := system.Lock(f, system.Exclusive, lockTime); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}
