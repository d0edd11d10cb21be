//go:build linux

package main

import (
	"math/rand/v2"
	"strings"
)

// hidden is the program that lines try to start unseen. No rule knows it.
const hidden = "danger-cmd"

// productions is the grammar: harmless commands in every construct of the
// shell, the hidden one as data and as code. A name in «» stands for one of
// its options; an option that is listed twice is twice as likely. Marks:
//
//	«name'»   the text in quotes of some kind, which some texts close
//	«name*N»  up to N of them, with blanks between
//	«name"»   the text as a string of a language of the C family, or of Python
//	«name>»   the text with its lines indented by one step, «name>>» by two
var productions = map[string][]string{
	"line": {"«list»", "«list»", "«list»", "«family»"},
	"list": {
		"«statement»", "«statement»", "«statement»", "«statement»", "«statement»", "«statement»", "«statement»",
		"«statement»«then»«statement»", "«statement»«then»«statement»", "«statement»«then»«statement»", "«statement»«then»«statement»«then»«statement»",
	},
	"then": {
		"; ", " && ", " || ", "\n", " | ", " & ", ";", "&&", "||", "|", " |& ", " # note\n", "\n\n", " ; # " + hidden + " x\n", "\n#\\\n", " &\n",
	},
	// compound is a statement that is more than a simple command.
	"compound": {
		"(«list»)",
		"{ «list»; }",
		"if «test»; then «list»; else «simple»; fi",
		"for i in «word*3»; do «forbody»; done",
		"case «word» in «pattern») «list»;; esac",
		"case «word» in («pattern») «simple»;«fall» «pattern») «simple»;; esac",
		"while «test»; do «simple»; break; done",
		"until «test»; do «simple»; break; done",
		"«function»",
		"«name»=«value»«next»«usename»",
		"eval «evaluated»",
		"«shell» -c «list'»", "«shell» -c «list'» x «word»",
		"«simple» | «consumer»",
		"«wrapper» «simple»",
		"cat <<«delimiter»«afterdoc»\n«body»\nE",
		"«reader» <<< «word»",
		"find . «findarg»",
		"trap «simple'» «signal»; «simple»", "trap -- «simple'» «signal»; «simple»",
		"«arithmetic»",
		"alias q=«simple'»; q", "alias q=«simple'»\nq",
		"arr=(«word*3»); «usearray»", "«declares»arr=(«element*3»)«glued»«then»«usearray»",
		"select i in «word*2»; do «simple»; break; done < /dev/null",
		"«simple» «redirect»",
		"coproc «simple»",
		"set -- «word*3»; «useargs»",
		"read «readopt»x <<< «word»; «usename»",
		"printf -v x «word*2»; «usename»",
		"IFS=«word»; «usename»",
		"local x=«value»; «usename»", "declare x=«value»; «usename»", "export x=«value»; «usename»",
		"f() { «usefirst»; }; f «word*2»",
		"x=«value»; f() { «usename»; }; f", "x=«value» f «word»",
		"«simple» | while read x; do «usename»; done",
		"(cd «dir» && «simple»); «simple»", "cd «dir»; «simple»", "pushd «dir»; «simple»",
		"{ «simple»; } «redirect»", "(«list») «redirect»", "«simple» «redirect» «redirect»",
		"for ((i=0;i<«number»;i++)); do «simple»; break; done",
		"[[ «word» «compare» «word» ]] && «simple»",
		"exec «redirect»; «simple»",
		"[ «word» = «word» ] && «simple»",
		"set «setopt»; «simple»", "shopt -s «shopt»; «simple»",
		"mapfile -t arr <<< «word»; «usearray»",
		"unset x; «usename»", "x=«value»; x+=«value»; «usename»", "x=«value» y=$x; «usename»",
		"source <(«inner»)", ". ./«file»", "unalias q; «simple»",
		"! «statement»", "time «statement»",
	},
	"number": {"1", "2", "0"}, "fall": {";", "&", ";&"}, "compare": {"==", "=~", "!=", "-eq", "<", "="}, "dir": {"src", "..", ".", "-", "«word»", "/tmp", "~"},
	"setopt":   {"-f", "-e", "-x", "-u", "+H", "-o noglob", "-n", "-a"},
	"shopt":    {"expand_aliases", "extglob", "nullglob", "lastpipe", "globstar"},
	"readopt":  {"", "-r ", "-a ", "-d x ", "-n 2 "},
	"forbody":  {"«simple»", "echo \"$i\"", "wc -l \"$i\"", "$i", "cat $i", "\"$i\" a", "echo ${i%.txt}"},
	"pattern":  {"a*", "*", "[a-c]", `"x"`, "«word»", "a|b"},
	"function": {"«fname»() { «list»; }; «fname» «word*2»", "«fname»() ( «list» ); «fname» «word»", "function «fname» { «list»; }; «fname»", "«fname»() { «list»; }«then»«statement»", "«fname»() («list»)«then»«simple»"},
	"fname":    {"f", "ls", "echo", "cat", "f", "f"},
	"name":     {"x", "y", "HOME", "IFS", "a[0]", "x", "x"},
	"next":     {"; ", " ", " && ", "\n"},
	"usename":  {"«simple»", `echo "$x"`, `echo $y`, `$x`, `cat $x`, `"$x" arg`, `$x$y`, `echo ${x}`, `grep "$x" a.txt`, `wc -l -- "$x"`, `sort "$x"`, `ls ${x#a}`, `echo "${x:-«text»}"`, `echo ${x@Q}`, `${x,,}`, `"${x:0:2}"`, `eval "$x"`, `bash -c "$x"`, `echo $((x))`, `[[ $x -eq 1 ]]`},
	"usearray": {`echo "${arr[@]}"`, `"${arr[@]}"`, `${arr[0]}`, `echo ${#arr[@]}`, `echo "${arr[1]}"`, `for i in "${arr[@]}"; do echo $i; done`, `echo ${arr[*]}`, `"${arr[0]}" x`, `echo ${!arr[@]}`, `unset arr[0]; "${arr[@]}"`, `arr+=(«word»); echo "${arr[@]}"`},
	"declares": {"", "", "declare ", "declare -a ", "declare -A ", "local ", "export ", "readonly ", "x=a "},
	"element":  {"«word»", "[«word»]=«word»", "[«number»]=«word»", "*(«text»)", "«plain»@(«text»)«text'»"},
	"glued":    {"", "", "", "", "«word»", "#", "\\\n"},
	"useargs":  {`echo "$@"`, `"$@"`, `$1`, `echo $#`, `shift; "$@"`, `for i; do echo "$i"; done`, `echo "$*"`, `"$1" "$2"`, `echo ${@:2}`, `eval "$*"`},
	"usefirst": {`echo "$1"`, `"$@"`, `$1 a`, `cat "$1"`, `echo $#`, `«simple»`, `"$1"`, `shift; echo "$@"`, `eval "$1"`},
	"evaluated": {
		"«simple'»", "«simple»", `"$x"`, "«list'»", "«simple'» «simple'»", `\$x`,
	},
	"shell":     {"bash", "sh", "bash", "bash -e", "dash"},
	"consumer":  {"xargs «simple»", "xargs -n1 «simple»", "xargs -I{} «simple»", "bash", "sh", `while read x; do echo "$x"; done`, "cat", "while read x; do $x; done", "tee /dev/null", "wc -l", "sort -u", "head -n 1", "xargs", "grep «word»"},
	"wrapper":   {"env", "env A=1", "timeout 1", "nice", "nohup", "command", "exec", "time", "builtin", "env -i", "!", "nice -n 5", "stdbuf -oL", "setsid", "env -u HOME", "command -v", "timeout -s KILL 1", "exec -a x", "env -S «simple'»", "time -p", "env --"},
	"delimiter": {"E", "'E'", `"E"`, "-E", `\E`, "E", "'E'"},
	"afterdoc":  {"", "", " | wc -l", " | bash", " && ls", "; «simple»", " > /dev/null"},
	"reader":    {"cat", "bash", "sh", "read x", "wc -l"},
	"findarg":   {"-name «word»", "-type f", "-exec «simple» {} +", "-exec «simple» \\;", "-maxdepth 1", "-name «text'»", "-type f -print0 | xargs -0 «simple»"},
	"signal":    {"EXIT", "DEBUG", "ERR", "INT", "0", "RETURN"},
	"arithmetic": {
		"declare -i n=«deferred»", "((n=«deferred»))", "let n=«deferred»", "echo $((«deferred»))", "x[«deferred»]=1", "printf -v «deferred» a", "read «deferred» <<< a", "unset «deferred»",
		"test -v «deferred»", "[[ -v «deferred» ]]", "[[ «deferred» -eq 0 ]]", "n=«deferred»; ((n))", "n=«deferred»; echo $((n+1))", "n=«deferred»; echo ${x:n}", "n=«deferred»; echo ${arr[n]}", "declare -i m; m=«deferred»", "echo $[«deferred»]",
	},
	"deferred": {"'a[$(" + hidden + " x)]'", "1+1", "a", "'b[0]'", "n", "$((1))", "`«inner»`"},
	"test":     {"true", "[ -f a.txt ]", "[[ -f a.txt ]]", `[ "$x" = a ]`, "test -d src", `[[ $x == a* ]]`, "«simple»", "! false", "(( 1 ))", `[[ "$x" -eq 0 ]]`, "[ -n «word» ]"},

	// simple is one simple command; mostly harmless.
	"simple": {
		"«command»", "«command»", "«command»", "«command»", "«command»", "«command»", "«command»", "«command»", "«command»", "«command»", "«command»", "«command»",
		"«setting» «command»", "«command» «redirect»", "«redirect» «command»", "«disguised» «word»",
	},
	"command": {
		"echo «word*3»", "echo «word»", "ls", "ls -la", "cat a.txt", "cat «word»", "grep -n «word» a.txt", "wc -l *.txt", "pwd", "true", "printf '%s\\n' «word*2»",
		"head -n 1 a.txt", "sort a.txt", "git status", "git log --oneline", "sed -n 1p a.txt", "awk '{print $1}' a.txt", "basename «word»", "cd src", "uname -a", "cut -d: -f1 a.txt",
		"tr a b", "diff a.txt b.txt", "date", "which ls", "type ls", "test -f a.txt", ":", "seq 3", "id", "whoami", "jq . a.json", "stat a.txt", "du -sh .", "export Q=«word»", "read x < a.txt", "find . -name «word»",
		"sort «word»", "grep «word*2»", "tail -n «word» a.txt", "git diff «word»", "sed «sed'» a.txt", "awk «awk'» a.txt",
		"sed -n «word» a.txt", "cat -- «word»", "ls «word*2»", "grep -e «word» -- «word»", "head «word»", "xargs echo", "find «word*2»", "jq «word» a.json", "env", "test «word*3»", "[ «word*2» ]",
		"echo \"«text»\"", "printf «word*2»", "true «word*2»",
	},
	"sed":     {"s/a/b/", "1d", "1e " + hidden, "$p", "s/x/y/e", "w out", "s/a/b/w out", "y/a/b/", "/a/,$ d", "1{p;e " + hidden + "\n}"},
	"awk":     {"{print}", "BEGIN{system(\"" + hidden + " x\")}", "/a/{print $2}", "{print > \"out\"}", "BEGIN{\"" + hidden + "\"|getline}", "{\"«command»\" | getline}", "BEGIN{system(\"ls; wc -l a.txt\")}", "{print|\"" + hidden + "\"}", "END{print NR}"},
	"setting": {"LC_ALL=C", "A=1", "A=«value»", "TZ=UTC", "PATH=.", "FOO=a BAR=b"},
	// disguised is the hidden program in some spelling.
	"disguised": {
		hidden, `dang"er"-cmd`, `\danger-cmd`, `$'\x64anger-cmd'`, "danger-cm{d,}", "dang\\\ner-cmd", `${z:-danger-cmd}`, "$(echo danger-cmd)",
	},
	"redirect": {
		"> /dev/null", "2>&1", "2>/dev/null", "< a.txt", ">&2", "&> /dev/null", "> out.txt", ">> a.txt", "2> «word»", "< «word»", "<> a.txt", ">| b.txt", "{fd}> /dev/null", "3< a.txt", "<&-", "2>&-", "10> /dev/null", "12>&1", ">& «word»", "&>> /dev/null", "3>&1", "0<&3", "01> /dev/null", "1< a.txt",
	},
	"word": {
		"«plain»", "«plain»", "«plain»", "«plain»", "«plain»", "«plain»", "«text'»", "«text'»", "«text'»",
		`"«expansion»"`, `"«expansion»"`, "«open»", "$(«inner»)", "`«inner»`", "<(«inner»)", ">(«inner»)", "$'«ansi»'", `a\ b`, "'$(" + hidden + " x)'", `"\$(` + hidden + ` x)"`, `$"«text»"`, "a«text'»b",
		`\«special»x`, "«file»", "«file»", "«brace»", "«glob»",
	},
	"plain":     {"a", "b.txt", "hello", "src", "-n", "--color", "x=1", "*.txt", "a.txt", "1", "'", "~", "{a,b}", "-", "--", "^a", "=ls", "%1", "a.txt:1", "x=a:~", "x+=~", "-x=~"},
	"file":      {"main.go", "README.md", "./a.txt", "../project/a.txt", "file.txt", "$PWD/a.txt"},
	"brace":     {"{a,b}", "{01..3}", "{a},b}", "{1..3}", "a{b,«word»}c", "{a.txt,b.txt}", "{a", "x{,}"},
	"glob":      {"*", "?.txt", "[ab].txt", "src/*", "**", "!(a)", "*(a|b)", "~+", "~x", "a*(.)", "[\\b].txt", "[«text'»b].txt", "[$x].txt", "[$x", "$x]*", "b[\\]]*"},
	"expansion": {"$x", "${x}", "${x:-«text»}", "$HOME", "$(pwd)", "$((1+1))", "$(«inner»)", "`«inner»`", "${x%«text»}", "${x%«text'»}", "${x/«text»/b}", "${x/«text'»/«text'»}", "${#x}", "${x@P}", "${x:1}", "${x:+«text»}", "${x^^}", "$*", "${arr[@]}", "$x[2]", "$x:h", "$#x", "$arr[1]"},
	"open":      {"$x", "${x:-a}", "$HOME", "$1", "$@", "${x:=b}", "${!x}", "$?", "$$", "${x:+«text»}", "${x//a/b}", "$-", "$!", "${x:-«text'»}", "${arr[*]}", "$x[1]", "$x[2,3]", "$x:t", "$#x", "$x:«plain»", "${x:-~}", "${x=-n «plain»}", "${@: -2:1}", "${x[@]:1}", "${@:0}"},
	"ansi":      {`a\nb`, `\x41`, hidden, `\'`, `a\tb`, `\u0041`, `\0`, `\u0441`, `\x7a`},
	"special":   {"$", "`", `"`, "'", "#", ";", "|", "&", "("},
	// value is what a variable is given.
	"value": {"«word»", "«word»", hidden, "ls", "'a[$(" + hidden + " x)]'", "echo", "", "'" + hidden + " x'", "'-la'", "a.txt", "(a b)", "'echo a'", "/src/a.txt", "'a-b'", "'[ab]*'", "'[b'", "'b]'", "'\\b*'", "'@(a|b).txt'"},
	// inner is what stands in a substitution.
	"inner": {"pwd", "echo a", "cat a.txt", "git rev-parse HEAD", "«simple»", "«simple»", "seq 2", "basename a.txt", hidden + " x", "echo «text'»", "«list»", "< a.txt"},
	// text is data that looks like code.
	"text": {"hello", "a b", hidden + " x", "; " + hidden + " x", "$(" + hidden + " x)", "`" + hidden + " x`", "| " + hidden, "&& " + hidden + " x", "> out", "#", "# " + hidden, "a\nb", "\n" + hidden + " x\n", "it", "*", "$x", "\\", "}", ")", "{a,b}", "%s", "a/b", "<(" + hidden + ")", "1e " + hidden, "-n", "$(", "\"", "E", "it's"},
	// body is the text of a here-document.
	"body": {"plain", hidden + " x", "$(" + hidden + " x)", "`" + hidden + " x`", "$x", "a\n" + hidden + " x", `\$(` + hidden + ` x)`, "${x:-$(" + hidden + ")}", "E \n" + hidden, "'$(" + hidden + ")'", "$((1+1))", "«text»", "\tE\n" + hidden, "a\\\nE\n" + hidden, "$(«inner»)"},
	// token is a piece of a line of pieces.
	"token": {
		hidden + " x", hidden + " x", hidden + " x", "ls", "echo a", "x", "ls |", "ls &&", "ls;", "ls &", "!", "cat <<E", "cat <<'E'", "cat <<-E", "cat <<E | cat", "(cat <<E", "{ cat <<E", "echo $(cat <<E", "echo `cat <<E", "x=$(cat <<E", "<<E", "<<'E'", "E", "\tE", " E", "E)", "E`",
		"echo '", "echo \"", "echo `", "echo $(", "echo \"$(", "echo ${x:-", "echo \"${x%", "'", "\"", "`", ")", "}", "))", "]]", "((", "echo $((", "$[", "[[ a ==", "=~ (a|b)", "-eq 1", "x=(", "x[", "declare x=", "let a=1", "case a in", "a)", "(a)", ";;", "esac", "if true", "then", "else", "fi",
		"while false", "until true", "for i in a", "do", "done", "f() {", "f()", "function f", "select i in a", "coproc ls", "time", "{", "(", "#", " # c", "# \\", "\\", "x\\", "echo a#b", "''#", "$'", "$\"", "\\'", "\\\"", "x=1", ">/dev/null", "2>&1", "<<< a", "<(ls)", ">(cat)", "@(a|b)", "!(a)", "{a,b}", "~", "*", "eval '", "trap '", "EXIT", "$x", "$(ls)", "`ls`", "|", "&", "||", "&&", "|&", ";&", "<", ">",
	},
	// damage is put anywhere into a line.
	"damage": {"'", `"`, "\\", "`", "$(", ")", "\n", ";", "&", "|", "#", "{", "}", "(", " ", "\t", "\\\n", "<", ">", "$", "${", "\r", "!", "~", "*", "=", "[", "]", "<<E", "\nE\n", "((", "))", ";;", "\x00", "\xff", "\f"},
}

// grammar makes lines from the productions.
type grammar struct {
	*rand.Rand
	options map[string][]string
	ends    map[string]string // what stands for a name that nests too deeply
	depth   int               // of productions that stand in productions
}

// deepest bounds how far productions nest: beyond it, what could nest further
// is the shortest of its kind.
const deepest = 12

// shortest are the ends of what nests.
var shortest = map[string]string{"list": "ls", "statement": "true", "simple": "echo a", "inner": "pwd", "word": "a", "compound": ":", "steps": "ls", "step": ":", "block": "ls", "look": "ls"}

func newGrammar(seed, stream uint64) *grammar {
	return &grammar{Rand: rand.New(rand.NewPCG(seed, stream)), options: allProductions, ends: shortest}
}

// line makes one line. wild says that it is made of pieces without a grammar:
// few of those are allowed, and none that is not teaches anything.
func (g *grammar) line() (text string, wild bool) {
	if g.chance(0.85) {
		return g.pieces(), true
	}
	return g.structured(), false
}

// structured makes a line by the grammar.
func (g *grammar) structured() string {
	g.depth = 0
	text := g.make("line")
	if g.chance(0.15) {
		text = g.damage(text)
	}
	return text
}

// pieces makes a line of tokens in any order.
func (g *grammar) pieces() string {
	var line strings.Builder
	for range 2 + g.IntN(9) {
		line.WriteString(g.make("token"))
		line.WriteString([]string{"\n", "\n", " ", " ", "", "\\\n"}[g.IntN(6)])
	}
	return line.String()
}

func (g *grammar) chance(p float64) bool { return g.Float64() < p }

// make makes one text of a production.
func (g *grammar) make(name string) string {
	g.depth++
	defer func() { g.depth-- }()
	if name == "statement" {
		name = "simple"
		if g.chance(0.38) {
			name = "compound"
		}
	}
	if short, ok := g.ends[name]; ok && g.depth > deepest {
		return short
	}
	options, ok := g.options[name]
	if !ok {
		panic("the grammar has no " + name)
	}
	return g.fill(options[g.IntN(len(options))])
}

// fill replaces the names of an option.
func (g *grammar) fill(option string) string {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(option, "«")
		out.WriteString(before)
		if !ok {
			return out.String()
		}
		name, after, _ := strings.Cut(rest, "»")
		option = after
		if quoted, ok := strings.CutSuffix(name, "'"); ok {
			out.WriteString(g.quoted(g.make(quoted)))
		} else if inner, ok := strings.CutSuffix(name, `"`); ok {
			out.WriteString(g.literal(g.make(inner)))
		} else if inner := strings.TrimRight(name, ">"); inner != name {
			step := strings.Repeat(indent, len(name)-len(inner))
			out.WriteString(step + strings.ReplaceAll(g.make(inner), "\n", "\n"+step))
		} else if one, most, ok := strings.Cut(name, "*"); ok {
			blank := []string{" ", " ", "  ", "\t", " \\\n"}[g.IntN(5)]
			out.WriteString(g.make(one))
			for n := 1; n < int(most[0]-'0') && g.chance(0.6); n++ {
				out.WriteString(blank + g.make(one))
			}
		} else {
			out.WriteString(g.make(name))
		}
	}
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
		s = escape.Replace(s)
	}
	return `"` + s + `"`
}

var escape = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`")

// damage changes a few characters.
func (g *grammar) damage(s string) string {
	for range 1 + g.IntN(2) {
		if s == "" {
			return s
		}
		at := g.IntN(len(s))
		switch g.IntN(3) {
		case 0:
			s = s[:at] + g.make("damage") + s[at:]
		case 1:
			s = s[:at] + s[at+1:]
		default:
			other := g.IntN(len(s))
			from, to := min(at, other), max(at, other)
			to = min(to, from+12)
			s = s[:to] + s[from:to] + s[to:]
		}
	}
	return s
}
