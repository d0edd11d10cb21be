package export

import (
	"encoding/json"
	"testing"
)

func TestGeminiExtension(t *testing.T) {
	rules := Collect(small(t), false)
	names := map[string][]byte{}
	for _, f := range GeminiExtension(rules, Options{Version: "v1.2.3"}) {
		names[f.Name] = f.Text
	}
	var manifest struct{ Name, Version string }
	if err := json.Unmarshal(names["gemini-extension.json"], &manifest); err != nil || manifest.Name != "bashgate" || manifest.Version != "1.2.3" {
		t.Errorf("the manifest is %+v (%v)", manifest, err)
	}
	if err := gemini().Check(names["policies/bashgate.toml"], "policy"); err != nil {
		t.Error(err)
	}
	var hooks struct {
		Hooks map[string][]struct {
			Hooks []struct {
				Type, Command string
				Timeout       int
			}
		}
	}
	if err := json.Unmarshal(names["hooks/hooks.json"], &hooks); err != nil || len(hooks.Hooks) != 5 {
		t.Errorf("hooks.json: %+v (%v)", hooks, err)
	}
	if b := hooks.Hooks["BeforeTool"]; len(b) != 1 || len(b[0].Hooks) != 1 || b[0].Hooks[0].Command != "bashgate --host gemini" || b[0].Hooks[0].Timeout < 10000 {
		t.Errorf("before a tool: %+v", b)
	}
	if v := extensionVersion("0123456789ab+"); v != "0.0.0" {
		t.Errorf("a commit became the version %q", v)
	}
}
