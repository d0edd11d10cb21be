package export

import (
	"encoding/json"
	"testing"
)

func TestGeminiExtension(t *testing.T) {
	rules := Collect(small(t), false)
	for _, hook := range []bool{false, true} {
		names := map[string]string{}
		for _, f := range GeminiExtension(rules, Options{Version: "v1.2.3"}, hook) {
			names[f.Name] = string(f.Text)
		}
		var manifest struct{ Name, Version string }
		if err := json.Unmarshal([]byte(names["gemini-extension.json"]), &manifest); err != nil || manifest.Name != "bashgate" || manifest.Version != "1.2.3" {
			t.Errorf("the manifest is %+v (%v)", manifest, err)
		}
		if err := gemini().Check([]byte(names["policies/bashgate.toml"]), "policy"); err != nil {
			t.Error(err)
		}
		if text, ok := names["hooks/hooks.json"]; ok != hook {
			t.Errorf("hooks are there: %v, wanted: %v", ok, hook)
		} else if hook && !json.Valid([]byte(text)) {
			t.Errorf("hooks.json is no JSON:\n%s", text)
		}
	}
	if v := extensionVersion("0123456789ab+"); v != "0.0.0" {
		t.Errorf("a commit became the version %q", v)
	}
}
