package session

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/policy"
)

// TestNothingIsForgotten goes through all commands that other tests judge:
// whatever a line writes has at least the levels of what the line shows, and
// the lowest one of what the session has seen, after any number of clean lines.
func TestNothingIsForgotten(t *testing.T) {
	files, err := filepath.Glob("../acceptance/testdata/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	e := engine.New(engine.Options{})
	lines, places := 0, 0
	for _, name := range append(files, "../bench/testdata/agent_cmds.jsonl") {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		for scan := bufio.NewScanner(f); scan.Scan(); {
			var row struct{ Cmd string }
			if json.Unmarshal(scan.Bytes(), &row) != nil || row.Cmd == "" {
				continue
			}
			v := e.Evaluate(engine.Request{Command: row.Cmd, Cwd: "/nonexistent/w", Workspace: "/nonexistent/w", Home: "/nonexistent/home"})
			if v.Decision == policy.Block {
				continue
			}
			lines++
			for _, seen := range []engine.Taint{{}, {Corruption: 2}, {Secret: 3}, {Damaged: true}} {
				s := newStore(t)
				if err := s.Keep(v.Tree, seen, 1, "claude-1"); err != nil {
					t.Fatal(err)
				}
				if err := s.Keep(v.Tree, engine.Taint{}, 1, "claude-2"); err != nil {
					t.Fatal(err)
				}
				least := Rules{From: 1}.shows(v.Tree)
				if seen.Corruption > 0 || seen.Damaged {
					least.Corruption = max(least.Corruption, 1)
				}
				if seen.Secret > 0 || seen.Damaged {
					least.Secret = max(least.Secret, 1)
				}
				if least == (engine.Taint{}) {
					if list, _ := s.Files(); len(list) > 0 {
						t.Fatalf("%s: %s", row.Cmd, named(list))
					}
					continue
				}
				walk(v.Tree, func(n *engine.Node) {
					into := lands(n)
					for _, p := range n.Writes {
						if strings.HasPrefix(p.Path, "/dev/") || into != nil {
							continue
						}
						places++
						where := &area{}
						where.add(asWritten(p))
						where.add(engine.Place{Path: nowhere})
						found, damage := s.entries(where)
						var got engine.Taint
						for i := range found {
							got = join(got, found[i].Corruption, found[i].Secret, 1)
						}
						if got.Corruption < least.Corruption || got.Secret < least.Secret || damage != "" {
							t.Errorf("%s after %+v: %s has %+v, want %+v (%s)", row.Cmd, seen, p.Path, got, least, damage)
						}
					}
				})
			}
		}
		f.Close()
	}
	if lines < 1000 || places < 500 {
		t.Errorf("%d lines, %d places", lines, places)
	}
}
