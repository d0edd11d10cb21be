//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/engine"
)

func TestCheckLines(t *testing.T) {
	questions := []struct{ line, want string }{
		{`{"command":"ls"}`, `"decision":"allow","human":false,"reason":"","reach":"local"`},
		{`{"command":"rm -rf /"}`, `"decision":"block","human":false`},
		{`{"command":"ls","cwd":"/w","workspace":"/w","mode":"plan","shell":"zsh","attended":true,"profile":"default","packs":[],"denied_commands":[],"allowed_dirs":[],"taint":{"corruption":0,"secret":0},"cop":"clear"}`, `"decision":"allow"`},
		{`{"command":"frobnicate"}`, `"decision":"ask"`},
		{`{"command":"frobnicate","attended":false}`, `"decision":"block"`},
		{`{"command":"frobnicate","mode":"plan"}`, `"decision":"block"`},
		{`{"command":"git push","packs":["guard-git"]}`, `"decision":"block"`},
		{`{"command":"ls","packs":["no-such-pack"]}`, `"decision":"ask"`},
		{`{"command":"ls","profile":"no-such-profile"}`, `"decision":"ask"`},
		{``, `"error":"byte 0: nothing to read"`},
		{`ls`, `"error":"byte 0: not JSON: want a value"`},
		{`{"command":"ls"} {}`, `"error":"byte 17: a second value after the first"`},
		{`{}`, `"error":"no \"command\""`},
		{`{"command":null}`, `"error":"byte 11: want a string, found null"`},
		{`{"command":"ls","Command":"rm"}`, `differ only in case`},
		{`{"command":"ls","colour":"red"}`, `"error":"byte 25: unknown key \"colour\""`},
		{`{"command":"ls","cwd":"w"}`, `"error":"byte 22: cwd \"w\" is not an absolute path"`},
		{`{"command":"ls","attended":"no"}`, `want a boolean, found a string`},
		{`{"command":"ls","packs":"guard-git"}`, `want an array, found a string`},
		{`{"command":"ls","taint":{"corruption":1,"secret":3}}`, `"decision":"allow","human":false`},
		{`{"command":"curl https://example.com","taint":{"corruption":1,"secret":3}}`, `"decision":"ask","human":true`},
		{`{"command":"make","taint":{"damaged":true},"cop":"clear"}`, `"decision":"ask","human":true`},
		{`{"command":"make","taint":{"secret":1},"cop":"flag"}`, `"decision":"block","human":false,"reason":"Flagged by the reviewer: recorded"`},
		{`{"command":"make","taint":{"secret":1},"cop":"error","attended":false}`, `"decision":"block"`},
		{`{"command":"make","taint":{"secret":4}}`, `a level of taint is 0 to 3, not 4`},
		{`{"command":"ls","taint":{"corrupted":0}}`, `unknown key \"corrupted\" in taint`},
		{`{"command":"ls","cop":"sleeps"}`, `cop is \"clear\", \"flag\" or \"error\"`},
		{"{\"command\":\"ls \xff\"}", `not UTF-8`},
		{`{"command":"` + strings.Repeat("x", 200<<10) + `"}`, `"decision":"ask"`},
		{`{"command":"` + strings.Repeat("x", maxInput) + `"}`, `it is larger than 16777216 bytes`},
		{`{"command":"ls"}`, `"decision":"allow"`},
	}
	var in strings.Builder
	for _, q := range questions {
		in.WriteString(q.line + "\n")
	}
	p, stdout, stderr := process(t, strings.NewReader(strings.TrimSuffix(in.String(), "\n")), "check", "--json")
	if status := Run(p); status != 0 || stderr.Len() > 0 {
		t.Fatalf("status %d, stderr %q", status, stderr)
	}
	answers := strings.Split(strings.TrimSuffix(stdout.String(), "\n"), "\n")
	if len(answers) != len(questions) {
		t.Fatalf("%d answers to %d questions", len(answers), len(questions))
	}
	for i, q := range questions {
		if !strings.Contains(answers[i], q.want) {
			t.Errorf("%.80s\n got %.300s\nwant %s", q.line, answers[i], q.want)
		}
		if strings.Contains(answers[i], `"error"`) && !strings.HasPrefix(answers[i], `{"command":"","decision":"ask","reason":"The question can't be understood","error":"`) {
			t.Errorf("%.80s\n got %.300s", q.line, answers[i])
		}
		if !json.Valid([]byte(answers[i])) {
			t.Errorf("%.80s\n got no JSON: %.300s", q.line, answers[i])
		}
	}
}

// The keys, and their order, are a promise.
func TestCheckForm(t *testing.T) {
	p, stdout, _ := process(t, nil, "check", "--json", "ls <>")
	Run(p)
	var keys []string
	d := json.NewDecoder(strings.NewReader(stdout.String()))
	for depth := 0; ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
			continue
		case json.Delim('}'), json.Delim(']'):
			depth--
			continue
		}
		keys = append(keys, fmt.Sprint(token))
	}
	// A parse error is one reason of the engine's own.
	want := []string{"command", "ls <>", "decision", "ask", "human", "false", "reason", "*", "reach", "unknown", "effects", "rules", "id", "shell.parse-error", "decision", "ask", "reason", "*", "file", "", "line", "0", "command", "*"}
	if len(keys) != len(want) {
		t.Fatalf("%q, want %q", keys, want)
	}
	for i := range want {
		if want[i] != "*" && keys[i] != want[i] {
			t.Errorf("token %d is %q, want %q", i, keys[i], want[i])
		}
	}
}

// TestCheckGrowth holds that an answer does not grow by the square of its line, of
// which each reason names the command.
func TestCheckGrowth(t *testing.T) {
	var line strings.Builder
	line.WriteString("cat")
	for i := range 4000 {
		fmt.Fprintf(&line, " > f%d", i)
	}
	v := engine.New(engine.Options{}).Evaluate(engine.Request{Command: line.String(), Cwd: "/w", Workspace: "/w"})
	if len(v.Reasons) < 3000 {
		t.Fatalf("%d reasons, and each redirect should have one", len(v.Reasons))
	}
	answer := appendVerdict(nil, line.String(), &v)
	if len(answer) > maxCommands+len(v.Reasons)*(maxCommand+300)+2*line.Len() {
		t.Errorf("%d reasons about %d bytes are answered with %d", len(v.Reasons), line.Len(), len(answer))
	}
	if n := bytes.Count(answer, []byte("> f3999")) + bytes.Count(answer, []byte(">f3999")); n < 2 {
		t.Error("the whole command is nowhere told")
	}
}

// Another program may wait for each answer before it asks again, and send
// half of the next question with the last one.
func TestCheckConversation(t *testing.T) {
	inReader, in := io.Pipe()
	out, outWriter := io.Pipe()
	p, _, stderr := process(t, inReader, "check", "--json")
	p.Stdout = outWriter
	done := make(chan int, 1)
	go func() { done <- Run(p) }()
	answers := bufio.NewReader(out)
	half := `{"command":`
	if _, err := io.WriteString(in, half); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"ls", "pwd", "date"} {
		if _, err := io.WriteString(in, `"`+command+`"}`+"\n"+half); err != nil {
			t.Fatal(err)
		}
		answer, err := answers.ReadString('\n')
		if err != nil || !strings.HasPrefix(answer, `{"command":"`+command+`","decision":"allow"`) {
			t.Fatalf("%s: %s (%v)", command, answer, err)
		}
	}
	if _, err := io.WriteString(in, `"ls"}`); err != nil { // no newline at the end
		t.Fatal(err)
	}
	in.Close()
	if answer, err := answers.ReadString('\n'); err != nil || !strings.HasPrefix(answer, `{"command":"ls","decision":"allow"`) {
		t.Fatalf("the last one: %s (%v)", answer, err)
	}
	if status := <-done; status != 0 {
		t.Errorf("status %d, stderr %q", status, stderr)
	}
}

// Text of others can't command the terminal.
func TestCheckIsPlainText(t *testing.T) {
	for _, command := range []string{"check", "explain"} {
		p, stdout, _ := process(t, nil, command, "frob \x1b]0;title\x07 \u202e && echo '\x9b31m'\r")
		Run(p)
		if out := stdout.String(); strings.ContainsAny(out, "\x1b\x07\r\u202e\u009b") || !strings.Contains(out, "frob") {
			t.Errorf("%s prints %q", command, out)
		}
	}
}

// TestCheckShowsFewMistakes: of many mistakes in a rule file some are shown, and how
// many more there are.
func TestCheckShowsFewMistakes(t *testing.T) {
	p, out, _ := process(t, nil, "check", "ls")
	putFile(t, p.Getenv("HOME")+"/.config/bashgate/rules/a.toml", strings.Repeat("[[programs]]\nname = \"ls\"\nunknown = \"x\"\n", 200))
	if status := Run(p); status != exitAsk {
		t.Errorf("status %d", status)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if n := strings.Count(out.String(), "config.error"); n != mostMistakes || len(lines) != 2*mostMistakes+1 || strings.TrimSpace(lines[len(lines)-1]) != "and 195 more mistakes of the configuration: bashgate rules lint" {
		t.Errorf("%d lines, %d mistakes:\n%s", len(lines), n, out.String())
	}
}
