package folder

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
	"unicode/utf8"

	"github.com/bashgate/bashgate/internal/system"
)

// Grace is how much longer than the server waits for a person a container waits for
// the server.
const Grace = 5 * time.Second

// pollTime is how often the container looks for the answer.
const pollTime = 10 * time.Millisecond

// Ask puts a question into a directory and waits for its answer, no longer than
// patience and until stop says something; nil never does. It gives the question its
// id. Any error is a denial, and says why.
func Ask(dir string, q Question, patience time.Duration, stop <-chan os.Signal) (Answer, error) {
	start := time.Now()
	if !utf8.ValidString(q.Command) {
		return Answer{}, errors.New("the command is no text: JSON can't say it")
	}
	beat, err := pulseOf(dir)
	if err != nil {
		return Answer{}, err
	}
	var id [16]byte
	if _, err := rand.Read(id[:]); err != nil {
		return Answer{}, err
	}
	q.ID = hex.EncodeToString(id[:])
	data := q.Append(nil)
	if len(data) > MaxQuestion {
		return Answer{}, fmt.Errorf("the command is larger than %d bytes", MaxQuestion)
	}
	file, err := put(filepath.Join(dir, Requests), q.ID, data)
	if err != nil {
		return Answer{}, fmt.Errorf("the question can't be written: %w", err)
	}
	defer os.Remove(file) // so that nobody is asked for whom nobody waits; the server has done it where it answered
	sum, looked := Sum(data), start
	wait := min(beat.Life+Grace, patience)
	for {
		data, err := read(filepath.Join(dir, Responses), q.ID+".json", MaxAnswer)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return Answer{}, fmt.Errorf("the answer can't be read: %w", err)
		default:
			a, err := ParseAnswer(data, q.ID, sum)
			if err != nil {
				err = fmt.Errorf("the answer can't be understood: %w", err)
			}
			return a, err
		}
		now := time.Now()
		if now.Sub(start) >= wait {
			return Answer{}, fmt.Errorf("no answer within %v", wait.Round(time.Millisecond))
		}
		if now.Sub(looked) >= time.Second {
			looked = now
			if _, err := pulseOf(dir); err != nil {
				return Answer{}, err
			}
		}
		select {
		case signal := <-stop:
			return Answer{}, fmt.Errorf("the wait was ended: %v", signal)
		case <-time.After(pollTime):
		}
	}
}

// pulseOf says that a server is there. The error says that none is.
func pulseOf(dir string) (Pulse, error) {
	data, err := read(dir, Alive, MaxAnswer)
	if err != nil {
		return Pulse{}, fmt.Errorf("nobody serves %s: %w", dir, err)
	}
	p, err := ParsePulse(data)
	switch {
	case err != nil:
		return Pulse{}, fmt.Errorf("nobody serves %s: its %s can't be understood: %w", dir, Alive, err)
	case !p.Fresh(time.Now()):
		return Pulse{}, fmt.Errorf("nobody serves %s any more: its %s is of %s", dir, Alive, p.At.Format(time.RFC3339))
	}
	return p, nil
}

// put writes a file in one step, and returns its path.
func put(dir, id string, data []byte) (string, error) {
	temporary, path := filepath.Join(dir, "."+id), filepath.Join(dir, id+".json")
	f, err := system.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL|system.NoFollow, 0o644)
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(0o644) // the server may be another user, as seen from here
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = system.Replace(temporary, path)
	}
	if err != nil {
		os.Remove(temporary)
	}
	return path, err
}

// read reads a file that the server has written: it is whose the directory is.
func read(dir, name string, limit int) ([]byte, error) {
	path := filepath.Join(dir, name)
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	above, err := os.Lstat(dir)
	if err != nil {
		return nil, err
	}
	if !above.IsDir() {
		return nil, fmt.Errorf("%s is no directory", dir)
	}
	var owners Owners
	if uid, ok := OwnerOf(above); ok {
		owners = Owners{uid}
	}
	if err := Plain(info, owners); err != nil {
		return nil, err
	}
	f, err := system.OpenFile(path, os.O_RDONLY|system.NoFollow|system.NoWait, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadOpen(f, info, owners, limit)
}
