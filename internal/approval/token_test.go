package approval

import (
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// signed puts a question and returns its tokens.
func signed(t testing.TB, q Queue, command string) (r *Request, approve, deny string) {
	t.Helper()
	r, fresh, err := q.Ask(Request{Bound: Bound{Host: "claude", Session: "claude-s", Command: command, Cwd: "/w", Workspace: "/w"}})
	if err != nil || !fresh {
		t.Fatal(fresh, err)
	}
	if approve, err = q.Sign(r, Approved); err != nil {
		t.Fatal(err)
	}
	if deny, err = q.Sign(r, Denied); err != nil {
		t.Fatal(err)
	}
	return r, approve, deny
}

func TestToken(t *testing.T) {
	q := Queue{Store{Dir: filepath.Join(t.TempDir(), "requests")}}
	r, approve, deny := signed(t, q, "git push")
	for token, want := range map[string]State{approve: Approved, deny: Denied} {
		if code, to, err := q.Check(token); code != r.Code || to != want || err != nil {
			t.Errorf("%s, %s, %v; want %s", code, to, err, want)
		}
	}
	if info, err := os.Stat(filepath.Join(q.Dir, tokenKey)); err != nil || info.Mode() != 0o600 {
		t.Errorf("the key: %v, %v", info.Mode(), err)
	}
	if list, err := q.Requests(); len(list) != 1 || err != nil {
		t.Errorf("%d requests, %v", len(list), err)
	}
	for _, to := range []State{None, Pending, Used, Expired} {
		if token, err := q.Sign(r, to); err == nil {
			t.Errorf("a token for %s: %s", to, token)
		}
	}
	// Once.
	if _, err := q.Answer(r.Code, Answer{State: Approved}); err != nil {
		t.Fatal(err)
	}
	for _, token := range []string{approve, deny} {
		if _, _, err := q.Check(token); !errors.Is(err, ErrEnded) {
			t.Errorf("after the answer: %v", err)
		}
	}
}

// A token holds for as long as the request waits, for that request alone.
func TestTokenEnds(t *testing.T) {
	now := time.Now()
	store := Store{Dir: filepath.Join(t.TempDir(), "requests"), Now: func() time.Time { return now }, Up: func() (string, time.Duration) { return "b", time.Hour }}
	q := Queue{store}
	r, approve, _ := signed(t, q, "git push")
	now = now.Add(r.Life + time.Second) // by the clock alone
	if _, _, err := q.Check(approve); !errors.Is(err, ErrEnded) {
		t.Errorf("late: %v", err)
	}
	now = now.Add(-r.Life)
	q.Up = func() (string, time.Duration) { return "b", time.Hour + r.Life + time.Second } // by the machine's
	if _, _, err := q.Check(approve); !errors.Is(err, ErrEnded) {
		t.Errorf("late, with the clock set back: %v", err)
	}
	q.Up = store.Up
	if _, _, err := q.Check(approve); err != nil {
		t.Fatal(err)
	}
	// Another question in the file's place.
	other, _, _ := signed(t, q, "git push --force")
	text, err := os.ReadFile(filepath.Join(q.Dir, other.file))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(q.Dir, r.file)); err != nil {
		t.Fatal(err)
	}
	swapped := strings.Replace(string(text), `"code":"`+other.Code, `"code":"`+r.Code, 1)
	if err := os.WriteFile(filepath.Join(q.Dir, strings.Replace(other.file, other.Code, r.Code, 1)), []byte(swapped), 0o600); err != nil {
		t.Fatal(err)
	}
	if back, err := q.Request(r.Code); err != nil || back.Command != "git push --force" {
		t.Fatal("the other question is not there", err)
	}
	if _, _, err := q.Check(approve); err != ErrToken {
		t.Errorf("for another question: %v", err)
	}
}

// Another key's tokens, and those of no key, say nothing.
func TestTokenKey(t *testing.T) {
	q := Queue{Store{Dir: filepath.Join(t.TempDir(), "requests")}}
	if _, _, err := q.Check(strings.Repeat("A", base64.RawURLEncoding.EncodedLen(tokenLength))); !errors.Is(err, ErrToken) {
		t.Error(err)
	}
	if _, err := os.Stat(q.Dir); err == nil {
		t.Error("a look at a token has made the directory")
	}
	_, approve, _ := signed(t, q, "git push")
	key := filepath.Join(q.Dir, tokenKey)
	for name, spoil := range map[string]func() error{
		"open to others": func() error { return os.Chmod(key, 0o644) },
		"another":        func() error { return errors.Join(os.Chmod(key, 0o600), os.WriteFile(key, make([]byte, 32), 0o600)) },
		"short":          func() error { return os.Truncate(key, 31) },
		"none":           func() error { return os.Remove(key) },
	} {
		text, err := os.ReadFile(key)
		if err != nil {
			t.Fatal(err)
		}
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		if _, _, err := q.Check(approve); !errors.Is(err, ErrToken) {
			t.Errorf("a key that is %s: %v", name, err)
		}
		os.Remove(key)
		if err := os.WriteFile(key, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := q.Check(approve); err != nil {
		t.Error(err)
	}
}

// FuzzCheck checks that nothing but the token itself is one: whatever is changed of
// it, nothing is answered.
func FuzzCheck(f *testing.F) {
	q := Queue{Store{Dir: filepath.Join(f.TempDir(), "requests")}}
	r, approve, deny := signed(f, q, "git push")
	raw := func(token string) []byte {
		b, err := base64.RawURLEncoding.DecodeString(token)
		if err != nil {
			f.Fatal(err)
		}
		return b
	}
	f.Add([]byte(approve))
	f.Add([]byte(deny))
	for i := range tokenLength { // each bit of the signed bytes
		for bit := range 8 {
			b := raw(approve)
			b[i] ^= 1 << bit
			f.Add([]byte(base64.RawURLEncoding.EncodeToString(b)))
		}
	}
	f.Add(append(raw(approve)[:tokenHead], raw(deny)[tokenHead:]...))
	for _, text := range []string{"", approve + "=", approve + "\n", " " + approve, strings.ToLower(approve), approve[:len(approve)-1], approve + approve, strings.ReplaceAll(approve, "A", "\n")} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		code, to, err := q.Check(string(text))
		switch {
		case err != nil:
			if code != "" || to != None || err != ErrToken {
				t.Errorf("%q: %q, %s, %v", text, code, to, err)
			}
		case code != r.Code || string(text) != map[State]string{Approved: approve, Denied: deny}[to]:
			t.Errorf("%q is taken for %s of %s", text, to, code)
		}
	})
}
