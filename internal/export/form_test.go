package export

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/policy"
)

// builtIn is the built-in rules, judged in a project that nothing is known of.
var builtIn = sync.OnceValue(func() *Source {
	e := engine.New(engine.Options{})
	return &Source{
		Gates:   gates.All[:],
		Version: "test",
		Judge: func(command string) policy.Decision {
			return e.Evaluate(engine.Request{
				Command: command, Cwd: "/home/user/project", Workspace: "/home/user/project", Home: "/home/user",
			}).Decision
		},
	}
})

var useful = sync.OnceValue(func() *Rules { return Collect(builtIn(), false) })

// line makes a random line of a Form as targets may write it.
func (f *Form) line(r *rand.Rand) string {
	words := []string{f.start(f.Names[r.IntN(len(f.Names))])}
	for _, group := range f.Required {
		words = append(words, group[r.IntN(len(group))])
	}
	value := func() string { return operands[r.IntN(len(operands))] }
	apart := f.Max < 0 && f.Min < 2
	var rest []string
	for range r.IntN(4) {
		if f.Letters != "" && r.IntN(3) == 0 {
			cluster := "-"
			for range 1 + r.IntN(4) {
				cluster += string(f.Letters[r.IntN(len(f.Letters))])
			}
			rest = append(rest, cluster)
			continue
		}
		if f.Number && r.IntN(3) == 0 {
			rest = append(rest, "-20")
			continue
		}
		if len(f.Options) == 0 {
			break
		}
		o := &f.Options[r.IntN(len(f.Options))]
		switch ways := r.IntN(3); {
		case ways == 0 && o.Bare:
			rest = append(rest, o.Spelling)
		case ways == 1 && o.Glued && (len(o.Spelling) > 2 || true):
			v := value()
			if len(o.Spelling) == 2 {
				v = strings.Trim(v, `'"`)
				if strings.ContainsAny(v, ` ()*[]{}#~;|&<>$!'"`+"`") {
					v = "v"
				}
			}
			rest = append(rest, o.Spelling+o.sign()+v)
		case ways == 2 && o.Apart && apart:
			rest = append(rest, o.Spelling+" "+value())
		}
	}
	most := f.Max
	if most < 0 {
		most = f.Min + 3
	}
	for range f.Min + r.IntN(most-f.Min+1) {
		rest = append(rest, value())
	}
	r.Shuffle(len(rest), func(i, k int) { rest[i], rest[k] = rest[k], rest[i] })
	return strings.Join(append(words, rest...), " ")
}

// operands are words of every sort that targets let pass.
var operands = []string{
	"a", "x", "README.md", "src/main.go", "./src", "../x", "/", "/etc", "/etc/passwd", "/opt/data/file.txt", "/tmp/x", ".", "..", "x=y", "PATH=/opt", "LD_PRELOAD=x.so",
	"a:b", "1", "0", "20", "user@host:p", "http://host/x", "file:///x/y", "%1", "@f", ",", ":", "a,b", "HEAD^", "HEAD~", "v1..v2", "main", "origin/main", "+x", "a+b",
	"exec", "run", "delete", "remove", "add", "list", "get", "set", "config", "help", "all", "secret", "secrets", "pods", "s3://b/k", "1.5", "true", "false", "none", "rm", "sh",
	"'a b'", "'a b;c|d&e>f<g$(h)`i`*'", `"(x) 'y' [z] {w} #v u"`, "'*.go'", `"*"`, "'{}'", "'$x'", "'s/a/b/'", "'e id'", "';'", `"a=b"`, "'ext::sh'", "';rm'", "'x,y'",
}

// TestForms holds each Form to what it says: every line of it is allowed, but
// for what its guards catch.
func TestForms(t *testing.T) {
	s, rules := builtIn(), useful()
	if len(rules.Forms) < 3000 {
		t.Errorf("%d Forms", len(rules.Forms))
	}
	r := rand.New(rand.NewPCG(1, 2))
	judged, wrong := 0, 0
	for i := range rules.Forms {
		f := &rules.Forms[i]
		for range 4 {
			line := f.line(r)
			if f.caught(line, rules.guards) {
				continue
			}
			judged++
			if d := s.Judge(line); d != policy.Allow {
				if wrong++; wrong < 40 {
					t.Errorf("%s: %s (%s, %s:%d)", d, line, f.Rule.ID, f.Rule.File, f.Rule.Line)
				}
			}
		}
	}
	if judged < 10000 {
		t.Errorf("only %d lines were judged", judged)
	}
	t.Logf("%d Forms, %d lines, %d wrong", len(rules.Forms), judged, wrong)
}

// caught reports whether targets refuse a line for what its words say.
func (f *Form) caught(line string, g *guards) bool {
	lower := strings.ToLower(line)
	if g.secret(lower) || strings.Contains(line, " +") || strings.Contains(line, " '+") || strings.Contains(line, "~") {
		return true
	}
	for _, word := range strings.Fields(line) {
		word = strings.Trim(word, `'"`)
		for _, glob := range f.Except {
			if match.Glob(glob, word) || match.Glob(glob, strings.ToLower(word)) {
				return true
			}
		}
	}
	if !f.Reads {
		return false
	}
	if strings.Contains(line, "..") || strings.Contains(line, "//") || strings.Contains(line, "/.") {
		return true
	}
	for _, word := range strings.FieldsFunc(lower, func(r rune) bool { return strings.ContainsRune(` '"=:,@%`, r) }) {
		word = strings.TrimSuffix(word, "/")
		for _, dir := range g.above {
			if word == dir {
				return true
			}
		}
	}
	return false
}

func BenchmarkCollect(b *testing.B) {
	s := builtIn()
	for b.Loop() {
		Collect(s, false)
	}
}
