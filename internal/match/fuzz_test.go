//go:build unix

package match_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
	"github.com/rogpeppe/go-internal/txtar"
)

func TestGlob(t *testing.T) {
	for _, row := range []struct {
		pattern, text string
		want          bool
	}{
		{"", "", true},
		{"", "a", false},
		{"*", "", true},
		{"*", "a/b", true},
		{"a*", "a", true},
		{"a*c", "abcbc", true},
		{"a*c", "abcb", false},
		{"*a*b*", "xxaxxbxx", true},
		{"?", "é", true},
		{"??", "é", false},
		{"?", "", false},
		{"[a-c]x", "bx", true},
		{"[!a-c]x", "bx", false},
		{"[^a-c]x", "dx", true},
		{"[]]", "]", true},
		{"[a-]", "-", true},
		{"[é]", "é", true},
		{"[a", "[a", true},
		{"[[]a", "[a", true},
		{`\*`, "*", true},
		{`\*`, "a", false},
		{`a\`, `a\`, true},
		{"color.*", "color.ui", true},
		{"color.*", "colorx", false},
		{"*.go", "main.go", true},
		{"\xff", "\xff", true},
		{"?", "\xff", true},
	} {
		if got := match.Glob(row.pattern, row.text); got != row.want {
			t.Errorf("Glob(%q, %q) = %v", row.pattern, row.text, got)
		}
	}
}

func TestAnyGlob(t *testing.T) {
	for _, row := range []struct {
		globs string
		text  string
		want  bool
	}{
		{"a b", "a", true},
		{"a b", "c", false},
		{"a* !ab", "ac", true},
		{"a* !ab", "ab", false},
		{"!ab a*", "ab", false},
		{"!a !b", "c", true},
		{"!a !b", "b", false},
		{"", "x", true},
	} {
		if got := match.AnyGlob(strings.Fields(row.globs), row.text); got != row.want {
			t.Errorf("AnyGlob(%q, %q) = %v", row.globs, row.text, got)
		}
	}
}

// FuzzGlob compares Glob with the regular expression that a pattern means.
func FuzzGlob(f *testing.F) {
	f.Add("a*b?[c-e]", "aXbyd")
	f.Add("**[!x]*", "\xffx")
	f.Add(`\**\\`, `*a\`)
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if strings.Count(pattern, "*") > 8 || len(pattern) > 200 || len(text) > 2000 {
			return // time is measured elsewhere
		}
		got := match.Glob(pattern, text)
		if !utf8.ValidString(pattern) || !utf8.ValidString(text) || strings.ContainsAny(pattern, "[") {
			return // no panic is all there is to say
		}
		var expr strings.Builder
		expr.WriteString(`(?s)\A(?:`)
		for i := 0; i < len(pattern); i++ {
			switch c := pattern[i]; {
			case c == '*':
				expr.WriteString(".*")
			case c == '?':
				expr.WriteString(".")
			case c == '\\' && i+1 < len(pattern):
				i++
				_, n := utf8.DecodeRuneInString(pattern[i:])
				expr.WriteString(regexp.QuoteMeta(pattern[i : i+n]))
				i += n - 1
			default:
				_, n := utf8.DecodeRuneInString(pattern[i:])
				expr.WriteString(regexp.QuoteMeta(pattern[i : i+n]))
				i += n - 1
			}
		}
		expr.WriteString(`)\z`)
		if want := regexp.MustCompile(expr.String()).MatchString(text); got != want {
			t.Errorf("Glob(%q, %q) = %v, want %v", pattern, text, got, want)
		}
	})
}

// FuzzJudge judges whatever commands the fuzzer writes by the programs of the
// rows: nothing panics, and a command is answered one way only.
func FuzzJudge(f *testing.F) {
	files, err := filepath.Glob("testdata/rows/*.txtar")
	if err != nil || len(files) == 0 {
		f.Fatal("no rows:", err)
	}
	var programs []*match.Program
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		programs = append(programs, compile(f, string(archive.Files[0].Data))...)
		for i, line := range strings.Split(string(archive.Files[1].Data), "\n") {
			if line, _, _ = strings.Cut(line, " => "); i%7 == 0 && line != "" {
				f.Add(line)
			}
		}
	}
	reused := new(match.Call)
	f.Fuzz(func(t *testing.T, line string) {
		if strings.ContainsRune(line, 0) || len(line) > 1000 {
			return
		}
		c := parse(line)
		if len(c.Words) == 0 {
			return
		}
		fresh := judged(programs, c)
		reused.Reset()
		judge(reused, programs, c)
		if describe(fresh) != describe(reused) {
			t.Errorf("%s: %s\na second time: %s", line, describe(fresh), describe(reused))
		}
		for _, h := range fresh.Held {
			if h.Decision > h.Rule.Decision || h.Decision == policy.Skip || h.Rule.Decision == policy.Allow && h.Decision != policy.Allow {
				t.Errorf("%s: rule %s holds as %v", line, h.Rule.ID, h.Decision)
			}
		}
	})
}

// used is the CPU time of the process until now: a busy machine does not add
// to it.
func used(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestLinear judges long commands: 32 times the words may take at most 300
// times as long, where squares would take a thousand times. The slack is for
// machines with other things to do.
func TestLinear(t *testing.T) {
	programs := compile(t, spellingRules+`
[[programs]]
name = "f"
[[programs.options]]
style = "long"
flag = ["-a", "-b*"]
command = ["-exec"]
until = [";", "+"]
[programs.runs]
places = ["{}"]
[[programs.allow]]
operands = ["data?", "read*", "data"]
[[programs.ask]]
id = "f.f"
operands = ["data?", "delete*", "data"]
if_args_contain = ["*a*b*c"]
reason = "f"

[[programs]]
name = "w"
[[programs.options]]
traits = ["stop"]
flag = ["-a"]
[programs.runs]
adds = "words"
places = ["{}"]
[[programs.allow]]
operands = ["env*", "command"]
`)
	for _, row := range []struct{ name, word string }{
		{"p", "file"}, {"p", "-abc"}, {"p", "--mess=x"}, {"p", `"$x"`}, {"p", "$x"}, {"p", "-m $x"}, {"p", "*"}, {"p", "--frob"}, {"p", "--"},
		{"f", "aaaa"}, {"f", "$x"}, {"f", "-exec x ;"}, {"f", "-exec {} \"$x\" +"}, {"f", "-exec"}, {"f", "-bbbb"}, {"f", "{}"},
		{"w", "A=1"}, {"w", "$x"}, {"w", `"$x"`}, {"w", "{}"}, {"w", "A=$x"},
	} {
		measure := func(n int) time.Duration {
			c := parse(row.name + " " + strings.Repeat(row.word+" ", n))
			call := new(match.Call)
			best := time.Hour
			for range 5 {
				call.Reset()
				start := used(t)
				judge(call, programs, c)
				best = min(best, used(t)-start)
			}
			return best
		}
		if one, many := measure(500), measure(16000); many > 300*max(one, 100*time.Microsecond)+20*time.Millisecond {
			t.Errorf("%s %s: 500 words take %v, 16000 words %v", row.name, row.word, one, many)
		}
	}
}
