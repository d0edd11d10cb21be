package provider

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bashgate/bashgate/internal/cop"
)

var update = flag.Bool("update", false, "write the requests below testdata")

// defaults are the models where the settings name none.
var defaults = map[string]string{
	"anthropic": "claude-haiku-5-5", "openai": "gpt-6-luna", "openai-responses": "gpt-6-luna",
	"gemini": "gemini-3.5-flash-lite", "ollama": "qwen3:4b-instruct",
}

// TestExchanges compares what is sent to the byte, and reads answers that have
// all the keys that each provider documents.
func TestExchanges(t *testing.T) {
	keyFile := t.TempDir() + "/key"
	if err := os.WriteFile(keyFile, []byte("KEY\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const said = `{"nonce":"5d3f00","effect":"exec_local","targets":[],"sends_data":false,"risk":"low","reason":"a build"}`
	tokens := map[string][2]int{"anthropic": {1312, 58}, "openai": {1208, 57}, "openai-responses": {1204, 57}, "gemini": {1255, 72}, "ollama": {1198, 61}}
	for name, model := range defaults {
		response, err := os.ReadFile("testdata/" + name + ".response.json")
		if err != nil {
			t.Fatal(err)
		}
		var request strings.Builder
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(&request, "%s %s\n", r.Method, r.URL.EscapedPath())
			for _, key := range slices.Sorted(maps.Keys(r.Header)) {
				fmt.Fprintf(&request, "%s: %s\n", key, strings.Join(r.Header[key], ", "))
			}
			request.WriteString("\n")
			io.Copy(&request, r.Body)
			request.WriteString("\n")
			w.Write(response)
		})
		c := call(name, url)
		c.Model, c.KeyFile = model, keyFile
		c.Prompts = []cop.Prompt{{Nonce: "5d3f00", System: "Review \"it\".\n", User: "BEGIN 5d3f00\n{\"shell\":\"bash\"}\nEND 5d3f00"}}
		want := cop.Reply{Texts: []cop.Text{{Text: said, InputTokens: tokens[name][0], OutputTokens: tokens[name][1]}}}
		if diff := cmp.Diff(&want, Answer(context.Background(), c)); diff != "" {
			t.Errorf("%s: reply (-want +got):\n%s", name, diff)
		}
		got := request.String()
		path := "testdata/" + name + ".request.txt"
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		golden, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(golden), got); diff != "" {
			t.Errorf("%s: request (-want +got):\n%s", name, diff)
		}
	}
}

// What is asked of thinking, and how much room it has, by model.
func TestEfforts(t *testing.T) {
	for _, row := range []struct{ provider, model, effort, want string }{
		{"anthropic", "claude-haiku-5-5", "", `"max_tokens":1500 "thinking":{"type":"disabled"} "output_config":{"format":`},
		{"anthropic", "claude-haiku-5-5", "minimal", `"max_tokens":3548 "thinking":{"type":"adaptive"} "output_config":{"effort":"low","format":`},
		{"anthropic", "claude-haiku-5-5", "high", `"max_tokens":9692 "thinking":{"type":"adaptive"} "output_config":{"effort":"high","format":`},
		{"anthropic", "claude-haiku-4-5", "", `"thinking":{"type":"disabled"} "output_config":{"format":`},
		{"anthropic", "claude-haiku-4-5-20251001", "low", `"max_tokens":3548 "thinking":{"type":"enabled","budget_tokens":2048} "output_config":{"format":`},
		{"anthropic", "claude-sonnet-5-5", "none", `"thinking":{"type":"between_tools"}`},
		{"anthropic", "claude-sonnet-5", "", `"thinking":{"type":"disabled"}`},
		{"anthropic", "claude-fable-5-1", "none", `"thinking":{"type":"adaptive"} "output_config":{"effort":"low"`},
		{"anthropic", "claude-opus-5-5", "", `"thinking":{"type":"adaptive"} "output_config":{"effort":"low"`},
		{"anthropic", "other", "", `"max_tokens":3548 !"thinking"`},
		{"openai", "gpt-6-luna", "", `"max_completion_tokens":1500 "reasoning_effort":"none"`},
		{"openai", "gpt-6-sol", "none", `"max_completion_tokens":3548 "reasoning_effort":"low"`},
		{"openai", "gpt-5-nano", "none", `"max_completion_tokens":2524 "reasoning_effort":"minimal"`},
		{"openai", "gpt-5.4-nano", "minimal", `"reasoning_effort":"low"`},
		{"openai", "gpt-4.1-mini", "", `!"reasoning_effort"`},
		{"openai", "qwen", "", `"max_completion_tokens":3548 !"reasoning_effort"`},
		{"openai", "qwen", "none", `"max_completion_tokens":1500 "reasoning_effort":"none"`},
		{"openai-responses", "gpt-6-luna", "", `"max_output_tokens":1500 "reasoning":{"effort":"none"}`},
		{"openai-responses", "gpt-5.6-luna", "medium", `"max_output_tokens":5596 "reasoning":{"effort":"medium"}`},
		{"openai-responses", "other", "", `!"reasoning"`},
		{"gemini", "gemini-3.5-flash-lite", "", `"maxOutputTokens":2524 "thinkingConfig":{"thinkingLevel":"MINIMAL"}`},
		{"gemini", "gemini-4-argon", "none", `"maxOutputTokens":3548 "thinkingConfig":{"thinkingLevel":"LOW"}`},
		{"gemini", "gemini-2.5-flash-lite", "", `"maxOutputTokens":1500 "thinkingConfig":{"thinkingBudget":0}`},
		{"gemini", "gemini-2.5-pro", "none", `"thinkingConfig":{"thinkingBudget":1024}`},
		{"gemini", "gemma-4", "", `!"thinkingConfig"`},
		{"ollama", "qwen3:8b", "", `"think":false "num_predict":1500`},
		{"ollama", "qwen3:8b", "low", `"think":true "num_predict":3548`},
		{"ollama", "gpt-oss:20b", "", `"think":"low" "num_predict":3548`},
		{"ollama", "someone/gpt-oss", "high", `"think":"high"`},
	} {
		c := call(row.provider, "")
		c.Model, c.Effort = row.model, row.effort
		_, data := find(row.provider).request(c, c.Prompts[0])
		for _, want := range strings.Fields(row.want) {
			want, not := strings.CutPrefix(want, "!")
			if strings.Contains(string(data), want) == not {
				t.Errorf("%s %s %q: want %s in %s", row.provider, row.model, row.effort, row.want, data)
			}
		}
	}
	// Whatever the settings say, a family that is known is asked for what it takes.
	for i := range families {
		f := &families[i]
		for _, e := range efforts {
			if got := f.nearest(e.word); !slices.Contains(strings.Fields(f.takes), got) {
				t.Errorf("%s %s: %s for %s", f.provider, f.prefix, got, e.word)
			}
		}
		if !slices.Contains(strings.Fields(f.takes), f.usual) {
			t.Errorf("%s %s: usually %s", f.provider, f.prefix, f.usual)
		}
	}
}

// An answer to a part of a question is none.
func TestCutQuestions(t *testing.T) {
	for _, row := range []struct{ provider, old, new, code string }{
		{"ollama", `"prompt_eval_count":11`, `"prompt_eval_count":8`, ""},
		{"ollama", `"prompt_eval_count":11`, `"prompt_eval_count":7`, "context"},
		{"ollama", `"prompt_eval_count":11`, `"prompt_eval_count":0`, "context"},
		{"ollama", `"prompt_eval_count":11`, `"prompt_eval_count":-3`, "context"},
		{"ollama", `"prompt_eval_count":11`, `"prompt_eval_count":"11"`, "context"},
		{"ollama", `"prompt_eval_count":11,`, ``, "context"},
		{"ollama", `"prompt_eval_count":11`, `"prompt_eval_count":2048`, "context"},
		{"ollama", `"prompt_eval_count":11`, `"prompt_eval_count":2049`, ""},
		{"ollama", `"prompt_eval_count":11`, `"prompt_eval_count":4,"prompt_eval_cached_count":7`, "context"},
		{"openai", `"prompt_tokens":11`, `"prompt_tokens":7`, "context"},
		{"openai", `"usage":{"prompt_tokens":11,"completion_tokens":7,"total_tokens":18}`, `"usage":null`, ""},
		{"openai-responses", `"input_tokens":11`, `"input_tokens":7`, "context"},
		{"anthropic", `"input_tokens":11`, `"input_tokens":7`, "context"},
		{"anthropic", `"input_tokens":11`, `"input_tokens":4,"cache_creation_input_tokens":2,"cache_read_input_tokens":2`, ""},
		{"gemini", `"promptTokenCount":11`, `"promptTokenCount":7`, "context"},
	} {
		text := strings.Replace(answer(row.provider, "x"), row.old, row.new, 1)
		if text == answer(row.provider, "x") {
			t.Fatalf("%s: no %s", row.provider, row.old)
		}
		url := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, text) })
		expect(t, row.provider+" "+row.new, Answer(context.Background(), call(row.provider, url)), row.code)
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "  \n": 0, "a": 1, "make build": 2, "utf8": 2, "can't": 1, "'a b'": 2, `{"words":["make","x2"]}`: 4, "--- ***": 0, "é1": 2, "snake_case": 2, "a1b2": 4,
	} {
		if got := words(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// The window has room for the question, and seldom changes.
func TestWindow(t *testing.T) {
	for _, row := range []struct{ question, answer, want int }{
		{0, 1500, 8 << 10}, {7000, 1500, 8 << 10}, {12800, 1500, 8 << 10}, {13000, 1500, 16 << 10}, {38 << 10, 1500, 32 << 10}, {38 << 10, 9692, 32 << 10}, {1 << 20, 1500, 64 << 10},
	} {
		p := cop.Prompt{System: strings.Repeat("s", row.question/2), User: strings.Repeat("u", row.question-row.question/2)}
		if got := window(p, row.answer); got != row.want {
			t.Errorf("%+v: %d", row, got)
		}
	}
}

// A person sees what the server says, in its own words; without the key.
func TestDetails(t *testing.T) {
	keyFile := t.TempDir() + "/key"
	if err := os.WriteFile(keyFile, []byte("k-secret-1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		status           int
		body, code, want string
	}{
		{401, `{"error":{"message":"Incorrect API key provided: k-secret-1. Find yours.","type":"invalid_request_error"}}`, "key", "Incorrect API key provided: [key]. Find yours."},
		{404, `{"type":"error","error":{"type":"not_found_error","message":"model: claude-x"},"request_id":"req_1"}`, "status", "model: claude-x"},
		{404, `{"error":"model 'm/1' not found"}`, "status", "model 'm/1' not found"},
		{400, `[{"error":{"code":400,"message":"Invalid JSON payload","status":"INVALID_ARGUMENT"}}]`, "status", "Invalid JSON payload"},
		{422, `{"detail":"no such thing"}`, "status", "no such thing"},
		{422, `{"detail":[{"loc":["body","model"],"msg":"Field required","type":"missing"}]}`, "status", "Field required"},
		{500, "<html>oops</html>\n", "status", "<html>oops</html>"},
		{503, ``, "busy", ""},
		{400, `{"error":"` + strings.Repeat("x", 5000) + `"}`, "status", strings.Repeat("x", maxDetail) + "..."},
		{400, `{"error":"Authorization: Bearer abcdefgh12345678"}`, "status", "Authorization: Bearer SECRET_OF_16_CHARACTERS"},
		{200, `{"choices":[{"message":{"role":"assistant","content":null,"refusal":"I won't"},"finish_reason":"stop"}]}`, "refused", "I won't"},
		{200, `{"error":{"message":"overloaded"}}`, "garbage", "overloaded"},
		{200, `hello`, "garbage", "hello"},
	} {
		c := call("openai", serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(row.status)
			io.WriteString(w, row.body)
		}))
		c.KeyFile = keyFile
		r := Answer(context.Background(), c)
		expect(t, row.body, r, row.code)
		if r.Detail != row.want {
			t.Errorf("%d %s: %q, want %q", row.status, row.body, r.Detail, row.want)
		}
		if row.want != "" && strings.Contains(r.Error, row.want) {
			t.Errorf("the error %q holds what the server says", r.Error)
		}
	}
	if r := Answer(context.Background(), call("ollama", "http://127.0.0.1:1")); r.Code != "unreachable" || !strings.Contains(r.Detail, "127.0.0.1:1") {
		t.Errorf("%+v", r)
	}
}
