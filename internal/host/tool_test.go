package host

import (
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/policy"
)

// TestToolHolds: what a tool inside of another is given is read as an object, or
// as a text that holds one; one that can be read in two ways is none.
func TestToolHolds(t *testing.T) {
	h, err := Named("pi")
	if err != nil {
		t.Fatal(err)
	}
	e := engine.New(engine.Options{})
	for _, row := range []struct {
		input string
		want  policy.Decision // Block of what is not understood
	}{
		{`{"tool_calls":[{"tool":"write","parameters":{"filePath":"/etc/x"}}]}`, policy.Ask},
		{`{"tool_calls":[{"tool":"write","parameters":"{\"filePath\":\"/etc/x\"}"}]}`, policy.Ask},
		{`{"tool_calls":[{"tool":"write","parameters":" {\"filePath\":\"/etc/x\"}"}]}`, policy.Ask},
		{`{"tool_calls":[{"tool":"bash","parameters":"{\"command\":\"rm -rf /\"}"}]}`, policy.Block},
		{`{"name":"write_file","arguments":{"path":"/etc/x"}}`, policy.Ask},
		{`{"tool":"write","parameters":"{\"filePath\":\"/etc/x\",\"FilePath\":\"a\"}"}`, policy.Block},
		{`{"tool_calls":[{"tool":"write","parameters":{"filePath":"/w/x"}}]}`, policy.Skip},
		{`{"args":"{not an object"}`, policy.Skip},
	} {
		q, err := h.Read(Parse(Input{
			Data:   []byte(`{"hook_event_name":"PreToolUse","host":"pi","cwd":"/w","tool_name":"batch","tool_input":` + row.input + `}`),
			Getenv: func(string) string { return "" }, Dir: func() string { return "/w" },
		}))
		got := policy.Block
		if err == nil {
			got = e.EvaluateTool(q.Request, q.Tool).Decision
		}
		if got != row.want {
			t.Errorf("%s: %v (%v), want %v", row.input, got, err, row.want)
		}
	}
}

// The process's directory is looked up where the event says none, and where it
// can't be understood.
func TestDir(t *testing.T) {
	for _, row := range []struct {
		input, want string
		asked       int
	}{
		{`{"hook_event_name":"PreToolUse","cwd":"/w","tool_name":"Bash","tool_input":{"command":"ls"}}`, "/w", 0},
		{`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`, "/proc-dir", 1},
		{`{"hook_event_name":"PreToolUse","cwd":"/w","tool_name":"Bash"}`, "/proc-dir", 1},
		{`{"hook_event_name":"PreToolUse","cwd":7}`, "/proc-dir", 1},
		{`[]`, "/proc-dir", 1},
	} {
		asked := 0
		q, _ := claude.Read(Parse(Input{Data: []byte(row.input), Getenv: func(string) string { return "" }, Dir: func() string {
			asked++
			return "/proc-dir"
		}}))
		if q.Request.Cwd != row.want || asked != row.asked {
			t.Errorf("%s: %q, asked %d times", row.input, q.Request.Cwd, asked)
		}
	}
	if q, err := claude.Read(Parse(Input{Data: []byte(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`), Getenv: func(string) string { return "" }})); err == nil || q.Request.Cwd != "" {
		t.Errorf("nowhere: %+v, %v", q, err)
	}
}
