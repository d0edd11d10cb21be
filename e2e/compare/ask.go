package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// outcome is what an answer means to an agent.
type outcome int

const (
	failed  outcome = iota // the gate went wrong; Claude Code goes on as if it had said nothing
	allowed                // it runs, and nobody is asked
	silent                 // the agent's own rules decide
	asked                  // a person is asked
	blocked                // it does not run
)

func (o outcome) String() string {
	return [...]string{"failed", "allowed", "no opinion", "asked", "blocked"}[o]
}

// event is what Claude Code hands to a hook.
func event(s *site, name, id, command string) []byte {
	e := map[string]any{
		"session_id": id, "cwd": s.project, "permission_mode": "default", "hook_event_name": name,
		"transcript_path": s.home + "/.claude/projects/project/" + id + ".jsonl",
	}
	if name == "SessionStart" {
		e["source"] = "startup"
	} else {
		e["tool_name"], e["tool_input"] = "Bash", map[string]any{"command": command}
	}
	if name == beforeUse {
		e["tool_use_id"] = "toolu_1"
	}
	text, err := json.Marshal(e)
	if err != nil {
		panic(err) // texts can be written
	}
	return text
}

// patience is how long a gate may think, as an agent's hook may by default.
const patience = 60 * time.Second

// ask asks a gate about a command, in a session of its own. The detail is what it
// printed.
func (b *bed) ask(s *site, command, id string) (said outcome, detail string, err error) {
	if s.begins {
		if _, detail, err := b.tell(s, event(s, "SessionStart", id, "")); err != nil {
			return failed, detail, err
		}
	}
	status, detail, err := b.tell(s, event(s, s.event, id, command))
	if err != nil {
		return failed, detail, err
	}
	return s.meaning(status, detail), detail, nil
}

// tell starts a hook. The text is what it printed, with standard error where it
// printed nothing.
func (b *bed) tell(s *site, input []byte) (status int, text string, err error) {
	c := b.command(s, s.hook...)
	var out, problems bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(input), &out, &problems
	if err := c.Start(); err != nil {
		return 0, "", err
	}
	late := time.AfterFunc(patience, func() { _ = c.Process.Kill() })
	err = c.Wait()
	if !late.Stop() {
		return -1, fmt.Sprintf("no answer within %v", patience), nil
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 0, "", err
	}
	text = out.String()
	if strings.TrimSpace(text) == "" && c.ProcessState.ExitCode() != 0 {
		text = problems.String()
	}
	return c.ProcessState.ExitCode(), text, nil
}

// meaning is what Claude Code does with what a hook's process leaves: its status
// and what it printed.
func (g *gate) meaning(status int, text string) outcome {
	nothing := silent
	if g.event == onDialog {
		nothing = asked // the dialog is there already
	}
	no := blocked
	if g.waits {
		no = asked
	}
	switch status {
	case 0:
	case 2:
		return no
	default:
		if g.event == onDialog {
			return asked
		}
		return failed
	}
	var a struct {
		Decision string // an older form
		Output   struct {
			Permission string `json:"permissionDecision"`
			Decision   struct{ Behavior string }
		} `json:"hookSpecificOutput"`
	}
	if json.Unmarshal([]byte(text), &a) != nil {
		return nothing // text for the log
	}
	for _, word := range [...]string{a.Output.Permission, a.Output.Decision.Behavior, a.Decision} {
		switch word {
		case "allow", "approve":
			return allowed
		case "ask":
			return asked
		case "deny", "block":
			return no
		}
	}
	return nothing
}

// askAll asks a gate about commands, some at once. Where a gate fails, that is
// an answer; only a process that can't be started is an error.
func (b *bed) askAll(s *site, commands []string, jobs int) ([]outcome, error) {
	if s.waits {
		jobs *= 6 // it sleeps
	}
	answers := make([]outcome, len(commands))
	problems := make([]error, len(commands))
	turn := make(chan struct{}, max(jobs, 1))
	var wait sync.WaitGroup
	for i, command := range commands {
		wait.Go(func() {
			turn <- struct{}{}
			defer func() { <-turn }()
			answers[i], _, problems[i] = b.ask(s, command, fmt.Sprintf("row-%d-%d", len(commands), i))
		})
	}
	wait.Wait()
	return answers, errors.Join(problems...)
}

// count is how often each answer was given.
func count(answers []outcome) (n [blocked + 1]int) {
	for _, a := range answers {
		n[a]++
	}
	return n
}
