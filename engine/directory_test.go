package engine

import (
	"testing"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/ruleset"
)

// An allow that names directories and wrappers holds there, and for these alone.
func TestDirectoriesAndWrappers(t *testing.T) {
	compiled, err := ruleset.Compile([]*ruleset.File{ruleset.Load("mine.toml", []byte(`
[[programs]]
name = "acme"
allow = [{ directory = ["~/p", "~/p/**"], wrappers = ["timeout"], operands = ["data=x"], lifts = ["unknown-use"] }]

[[programs]]
name = "acme"
allow = [{ operands = ["data=y"], lifts = ["unknown-use"] }]
`), ruleset.User)}, ruleset.KnownFrom(gates.All[:]))
	if err != nil {
		t.Fatal(err)
	}
	m := new(disk.Memory)
	m.WriteFile("/home/u/p/sub/f", "x")
	m.WriteFile("/home/u/q/f", "x")
	m.Symlink("/home/u/q", "/home/u/p/link")
	m.Symlink("/home/u/p", "/home/u/way")
	e := New(Options{Files: m, User: []*interp.Rules{interp.New(compiled)}})
	for line, want := range map[string]string{
		"acme x":                             "allow",
		"timeout 5 acme x":                   "allow",
		"cd sub && acme x":                   "allow",
		"cd ~/way && acme x":                 "allow",
		"sudo acme x":                        "ask",
		"timeout 5 sudo acme x":              "ask",
		"sudo timeout 5 acme x":              "ask",
		"bash -c 'acme x'":                   "ask",
		"xargs acme x":                       "ask",
		"cd /etc && acme x":                  "ask",
		"cd .. && acme x":                    "ask",
		"cd link && acme x":                  "ask",
		`cd "$d" && acme x`:                  "ask",
		"cd sub || cd /etc; acme x":          "ask",
		"pushd /etc; acme x":                 "ask",
		"(cd /etc); acme x":                  "allow",
		"env -C /etc acme x":                 "ask",
		"ln -s /etc sub2; cd sub2 && acme x": "ask",
		"mv ../q sub2; cd sub2 && acme x":    "ask",
		"acme y":                             "allow",
		"acme x y":                           "ask",
	} {
		v := e.Evaluate(Request{Command: line, Cwd: "/home/u/p", Workspace: "/home/u/p", Home: "/home/u", Shell: "bash"})
		if v.Decision.String() != want {
			t.Errorf("%s: %v, want %s: %s", line, v.Decision, want, asked(&v))
		}
	}
}
