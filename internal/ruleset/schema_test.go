package ruleset

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// TestSchema holds the schema against the loader: it accepts every rule file
// that there is, and refuses what the loader refuses.
func TestSchema(t *testing.T) {
	var schema map[string]any
	if err := json.Unmarshal(Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, pattern := range []string{"../../rules/*.toml", "../../rules/packs/*.toml", "../../rules/profiles/*.toml"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) < 10 {
		t.Fatalf("only %d rule files", len(files))
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(schema, string(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, text := range []string{
		"[[program]]\nname = \"x\"",
		"[[programs]]\nname = 3",
		"[[programs]]\nname = \"x\"\nreach = \"far\"",
		"[[programs.allow]]\notherwise = true",
		"[[programs.ask]]\nid = \"x\"",
		"[[programs.ask]]\nreason = \"x\"\neffects = [\"write\"]",
		"[[programs.options]]\nflags = [\"-x\"]",
		"[[programs.options]]\ncode = [\"-x\"]",
		"[[programs.options]]\nstyle = \"posix\"",
		"[[paths]]\nid = \"x\"",
		"[profile]\nstill_asks = \"allow\"",
	} {
		if validate(schema, text) == nil {
			t.Errorf("the schema accepts %q", text)
		}
	}
}

func validate(schema map[string]any, text string) error {
	var values map[string]any
	if err := toml.Unmarshal([]byte(text), &values); err != nil {
		return err
	}
	// Through JSON, so that numbers and lists have one type each.
	data, err := json.Marshal(values)
	if err != nil {
		return err
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	return conforms(schema, v, "")
}

// conforms checks a value by the words of JSON schema that ours uses; any
// other word is an error.
func conforms(schema map[string]any, v any, at string) error {
	for word, want := range schema {
		switch word {
		case "$schema", "title", "description":
		case "type":
			types := map[string]bool{}
			switch v.(type) {
			case string:
				types["string"] = true
			case float64:
				types["integer"] = true
			case []any:
				types["array"] = true
			case map[string]any:
				types["object"] = true
			}
			if !types[want.(string)] {
				return fmt.Errorf("%s is no %s: %v", at, want, v)
			}
		case "enum":
			if !slices.Contains(want.([]any), v) {
				return fmt.Errorf("%s: %v is not one of %v", at, v, want)
			}
		case "const":
			if v != want {
				return fmt.Errorf("%s is not %v", at, want)
			}
		case "minLength":
			if s, ok := v.(string); ok && s == "" {
				return fmt.Errorf("%s is empty", at)
			}
		case "items":
			list, _ := v.([]any)
			for i, item := range list {
				if err := conforms(want.(map[string]any), item, fmt.Sprintf("%s[%d]", at, i)); err != nil {
					return err
				}
			}
		case "uniqueItems":
			list, _ := v.([]any)
			for i := range list {
				if want == true && slices.Contains(list[:i], list[i]) {
					return fmt.Errorf("%s: %v twice", at, list[i])
				}
			}
		case "required":
			table, _ := v.(map[string]any)
			for _, key := range want.([]any) {
				if _, ok := table[key.(string)]; !ok {
					return fmt.Errorf("%s has no %v", at, key)
				}
			}
		case "oneOf":
			n := 0
			for _, option := range want.([]any) {
				if conforms(option.(map[string]any), v, at) == nil {
					n++
				}
			}
			if n != 1 {
				return fmt.Errorf("%s fits %d of its forms", at, n)
			}
		case "properties", "patternProperties", "additionalProperties":
			table, _ := v.(map[string]any)
			for key, value := range table {
				sub, err := property(schema, key)
				if err == nil && sub != nil {
					err = conforms(sub, value, strings.TrimPrefix(at+"."+key, "."))
				}
				if err != nil {
					return err
				}
			}
		default:
			return fmt.Errorf("the schema uses %q", word)
		}
	}
	return nil
}

// property returns the schema of a key.
func property(schema map[string]any, key string) (map[string]any, error) {
	if properties, ok := schema["properties"].(map[string]any); ok && properties[key] != nil {
		return properties[key].(map[string]any), nil
	}
	patterns, _ := schema["patternProperties"].(map[string]any)
	for pattern, sub := range patterns {
		if regexp.MustCompile(pattern).MatchString(key) {
			return sub.(map[string]any), nil
		}
	}
	if sub, ok := schema["additionalProperties"].(map[string]any); ok {
		return sub, nil
	}
	return nil, fmt.Errorf("unknown key %q", key)
}
