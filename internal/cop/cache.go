package cop

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/mask"
	"github.com/bashgate/bashgate/internal/system"
)

// How long an answer holds for the same question.
const (
	clearFor = 15 * time.Minute
	flagFor  = time.Hour
)

// cache keeps outcomes, one file for each question. Its name is a sum of the
// key, which is everything that the answer depends on: nothing of a command is
// on the disk, and no two questions can be taken for each other. What can't be
// read or written is not there.
//
//	1763740800 clear - -
type cache struct{ dir string }

// maxEntries is how many files there may be before old ones are removed.
const maxEntries = 500

// maxEntry is how long a file can be, in bytes.
const maxEntry = 8 << 10

func (c cache) path(key []byte) string {
	sum := sha256.Sum256(key)
	return filepath.Join(c.dir, hex.EncodeToString(sum[:]))
}

// load returns what was said about a question that is still good.
func (c cache) load(key []byte, now time.Time) (Outcome, bool) {
	data, err := disk.OS{}.ReadFile(c.path(key), maxEntry)
	if err != nil {
		return Outcome{}, false
	}
	line, whole := strings.CutSuffix(string(data), "\n")
	fields := strings.Split(line, " ")
	if !whole || len(fields) != 4 {
		return Outcome{}, false
	}
	until, err := strconv.ParseInt(fields[0], 10, 64)
	kind, known := ParseKind(fields[1])
	if err != nil || !known || kind == Failed {
		return Outcome{}, false
	}
	// A clock that was set back makes no answer live longer.
	left := time.Unix(until, 0).Sub(now)
	if left < 0 || left > holds(kind) {
		return Outcome{}, false
	}
	o := kind.because(fields[2], "")
	if text, err := hex.DecodeString(fields[3]); err == nil {
		o.Text = string(text)
	}
	if o.Code == "-" {
		o.Code = ""
	}
	o.Cached = true
	return o, true
}

func holds(k Kind) time.Duration {
	if k == Clear {
		return clearFor
	}
	return flagFor
}

// store keeps an outcome. One that failed is not kept.
func (c cache) store(key []byte, o Outcome, now time.Time) {
	if o.Kind != Clear && o.Kind != Flag {
		return
	}
	code := o.Code
	if code == "" {
		code = "-"
	}
	line := strconv.FormatInt(now.Add(holds(o.Kind)).Unix(), 10) + " " + o.Kind.String() + " " + code + " " + hex.EncodeToString([]byte(mask.Text(o.Text))) + "\n"
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return
	}
	c.sweep(now)
	path := c.path(key)
	// Nobody may read half of it.
	temporary := path + "." + strconv.Itoa(os.Getpid())
	if err := os.WriteFile(temporary, []byte(line), 0o600); err != nil {
		os.Remove(temporary)
		return
	}
	if err := system.Replace(temporary, path); err != nil {
		os.Remove(temporary)
	}
}

// sweep removes what no longer holds, once there is much of it.
func (c cache) sweep(now time.Time) {
	entries, err := os.ReadDir(c.dir)
	if err != nil || len(entries) < maxEntries {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()).Abs() > flagFor {
			os.Remove(filepath.Join(c.dir, e.Name()))
		}
	}
}
