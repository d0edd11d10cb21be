// Command bench measures what bashgate costs and prints ratios, which hold on
// any machine where times don't:
//
//   - the whole hook process against a Go program that prints a line, both
//     with the same input on a pipe and nothing but HOME and PATH in the
//     environment, started in turn: for a local command, and for one of the
//     network in a session that has read a page;
//   - the hook in such a session, which has written files too, against the
//     hook where sessions are not remembered, and where nothing is logged
//     (limit 1.05);
//   - the hook of every agent against Claude Code's (limit 1.05);
//   - Evaluate over a file of commands against the bare parse of the same
//     commands, both in this process, in turn;
//   - `bashgate check --json` over the file against a process that parses it;
//   - the size of the binary.
//
// Usage:
//
//	go run ./internal/bench [-spawns N] [-runs N] [FILE.jsonl]
//
// A line of the file is {"cmd": "..."}; other keys are left alone. The default
// is a sample of what agents run. Nothing of it is run here.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mvdan.cc/sh/v3/syntax"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/disk"
)

func main() {
	// Started by itself, it is the process that parses and does nothing else.
	if len(os.Args) == 3 && os.Args[1] == "parse" {
		if err := parseFile(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, "bench: error:", err)
			os.Exit(1)
		}
		return
	}
	spawns := flag.Int("spawns", 100, "how often each process is started")
	runs := flag.Int("runs", 11, "how often the file is judged")
	flag.Parse()
	corpus := "internal/bench/testdata/commands.jsonl"
	if flag.NArg() > 0 {
		corpus = flag.Arg(0)
	}
	if err := measure(corpus, *spawns, *runs); err != nil {
		fmt.Fprintln(os.Stderr, "bench: error:", err)
		os.Exit(1)
	}
}

func measure(corpus string, spawns, runs int) error {
	dir, err := os.MkdirTemp("", "bashgate-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	commands, err := readCorpus(corpus)
	if err != nil {
		return err
	}
	gate, hello, err := build(dir)
	if err != nil {
		return err
	}
	info, err := os.Stat(gate)
	if err != nil {
		return err
	}
	fmt.Printf("binary    %.2f MB\n", float64(info.Size())/1e6)
	if err := measureHook(gate, hello, dir, spawns); err != nil {
		return err
	}
	if err := measureState(gate, dir, spawns); err != nil {
		return err
	}
	if err := measureHosts(gate, dir, spawns); err != nil {
		return err
	}
	measureEvaluate(commands, runs)
	return measureCheck(gate, dir, commands, runs)
}

// build compiles bashgate as it is released, and the program to compare with.
func build(dir string) (gate, hello string, err error) {
	gate, hello = filepath.Join(dir, "bashgate"), filepath.Join(dir, "hello")
	source := filepath.Join(dir, "hello.go")
	text := "package main\n\nimport \"os\"\n\nfunc main() { os.Stdout.WriteString(\"hello, world\\n\") }\n"
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		return "", "", err
	}
	for _, args := range [][]string{{gate, "./cmd/bashgate"}, {hello, source}} {
		c := exec.Command("go", "run", "./internal/release", "-o", args[0], args[1])
		if out, err := c.CombinedOutput(); err != nil {
			return "", "", fmt.Errorf("building %s: %w\n%s", args[1], err, out)
		}
	}
	return gate, hello, nil
}

// timed starts a program, waits for its end and returns how long that took,
// from before the start, and what it printed.
func timed(home string, input []byte, name string, args ...string) (time.Duration, []byte, error) {
	c := exec.Command(name, args...)
	c.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
	c.Stdin = bytes.NewReader(input)
	var out bytes.Buffer
	c.Stdout = &out
	c.Stderr = os.Stderr
	start := time.Now()
	err := c.Run()
	return time.Since(start), out.Bytes(), err
}

// event is the input of a hook. Nothing of it is run.
func event(session, name, tool string, input map[string]any) []byte {
	here, err := os.Getwd()
	if err != nil {
		panic(err) // the programs were just built in it
	}
	text, err := json.Marshal(map[string]any{
		"session_id": session, "cwd": here, "permission_mode": "default",
		"hook_event_name": name, "source": "startup", "tool_name": tool, "tool_use_id": "toolu_1", "tool_input": input,
	})
	if err != nil {
		panic(err) // texts can be written
	}
	return text
}

func measureHook(gate, hello, home string, spawns int) error {
	for _, input := range [][]byte{
		event("clean", "SessionStart", "", nil),
		event("tainted", "SessionStart", "", nil),
		event("tainted", "PreToolUse", "WebFetch", map[string]any{"url": "https://example.com"}),
		event("tainted", "PostToolUse", "WebFetch", map[string]any{"url": "https://example.com"}),
	} {
		if _, _, err := timed(home, input, gate, "hook", "claude"); err != nil {
			return err
		}
	}
	hooks := [...]struct {
		what   string
		input  []byte
		answer string
		took   []time.Duration
	}{
		{"hook", event("clean", "PreToolUse", "Bash", map[string]any{"command": "git status", "description": "Show the working tree's state"}), "allow", nil},
		{"tainted", event("tainted", "PreToolUse", "Bash", map[string]any{"command": "curl -s https://example.com"}), "ask", nil},
	}
	var hellos []time.Duration
	for i := range spawns + 5 {
		h, _, err := timed(home, hooks[0].input, hello)
		if err != nil {
			return err
		}
		if i >= 5 { // the first ones fill caches
			hellos = append(hellos, h)
		}
		for k := range hooks {
			hook := &hooks[k]
			g, answer, err := timed(home, hook.input, gate, "hook", "claude")
			if err != nil {
				return err
			}
			if !bytes.Contains(answer, []byte(`"permissionDecision":"`+hook.answer+`"`)) {
				return fmt.Errorf("the hook answered %s", answer)
			}
			if i >= 5 {
				hook.took = append(hook.took, g)
			}
		}
	}
	h := median(hellos)
	for _, hook := range hooks {
		g := median(hook.took)
		fmt.Printf("%-9s %.2fx a Go hello world (%v, %v; median of %d)\n", hook.what, ratio(g, h), g, h, spawns)
	}
	return nil
}

func measureEvaluate(commands []string, runs int) {
	const home, workspace = "/home/dev", "/home/dev/project"
	files := new(disk.Memory)
	files.Mkdir(workspace)
	e := engine.New(engine.Options{Files: files})
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash))
	var evaluated, parsed []time.Duration
	for i := range runs + 1 {
		start := time.Now()
		parseAll(parser, commands)
		p := time.Since(start)
		start = time.Now()
		for _, c := range commands {
			e.Evaluate(engine.Request{Command: c, Cwd: workspace, Workspace: workspace, Home: home, Shell: "bash"})
		}
		v := time.Since(start)
		if i >= 1 {
			evaluated, parsed = append(evaluated, v), append(parsed, p)
		}
	}
	v, p := median(evaluated), median(parsed)
	n := time.Duration(len(commands))
	fmt.Printf("evaluate  %.2fx the bare parse (%v, %v a command; %d commands, median of %d)\n", ratio(v, p), v/n, p/n, n, runs)
}

func measureCheck(gate, dir string, commands []string, runs int) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var questions []byte
	for _, c := range commands {
		line, err := json.Marshal(map[string]string{"command": c})
		if err != nil {
			return err
		}
		questions = append(append(questions, line...), '\n')
	}
	list := filepath.Join(dir, "commands")
	if err := os.WriteFile(list, []byte(strings.Join(commands, "\x00")), 0o644); err != nil {
		return err
	}
	var checks, parses []time.Duration
	for i := range runs + 1 {
		p, _, err := timed(os.Getenv("HOME"), nil, self, "parse", list)
		if err != nil {
			return err
		}
		c, answers, err := timed(os.Getenv("HOME"), questions, gate, "check", "--json")
		if err != nil {
			return err
		}
		if got := bytes.Count(answers, []byte("\n")); got != len(commands) {
			return fmt.Errorf("check --json gave %d answers to %d questions", got, len(commands))
		}
		if i >= 1 {
			checks, parses = append(checks, c), append(parses, p)
		}
	}
	c, p := median(checks), median(parses)
	fmt.Printf("check     %.2fx a process that parses (%v, %v; median of %d)\n", ratio(c, p), c, p, runs)
	return nil
}

// parseFile is what check is compared with: a file of commands with a NUL
// between each two.
func parseFile(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	parseAll(syntax.NewParser(syntax.Variant(syntax.LangBash)), strings.Split(string(data), "\x00"))
	return nil
}

func parseAll(parser *syntax.Parser, commands []string) {
	var text strings.Reader
	for _, c := range commands {
		text.Reset(c)
		// Some commands are no valid shell, and that is no matter here.
		_, _ = parser.Parse(&text, "")
	}
}

func readCorpus(name string) ([]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var commands []string
	for in := bufio.NewReader(f); ; {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var row struct {
				Cmd string `json:"cmd"`
			}
			if err := json.Unmarshal(line, &row); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			commands = append(commands, row.Cmd)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	if len(commands) == 0 {
		return nil, fmt.Errorf("%s: no commands", name)
	}
	return commands, nil
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }
