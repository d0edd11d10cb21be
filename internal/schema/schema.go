// Package schema checks values by the JSON schemas that bashgate writes for
// editors, so that tests can hold these against what bashgate itself takes. It
// knows the words of draft 7 that they use.
package schema

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Check reports the first place where a value, of maps, slices, texts and numbers,
// does not conform to a schema. A word of the schema that is not known here is an
// error.
func Check(schema []byte, value any) error {
	var root map[string]any
	if err := json.Unmarshal(schema, &root); err != nil {
		return err
	}
	// Through JSON, so that numbers and lists have one type each.
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	return conforms(root, v, "")
}

func conforms(schema map[string]any, v any, at string) error {
	for word, want := range schema {
		switch word {
		case "$schema", "title", "description", "default":
		case "type":
			if !isA(want.(string), v) {
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
		case "minimum", "maximum":
			n, ok := v.(float64)
			if ok && (word == "minimum" && n < want.(float64) || word == "maximum" && n > want.(float64)) {
				return fmt.Errorf("%s: %v is beyond the %s %v", at, n, word, want)
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
		case "oneOf", "anyOf":
			n := 0
			for _, option := range want.([]any) {
				if conforms(option.(map[string]any), v, at) == nil {
					n++
				}
			}
			if n == 0 || word == "oneOf" && n > 1 {
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

func isA(kind string, v any) bool {
	switch v := v.(type) {
	case string:
		return kind == "string"
	case bool:
		return kind == "boolean"
	case float64:
		return kind == "integer" && v == float64(int64(v))
	case []any:
		return kind == "array"
	case map[string]any:
		return kind == "object"
	}
	return false
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
