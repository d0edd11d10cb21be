//go:build unix

package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Each protocol offers a shell, gets its use, tells the result, and is told
// that nothing is left to do.
func TestModelSpeaks(t *testing.T) {
	const tool = `{"type": "object", "properties": {"command": {"type": "string"}, "description": {"type": "string"}}, "required": ["command", "description"]}`
	for _, test := range [...]struct {
		path          string
		first, second string // bodies; the first is sent as a stream, too
		used          string // what the answer to the first holds
	}{
		{
			path:   "/v1/chat/completions",
			first:  `{"tools": [{"type": "function", "function": {"name": "bash", "parameters": ` + tool + `}}], "messages": []}`,
			second: `{"tools": [{"type": "function", "function": {"name": "bash"}}], "messages": [{"role": "tool", "content": "it ran"}]}`,
			used:   `"finish_reason":"tool_calls"`,
		},
		{
			path:   "/v1/responses",
			first:  `{"tools": [{"type": "function", "name": "bash", "parameters": ` + tool + `}], "input": []}`,
			second: `{"tools": [{"type": "function", "name": "bash"}], "input": [{"type": "function_call_output", "output": "it ran"}]}`,
			used:   `"type":"function_call"`,
		},
		{
			path:   "/v1/messages",
			first:  `{"tools": [{"name": "bash", "input_schema": ` + tool + `}], "messages": []}`,
			second: `{"tools": [{"name": "bash", "input_schema": {}}], "messages": [{"role": "user", "content": [{"type": "tool_result", "content": "it ran"}]}]}`,
			used:   `"stop_reason":"tool_use"`,
		},
		{
			path:   "/v1beta/models/x:streamGenerateContent",
			first:  `{"tools": [{"functionDeclarations": [{"name": "bash", "parametersJsonSchema": ` + tool + `}]}], "contents": []}`,
			second: `{"tools": [{"functionDeclarations": [{"name": "bash"}]}], "contents": [{"parts": [{"functionResponse": {"response": "it ran"}}]}]}`,
			used:   `"functionCall"`,
		},
	} {
		m, err := newModel("m", []use{{names: []string{"no such tool", "bash"}, values: shell("", "touch x").values}})
		if err != nil {
			t.Fatal(err)
		}
		post := func(body string) string {
			t.Helper()
			answer, err := http.Post(m.URL+test.path, "application/json", strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			text, err := io.ReadAll(answer.Body)
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		for _, stream := range [...]string{`{"stream": false, `, `{"stream": true, `} {
			got := post(stream + test.first[1:])
			for _, want := range [...]string{test.used, "touch x", "do it", "bash"} {
				if !strings.Contains(got, want) {
					t.Errorf("%s: no %q in %s", test.path, want, got)
				}
			}
			if got := post(stream + test.second[1:]); !strings.Contains(got, done) || strings.Contains(got, "touch x") {
				t.Errorf("%s: the second turn is %s", test.path, got)
			}
		}
		m.close()
		if !slices.Equal(m.results, []string{"it ran"}) || !slices.Equal(keys(m.tools), []string{"bash"}) || m.problem != nil {
			t.Errorf("%s: results %q, tools %q, problem %v", test.path, m.results, keys(m.tools), m.problem)
		}
	}
}

func TestModelMissesTool(t *testing.T) {
	m, err := newModel("m", []use{{names: []string{"bash"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer m.close()
	for _, body := range [...]string{`{"messages": []}`, `{"tools": [{"name": "Read", "input_schema": {"x": 1}}], "messages": []}`} {
		answer, err := http.Post(m.URL+"/v1/messages", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
	}
	if m.problem == nil || !strings.Contains(m.problem.Error(), `["Read"]`) {
		t.Errorf("problem %v", m.problem)
	}
}

func TestCommandTools(t *testing.T) {
	tools := map[string]schema{}
	for name, properties := range map[string]string{
		"run_commands": `{"commands": {}}`,
		"Read":         `{"file_path": {}}`,
		"Workflow":     `{"script": {}}`,
		"new_shell":    `{"shellCommand": {}, "cwd": {}, "argv": {}}`,
		"x.type":       `{"chars": {}}`,
	} {
		var s schema
		if err := json.Unmarshal([]byte(`{"properties": `+properties+`}`), &s); err != nil {
			t.Fatal(err)
		}
		tools[name] = s
	}
	shells, unknown := commandTools("cline", tools)
	if !slices.Equal(shells, []string{"run_commands"}) || !slices.Equal(unknown, []string{"new_shell (argv, shellCommand)", "x.type (chars)"}) {
		t.Errorf("shells %q, unknown %q", shells, unknown)
	}
}

func TestTableIsWritten(t *testing.T) {
	old := "# x\n" + tableBegins + "| what was before |\n| pi | 0.1 | 2026-01-01 | runs |\n| gone | 1 | 2 |\n" + tableEnds + "rest\n"
	r := row{agent: &agents[0], version: "1.2", date: "2026-11-23"}
	for i := range r.got {
		r.got[i] = runs
	}
	r.got[block] = denied
	text, err := withRows(old, []row{r})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range [...]string{
		"# x\n" + tableBegins + "| agent | version | run | allow |",
		"| Claude Code | 1.2 | 2026-11-23 | runs | runs | runs | denied | runs |",
		"| pi | 0.1 | 2026-01-01 | runs |\n" + tableEnds + "rest\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "gone") || strings.Contains(text, "before") {
		t.Errorf("an old line is left:\n%s", text)
	}
	if _, err := withRows("no table", nil); err == nil {
		t.Error("a document without a table is taken")
	}
}

// The table in docs/hosts.md tells what is expected, of the versions that are
// pinned.
func TestDocumented(t *testing.T) {
	t.Chdir("../..")
	data, err := os.ReadFile("docs/hosts.md")
	if err != nil {
		t.Fatal(err)
	}
	for i := range agents {
		a := &agents[i]
		version, err := a.version()
		if err != nil {
			t.Fatal(err)
		}
		begin, cells := "| "+a.title+" | "+version+" | ", ""
		for _, want := range a.want {
			cells += " " + string(want) + " |"
		}
		found := false
		for l := range strings.Lines(string(data)) {
			if date, rest, ok := strings.Cut(strings.TrimPrefix(l, begin), " |"); strings.HasPrefix(l, begin) && ok {
				found = len(date) == len("2026-11-23") && rest == cells+"\n"
			}
		}
		if !found {
			t.Errorf("docs/hosts.md has no line %qDAY |%s\nhint: make e2e-hosts HOSTS=%s HOSTS_FLAGS=\"-doc docs/hosts.md -date $(date +%%F)\"", begin, cells, a.name)
		}
	}
}

// A program in a terminal hears what is typed, and what it writes is read without
// the escapes. It is killed in the end.
func TestTerminal(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("its terminals are Linux's")
	}
	r := &run{project: t.TempDir(), env: []string{"PATH=/usr/bin:/bin"}}
	term, err := r.open("sh", "-c", `stty size; printf 'who \033[1mis\033[0m it? '; read name; echo "hello, $name"; exec sleep 60`)
	if err != nil {
		t.Fatal(err)
	}
	defer term.close()
	if err := term.shows("40 120"); err != nil {
		t.Fatal(err)
	}
	if err := term.shows("who is it?"); err != nil {
		t.Fatal(err)
	}
	if _, err := term.screen.WriteString("a person\r"); err != nil {
		t.Fatal(err)
	}
	if err := term.shows("hello, a person"); err != nil {
		t.Fatal(err)
	}
	term.close()
	if term.program.ProcessState == nil || term.program.ProcessState.Success() {
		t.Errorf("it is %v", term.program.ProcessState)
	}
}
