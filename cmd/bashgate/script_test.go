package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/bashgate/bashgate/internal/cli"
	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/provider"
	"github.com/bashgate/bashgate/internal/race"
	"github.com/bashgate/bashgate/internal/serve"
)

var update = flag.Bool("update", false, "write what commands print into the scripts")

func TestMain(m *testing.M) {
	if name := strings.TrimPrefix(path.Base(os.Args[0]), "-"); name == "bash" || name == "sh" { // a link: see TestUsedAsShell
		os.Exit(cli.Run(process("")))
	}
	testscript.Main(m, map[string]func(){
		"bashgate":  func() { os.Exit(cli.Run(process(os.Getenv("TEST_SYSTEM_DIR")))) },
		"bashgated": bashgated,
	})
}

// bashgated is what cmd/bashgated is.
func bashgated() {
	command := os.Args[1]
	os.Args = append(os.Args[:1], os.Args[2:]...)
	if command == "serve" {
		os.Exit(serve.Run(process(os.Getenv("TEST_SYSTEM_DIR"))))
	}
	var call *cop.Call
	data, err := io.ReadAll(os.Stdin)
	if err == nil {
		call, err = cop.DecodeCall(data)
	}
	if err == nil {
		_, err = os.Stdout.Write(provider.Answer(context.Background(), call).Encode())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// TestScripts runs testdata/script/*.txtar: one file a feature. The condition
// [race] is that the race detector is at work. The command
// "exits" runs a program and wants a certain exit status; "plain" writes what
// was printed to a file, without what changes from day to day.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			home := e.WorkDir + "/home"
			e.Setenv("HOME", home)
			e.Setenv("SHELL", "/bin/bash")
			e.Setenv("GORACE", "atexit_sleep_ms=0") // a second at each end otherwise
			e.Setenv("TEST_SYSTEM_DIR", e.WorkDir+"/etc")
			e.Setenv("BIN", filepath.SplitList(e.Getenv("PATH"))[0]) // where bashgate alone is
			return os.Mkdir(home, 0o755)
		},
		Condition: func(name string) (bool, error) {
			if name != "race" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return race.On, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "plain": plain},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS PROGRAM [ARGS]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		failed, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = failed.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

func plain(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: plain FILE")
	}
	text := withoutLines(ts.ReadFile("stdout"))
	text = strings.ReplaceAll(text, ts.Getenv("WORK"), "$WORK")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// withoutLines takes out what changes: the line numbers in the places of built-in
// rules do with every edit of a rule file, and the times in which something
// happens, and with these the codes that seal a log.
func withoutLines(text string) string {
	text = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`).ReplaceAllString(text, "TIME")
	text = regexp.MustCompile(`\b[0-9a-f]{16}:(\d+)\b`).ReplaceAllString(text, "HASH:$1")
	text = regexp.MustCompile(`(rules/[a-z_/-]+\.toml):\d+`).ReplaceAllString(text, "$1:N")
	return regexp.MustCompile(`("file":"rules/[^"]+","line":)\d+`).ReplaceAllString(text, "${1}N")
}
