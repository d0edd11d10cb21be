package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// day is one workday in one project. Its file begins with the kind of the
// project, a file of testdata/projects; then each line is a step:
//
//	project web
//	S startup                         a session starts
//	X                                 /clear: another session
//	C                                 the context is compacted
//	P add a dark mode, see @README.md what the person says
//	B npm test                        a shell command
//	F https://example.com/            a page is fetched
//	Q dark mode theming               a search in the web
//	R src/App.tsx                     a file is read
//	E src/App.tsx                     a file is edited
//	W src/theme.ts                    a file is written
//	G src                             files are searched
//	M mcp__github__get_issue {"n": 1} any other tool
//
// S2 stands for S. Lines that begin with # and empty ones say nothing.
type day struct {
	name, project string
	steps         []step
}

// step is one line of a day.
type step struct {
	kind byte   // the line's letter
	text string // what stands behind it
	tool string // the agent's name of the tool; "" for other steps
	args map[string]any
}

func parse(name, text string) (day, error) {
	d := day{name: name}
	number := 0
	for line := range strings.Lines(text) {
		number++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		kind, rest, _ := strings.Cut(line, " ")
		if d.project == "" {
			if kind != "project" || rest == "" {
				return d, fmt.Errorf("line %d: %q in the place of the project's kind", number, line)
			}
			d.project = rest
			continue
		}
		if kind == "S2" {
			kind = "S"
		}
		s, err := newStep(kind, rest)
		if err != nil {
			return d, fmt.Errorf("line %d: %w", number, err)
		}
		if len(d.steps) == 0 && s.kind != 'S' {
			return d, fmt.Errorf("line %d: no session has started", number)
		}
		d.steps = append(d.steps, s)
	}
	if len(d.steps) == 0 {
		return d, fmt.Errorf("no steps")
	}
	return d, nil
}

func newStep(kind, text string) (step, error) {
	if len(kind) != 1 {
		return step{}, fmt.Errorf("no step is called %q", kind)
	}
	s := step{kind: kind[0], text: text}
	tool := func(name string, args map[string]any) { s.tool, s.args = name, args }
	switch s.kind {
	case 'S', 'X', 'C', 'P':
		return s, nil
	case 'B':
		tool("Bash", map[string]any{"command": text, "description": "A step of the work"})
	case 'F':
		tool("WebFetch", map[string]any{"url": text, "prompt": "What does it say?"})
	case 'Q':
		tool("WebSearch", map[string]any{"query": text})
	case 'R', 'E', 'W', 'G': // the path is made absolute by the driver
		names := map[byte]string{'R': "Read", 'E': "Edit", 'W': "Write", 'G': "Grep"}
		tool(names[s.kind], map[string]any{})
	case 'M':
		name, args, _ := strings.Cut(text, " ")
		if err := json.Unmarshal([]byte(args), &s.args); err != nil {
			return s, fmt.Errorf("what %s is given: %w", name, err)
		}
		s.tool = name
	default:
		return s, fmt.Errorf("no step is called %q", kind)
	}
	if text == "" {
		return s, fmt.Errorf("%s needs something behind it", kind)
	}
	return s, nil
}

// given is what a step's tool is given, in a project's directory.
func (s *step) given(path string) map[string]any {
	switch s.kind {
	case 'R':
		return map[string]any{"file_path": path}
	case 'E':
		return map[string]any{"file_path": path, "old_string": "a", "new_string": "b"}
	case 'W':
		return map[string]any{"file_path": path, "content": "b\n"}
	case 'G':
		return map[string]any{"pattern": "x", "path": path}
	}
	return s.args
}
