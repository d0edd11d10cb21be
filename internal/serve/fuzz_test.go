//go:build unix

package serve

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bashgate/bashgate/internal/cli"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/policy"
)

// FuzzLines hands any bytes to a server that would allow everything. What it allows
// is what a whole line asked, as another reader of JSON sees it; and each line gets
// an answer, unless the connection has ended.
func FuzzLines(f *testing.F) {
	ls := command("1", "ls", `,"attended":true,"env":{"A":"b","*":null}`)
	f.Add([]byte(ls))
	f.Add([]byte(ls + "\n"))
	f.Add([]byte(ls + "\n" + command("2", "rm -rf /", "") + "\n"))
	f.Add([]byte(ls + "\n" + ls + "\n"))
	f.Add([]byte(ls[:40] + "\n" + ls[40:] + "\n"))
	f.Add([]byte(strings.Replace(ls, `"command"`, `"Command"`, 1) + "\n"))
	f.Add([]byte(strings.Replace(ls, `"v":1`, `"v":1,"v":1`, 1) + "\n"))
	f.Add([]byte(`{"v":1,"id":"1","event":"hello"}` + "\n\n" + begin + "\n"))
	f.Add([]byte(`{"v":1,"id":"1","event":"after_tool_use","cwd":"/p","tool":"x","input":{"a":[{"b":"c"}]},"failed":true}` + "\r\n"))
	p := &cli.Process{Getenv: func(string) string { return "" }, Stderr: io.Discard}
	f.Fuzz(func(t *testing.T, data []byte) {
		var lock sync.Mutex
		asked := map[string]int{} // commands that were asked about
		s := Server{Process: p, deciding: func(_ <-chan struct{}, q *host.Question, _ time.Duration) cli.Reply {
			lock.Lock()
			defer lock.Unlock()
			if q.Event != host.BeforeToolUse {
				return cli.Reply{}
			}
			asked[q.Tool.Name+"\x00"+q.Request.Command]++
			return cli.Reply{Decision: policy.Allow}
		}}
		var out bytes.Buffer
		c := client{server: &s, in: bytes.NewReader(data), out: &out}
		c.serve(t.Context())

		lines := bytes.SplitAfter(data, []byte("\n"))
		whole := map[string]int{} // commands of whole lines, as encoding/json reads them
		ids := map[string]int{}
		for _, line := range lines {
			if !bytes.HasSuffix(line, []byte("\n")) {
				continue
			}
			var m struct {
				V     any             `json:"v"`
				ID    string          `json:"id"`
				Event string          `json:"event"`
				Tool  string          `json:"tool"`
				Input json.RawMessage `json:"input"`
			}
			if json.Unmarshal(line, &m) != nil || m.V != 1.0 || m.Event != "before_tool_use" {
				continue
			}
			var input struct {
				Command *string `json:"command"`
			}
			text := ""
			if m.Tool == "shell" {
				if json.Unmarshal(m.Input, &input) != nil || input.Command == nil {
					continue
				}
				text = *input.Command
			}
			whole[m.Tool+"\x00"+text]++
			ids[m.ID]++
		}
		for what, n := range asked {
			if n > whole[what] {
				t.Errorf("%q was asked about %d times, and stands there %d times", what, n, whole[what])
			}
		}
		answers := 0
		ended := false
		for line := range bytes.Lines(out.Bytes()) {
			r := readReply(t, string(line))
			answers++
			ended = ended || r.Error != nil && r.Error.Code == faultID && r.ID != ""
			if r.Decision == "allow" {
				if ids[r.ID]--; ids[r.ID] < 0 || r.Error != nil {
					t.Errorf("allowed: %s", line)
				}
			}
		}
		want := bytes.Count(data, []byte("\n"))
		if last := lines[len(lines)-1]; len(last) > 0 {
			want++ // and that one is an error
		}
		if answers != want && !ended || answers > want {
			t.Errorf("%d answers to %d lines:\n%s", answers, want, out.Bytes())
		}
	})
}
