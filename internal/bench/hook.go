//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/session"
	"github.com/bashgate/bashgate/internal/spawn"
)

// A hook is a process with the one that it is compared with.
type hook struct {
	spawn.Process
	what  string
	to    *spawn.Process // nil: it has no row of its own
	unit  string
	limit float64
}

// measureHooks starts all hooks in the same rounds.
func (b *bench) measureHooks() error {
	b.hello.Input = b.bash("s", "git status")
	var list []*hook
	for _, some := range [...]func() ([]*hook, error){b.lineHooks, b.stateHooks, b.switchHooks} {
		hooks, err := some()
		if err != nil {
			return err
		}
		list = append(list, hooks...)
	}
	hosts, err := b.hostHooks()
	if err != nil {
		return err
	}
	processes := []*spawn.Process{b.hello}
	for _, h := range slices.Concat(list, hosts) {
		processes = append(processes, &h.Process)
	}
	if err := spawn.Rounds(5, b.rounds, processes); err != nil {
		return err
	}
	b.table.atMost(0, ms(b.hello.CPU()), "ms", "Go hello world", fmt.Sprintf("CPU; %.2f ms on the clock; medians of %d rounds of %d processes", ms(b.hello.Wall()), b.rounds, len(processes)))
	for _, h := range list {
		if h.to != nil {
			b.table.atMost(h.limit, ratio(h.CPU(), h.to.CPU()), h.unit, h.what, times(&h.Process))
		}
	}
	slowest := slices.MaxFunc(hosts[1:], func(x, y *hook) int { return int(x.CPU() - y.CPU()) })
	b.table.atMost(1.05, ratio(slowest.CPU(), hosts[0].CPU()), "x "+hosts[0].what, fmt.Sprintf("slowest of %d agents' hooks", len(hosts)), slowest.what+"'s; "+times(&slowest.Process))
	return nil
}

// newHook is the hook of Claude Code about a command, in a session that has begun
// and in a home of its own, with the user's files of configuration by their names.
func (b *bench) newHook(name, command, answer string, config map[string]string) (*hook, error) {
	home, err := b.home(name)
	if err != nil {
		return nil, err
	}
	for file, text := range config {
		if err := write(filepath.Join(home, ".config/bashgate"), file, text); err != nil {
			return nil, err
		}
	}
	h := &hook{Process: spawn.Process{
		Args: []string{b.gate, "hook", "claude"}, Home: home,
		Input: b.bash("s", command), Answer: `"permissionDecision":"` + answer,
	}}
	return h, b.tell(h, b.event("s", "SessionStart", "", nil))
}

// tell gives events to a hook that are not measured.
func (b *bench) tell(h *hook, events ...[]byte) error {
	for _, e := range events {
		p := spawn.Process{Args: h.Args, Home: h.Home, Input: e}
		if _, _, err := p.Run(); err != nil {
			return err
		}
	}
	return nil
}

// event is the input of a hook. Nothing of it is run.
func (b *bench) event(id, name, tool string, input map[string]any) []byte {
	text, err := json.Marshal(map[string]any{
		"session_id": id, "cwd": b.project, "permission_mode": "default",
		"hook_event_name": name, "source": "startup", "tool_name": tool, "tool_use_id": "toolu_1", "tool_input": input,
	})
	if err != nil {
		panic(err) // texts can be written
	}
	return text
}

func (b *bench) bash(id, command string) []byte {
	return b.event(id, "PreToolUse", "Bash", map[string]any{"command": command})
}

const network = "curl -s https://example.com"

// lineHooks are the hooks about five lines, compared with a Go hello world.
func (b *bench) lineHooks() ([]*hook, error) {
	var list []*hook
	for i, line := range [...]string{"git status", "cat README.md", network, "sed -n 1,20p main.go", "find . -name '*.go' | xargs grep -n TODO"} {
		h, err := b.newHook(fmt.Sprint("line", i), line, "allow", nil)
		if err != nil {
			return nil, err
		}
		h.what, h.to, h.unit, h.limit = "hook: "+line, b.hello, "x hello", 1.5
		if line == network { // it taints its session: each has one of its own
			h.Before = func(run int) error {
				id := fmt.Sprint("s", run)
				h.Input = b.bash(id, line)
				return b.tell(h, b.event(id, "SessionStart", "", nil))
			}
		}
		list = append(list, h)
	}
	copied := filepath.Join(b.dir, "bashgate-2")
	if err := spawn.Copy(copied, b.gate); err != nil {
		return nil, err
	}
	again, err := b.newHook("again", "git status", "allow", nil)
	if err != nil {
		return nil, err
	}
	again.Args = append([]string{copied}, again.Args[1:]...)
	again.what, again.to, again.unit = "hook: git status, again, from another copy", &list[0].Process, "x the first"
	return append(list, again), nil
}

// stateHooks are hooks that have more to read.
func (b *bench) stateHooks() ([]*hook, error) {
	programs, err := b.newHook("programs", "git status", "allow", map[string]string{"rules/mine.toml": userPrograms(100)})
	if err != nil {
		return nil, err
	}
	programs.what, programs.limit = "hook: git status, 100 programs of the user's", 1.7
	if err := b.mustAnswer(programs, "tool1 --write a.txt", "Rewrites files in place"); err != nil {
		return nil, err
	}
	tainted, err := b.newHook("tainted", network, "ask", nil)
	if err != nil {
		return nil, err
	}
	tainted.what = "hook: curl, session has read a page"
	page := map[string]any{"url": "https://example.com"}
	if err := b.tell(tainted, b.event("s", "PreToolUse", "WebFetch", page), b.event("s", "PostToolUse", "WebFetch", page)); err != nil {
		return nil, err
	}
	labels, err := b.newHook("labels", network, "ask", nil)
	if err != nil {
		return nil, err
	}
	labels.what, labels.limit = "hook: curl, session has 1,000 labels and files", 1.7
	if err := b.fill(labels, 1000); err != nil {
		return nil, err
	}
	list := []*hook{programs, tainted, labels}
	for _, h := range list {
		h.to, h.unit = b.hello, "x hello"
	}
	return list, nil
}

// userPrograms is a rule file of n programs, as people write them: a third are
// fine whatever they are told, a third until they write, and a third have
// tables of their options.
func userPrograms(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "[[programs]]\nname = \"tool%d\"\n", i)
		switch i % 3 {
		case 0:
			text.WriteString("unknown_action = \"allow\"\n\n")
		case 1:
			text.WriteString("unknown_action = \"allow\"\n\n[[programs.ask]]\nif_flags_any = [\"--write\", \"-w\"]\nreason = \"Rewrites files in place\"\n\n")
		case 2:
			text.WriteString("reach = \"local\"\n\n[[programs.options]]\nflag = [\"-l --list\", \"-d --diff\", \"-s --simplify\"]\ndata = [\"-i --indent\", \"--dialect\"]\nacts = [\"-w --write\"]\n\n[[programs.allow]]\noperands = [\"read*\"]\n\n")
		}
	}
	return text.String()
}

// mustAnswer is an error unless a hook says some text to a command.
func (b *bench) mustAnswer(h *hook, command, text string) error {
	p := spawn.Process{Args: h.Args, Home: h.Home, Input: b.bash("s", command), Answer: text}
	_, _, err := p.Run()
	return err
}

// fill lets a hook's session read n pages and write n files: a label is of a
// command, while one command may write many files.
func (b *bench) fill(h *hook, n int) error {
	var files strings.Builder
	for i := range n {
		if err := b.tell(h, b.bash("s", fmt.Sprintf("curl -s https://%d.example.org/", i))); err != nil {
			return err
		}
		fmt.Fprintf(&files, " file%d.txt", i)
		if i%50 == 49 {
			if err := b.tell(h, b.bash("s", "touch"+files.String())); err != nil {
				return err
			}
			files.Reset()
		}
	}
	store := session.Store{Dir: filepath.Join(h.Home, ".local/state/bashgate")}
	if got := len(store.Read(session.Name("claude", "s")).Labels); got != n {
		return fmt.Errorf("the session has %d labels, and not %d", got, n)
	}
	return nil
}

// switchHooks are hooks with a setting "on", compared with the same hooks with
// "off": one that remembers what its session has seen with one that does not,
// and one that logs with one that does not. One command touches nothing
// outside, and for the other one the session's record is read.
func (b *bench) switchHooks() ([]*hook, error) {
	var list []*hook
	page := map[string]any{"url": "https://example.com"}
	for _, key := range [...]string{"taint.track", "audit.log"} {
		for _, command := range [...]string{"git status", "go test ./..."} {
			var pair [2]*hook
			for i, value := range [...]string{"on", "off"} {
				h, err := b.newHook(fmt.Sprint(key, "-", command[:2], "-", value), command, "", map[string]string{"config.toml": key + " = \"" + value + "\"\n"})
				if err != nil {
					return nil, err
				}
				events := [][]byte{b.event("s", "PreToolUse", "WebFetch", page), b.event("s", "PostToolUse", "WebFetch", page)}
				for k := range 20 {
					events = append(events, b.event("s", "PreToolUse", "Write", map[string]any{"file_path": fmt.Sprintf("/tmp/x/%d.go", k), "content": "x"}))
				}
				if err := b.tell(h, events...); err != nil {
					return nil, err
				}
				pair[i] = h
			}
			on, off := pair[0], pair[1]
			on.what, on.to, on.unit, on.limit = fmt.Sprintf("hook: %s, %s", command, key), &off.Process, "x without", 1.05
			list = append(list, on, off)
		}
	}
	return list, nil
}

// hostHooks are the hooks of all agents, about the same harmless command.
// Claude Code's is the first.
func (b *bench) hostHooks() ([]*hook, error) {
	var list []*hook
	for _, h := range host.All() {
		event := h.EventName(host.BeforeToolUse)
		input, _, err := h.Sample(event, "git status", b.project, func(string) string { return "" })
		if err != nil {
			return nil, err
		}
		home, err := b.home("agent-" + h.Name)
		if err != nil {
			return nil, err
		}
		list = append(list, &hook{what: h.Name, Process: spawn.Process{
			Args: []string{b.gate, "hook", h.Name, event}, Home: home, Input: bytes.TrimSpace(input),
		}})
	}
	return list, nil
}
