//go:build linux

package main

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// indent is one step in a text of code.
const indent = "    "

var (
	//go:embed python.txt
	pythonOptions string
	//go:embed javascript.txt
	javascriptOptions string
)

// languages are those that the grammar makes texts of.
var languages = map[string]struct {
	options map[string][]string
	ends    map[string]string // what stands for a name that nests too deeply
}{
	"python":     {readOptions(pythonOptions), map[string]string{"snippet": "pass", "trap": "pass", "work": "pass", "boom": "print(1)", "flow": "pass", "class": "pass", "borrowed": "pass", "open": "pass", "quiet": "pass", "around": "pass"}},
	"javascript": {readOptions(javascriptOptions), map[string]string{"snippet": ";", "trap": ";", "work": ";", "boom": "1", "flow": ";", "class": ";", "borrowed": ";", "quiet": ";", "around": ";"}},
}

// readOptions reads a grammar: a line "name:", and below it a line for each
// option, which begins with a tab.
func readOptions(text string) map[string][]string {
	all := map[string][]string{}
	name := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		option, ok := strings.CutPrefix(line, "\t")
		switch {
		case ok:
			all[name] = append(all[name], strings.NewReplacer("⏎", "\n", "⇥", indent, "␤", "\u2028", "␌", "\f").Replace(option))
		case strings.HasSuffix(line, ":") && !strings.HasPrefix(line, "#"):
			name = strings.TrimSuffix(line, ":")
		}
	}
	return all
}

func newTexts(lang string, seed, stream uint64) *grammar {
	return &grammar{Rand: rand.New(rand.NewPCG(seed, stream)), options: languages[lang].options, ends: languages[lang].ends}
}

// text makes a text of a language.
func (g *grammar) text(lang string) string {
	g.depth = 0
	text := g.make("snippet")
	if lang == "python" {
		text = g.imports(text)
	}
	if g.chance(0.03) {
		text = g.scramble(text)
	}
	return text
}

// literal writes a text as a string.
func (g *grammar) literal(s string) string {
	switch g.IntN(9) {
	case 0:
		if !strings.ContainsAny(s, "'\\\n") {
			return "'" + s + "'"
		}
	case 1:
		at := g.IntN(len(s) + 1)
		return "(" + strconv.QuoteToASCII(s[:at]) + " + " + strconv.QuoteToASCII(s[at:]) + ")"
	case 2:
		var out strings.Builder
		for i := range len(s) {
			if s[i] >= 'a' && s[i] <= 'z' && g.chance(0.3) || s[i] < ' ' || s[i] > '~' || s[i] == '"' || s[i] == '\\' {
				fmt.Fprintf(&out, `\x%02x`, s[i])
			} else {
				out.WriteByte(s[i])
			}
		}
		return `"` + out.String() + `"`
	}
	return strconv.QuoteToASCII(s)
}

// scramble changes a few characters, or joins and drops lines.
func (g *grammar) scramble(s string) string {
	lines := strings.Split(s, "\n")
	at := g.IntN(len(lines))
	switch g.IntN(4) {
	case 0:
		lines = slices.Delete(lines, at, at+1)
	case 1:
		lines = slices.Insert(lines, at, lines[g.IntN(len(lines))])
	case 2:
		lines[at] = strings.TrimSpace(lines[at])
	default:
		if s != "" {
			i := g.IntN(len(s))
			return s[:i] + []string{"", "(", ")", ".", "\n", " ", "#", "\"", "'", "\\\n", ";", "=", ",", "\x0c", "\t", "\r", "\u00a0", "*", "@"}[g.IntN(19)] + s[min(i+g.IntN(2), len(s)):]
		}
	}
	return strings.Join(lines, "\n")
}

// modules are what a text may use without importing it.
var modules = strings.Fields(`_io _pyio _thread abc argparse ast asyncio atexit base64 bdb binascii bisect builtins bz2 code codecs codeop collections compileall concurrent.futures configparser contextlib copy copyreg cProfile csv ctypes ctypes.util curses dataclasses datetime dbm dbm.dumb difflib doctest enum faulthandler fcntl fileinput ftplib functools gc getpass gettext glob gzip hashlib heapq html html.parser http.client http.server imaplib importlib importlib.machinery importlib.util inspect io itertools json lib2to3.pgen2.driver linecache locale logging logging.config logging.handlers lzma mailbox marshal math mimetypes mmap multiprocessing multiprocessing.dummy netrc nntplib numbers operator os own pathlib pdb pickle pkgutil platform poplib posix posixpath pprint profile pty py_compile pydoc random re readline resource runpy sched shelve shlex shutil signal site smtplib socket socketserver sqlite3 ssl statistics string struct subprocess sys sysconfig tabnanny tarfile telnetlib tempfile textwrap threading time timeit tokenize trace traceback tracemalloc types typing unittest unittest.mock urllib.parse urllib.request uuid venv warnings weakref webbrowser wsgiref.simple_server xml.dom.minidom xml.etree.ElementTree xmlrpc.client zipapp zipfile zipimport zlib zoneinfo`)

// uses finds the names of modules where they are no attributes.
var uses = func() *regexp.Regexp {
	longest := slices.Clone(modules)
	slices.SortFunc(longest, func(a, b string) int { return len(b) - len(a) })
	return regexp.MustCompile(`(?:^|[^\w.])(` + strings.ReplaceAll(strings.Join(longest, "|"), ".", `\.`) + `)\b`)
}()

// imports puts the imports of what a text uses before it.
func (g *grammar) imports(text string) string {
	var names []string
	for _, m := range uses.FindAllStringSubmatch(text, -1) {
		if name := m[1]; !slices.Contains(names, name) && !strings.Contains(text, "import "+name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 || g.chance(0.02) {
		return text
	}
	if g.chance(0.7) {
		return "import " + strings.Join(names, ", ") + "\n" + text
	}
	return "import " + strings.Join(names, "\nimport ") + "\n" + text
}

// form is a way to give a text to an interpreter. %q stands for the text as a
// quoted word, %s for its lines, %Q for a word that holds a command with it.
type form struct {
	line  string
	code  bool // no shell is needed to run it
	stdin bool
}

// spellings are those of each language; the first ones are what agents use most.
var spellings = map[string][]form{
	"python": {
		{"python3 -c %q", true, false}, {"python3 -c %q", true, false}, {"python3 - <<'E9'\n%s\nE9", true, true}, {"python3 <<'E9'\n%s\nE9", true, true},
		{"python -c %q", false, false}, {"cat <<'E9' | python3\n%s\nE9", false, false}, {"printf '%%s\\n' %q | python3 -", false, false}, {"python3 -I -c %q", false, false}, {"python3 -P -c %q", false, false}, {"python3 -S -c %q", false, false}, {"python3 -W ignore -X dev -u -B -c %q", false, false},
		{"cd shadow && python3 -c %q", false, false}, {"cd src; python3 -c %q; ls", false, false}, {"cd shadow; python3 - <<'E9'\n%s\nE9", false, false}, {"PYTHONPATH=shadow python3 -c %q", false, false}, {"PYTHONSTARTUP=/tmp/elsewhere.py python3 -c %q", false, false}, {"export PYTHONPATH=/tmp; python3 -c %q", false, false}, {"HOME=/etc python3 -c %q", false, false}, {"A=1 python3 -c %q x y", false, false}, {"TMPDIR=$PWD python3 -c %q", false, false},
		{"cat > /tmp/t.py <<'E9'\n%s\nE9\npython3 /tmp/t.py", false, false}, {"cat > t.py <<'E9'\n%s\nE9\npython3 t.py a", false, false}, {"cat > /tmp/t.py <<'E9'\n%s\nE9\ncd /tmp && python3 t.py", false, false}, {"cat > json.py <<'E9'\n%s\nE9\npython3 -c 'import json'", false, false}, {"T=%q; python3 -c \"$T\"", false, false}, {"bash -c %Q", false, false}, {"timeout 5 python3 -c %q", false, false}, {"env python3 -c %q", false, false}, {"ls | python3 -c %q", false, false}, {"python3 -c %q < list", false, false}, {"python3 -c %q > out.log", false, false}, {"x=$(python3 -c %q); echo \"$x\"", false, false}, {"python3 -m timeit -n1 -r1 %q", false, false}, {"for i in 1 2; do python3 -c %q; done", false, false}, {"python3 -c \"$(cat <<'E9'\n%s\nE9\n)\"", false, false}, {"python3 -c %q && ls", false, false}, {"find . -maxdepth 0 -exec python3 -c %q \\;", false, false},
	},
	"javascript": {
		{"node -e %q", true, false}, {"node -e %q", true, false}, {"node - <<'E9'\n%s\nE9", true, true},
		{"node -p %q", false, false}, {"node -pe %q", false, false}, {"node -p -e %q", false, false}, {"node --input-type=module -e %q", false, false}, {"cat > /tmp/t.js <<'E9'\n%s\nE9\nnode /tmp/t.js", false, false}, {"cat > t.mjs <<'E9'\n%s\nE9\nnode t.mjs", false, false}, {"NODE_OPTIONS='--require /tmp/x.js' node -e %q", false, false}, {"cd src && node -e %q", false, false}, {"bash -c %Q", false, false}, {"node -r ./own.js -e %q", false, false}, {"echo %q | node", false, false}, {"node -e %q a b", false, false},
	},
}

// form is how an agent gives a text to the interpreter.
func (g *grammar) form(lang string) form {
	most := len(spellings[lang])
	if g.chance(0.85) {
		most = 3
	}
	return spellings[lang][g.IntN(most)]
}

// spell writes a text in a form. The snippet is nil where only a shell can run it.
func (f form) spell(t text) (line string, code *snippet) {
	word := policy.Quote(t.text)
	nested := policy.Quote(map[string]string{"python": "python3 -c ", "javascript": "node -e "}[t.lang] + word)
	line = strings.NewReplacer("%%", "%", "%q", word, "%s", t.text, "%Q", nested).Replace(f.line)
	if f.code && !strings.Contains(t.text, "\x00") && !(f.stdin && strings.Contains(t.text, "E9")) {
		code = &snippet{Lang: t.lang, Text: t.text, Stdin: f.stdin}
		if f.stdin {
			code.Text += "\n"
		}
	}
	return line, code
}
