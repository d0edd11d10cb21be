package engine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bashgate/bashgate/policy"
)

// plain are commands of every decision, for the laws below.
var plain = []string{
	"ls -la", "git status", "cat README.md", "grep -rn TODO src", "echo 'a b' c", "wc -l a.txt", "find . -name '*.go'",
	"rm f.txt", "git push origin main", "npm install", "curl -d a=b https://example.com", "python s.py", "randomtool --flag", "cat .env",
	"echo hi > file", "sed -i s/a/b/ f", "chmod +x f", "git commit -m x", "tar xzf a.tgz", "docker run img",
	"rm -rf /", "rm -rf ~", "shutdown now", "dd if=/dev/zero of=/dev/sda", "gh repo delete o/r", "chmod -R 777 /",
}

// wrappings put a command into a longer line that runs it.
var wrappings = []string{
	"(%s)", "{ %s; }", "if true; then %s; fi", "if %s; then :; fi", "while %s; do break; done", "! %s", "time %s", "%s &", "%s; :", ":; %s", "true && %s", "false || %s",
	"%s | cat", "cat a.txt | %s", "echo \"$(%s)\"", "echo `%s`", "cat <(%s)", "for i in 1; do %s; done", "case a in *) %s;; esac",
	"f() { %s; }; f", "x=$(%s)", "%s # note", "%s\n", "\n%s", "  %s  ", "env A=1 true; %s", "cat <<E\n$(%s)\nE", "coproc { %s; }", "select i in a; do %s; done < /dev/null",
	"trap '' INT; %s", "[[ -n \"$(%s)\" ]]", "arr=($(%s))", "cd src && %s", "%s || true", "until %s; do break; done", "( ( %s ) )",
}

// programWrappings run a command of plain words through another program.
// xargs is none of them: the words that it adds may be a --help.
var programWrappings = []string{"env %s", "timeout 5 %s", "nice %s", "nohup %s", "command %s", "env -i %s", "setsid %s", "stdbuf -oL %s", "time -p %s", "sudo %s"}

func decide(e *Engine, line string) Verdict {
	return e.Evaluate(Request{Command: line, Cwd: "/home/u/p", Workspace: "/home/u/p", Home: "/home/u", Shell: "bash"})
}

func TestWrappingNeverLoosens(t *testing.T) {
	e := New(Options{})
	for _, command := range plain {
		bare := decide(e, command)
		check := func(line string) {
			t.Helper()
			if v := decide(e, line); v.Decision < bare.Decision || v.Reach < bare.Reach {
				t.Errorf("%q is %v/%v, but %q is %v/%v", line, v.Decision, v.Reach, command, bare.Decision, bare.Reach)
			}
		}
		for _, w := range wrappings {
			check(strings.Replace(w, "%s", command, 1))
		}
		if !strings.ContainsAny(command, ">") {
			for _, w := range programWrappings {
				check(fmt.Sprintf(w, command))
			}
			check("bash -c " + policy.Quote(command))
			check("sh -c " + policy.Quote(command))
			check("eval " + policy.Quote(command))
			check("bash <<'E'\n" + command + "\nE")
		}
	}
}

func TestAddingNeverLoosens(t *testing.T) {
	e := New(Options{})
	for _, a := range plain {
		for _, b := range plain {
			strict := max(decide(e, a).Decision, decide(e, b).Decision)
			for _, sep := range []string{"; ", " && ", " || ", " | ", " & ", "\n"} {
				if v := decide(e, a+sep+b); v.Decision < strict {
					t.Errorf("%q is %v, want at least %v", a+sep+b, v.Decision, strict)
				}
			}
		}
	}
}

// TestEqualCommandsDecideAlike spells the same words in other ways.
func TestEqualCommandsDecideAlike(t *testing.T) {
	e := New(Options{})
	for _, command := range plain {
		if strings.ContainsAny(command, "'>~*$") {
			continue
		}
		want := decide(e, command)
		words := strings.Fields(command)
		spell := func(f func(string) string) string {
			out := make([]string, len(words))
			for i, w := range words {
				out[i] = f(w)
			}
			return strings.Join(out, " ")
		}
		for _, line := range []string{
			strings.Join(words, "  "),
			strings.Join(words, "\t"),
			strings.Join(words, " \\\n "),
			spell(func(w string) string { return `"` + w + `"` }),
			spell(func(w string) string { return `'` + w + `'` }),
			spell(func(w string) string { return w[:1] + `""` + w[1:] }),
			spell(func(w string) string { return w[:1] + "\\\n" + w[1:] }),
			spell(func(w string) string { return `\` + w }),
		} {
			if v := decide(e, line); v.Decision != want.Decision || v.Reach != want.Reach {
				t.Errorf("%q is %v/%v (%s), but %q is %v/%v", line, v.Decision, v.Reach, v.Reason, command, want.Decision, want.Reach)
			}
		}
	}
}

// TestHostileSizes: whatever its size and shape, a line has an answer that is
// at least ask, soon.
func TestHostileSizes(t *testing.T) {
	e := New(Options{})
	rows := []struct{ name, line string }{
		{"parentheses", strings.Repeat("(", 1_000_000)},
		{"substitutions", strings.Repeat("$(", 1_000_000)},
		{"braces", strings.Repeat("{ ", 1_000_000)},
		{"ifs", strings.Repeat("if ", 1_000_000)},
		{"arithmetic", strings.Repeat("((", 500_000)},
		{"ands", "ls" + strings.Repeat(" && ls", 167_000)},
		{"nested substitutions", strings.Repeat("echo $(", 10_000) + "ls" + strings.Repeat(")", 10_000)},
		{"one long word", "echo " + strings.Repeat("a", 10_000_000)},
		{"backquotes", strings.Repeat("`", 1_000_000)},
		{"quotes", strings.Repeat(`"`, 999_999)},
		{"heredocs", strings.Repeat("cat <<E\n", 200_000)},
		{"NULs", strings.Repeat("\x00", 1_000_000)},
	}
	for _, r := range rows {
		start := time.Now()
		v := decide(e, r.line)
		if v.Decision < policy.Ask {
			t.Errorf("%s: %v", r.name, v.Decision)
		}
		// A bound against answers that never come, not a measurement.
		if d := time.Since(start); d > time.Minute {
			t.Errorf("%s took %v", r.name, d)
		}
	}
	if v := decide(e, strings.Repeat(":;", 60_000)+" rm -rf /"); v.Decision < policy.Ask {
		t.Errorf("a long harmless line with a block at its end: %v", v.Decision)
	}
	if v := decide(e, "rm -rf / ; "+strings.Repeat("ls && ", 167_000)+"ls"); v.Decision != policy.Block {
		t.Errorf("a block before the limit: %v, want block", v.Decision)
	}
}

func FuzzEvaluate(f *testing.F) {
	for _, command := range plain {
		f.Add(command)
	}
	f.Add("cat <<E | bash\n$(x)\nE")
	f.Add("f() { f | f & }; f")
	f.Add("a[$(x)]=1 declare -n y='z[$(x)]'")
	e := New(Options{})
	f.Fuzz(func(t *testing.T, line string) {
		v := decide(e, line)
		if v.Decision == policy.Skip {
			t.Errorf("%q has no answer", line)
		}
		if v.Decision > policy.Allow && v.Reason == "" {
			t.Errorf("%q is not allowed without a reason", line)
		}
		for i := range v.Reasons {
			v.Reasons[i].Text()
			v.Reasons[i].Command()
		}
		// A backslash at the end would join the lines.
		if v.Decision == policy.Allow && !strings.HasSuffix(line, `\`) {
			if w := decide(e, line+"\nrandomtool --flag"); w.Decision == policy.Allow {
				t.Errorf("%q hides the line after it", line)
			}
		}
	})
}
