//go:build unix

package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/folder"
)

// reviewer is a client of a language model that answers as it is told.
type reviewer struct {
	t     *testing.T
	lock  sync.Mutex
	kind  string // "clear", "flag", "error"; "never": there must be no review
	calls int
}

func (r *reviewer) carry(data []byte, _ time.Duration) ([]byte, error) {
	call, err := cop.DecodeCall(data)
	if err != nil {
		r.t.Error(err)
		return nil, err
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	r.calls++
	says := `{"nonce":"NONCE","effect":"exec_local","targets":[],"sends_data":false,"risk":"low","reason":"x"}`
	switch r.kind {
	case "never":
		r.t.Errorf("%s: the reviewer is asked", call.Command)
	case "flag":
		says = `{"nonce":"NONCE","effect":"network_send","targets":[],"sends_data":true,"risk":"critical","reason":"x"}`
	case "error":
		says = "I can't tell."
	}
	var reply cop.Reply
	for _, p := range call.Prompts {
		reply.Texts = append(reply.Texts, cop.Text{Text: strings.ReplaceAll(says, "NONCE", p.Nonce)})
	}
	return reply.Encode(), nil
}

// What a container's session has seen counts as it does in a hook: by the rows of
// the reviews, with nobody there to answer.
func TestFolderTaint(t *testing.T) {
	d := newDropped(t, 0)
	m := &reviewer{t: t}
	d.server.Process.Carry = m.carry
	d.config(alone + "[cop]\nprovider = \"openai\"\nmodel = \"small\"\nendpoint = \"http://127.0.0.1:1\"\n")
	d.start()
	ask := func(q folder.Question) folder.Answer {
		t.Helper()
		q.Cwd = "/home/u/p"
		a, err := folder.Ask(d.dir, q, 20*time.Second, nil)
		if err != nil {
			t.Error(q.Command, err)
		}
		return a
	}
	data, err := os.ReadFile("../acceptance/testdata/taint.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range bytes.Lines(data) {
		rows++
		var row struct {
			Corruption, Secret int
			State, Cmd         string
			Cop, Want          string
		}
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		m.lock.Lock()
		m.kind, m.calls = "never", 0
		m.lock.Unlock()
		clean := ask(folder.Question{Command: row.Cmd, Session: fmt.Sprint("clean", rows)})
		m.lock.Lock()
		m.kind = row.Cop
		m.lock.Unlock()
		seen := ask(folder.Question{Command: row.Cmd, Session: fmt.Sprint("seen", rows), Corruption: 2 * row.Corruption, Secret: 2 * row.Secret, Damaged: row.State == "damaged"})
		switch row.Want {
		case "allow":
			if !seen.Allow {
				t.Errorf("row %d, %s: %+v", rows, row.Cmd, seen)
			}
		case "rules":
			if seen.Allow != clean.Allow || seen.Reason != clean.Reason {
				t.Errorf("row %d, %s: %+v, without what was seen %+v", rows, row.Cmd, seen, clean)
			}
		case "block":
			if seen.Allow {
				t.Errorf("row %d, %s: %+v", rows, row.Cmd, seen)
			}
		default: // a person
			if seen.Allow || !strings.Contains(seen.Reason, "nobody can be asked here") {
				t.Errorf("row %d, %s: %+v", rows, row.Cmd, seen)
			}
		}
	}
	if rows < 20 {
		t.Errorf("%d rows", rows)
	}

	// What a session was shown counts for its next command, and for no other session.
	m.kind = "flag"
	if a := ask(folder.Question{Command: "curl https://news.example/a", Session: "one"}); !a.Allow {
		t.Error(a)
	}
	if a := ask(folder.Question{Command: "curl https://other.example/a", Session: "one"}); a.Allow || !strings.Contains(a.Reason, "Flagged by the reviewer") {
		t.Error(a)
	}
	if a := ask(folder.Question{Command: "curl https://other.example/a", Session: "two"}); !a.Allow {
		t.Error(a)
	}
}
