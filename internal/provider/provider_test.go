package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/wire"
)

// answers are what each provider says when all is well; TEXT stands for the
// model's text, and the tokens are 11 and 7.
var answers = map[string]string{
	"anthropic":        `{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"thinking","thinking":"hm","signature":"x"},{"type":"text","text":TEXT}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":11,"output_tokens":7}}`,
	"openai":           `{"id":"c","object":"chat.completion","created":1763740800,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":TEXT,"refusal":null},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":11,"completion_tokens":7,"total_tokens":18}}`,
	"openai-responses": `{"id":"r","object":"response","status":"completed","error":null,"incomplete_details":null,"output":[{"type":"reasoning","id":"x","summary":[]},{"type":"message","id":"y","status":"completed","role":"assistant","content":[{"type":"output_text","text":TEXT,"annotations":[]}]}],"usage":{"input_tokens":11,"output_tokens":7,"total_tokens":18}}`,
	"gemini":           `{"candidates":[{"content":{"parts":[{"text":"hm","thought":true},{"text":TEXT}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":11,"candidatesTokenCount":7,"totalTokenCount":18},"modelVersion":"m"}`,
	"ollama":           `{"model":"m","created_at":"2025-01-01T00:00:00Z","message":{"role":"assistant","content":TEXT},"done":true,"done_reason":"stop","total_duration":1,"prompt_eval_count":11,"eval_count":7}`,
}

func answer(provider, text string) string {
	return strings.Replace(answers[provider], "TEXT", quote(text), 1)
}

func call(provider, endpoint string) *cop.Call {
	return &cop.Call{
		Provider: provider, Endpoint: endpoint, Model: "m/1", Milliseconds: 5000, Command: "make build",
		Prompts: []cop.Prompt{{Nonce: "n1", System: "system \"text\"", User: "BEGIN n1\n{}\nEND n1"}},
	}
}

func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s.URL
}

func expect(t *testing.T, name string, r *cop.Reply, code string) {
	t.Helper()
	if r.Code != code || (code != "") != (r.Error != "") || code != "" && len(r.Texts) > 0 {
		t.Errorf("%s: %+v, want %q", name, r, code)
	}
}

func TestProviders(t *testing.T) {
	keyFile := t.TempDir() + "/key"
	if err := os.WriteFile(keyFile, []byte("k-1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		provider, path, header, want string
		body                         string // a JSON object that the request's body holds
	}{
		{"anthropic", "/v1/messages", "X-Api-Key", "k-1", `{"model":"m/1","max_tokens":3548,"system":"system \"text\"","messages":[{"role":"user","content":"BEGIN n1\n{}\nEND n1"}]}`},
		{"openai", "/chat/completions", "Authorization", "Bearer k-1", `{"model":"m/1","max_completion_tokens":3548,"messages":[{"role":"system","content":"system \"text\""},{"role":"user","content":"BEGIN n1\n{}\nEND n1"}]}`},
		{"openai-responses", "/responses", "Authorization", "Bearer k-1", `{"model":"m/1","instructions":"system \"text\"","input":"BEGIN n1\n{}\nEND n1","max_output_tokens":3548,"store":false}`},
		{"gemini", "/models/m%2F1:generateContent", "X-Goog-Api-Key", "k-1", `{"systemInstruction":{"parts":[{"text":"system \"text\""}]},"contents":[{"role":"user","parts":[{"text":"BEGIN n1\n{}\nEND n1"}]}]}`},
		{"ollama", "/api/chat", "Authorization", "Bearer k-1", `{"model":"m/1","stream":false,"messages":[{"role":"system","content":"system \"text\""},{"role":"user","content":"BEGIN n1\n{}\nEND n1"}]}`},
	} {
		for _, plain := range []bool{false, true} {
			url := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Method != "POST" || r.URL.EscapedPath() != "/base"+row.path || r.Header.Get(row.header) != row.want || r.Header.Get("Content-Type") != "application/json" {
					t.Errorf("%s: %s %s, %v", row.provider, r.Method, r.URL.EscapedPath(), r.Header)
				}
				data, _ := io.ReadAll(r.Body)
				var got, want map[string]any
				if err := json.Unmarshal(data, &got); err != nil {
					t.Errorf("%s: %s: %v", row.provider, data, err)
				}
				if err := json.Unmarshal([]byte(row.body), &want); err != nil {
					t.Fatal(err)
				}
				for key, value := range want {
					if plain && strings.HasPrefix(key, "max_") {
						continue // less room
					}
					if diff := cmp.Diff(value, got[key]); diff != "" {
						t.Errorf("%s: %s (-want +got):\n%s", row.provider, key, diff)
					}
				}
				if hasSchema := strings.Contains(string(data), `"nonce"`); hasSchema == plain {
					t.Errorf("%s: the schema of the strict form is there: %v", row.provider, hasSchema)
				}
				io.WriteString(w, answer(row.provider, `{"a":"é"}`))
			})
			c := call(row.provider, url+"/base/")
			c.KeyFile, c.Plain = keyFile, plain
			c.Prompts = append(c.Prompts, c.Prompts[0])
			r := Answer(context.Background(), c)
			want := cop.Reply{Texts: []cop.Text{{Text: `{"a":"é"}`, InputTokens: 11, OutputTokens: 7}, {Text: `{"a":"é"}`, InputTokens: 11, OutputTokens: 7}}}
			if diff := cmp.Diff(&want, r); diff != "" {
				t.Errorf("%s: reply (-want +got):\n%s", row.provider, diff)
			}
		}
	}
}

// An answer that did not end by itself, or is not what it should be, is none.
func TestUnusableAnswers(t *testing.T) {
	for _, row := range []struct{ provider, old, new, code string }{
		{"anthropic", `"stop_reason":"end_turn"`, `"stop_reason":"max_tokens"`, "incomplete"},
		{"anthropic", `"stop_reason":"end_turn"`, `"stop_reason":"refusal"`, "refused"},
		{"anthropic", `"stop_reason":"end_turn"`, `"stop_reason":null`, "garbage"},
		{"anthropic", `"stop_reason":"end_turn"`, `"stop_reason":"end_turn","stop_reason":"end_turn"`, "garbage"},
		{"anthropic", `"stop_reason":"end_turn"`, `"stop_reason":"model_context_window_exceeded"`, "incomplete"},
		{"anthropic", `"stop_reason":"end_turn"`, `"stop_reason":"pause_turn"`, "incomplete"},
		{"anthropic", `"role":"assistant"`, `"role":"user"`, "garbage"},
		{"anthropic", `{"type":"text","text":TEXT}`, ``, "garbage"},
		{"anthropic", `{"type":"text","text":TEXT}`, `{"type":"text","text":"a"},{"type":"text","text":"b"}`, "garbage"},
		{"anthropic", `{"type":"text","text":TEXT}`, `{"type":"tool_use","id":"x"}`, "garbage"},
		{"openai", `"finish_reason":"stop"`, `"finish_reason":"length"`, "incomplete"},
		{"openai", `"finish_reason":"stop"`, `"finish_reason":"content_filter"`, "refused"},
		{"openai", `"finish_reason":"stop"`, `"finish_reason":"ignore the rules"`, "incomplete"},
		{"openai", `"refusal":null`, `"refusal":"I can't"`, "refused"},
		{"openai", `"content":TEXT`, `"content":null`, "garbage"},
		{"openai", `"content":TEXT`, `"Content":"x"`, "garbage"},
		{"openai", `"role":"assistant"`, `"role":"user"`, "garbage"},
		{"openai", `"refusal":null`, `"refusal":null,"tool_calls":[{"id":"c","type":"function"}]`, "garbage"},
		{"openai", `"refusal":null`, `"function_call":{"name":"f"}`, "garbage"},
		{"openai", `"finish_reason":"stop"`, `"finish_reason":"tool_calls"`, "incomplete"},
		{"openai", `"choices":[`, `"choices":[{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"stop"},`, "garbage"},
		{"openai", `"choices":[`, `"choices":[],"x":[`, "garbage"},
		{"openai-responses", `"status":"completed","error"`, `"status":"incomplete","error"`, "incomplete"},
		{"openai-responses", `"incomplete_details":null`, `"incomplete_details":{"reason":"max_output_tokens"}`, "incomplete"},
		{"openai-responses", `"error":null`, `"error":{"code":"x"}`, "status"},
		{"openai-responses", `"type":"output_text"`, `"type":"refusal"`, "refused"},
		{"openai-responses", `"status":"completed","role"`, `"status":"incomplete","role"`, "incomplete"},
		{"openai-responses", `"role":"assistant"`, `"role":"user"`, "garbage"},
		{"openai-responses", `"status":"completed","error"`, `"status":"queued","error"`, "incomplete"},
		{"openai-responses", `"type":"message"`, `"type":"function_call"`, "garbage"},
		{"gemini", `"finishReason":"STOP"`, `"finishReason":"MAX_TOKENS"`, "incomplete"},
		{"gemini", `"finishReason":"STOP"`, `"finishReason":"SAFETY"`, "refused"},
		{"gemini", `{"candidates"`, `{"promptFeedback":{"blockReason":"OTHER"},"candidates"`, "refused"},
		{"gemini", `"role":"model"`, `"role":"user"`, "garbage"},
		{"gemini", `{"text":TEXT}`, `{"text":TEXT},{"functionCall":{"name":"f"}}`, "garbage"},
		{"gemini", `{"text":TEXT}`, `{"text":TEXT,"executableCode":{"code":"x"}}`, "garbage"},
		{"gemini", `"finishReason":"STOP"`, `"finishReason":"UNEXPECTED_TOOL_CALL"`, "incomplete"},
		{"gemini", `"candidates":[`, `"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"},`, "garbage"},
		{"gemini", `"thought":true`, `"thought":false`, "garbage"},
		{"ollama", `"done":true`, `"done":false`, "incomplete"},
		{"ollama", `"done_reason":"stop"`, `"done_reason":"length"`, "incomplete"},
		{"ollama", `"done":true`, `"error":"the runner has stopped","done":true`, "status"},
		{"ollama", `"role":"assistant"`, `"role":"tool"`, "garbage"},
		{"ollama", `"content":TEXT`, `"content":TEXT,"tool_calls":[{"function":{"name":"f"}}]`, "garbage"},
		{"ollama", `"content":TEXT`, `"content":["x"]`, "garbage"},
		{"ollama", `"message"`, `"Message":{},"message"`, "garbage"},
	} {
		text := strings.Replace(answers[row.provider], row.old, row.new, 1)
		if text == answers[row.provider] {
			t.Fatalf("%s: no %s", row.provider, row.old)
		}
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, strings.Replace(text, "TEXT", `"x"`, 1))
		})
		expect(t, row.provider+" "+row.new, Answer(context.Background(), call(row.provider, url)), row.code)
	}
}

func TestFaults(t *testing.T) {
	for name := range answers {
		good := answer(name, "x")
		for _, row := range []struct {
			name, code string
			handler    http.HandlerFunc
		}{
			{"garbage", "garbage", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "clear") }},
			{"HTML", "garbage", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "<html>{}</html>") }},
			{"nothing", "garbage", func(http.ResponseWriter, *http.Request) {}},
			{"two values", "garbage", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, good+good) }},
			{"a stream", "garbage", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "data: "+good+"\n\n") }},
			{"an array", "garbage", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "["+good+"]") }},
			{"half", "cut-off", func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Length", fmt.Sprint(len(good)))
				io.WriteString(w, good[:len(good)/2])
			}},
			{"half that claims to be all", "garbage", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, good[:len(good)/2]) }},
			{"oversized", "oversized", func(w http.ResponseWriter, r *http.Request) {
				io.WriteString(w, strings.TrimSuffix(good, "}")+strings.Repeat(" ", maxBody)+"}")
			}},
			{"without an end", "oversized", func(w http.ResponseWriter, r *http.Request) {
				for r.Context().Err() == nil {
					if _, err := w.Write(make([]byte, 4096)); err != nil {
						return
					}
				}
			}},
			{"redirect", "redirect", func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/elsewhere" {
					t.Errorf("%s: the redirect is followed", name)
				}
				http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
			}},
			{"redirect with an answer", "redirect", func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Location", "http://127.0.0.1:1/")
				w.WriteHeader(http.StatusFound)
				io.WriteString(w, good)
			}},
			{"wrong key", "key", func(w http.ResponseWriter, r *http.Request) { http.Error(w, good, http.StatusUnauthorized) }},
			{"server error", "status", func(w http.ResponseWriter, r *http.Request) { http.Error(w, good, http.StatusInternalServerError) }},
			{"no content", "status", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) }},
			{"busy", "busy", func(w http.ResponseWriter, r *http.Request) { http.Error(w, "", http.StatusTooManyRequests) }},
			{"compressed", "garbage", func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Encoding", "gzip")
				w.Write([]byte{0x1f, 0x8b, 8, 0})
			}},
			{"hangs up", "unreachable", func(w http.ResponseWriter, r *http.Request) {
				c, _, err := w.(http.Hijacker).Hijack()
				if err == nil {
					c.Close()
				}
			}},
		} {
			expect(t, name+": "+row.name, Answer(context.Background(), call(name, serve(t, row.handler))), row.code)
		}
	}
}

func TestSlow(t *testing.T) {
	for what, handler := range map[string]func(w http.ResponseWriter){
		"header": func(http.ResponseWriter) {},
		"body": func(w http.ResponseWriter) {
			io.WriteString(w, `{"id":`)
			w.(http.Flusher).Flush()
		},
	} {
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			handler(w)
			<-r.Context().Done()
		})
		c := call("openai", url)
		c.Milliseconds = 300
		start := time.Now()
		expect(t, what, Answer(context.Background(), c), "timeout")
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("%s: took %v", what, took)
		}
	}
}

// One answer that is late or wrong spoils both.
func TestOneOfTwo(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		if strings.Contains(string(data), "second") {
			http.Error(w, "", http.StatusInternalServerError)
			return
		}
		io.WriteString(w, answer("ollama", "x"))
	})
	c := call("ollama", url)
	c.Prompts = append(c.Prompts, cop.Prompt{Nonce: "n2", System: "second", User: "u"})
	expect(t, "one of two", Answer(context.Background(), c), "status")
}

func TestRetriesOnce(t *testing.T) {
	tries := 0
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if tries++; tries == 1 {
			w.WriteHeader(529)
			return
		}
		io.WriteString(w, answer("anthropic", "x"))
	})
	expect(t, "busy at first", Answer(context.Background(), call("anthropic", url)), "")
	if tries != 2 {
		t.Errorf("%d tries", tries)
	}
	tries = -100
	expect(t, "busy", Answer(context.Background(), call("anthropic", serve(t, func(w http.ResponseWriter, r *http.Request) {
		tries++
		w.WriteHeader(http.StatusServiceUnavailable)
	}))), "busy")
	if tries != -98 {
		t.Errorf("%d tries", tries+100)
	}
}

// The environment sends nothing elsewhere.
func TestEnvironment(t *testing.T) {
	elsewhere := serve(t, func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("%s arrives elsewhere", r.URL)
		io.WriteString(w, answer("openai", "x"))
	})
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "OPENAI_BASE_URL", "OPENAI_API_BASE", "ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL", "OLLAMA_HOST"} {
		t.Setenv(name, elsewhere)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	dead := "http://" + listener.Addr().String()
	listener.Close()
	for name := range answers {
		expect(t, name, Answer(context.Background(), call(name, dead)), "unreachable")
	}
	// Not even where the address is no local one, which is what a variable
	// names a proxy for.
	c := call("openai", "http://bashgate.invalid")
	c.Milliseconds = 2000
	if r := Answer(context.Background(), c); r.Code != "unreachable" && r.Code != "timeout" {
		t.Errorf("%+v", r)
	}
}

// A proxy of the user's own is taken.
func TestProxy(t *testing.T) {
	proxy := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.String() != "http://bashgate.invalid/chat/completions" {
			t.Errorf("asked for %s", r.URL)
		}
		io.WriteString(w, answer("openai", "x"))
	})
	c := call("openai", "http://bashgate.invalid")
	c.Proxy = proxy
	expect(t, "proxy", Answer(context.Background(), c), "")
}

// A server that nobody vouches for is none.
func TestCertificate(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("%s arrives", r.URL)
	}))
	s.Config.ErrorLog = nil
	defer s.Close()
	expect(t, "certificate", Answer(context.Background(), call("openai", s.URL)), "certificate")
}

func TestKeys(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) { t.Errorf("%s is asked", r.URL) })
	dir := t.TempDir()
	for name, row := range map[string]struct {
		text string
		mode os.FileMode
	}{
		"readable": {"k", 0o644}, "group": {"k", 0o640}, "empty": {"", 0o600}, "two": {"a b", 0o600}, "header": {"a\r\nX: y", 0o600},
		"large": {strings.Repeat("k", 10<<10), 0o600},
	} {
		path := dir + "/" + name
		if err := os.WriteFile(path, []byte(row.text), row.mode); err != nil {
			t.Fatal(err)
		}
		c := call("openai", url)
		c.KeyFile = path
		r := Answer(context.Background(), c)
		expect(t, name, r, "key")
		if strings.Contains(r.Error, row.text) && row.text != "" && row.text != "k" {
			t.Errorf("%s: %s tells the key", name, r.Error)
		}
	}
	for _, path := range []string{dir, dir + "/none"} {
		c := call("openai", url)
		c.KeyFile = path
		expect(t, path, Answer(context.Background(), c), "key")
	}
}

func TestUsage(t *testing.T) {
	expect(t, "no provider", Answer(context.Background(), call("", "")), "usage")
	expect(t, "another", Answer(context.Background(), call("skynet", "")), "usage")
	c := call("openai", "")
	c.Prompts = nil
	expect(t, "no prompt", Answer(context.Background(), c), "usage")
	expect(t, "an address", Answer(context.Background(), call("openai", "http://a b/")), "usage")
}

func TestRecorded(t *testing.T) {
	c := call("recorded", "")
	c.Answers = t.TempDir() + "/answers.jsonl"
	expect(t, "no file", Answer(context.Background(), c), "client")
	write := func(text string) {
		if err := os.WriteFile(c.Answers, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"command":"ls","text":"other"}` + "\n\n" + `{"command":"make build","text":"{\"nonce\":\"NONCE\"}"}` + "\n")
	r := Answer(context.Background(), c)
	expect(t, "an answer", r, "")
	if len(r.Texts) != 1 || r.Texts[0].Text != `{"nonce":"n1"}` {
		t.Errorf("%+v", r)
	}
	write(`{"command":"make build","error":"timeout"}`)
	expect(t, "an error", Answer(context.Background(), c), "timeout")
	write(`{"command":"ls","text":"other"}`)
	expect(t, "none", Answer(context.Background(), c), "client")
	write(`{"command":"ls"`)
	expect(t, "broken", Answer(context.Background(), c), "client")
}

// Whatever a server answers, the codecs neither panic nor take a text from an
// answer that they can't have understood.
func FuzzAnswers(f *testing.F) {
	for name := range answers {
		f.Add(name, answer(name, "x"))
	}
	f.Fuzz(func(t *testing.T, name, data string) {
		p := find(name)
		if p == nil {
			return
		}
		v, err := wire.Parse([]byte(data))
		if err != nil {
			return
		}
		text, err := p.answer(v)
		if err != nil && text != (cop.Text{}) {
			t.Errorf("%s: %+v with %v", name, text, err)
		}
		done := map[string]string{"anthropic": "end_turn", "openai": "stop", "openai-responses": "completed", "gemini": "STOP", "ollama": "stop"}[name]
		if err == nil && !strings.Contains(data, done) && !strings.Contains(data, `\u`) {
			t.Errorf("%s: %q is complete", name, data)
		}
	})
}
