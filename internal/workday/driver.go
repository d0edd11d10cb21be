package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// setting is one way in which a day is driven.
type setting struct {
	taint    string // [taint] track; "" = the default
	reviewer bool   // that clears whatever it is asked
	allowed  bool   // the agent's settings allow what many users allow
}

func (s *setting) String() string {
	words := []string{"taint on"}
	if s.taint != "" {
		words[0] = "taint " + s.taint
	}
	if s.reviewer {
		words = append(words, "a reviewer")
	}
	if s.allowed {
		words = append(words, "an allow list")
	}
	return strings.Join(words, ", ")
}

// config is bashgate's own configuration.
func (s *setting) config(home string) string {
	text := ""
	if s.taint != "" {
		text += "[taint]\ntrack = \"" + s.taint + "\"\n"
	}
	if s.reviewer {
		text += "[cop]\nprovider = \"recorded\"\nanswers = \"" + home + "/answers\"\n"
	}
	return text
}

// count is what a day has cost.
type count struct {
	commands  int      // that were judged
	questions int      // of all tools, denials too
	promised  int      // those in sessions that have seen both kinds, where a person is promised whatever is allowed
	calls     int      // of the reviewer: one for each question to a model
	stopped   []string // the steps that were asked about, with the reasons
}

func (c *count) add(other *count) {
	c.commands += other.commands
	c.questions += other.questions
	c.promised += other.promised
	c.calls += other.calls
}

// driver drives days with one hook.
type driver struct {
	dir      string // for what is made
	testdata string
	gate     string // absolute

	// watch, if it is there, is told of each use before it happens, and of the
	// answer by what it returns.
	watch func(*agent, *step) func(decision, reason string) error
	// heard, if it is there, is told of each event and of its answer.
	heard func(a *agent, event map[string]any, decision, reason string) error
}

// agent is a session of an agent at work.
type agent struct {
	gate, home, project string
	session             string
	uses                int
	heard               func(a *agent, event map[string]any, decision, reason string) error // the driver's
}

// drive plays a day in a home and a project of its own.
func (d *driver) drive(y *day, s *setting) (n count, err error) {
	dir, err := os.MkdirTemp(d.dir, y.name+"-")
	if err != nil {
		return n, err
	}
	// The reviewer counts beside itself, so each day has its own.
	programs := filepath.Join(dir, "bin")
	if err := os.Mkdir(programs, 0o755); err != nil {
		return n, err
	}
	for _, name := range []string{filepath.Base(d.gate), reviewerName} {
		if err := os.Link(filepath.Join(filepath.Dir(d.gate), name), filepath.Join(programs, name)); err != nil {
			return n, err
		}
	}
	a := agent{gate: filepath.Join(programs, "bashgate"), home: filepath.Join(dir, "home"), project: filepath.Join(dir, y.project), heard: d.heard}
	if err := a.furnish(s, d.testdata, y.project); err != nil {
		return n, err
	}
	sessions := 0
	for i := range y.steps {
		step := &y.steps[i]
		switch step.kind {
		case 'S', 'X':
			if step.kind == 'X' {
				if _, _, err := a.event("SessionEnd", map[string]any{"reason": "clear"}); err != nil {
					return n, err
				}
			}
			sessions++
			a.session = fmt.Sprintf("%s-%d", y.name, sessions)
			source := "startup"
			if step.kind == 'X' {
				source = "clear"
			}
			_, _, err = a.event("SessionStart", map[string]any{"source": source})
		case 'C':
			_, _, err = a.event("SessionStart", map[string]any{"source": "compact"})
		case 'P':
			_, _, err = a.event("UserPromptSubmit", map[string]any{"prompt": step.text})
		default:
			var decision, reason string
			answered := func(string, string) error { return nil }
			if d.watch != nil {
				answered = d.watch(&a, step)
			}
			if decision, reason, err = a.use(step); step.kind == 'B' {
				n.commands++
			}
			if err == nil {
				err = answered(decision, reason)
			}
			if decision == "ask" || decision == "deny" {
				n.questions++
				if strings.Contains(reason, "untrusted content and secrets") {
					n.promised++
				}
				n.stopped = append(n.stopped, fmt.Sprintf("%s: %c %s: %s", decision, step.kind, step.text, reason))
			}
		}
		if err != nil {
			return n, fmt.Errorf("%c %s: %w", step.kind, step.text, err)
		}
	}
	n.calls, err = calls(programs)
	return n, err
}

// furnish makes a home and a project.
func (a *agent) furnish(s *setting, testdata, kind string) error {
	files := map[string]string{".config/bashgate/config.toml": s.config(a.home), "answers": ""}
	if s.allowed {
		text, err := os.ReadFile(filepath.Join(testdata, "allowed.json"))
		if err != nil {
			return err
		}
		files[".claude/settings.json"] = string(text)
	}
	for name, text := range files {
		if err := write(filepath.Join(a.home, name), text, 0o600); err != nil {
			return err
		}
	}
	return project(a.project, testdata, kind)
}

// use lets the agent use a tool: a question is answered with yes. What is
// edited or written changes, as it would; commands don't run.
func (a *agent) use(s *step) (decision, reason string, err error) {
	a.uses++
	path := s.text
	if !filepath.IsAbs(path) {
		path = filepath.Join(a.project, path)
	}
	use := map[string]any{"tool_name": s.tool, "tool_input": s.given(path), "tool_use_id": fmt.Sprintf("toolu_%06d", a.uses)}
	if decision, reason, err = a.event("PreToolUse", use); err != nil || decision == "deny" {
		return decision, reason, err
	}
	if (s.kind == 'E' || s.kind == 'W') && strings.HasPrefix(path, a.project+"/") {
		text, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return decision, reason, err
		}
		mode := os.FileMode(0o644)
		if info, err := os.Stat(path); err == nil {
			mode = info.Mode()
		}
		if err := write(path, string(text)+"\n", mode); err != nil {
			return decision, reason, err
		}
	}
	use["tool_response"] = map[string]any{"stdout": "ok", "stderr": "", "interrupted": false}
	_, _, err = a.event("PostToolUse", use)
	return decision, reason, err
}

// command is bashgate as the agent starts it.
func (a *agent) command(args ...string) *exec.Cmd {
	c := exec.Command(a.gate, args...)
	c.Dir = a.project
	c.Env = []string{"HOME=" + a.home, "PATH=/usr/bin:/bin", "SHELL=/bin/bash", "CLAUDECODE=1", "CLAUDE_PROJECT_DIR=" + a.project, "LANG=C.UTF-8"}
	return c
}

// event sends an event to the hook, as Claude Code does, and returns the
// answer; "" for none.
func (a *agent) event(name string, more map[string]any) (decision, reason string, err error) {
	all := map[string]any{
		"session_id": a.session, "transcript_path": filepath.Join(a.home, ".claude/projects/x/"+a.session+".jsonl"),
		"cwd": a.project, "permission_mode": "default", "hook_event_name": name,
	}
	maps.Copy(all, more)
	decision, reason, err = a.tell(all)
	if err == nil && a.heard != nil {
		err = a.heard(a, all, decision, reason)
	}
	return decision, reason, err
}

func (a *agent) tell(all map[string]any) (decision, reason string, err error) {
	data, err := json.Marshal(all)
	if err != nil {
		return "", "", err
	}
	c := a.command()
	c.Stdin = bytes.NewReader(data)
	var out, complaint bytes.Buffer
	c.Stdout, c.Stderr = &out, &complaint
	if err := c.Run(); err != nil {
		return "", "", fmt.Errorf("the hook: %w: %s", err, &complaint)
	}
	if complaint.Len() > 0 {
		return "", "", fmt.Errorf("the hook complains: %s", &complaint)
	}
	if out.Len() == 0 {
		return "", "", nil
	}
	var answer struct {
		HookSpecificOutput struct {
			PermissionDecision, PermissionDecisionReason string
		}
	}
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
		return "", "", fmt.Errorf("the answer %s: %w", &out, err)
	}
	return answer.HookSpecificOutput.PermissionDecision, answer.HookSpecificOutput.PermissionDecisionReason, nil
}
