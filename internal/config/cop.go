package config

import (
	"strings"

	"github.com/bashgate/bashgate/internal/ruleset"
)

// How many reviews there may be where the settings say nothing.
const (
	DefaultPerSession = 200
	DefaultPerDay     = 1000
)

// Cop is who reviews the commands of sessions that have seen untrusted content
// or secrets. Nothing of it comes from a project or from the environment. The
// zero value is no reviewer.
type Cop struct {
	When       string // "tainted", "grey" or "never"; "" = "tainted"
	Provider   string // "" = no reviewer
	Endpoint   string // where the provider is; "" = its own place
	Model      string
	Effort     string // how much it thinks: "none" to "high"; "" = as little as fits the model
	KeyFile    string // absolute; "" = no key
	Proxy      string // "" = none
	Plain      bool   // the model answers {"flagged": ..., "reason": ...}
	Flag       string // "ask" or "deny": what becomes of what it flags; "" = as grave as it finds it
	Answers    string // absolute; recorded answers, for the provider "recorded"
	PerSession int    // reviews of one session; 0 = DefaultPerSession
	PerDay     int    // reviews of a day; 0 = DefaultPerDay
	File       string // where this stands
}

// cop is the table as it is written.
type cop struct {
	ruleset.Table
	When       ruleset.Text `toml:"when" takes:"tainted,grey,never" default:"\"tainted\"" doc:"whose commands are reviewed: those of tainted sessions, also unknown commands of others (grey), or never"`
	Provider   ruleset.Text `toml:"provider" takes:"anthropic,openai,openai-responses,gemini,ollama,recorded" doc:"whose protocol the model speaks; without one there is no reviewer"`
	Endpoint   ruleset.Text `toml:"endpoint" doc:"the address that the protocol's paths are added to" absent:"the provider's"`
	Model      ruleset.Text `toml:"model" doc:"the name of the model" absent:"the provider's small and fast one"`
	Effort     ruleset.Text `toml:"effort" takes:"none,minimal,low,medium,high" doc:"how much the model thinks first" absent:"as little as it can"`
	KeyFile    ruleset.Text `toml:"key_file" doc:"a file that holds the key and that only you can read"`
	Proxy      ruleset.Text `toml:"proxy" doc:"the address of a proxy"`
	Form       ruleset.Text `toml:"form" takes:"strict,plain" default:"\"strict\"" doc:"how the model answers: strict, or plain for simple servers"`
	Flag       ruleset.Text `toml:"flag" takes:"ask,deny" doc:"what becomes of what it flags" absent:"denied where it finds the risk high, asked about otherwise"`
	Answers    ruleset.Text `toml:"answers" doc:"a file of recorded answers, for the provider recorded"`
	PerSession int          `toml:"per_session" range:"1-5000" default:"200" doc:"how many reviews a session may cost"`
	PerDay     int          `toml:"per_day" range:"1-5000" default:"1000" doc:"how many reviews a day may cost"`
}

func (w *cop) meaning(r reader) Cop {
	r.check(w)
	c := Cop{
		When: w.When.Value, Provider: w.Provider.Value, Endpoint: strings.TrimRight(w.Endpoint.Value, "/"), Model: w.Model.Value, Effort: w.Effort.Value,
		Proxy: w.Proxy.Value, PerSession: w.PerSession, PerDay: w.PerDay, Plain: w.Form.Value == "plain", Flag: w.Flag.Value,
	}
	if w.KeyFile.Value != "" {
		c.KeyFile = r.path("key_file", w.KeyFile)
	}
	if w.Answers.Value != "" {
		c.Answers = r.path("answers", w.Answers)
	}
	for _, address := range []struct {
		key  string
		text ruleset.Text
	}{{"endpoint", w.Endpoint}, {"proxy", w.Proxy}} {
		if t := address.text; t.Value != "" && !safeAddress(t.Value) {
			r.fail(t, address.key+" needs an https address, or an http address of this machine", `write it like "https://api.example.com/v1" or "http://127.0.0.1:8080/v1"`)
		}
	}
	missing := func(key string) {
		if !w.Has(key) {
			r.fail(w.Provider, "provider "+w.Provider.Value+" needs "+key, "")
		}
	}
	switch c.Provider {
	case "":
	case "recorded":
		missing("answers")
	default:
		// Another place has models of its own.
		switch {
		case w.Has("model"):
		case !w.Fits("endpoint"):
			c.Model = defaultModel(c.Provider)
		default:
			r.fail(w.Provider, "provider "+w.Provider.Value+" needs model", "no model is known at an endpoint of your own")
		}
	}
	return c
}

// defaultModel is the model of a provider where the settings name none: small,
// and fast enough for a review. docs/cop.md lists them; "" = there is none.
func defaultModel(provider string) string {
	switch provider {
	case "anthropic":
		return "claude-haiku-5-5"
	case "openai", "openai-responses":
		return "gpt-6-luna"
	case "gemini":
		return "gemini-3.5-flash-lite"
	case "ollama":
		return "qwen3:4b-instruct"
	}
	return ""
}

// safeAddress reports whether what is sent to an address reaches nobody on the
// way: it is https, or on this machine. It may hold a path, but no user,
// query or fragment.
func safeAddress(address string) bool {
	for _, b := range []byte(address) {
		if b <= ' ' || b >= 0x7f || strings.IndexByte(`?#@\"%`, b) >= 0 {
			return false
		}
	}
	if rest, ok := strings.CutPrefix(address, "https://"); ok {
		return rest != "" && rest[0] != '/' && rest[0] != ':'
	}
	rest, ok := strings.CutPrefix(address, "http://")
	if !ok {
		return false
	}
	authority, _, _ := strings.Cut(rest, "/")
	if host, port, ok := cutPort(authority); ok {
		for _, b := range []byte(port) {
			if b < '0' || b > '9' {
				return false
			}
		}
		authority = host
	}
	return authority == "127.0.0.1" || authority == "localhost" || authority == "[::1]"
}

func cutPort(authority string) (host, port string, ok bool) {
	i := strings.LastIndexByte(authority, ':')
	if i < 0 || strings.HasSuffix(authority, "]") {
		return authority, "", false
	}
	return authority[:i], authority[i+1:], true
}
