package task

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/BurntSushi/toml"
)

// table is a TOML file, or a table of one, and where its keys stand.
type table struct {
	values map[string]any
	path   string         // of this table in the file
	lines  map[string]int // the line of each key, by its path
}

// parseTOML reads a file.
func parseTOML(text []byte) (table, error) {
	if nesting(text) > maxNesting {
		return table{}, &readError{0, "nests too deeply"}
	}
	t := table{values: map[string]any{}}
	if _, err := toml.Decode(string(text), &t.values); err != nil {
		var at toml.ParseError
		if errors.As(err, &at) {
			return table{}, &readError{at.Position.Line, at.Message}
		}
		return table{}, &readError{0, err.Error()}
	}
	t.lines = keyLines(string(text))
	return t, nil
}

// has reports whether a key is there.
func (t table) has(key string) bool {
	_, ok := t.values[key]
	return ok
}

// keys lists the keys in the order of their names.
func (t table) keys() []string {
	keys := make([]string, 0, len(t.values))
	for key := range t.values {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

// line is the line of a key; that of the table where it was not found.
func (t table) line(key string) int {
	if n := t.lines[t.path+"\x00"+key]; n > 0 {
		return n
	}
	return t.lines[t.path]
}

// table returns the table of a key; an empty one if there is none.
func (t table) table(keys ...string) table {
	for _, key := range keys {
		values, _ := t.values[key].(map[string]any)
		t = table{values, t.path + "\x00" + key, t.lines}
	}
	return t
}

// string returns the text of a key.
func (t table) string(key string) (string, bool) {
	text, ok := t.values[key].(string)
	return text, ok
}

// texts returns a list of texts; one text is a list of one. It reports false
// where the key holds anything else.
func (t table) texts(key string) ([]string, bool) {
	switch v := t.values[key].(type) {
	case nil:
		return nil, true
	case string:
		return []string{v}, true
	case []any:
		texts := make([]string, len(v))
		for i := range v {
			var ok bool
			if texts[i], ok = v[i].(string); !ok {
				return nil, false
			}
		}
		return texts, true
	}
	return nil, false
}

// scalar writes a text, a number or a boolean as text.
func scalar(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case int64, float64, bool:
		return fmt.Sprint(v), true
	}
	return "", false
}

// keyLines finds the lines on which keys and tables begin. It is for messages
// only, and knows nothing of keys inside inline tables.
func keyLines(text string) map[string]int {
	lines := make(map[string]int)
	at, closing := "", ""
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if closing != "" {
			if strings.Contains(line, closing) {
				closing = ""
			}
			continue
		}
		if strings.HasPrefix(line, "[") {
			if key, _, ok := tomlKey(strings.TrimLeft(line, "[")); ok {
				if at = key; lines[at] == 0 {
					lines[at] = i + 1
				}
			}
			continue
		}
		key, rest, ok := tomlKey(line)
		if !ok || !strings.HasPrefix(rest, "=") {
			continue
		}
		if full := at + key; lines[full] == 0 {
			lines[full] = i + 1
		}
		for _, quotes := range [...]string{`"""`, "'''"} {
			if strings.Count(line, quotes) == 1 {
				closing = quotes
			}
		}
	}
	return lines
}

// tomlKey reads a dotted key at the start of a line, and returns its path and
// what follows.
func tomlKey(s string) (path, rest string, ok bool) {
	var b strings.Builder
	for {
		s = strings.TrimLeft(s, " \t")
		if s == "" {
			return "", "", false
		}
		end := 0
		if quote := s[0]; quote == '"' || quote == '\'' {
			end = strings.IndexByte(s[1:], quote)
			if end < 0 {
				return "", "", false
			}
			b.WriteString("\x00" + s[1:end+1])
			end += 2
		} else {
			for end < len(s) && strings.IndexByte(" \t.=]", s[end]) < 0 {
				end++
			}
			b.WriteString("\x00" + s[:end])
		}
		s = strings.TrimLeft(s[end:], " \t")
		if after, more := strings.CutPrefix(s, "."); more {
			s = after
			continue
		}
		return b.String(), s, true
	}
}
