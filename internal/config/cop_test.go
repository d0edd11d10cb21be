package config

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCop(t *testing.T) {
	c, err := parse("config.toml", []byte(`[cop]
when = "grey"
provider = "openai"
endpoint = "http://127.0.0.1:8080/v1/"
model = "small"
effort = "low"
key_file = "~/.config/bashgate/key"
proxy = "https://proxy.example.com:3128"
form = "plain"
per_session = 20
per_day = 100
`), "/home/u")
	if err != nil {
		t.Fatal(err)
	}
	want := Cop{
		When: "grey", Provider: "openai", Endpoint: "http://127.0.0.1:8080/v1", Model: "small", Effort: "low",
		KeyFile: "/home/u/.config/bashgate/key", Proxy: "https://proxy.example.com:3128", Plain: true,
		PerSession: 20, PerDay: 100, File: "config.toml",
	}
	if diff := cmp.Diff(want, c.Cop); diff != "" {
		t.Errorf("cop (-want +got):\n%s", diff)
	}
}

// A reviewer that was not understood is none.
func TestCopErrors(t *testing.T) {
	for table, want := range map[string]string{
		`when = "always"`:                                        `2:8: "when" must be one of tainted, grey, never`,
		`provider = "skynet"`:                                    `2:12: "provider" must be one of anthropic, openai, openai-responses, gemini, ollama, recorded`,
		`effort = "max"`:                                         `2:10: "effort" must be one of none, minimal, low, medium, high`,
		`provider = "recorded"`:                                  `2:12: provider recorded needs answers`,
		`form = "free"`:                                          `2:8: "form" must be one of strict, plain`,
		`key_file = "key"`:                                       `2:12: key_file needs absolute paths`,
		`key = "sk-1"`:                                           `2:1: unknown key "key" in [cop]`,
		`per_day = -1`:                                           `"per_day" must be a number from 1 to 5000, not -1`,
		`per_session = 100000`:                                   `"per_session" must be a number from 1 to 5000, not 100000`,
		`per_day = "many"`:                                       `per_day`,
		`endpoint = "http://example.com"`:                        `endpoint needs an https address, or an http address of this machine`,
		`endpoint = "http://127.0.0.1.example.com"`:              `endpoint needs`,
		`endpoint = "http://127.0.0.1:80@example.com"`:           `endpoint needs`,
		`endpoint = "http://localhost:80:example.com"`:           `endpoint needs`,
		`endpoint = "https://user:pass@example.com"`:             `endpoint needs`,
		`endpoint = "https://"`:                                  `endpoint needs`,
		`endpoint = "https:///v1"`:                               `endpoint needs`,
		`endpoint = "https://example.com/?x="`:                   `endpoint needs`,
		`endpoint = "ftp://example.com"`:                         `endpoint needs`,
		`endpoint = "https://example.com\r\nX-Header: 1"`:        `endpoint needs`,
		`proxy = "http://proxy.example.com:3128"`:                `proxy needs an https address`,
		"provider = \"openai\"\nendpoint = \"http://[::1]\"":     `2:12: provider openai needs model`,
		"provider = \"ollama\"\nmodel = \"m\"\nwhen = \"ofter\"": `"when" must be one of`,
	} {
		c, err := parse("config.toml", []byte("[cop]\n"+table+"\n"), "/home/u")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", table, err, want)
		}
		if c.Cop != (Cop{}) {
			t.Errorf("%s: %+v stays", table, c.Cop)
		}
	}
	// Who names no model gets a small one, which the documentation tells of, but
	// for places that have their own.
	docs, err := os.ReadFile("../../docs/cop.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, provider := range []string{"anthropic", "openai", "openai-responses", "gemini", "ollama"} {
		c, err := parse("config.toml", []byte("[cop]\nprovider = \""+provider+"\"\n"), "/home/u")
		if err != nil || c.Cop.Model == "" || c.Cop.Model != defaultModel(provider) {
			t.Errorf("%s: %q, %v", provider, c.Cop.Model, err)
		}
		if !strings.Contains(string(docs), "`"+provider+"`") || !strings.Contains(string(docs), "`"+c.Cop.Model+"`") {
			t.Errorf("docs/cop.md does not tell of %s and %s", provider, c.Cop.Model)
		}
	}
	for _, address := range []string{"https://example.com", "https://example.com:8443/a/b", "http://localhost", "http://[::1]:80/v1", "http://[::1]", "http://127.0.0.1/x"} {
		if !safeAddress(address) {
			t.Errorf("%s is refused", address)
		}
	}
}
