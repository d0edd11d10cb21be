package host

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bashgate/bashgate/policy"
)

var update = flag.Bool("update", false, "write the golden files")

// captured is what an agent really sent: files named HOST-VERSION-EVENT.json,
// or HOST-VERSION-EVENT-WHAT.json, with homes and projects of others taken out.
// The version "doc" is what its documentation says that it sends.
type captured struct {
	host, version, event string
	Stdin                json.RawMessage
	Env                  map[string]string
	Args                 []string // of the hook: the event's name, for agents that don't send it
	Nobody               bool     // nothing in it tells whose it is
}

func readCaptured(t testing.TB, file string) captured {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var c captured
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	parts := strings.SplitN(strings.TrimSuffix(filepath.Base(file), ".json"), "-", 3)
	c.host, c.version, c.event = parts[0], parts[1], parts[2]
	if c.Env == nil {
		c.Env = map[string]string{}
	}
	c.Env["HOME"], c.Env["SHELL"] = "/home/dev", "/usr/bin/zsh"
	return c
}

func (c *captured) payload() Payload {
	in := Input{Data: c.Stdin, Dir: func() string { return "/proc-dir" }, Getenv: func(name string) string { return c.Env[name] }}
	if len(c.Args) > 0 {
		in.Event = c.Args[0]
	}
	return Parse(in)
}

// TestCaptured reads everything that agents really sent, as the agent that sent
// it and as that of one that is found out, and shows what was understood and how
// each decision is answered.
func TestCaptured(t *testing.T) {
	files, err := filepath.Glob("testdata/*-*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no captured files (%v)", err)
	}
	var b strings.Builder
	for _, file := range files {
		c := readCaptured(t, file)
		h, err := Named(c.host)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		q, err := h.Read(c.payload())
		fmt.Fprintf(&b, "== %s %s %s\n", c.host, c.version, c.event)
		if err != nil {
			fmt.Fprintf(&b, "error: %v\n", err)
			continue
		}
		show(&b, "", reflect.ValueOf(q))
		if !q.Event.Waits() {
			if a := h.Answer(&q, policy.Skip, ""); len(a.Stdout)+len(a.Stderr)+a.Exit > 0 {
				fmt.Fprintf(&b, "answer: %s", shown(a))
			}
			continue
		}
		for _, d := range [...]policy.Decision{policy.Skip, policy.Allow, policy.Ask, policy.Block} {
			fmt.Fprintf(&b, "%s: %s", d, shown(h.Answer(&q, d, "bashgate: why")))
		}
	}
	const golden = "testdata/captured.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("what was understood (-want +got), -update writes it:\n%s", diff)
	}
}

// Every payload is claimed by the agent that sends it and by no other one, whoever
// has started that agent: what an environment inherits is not believed. What was
// written by hand and waits for no answer may be taken for Claude Code's too.
func TestClaimed(t *testing.T) {
	files, _ := filepath.Glob("testdata/*-*.json")
	environments := []map[string]string{{}}
	for _, file := range files {
		environments = append(environments, readCaptured(t, file).Env)
	}
	for _, file := range files {
		c := readCaptured(t, file)
		own := c.Env
		for _, inherited := range environments {
			c.Env = map[string]string{}
			maps.Copy(c.Env, inherited)
			maps.Copy(c.Env, own)
			p := c.payload()
			if own, _ := Named(c.host); c.version == "doc" && claude.claims(&claude, p) && own != &claude {
				if q, err := claude.Read(p); err != nil || q.Event.Waits() {
					t.Errorf("%s: taken for Claude Code's (%v)", file, err)
				}
				continue
			}
			for _, h := range hosts {
				if claims, want := h.claims(h, p), h.Name == c.host && !c.Nobody; claims != want {
					t.Errorf("%s with %v: %s claims it: %t", file, inherited, h.Name, claims)
				}
			}
			if h := Detect(p); c.Nobody != (h == nil) {
				t.Errorf("%s: found out as %+v", file, h)
			}
		}
	}
}

// show writes what is not zero, one field a line.
func show(b *strings.Builder, name string, v reflect.Value) {
	switch {
	case v.IsZero(), v.Kind() == reflect.Func:
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			show(b, strings.TrimPrefix(name+"."+v.Type().Field(i).Name, "."), v.Field(i))
		}
	case v.Type() == reflect.TypeFor[[]byte]():
		fmt.Fprintf(b, "  %s = %q\n", name, v.Interface())
	default:
		fmt.Fprintf(b, "  %s = %+v\n", name, v.Interface())
	}
}

func shown(a Answer) string {
	text := fmt.Sprintf("exit %d\n", a.Exit)
	if len(a.Stdout) > 0 {
		text = fmt.Sprintf("%sexit %d\n", a.Stdout, a.Exit)
	}
	if len(a.Stderr) > 0 {
		text = "stderr " + string(a.Stderr) + text
	}
	return text
}
