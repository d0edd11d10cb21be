package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// stateLimit is how much longer a hook may take that remembers, or that logs.
const stateLimit = 1.05

// measureState compares hooks of a session that has read a page and written
// files with hooks that remember nothing, and with hooks that log nothing. Both
// homes have a configuration, and they are asked in turn: once about a command
// that touches nothing outside, and once about one for which the session's record
// is read.
func measureState(gate, dir string, spawns int) error {
	for _, key := range [...]string{"taint.track", "audit.log"} {
		if err := measureSwitch(gate, filepath.Join(dir, key), key, spawns); err != nil {
			return err
		}
	}
	return nil
}

// measureSwitch compares hooks with a setting "on" and "off".
func measureSwitch(gate, dir, key string, spawns int) error {
	homes := map[string]string{}
	for _, track := range [...]string{"on", "off"} {
		homes[track] = filepath.Join(dir, track)
		file := filepath.Join(homes[track], ".config/bashgate/config.toml")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(key+" = \""+track+"\"\n"), 0o600); err != nil {
			return err
		}
	}
	inputs := [][]byte{
		event("s", "SessionStart", "", nil),
		event("s", "PreToolUse", "WebFetch", map[string]any{"url": "https://example.com"}),
		event("s", "PostToolUse", "WebFetch", map[string]any{"url": "https://example.com"}),
	}
	for i := range 20 {
		inputs = append(inputs, event("s", "PreToolUse", "Write", map[string]any{"file_path": fmt.Sprintf("/tmp/x/%d.go", i), "content": "x"}))
	}
	for _, input := range inputs {
		for _, home := range homes {
			if _, _, err := timed(home, input, gate, "hook", "claude"); err != nil {
				return err
			}
		}
	}
	for _, command := range [...]string{"git status", "go test ./..."} {
		input := event("s", "PreToolUse", "Bash", map[string]any{"command": command})
		took := map[string][]time.Duration{}
		for i := range 2*spawns + 5 {
			order := [...]string{"on", "off"}
			if i%2 == 1 {
				order = [...]string{"off", "on"}
			}
			for _, track := range order {
				t, answer, err := timed(homes[track], input, gate)
				if err != nil {
					return err
				}
				if !bytes.Contains(answer, []byte(`"permissionDecision":"`)) {
					return fmt.Errorf("the hook answered %s", answer)
				}
				if i >= 5 {
					took[track] = append(took[track], t)
				}
			}
		}
		on, off := median(took["on"]), median(took["off"])
		word := ""
		if ratio(on, off) > stateLimit {
			word = ": over the limit"
		}
		fmt.Printf("%-11s %.3fx the hook without, %q (%v, %v; median of %d; at most %.2f%s)\n", key, ratio(on, off), command, on, off, 2*spawns, stateLimit, word)
	}
	return nil
}
