//go:build linux

package main

import (
	"math/rand/v2"
	"strings"
)

// hidden is the program that lines try to start unseen. No rule knows it.
const hidden = "danger-cmd"

// grammar makes lines: harmless commands in every construct of the shell, the
// hidden one as data and as code, and small damage to the text of both.
type grammar struct {
	*rand.Rand
	depth int
}

func newGrammar(seed, stream uint64) *grammar { return &grammar{Rand: rng(seed, stream)} }

// line makes one line.
func (g *grammar) line() string {
	g.depth = 0
	text := g.list()
	if g.Float64() < 0.15 {
		text = g.damage(text)
	}
	return text
}

func (g *grammar) pick(options ...string) string { return options[g.IntN(len(options))] }

func (g *grammar) chance(p float64) bool { return g.Float64() < p }

// list is one to three statements.
func (g *grammar) list() string {
	parts := []string{g.statement()}
	for g.chance(0.35) && len(parts) < 4 {
		parts = append(parts, g.pick("; ", " && ", " || ", "\n", " | ", " & ", ";", "&&", "||", "|", " |& ", " # note\n", "\n\n", " ; # "+hidden+" x\n"), g.statement())
	}
	return strings.Join(parts, "")
}

func (g *grammar) statement() string {
	g.depth++
	defer func() { g.depth-- }()
	if g.depth > 4 || g.chance(0.62) {
		return g.simple()
	}
	switch g.IntN(22) {
	case 0:
		return "(" + g.list() + ")"
	case 1:
		return "{ " + g.list() + "; }"
	case 2:
		return "if " + g.test() + "; then " + g.list() + "; else " + g.simple() + "; fi"
	case 3:
		return "for i in " + g.words(3) + "; do " + g.pick(g.simple(), `echo "$i"`, `wc -l "$i"`, `$i`, `cat $i`) + "; done"
	case 4:
		return "case " + g.word() + " in " + g.pick("a*", "*", "[a-c]", `"x"`) + ") " + g.list() + ";; esac"
	case 5:
		return "while " + g.test() + "; do " + g.simple() + "; break; done"
	case 6:
		name := g.pick("f", "ls", "echo", "cat")
		return name + g.pick("() { ", "() ( ") + g.list() + g.pick("; }", ")") + "; " + name + " " + g.words(2)
	case 7:
		return g.pick("x", "y", "HOME", "IFS", "a[0]") + "=" + g.value() + g.pick("; ", " ", " && ") + g.pick(g.simple(), `echo "$x"`, `echo $y`, `$x`, `cat $x`, `"$x" arg`, `$x$y`)
	case 8:
		return "eval " + g.pick(g.quoted(g.simple()), g.simple(), `"$x"`)
	case 9:
		return g.pick("bash", "sh") + " -c " + g.quoted(g.list()) + g.pick("", " x "+g.word())
	case 10:
		return g.simple() + g.pick(" | ", " |") + g.pick("xargs "+g.simple(), "xargs -n1 "+g.simple(), "bash", "sh", "while read x; do echo \"$x\"; done", "cat", "while read x; do $x; done", "tee /dev/null", "wc -l")
	case 11:
		return g.pick("env ", "env A=1 ", "timeout 1 ", "nice ", "nohup ", "command ", "exec ", "time ", "builtin ", "env -i ", "! ", "nice -n 5 ", "stdbuf -oL ", "setsid ") + g.simple()
	case 12:
		return "cat <<" + g.pick("E", "'E'", "\"E\"", "-E", `\E`) + g.pick("", " | wc -l", " | bash", " && ls") + "\n" + g.body() + "\nE"
	case 13:
		return g.pick("cat", "bash", "sh", "read x") + " <<< " + g.word()
	case 14:
		return "find . " + g.pick("-name "+g.word(), "-type f", "-exec "+g.simple()+" {} +", "-exec "+g.simple()+" \\;", "-maxdepth 1")
	case 15:
		return g.pick("trap ", "trap -- ") + g.quoted(g.simple()) + g.pick(" EXIT", " DEBUG", " ERR", " INT") + "; " + g.simple()
	case 16:
		return g.pick("declare -i n=", "((n=", "let n=", "echo $((", "x[", "printf -v ", "read ", "unset ", "test -v ", "[[ -v ") + g.pick("'a[$("+hidden+" x)]'", "1+1", "a", "'b[0]'", "n", "$((1))") + g.pick("", "))", "]", " ]]", "]=1")
	case 17:
		return "alias q=" + g.quoted(g.simple()) + g.pick("; ", "\n") + "q"
	case 18:
		return "arr=(" + g.words(3) + "); " + g.pick(`echo "${arr[@]}"`, `"${arr[@]}"`, `${arr[0]}`, `echo ${#arr[@]}`, `echo "${arr[1]}"`, "for i in \"${arr[@]}\"; do echo $i; done")
	case 19:
		return "select i in " + g.words(2) + "; do " + g.simple() + "; break; done < /dev/null"
	case 20:
		return g.simple() + " " + g.redirect()
	}
	return "coproc " + g.simple()
}

func (g *grammar) test() string {
	return g.pick("true", "[ -f a.txt ]", "[[ -f a.txt ]]", `[ "$x" = a ]`, "test -d src", `[[ $x == a* ]]`, g.simple(), "! false", "(( 1 ))", `[[ "$x" -eq 0 ]]`, "[ -n "+g.word()+" ]")
}

// simple is one simple command; mostly harmless.
func (g *grammar) simple() string {
	if g.chance(0.06) {
		return g.disguised()
	}
	command := g.pick(
		"echo "+g.words(3), "echo "+g.words(1), "ls", "ls -la", "cat a.txt", "cat "+g.word(), "grep -n "+g.word()+" a.txt", "wc -l *.txt", "pwd", "true", "printf '%s\\n' "+g.words(2),
		"head -n 1 a.txt", "sort a.txt", "git status", "git log --oneline", "sed -n 1p a.txt", "awk '{print $1}' a.txt", "basename "+g.word(), "cd src", "uname -a", "cut -d: -f1 a.txt",
		"tr a b", "diff a.txt b.txt", "date", "which ls", "type ls", "test -f a.txt", ":", "seq 3", "id", "whoami", "jq . a.json", "stat a.txt", "du -sh .", "export Q="+g.word(), "read x < a.txt", "find . -name "+g.word(),
		"sort "+g.word(), "grep "+g.words(2), "tail -n "+g.word()+" a.txt", "git diff "+g.word(), "sed "+g.quoted(g.pick("s/a/b/", "1d", "1e "+hidden, "$p", "s/x/y/e"))+" a.txt", "awk "+g.quoted(g.pick("{print}", "BEGIN{system(\""+hidden+" x\")}", "/a/{print $2}"))+" a.txt",
	)
	if g.chance(0.08) {
		command = g.pick("LC_ALL=C", "A=1", "A="+g.value(), "TZ=UTC", "PATH=.") + " " + command
	}
	if g.chance(0.1) {
		command += " " + g.redirect()
	}
	return command
}

// disguised starts the hidden program in some spelling.
func (g *grammar) disguised() string {
	name := hidden
	switch g.IntN(8) {
	case 0:
		name = `dang"er"-cmd`
	case 1:
		name = `\danger-cmd`
	case 2:
		name = `$'\x64anger-cmd'`
	case 3:
		name = "danger-cm{d,} "
	case 4:
		name = "dang\\\ner-cmd"
	case 5:
		name = `${z:-danger-cmd}`
	case 6:
		name = "$(echo danger-cmd)"
	}
	return name + " " + g.word()
}

func (g *grammar) redirect() string {
	return g.pick("> /dev/null", "2>&1", "2>/dev/null", "< a.txt", ">&2", "&> /dev/null", "> out.txt", ">> a.txt", "2> "+g.word(), "< "+g.word(), "<> a.txt", ">| b.txt", "{fd}> /dev/null", "3< a.txt")
}

func (g *grammar) words(n int) string {
	list := []string{g.word()}
	for len(list) < n && g.chance(0.6) {
		list = append(list, g.word())
	}
	return strings.Join(list, g.pick(" ", " ", "  ", "\t", " \\\n"))
}

// word is one word: plain, quoted, or holding expansions.
func (g *grammar) word() string {
	switch g.IntN(24) {
	case 0, 1, 2, 3, 4, 5:
		return g.pick("a", "b.txt", "hello", "src", "-n", "--color", "x=1", "*.txt", "a.txt", "1", "'", "~", "{a,b}", "-", "--")
	case 6, 7, 8:
		return g.quoted(g.text())
	case 9:
		return `"` + g.pick("$x", "${x}", "${x:-"+g.text()+"}", "$HOME", "$(pwd)", "$((1+1))", "$("+g.inner()+")", "`"+g.inner()+"`", "${x%"+g.text()+"}", "${x/"+g.text()+"/b}", "${#x}", "${x@P}", "${x:1}") + `"`
	case 10:
		return g.pick("$x", "${x:-a}", "$HOME", "$1", "$@", "${x:=b}", "${!x}", "$?", "$$", "${x:+"+g.text()+"}")
	case 11:
		return "$(" + g.inner() + ")"
	case 12:
		return "`" + g.inner() + "`"
	case 13:
		return g.pick("<(", ">(") + g.inner() + ")"
	case 14:
		return "$'" + g.pick(`a\nb`, `\x41`, hidden, `\'`, `a\tb`) + "'"
	case 15:
		return `a\ b`
	case 16:
		return "'$(" + hidden + " x)'"
	case 17:
		return `"\$(` + hidden + ` x)"`
	case 18:
		return `$"` + g.text() + `"`
	case 19:
		return "a" + g.quoted(g.text()) + "b"
	case 20:
		return `\` + g.pick("$", "`", "\"", "'", "#", ";", "|", "&", "(") + "x"
	}
	return g.pick("main.go", "README.md", "./a.txt", "../project/a.txt", "file.txt", "$PWD/a.txt")
}

// value is what a variable is given.
func (g *grammar) value() string {
	return g.pick(g.word(), g.word(), hidden, "ls", "'a[$("+hidden+" x)]'", "echo", "", "'"+hidden+" x'", "'-la'", "a.txt")
}

// inner is what stands in a substitution.
func (g *grammar) inner() string {
	if g.depth++; g.depth > 4 {
		g.depth--
		return "pwd"
	}
	defer func() { g.depth-- }()
	return g.pick("pwd", "echo a", "cat a.txt", "git rev-parse HEAD", g.simple(), g.simple(), "seq 2", "basename a.txt", hidden+" x", "echo "+g.quoted(g.text()))
}

// text is data that looks like code.
func (g *grammar) text() string {
	return g.pick("hello", "a b", hidden+" x", "; "+hidden+" x", "$("+hidden+" x)", "`"+hidden+" x`", "| "+hidden, "&& "+hidden+" x", "> out", "#", "# "+hidden, "a\nb", "\n"+hidden+" x\n", "it", "*", "$x", "\\", "}", ")", "{a,b}", "%s", "a/b", "<("+hidden+")", "1e "+hidden)
}

// quoted puts a text in quotes of some kind. Some texts close them.
func (g *grammar) quoted(s string) string {
	if g.chance(0.6) {
		if g.chance(0.9) {
			s = strings.ReplaceAll(s, "'", `'\''`)
		}
		return "'" + s + "'"
	}
	if g.chance(0.9) {
		s = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(s)
	}
	return `"` + s + `"`
}

// body is the text of a here-document.
func (g *grammar) body() string {
	return g.pick("plain", hidden+" x", "$("+hidden+" x)", "`"+hidden+" x`", "$x", "a\n"+hidden+" x", `\$(`+hidden+` x)`, "${x:-$("+hidden+")}", "E \n"+hidden, "'$("+hidden+")'", "$((1+1))")
}

// damage changes a few characters.
func (g *grammar) damage(s string) string {
	for range 1 + g.IntN(2) {
		if s == "" {
			return s
		}
		at := g.IntN(len(s))
		token := g.pick("'", `"`, "\\", "`", "$(", ")", "\n", ";", "&", "|", "#", "{", "}", "(", " ", "\t", "\\\n", "<", ">", "$", "${", "\r", "!", "~", "*", "=", "[", "]", "<<E", "\nE\n")
		switch g.IntN(3) {
		case 0:
			s = s[:at] + token + s[at:]
		case 1:
			s = s[:at] + s[at+1:]
		default:
			other := g.IntN(len(s))
			from, to := min(at, other), max(at, other)
			if to-from > 12 {
				to = from + 12
			}
			s = s[:to] + s[from:to] + s[to:]
		}
	}
	return s
}
