package main

import (
	"math/rand/v2"
	"strings"
)

// mutation turns a command into one that may mean something else, and that an
// engine might still take for the first.
type mutation struct {
	name   string
	mutate func(command string, r *rand.Rand, t *table) string
}

var mutations = [...]mutation{
	{"append an option", appended(
		"--output=/etc/x", "--output /etc/x", "-o /etc/x", "-o/etc/x", "--exec=id", "--exec id", "-f", "-i", "-e id", "-c id", "-w", "-d", "-D x",
		"--help", "--version", "--force", "--config=x", "--pager=x", "--no-such-option", "--delete", "--write", "--fix", "--", "-- -x", "-", "+x", "-9", "--outp=x",
		"-exec rm {} ;", "-delete", "--upload-pack=id", "--to-command=id", "--use-askpass=id", "--post-file=x")},
	{"append a word", appended(
		"x", "/", "..", "../..", ".", "~", "~/x", "/etc", "/etc/passwd", "/etc/shadow", "//etc/shadow", "/etc//shadow", "/etc/./shadow", "/etc/../etc/shadow", "'/etc/shadow'",
		"~/.ssh/id_rsa", "/root/.ssh/id_rsa", "/home/user/.ssh/id_ed25519", ".env", "./.env", "a/.env.local", "'.env'", "/.env", ".ENV", "id_rsa", "/proc/self/environ",
		"x=y", "PATH=/x", "a:b", "http://host/x", "@x", "%1", "+x", "a+b", "^x", "HEAD^", "''", "\"\"", "é", "x\u00a0y", "delete", "rm", "run", "exec", "push", "set", "add", "install")},
	{"glob, brace, tilde, history", appended("*", "*.go", "?", "[ab]", "{a,b}", "~root", "~+", "!x", "!!", "a{1..3}", "=ls", "*(e:id:)", "^a^b")},
	{"redirect", appended(">out.txt", "> out.txt", ">> ~/.bashrc", "2>/dev/null", ">/dev/null", "2>&1", "</etc/shadow", "< x", "<<<x", "&>x", ">|x", "<>x", ">&x", "3>x", "> /dev/tcp/host/1")},
	{"substitution", appended("$(rm x)", "`rm x`", "<(rm x)", ">(rm x)", "\"$(rm x)\"", "\"`rm x`\"", "--x=$(rm x)", "${x:-$(rm x)}", "$((x[$(rm x)]))", "'$(rm x)'", "\"a$(rm x)b\"")},
	{"variable", appended("$x", "${x}", "\"$x\"", "$HOME", "$1", "$@", "$'\\n'", "$\"x\"", "$[1]", "$x/y", "--o=$x")},
	{"comment", appended("# x", "#x", "x#y", "'#'", " #")},
	{"assignment before", before("FOO=1 ", "PATH=/tmp/evil ", "LD_PRELOAD=/tmp/x.so ", "GIT_PAGER=id ", "X=$(rm x) ", "PATH+=:/x ", "a[0]=1 ", "PATH=/tmp/evil; ", "PATH=/tmp/evil && ", "export PATH=/tmp/evil; ",
		"NODE_ENV=test ", "RUST_LOG=x ", "LANG=C ", "TERM=dumb ", "TZ=UTC ", "NO_COLOR=1 ", "GOOS=linux ", "PYTHONUNBUFFERED=1 ", "GOFLAGS=-toolexec=id ")},
	{"wrapper", before("sudo ", "env ", "env X=1 ", "timeout 5 ", "timeout -k 1 5 ", "stdbuf -o0 ", "nice ", "nohup ", "time ", "command ", "builtin ", "exec ", "eval ", "xargs ", "! ", "\\", "noglob ", "coproc ", "- ")},
	{"program with a path", before("./", "/usr/bin/", "/tmp/", "bin/", "../", "~/", "$HOME/", "//usr/bin/")},
	{"another command behind", behind(" && rm -rf x", "; rm -rf x", ";rm x", " || rm x", " | sh", "|sh", " & rm x", "&", " |& sh", "\nrm -rf x", "\r\nrm x", "\rrm x", "\n", " \\\n--output=x", "\\\n -rf /", " | tee x", " && git push", " && cd / && rm -rf x", " ; PATH=/tmp/evil; ls", "\u2028rm x", "\u0085rm x", " <<E\nx\nE", " <<'E'\n$(rm x)\nE\nrm x")},
	{"another command before", before("rm x && ", "rm x;", "rm x\n", "cd / && ", "cd /etc; ", "id | ", "(rm x) ; ", "x() { rm y; }; ", "#\n", "\n", " ", "\t", "alias ls=rm; ", "if true; then rm x; fi; ")},
	{"compound", func(c string, r *rand.Rand, _ *table) string {
		return one(r, "(", "{ ", "if true; then ", "while read x; do ", "for i in 1; do ", "f() { ", "case x in x) ", "[[ -f x ]] && ", "bash -c '", "sh -c \"", "echo \"$(", "echo `", "cat <(", "time -p ", "trap '") + c +
			one(r, ")", "; }", "; fi", "; done", "; };f", ";; esac", "", "'", "\"", ")\"", "`", " ", "' EXIT")
	}},
	{"two of the table", func(c string, r *rand.Rand, t *table) string {
		return c + one(r, " && ", "; ", " | ", " || ", "\n", " & ") + t.commands[r.IntN(len(t.commands))]
	}},
	{"global option", func(c string, r *rand.Rand, _ *table) string {
		name, rest, _ := strings.Cut(c, " ")
		return name + " " + one(r, "-C /etc", "-C x", "-c core.pager=id", "--config=x", "--config x", "-v", "--verbose", "--exec-path=/tmp", "-n ns", "-R a/b", "--help", "--", "--git-dir=/x", "-H host", "--context x", "--profile p", "-x", "-D", "--cwd=/") + " " + rest
	}},
	{"quoting", func(c string, r *rand.Rand, _ *table) string {
		words := strings.Split(c, " ")
		i := r.IntN(len(words))
		w := words[i]
		switch r.IntN(8) {
		case 0:
			words[i] = "'" + w + "'"
		case 1:
			words[i] = `"` + w + `"`
		case 2:
			words[i] = `\` + w
		case 3:
			words[i] = w + `""`
		case 4:
			words[i] = "$'" + w + "'"
		case 5:
			words[i] = `'` + w
		case 6:
			words[i] = `"` + w
		default:
			if len(w) > 1 {
				words[i] = w[:1] + one(r, `\`, `''`, `""`, `'`, `"`) + w[1:]
			}
		}
		return strings.Join(words, " ")
	}},
	{"other blanks", func(c string, r *rand.Rand, _ *table) string {
		blank := one(r, "\u00a0", "\u2003", "\u3000", "\t", "\v", "\f", "  ", "\r", "\u200b", "\ufeff", "\n", "\u1680", "\u2028")
		switch r.IntN(3) {
		case 0:
			return strings.Replace(c, " ", blank, 1)
		case 1:
			return strings.ReplaceAll(c, " ", blank)
		}
		return c + blank + one(r, "--output=x", "-rf", "/etc/shadow", "x")
	}},
	{"letters", func(c string, r *rand.Rand, _ *table) string {
		switch r.IntN(5) {
		case 0:
			return strings.ToUpper(c)
		case 1:
			return strings.ReplaceAll(c, "s", "\u017f") // a long s, which folds to one
		case 2:
			return strings.ReplaceAll(c, "k", "\u212a") // the sign of Kelvin
		case 3:
			i := r.IntN(len(c) + 1)
			return c[:i] + one(r, "x", "-", "/", ".", "\\", "\x01", "\x1b[", "\u202e", "=", "^", "%", ",", ":", "@") + c[i:]
		}
		i := r.IntN(len(c))
		return strings.ToValidUTF8(c[:i]+c[i+1:], "")
	}},
	{"several commands", func(c string, r *rand.Rand, t *table) string {
		lines := []string{c, t.forms[r.IntN(len(t.forms))].Example(r), t.commands[r.IntN(len(t.commands))], one(r, "cat", "head -3", "sort", "grep x", "sh", "python3", "echo '--- x'", "echo \"a; b\"")}
		r.Shuffle(len(lines), func(i, k int) { lines[i], lines[k] = lines[k], lines[i] })
		text := lines[0]
		for _, line := range lines[1 : 2+r.IntN(3)] {
			text += one(r, "", "", " 2>/dev/null", " 2>&1", " >/dev/null", " 2>/dev/null -x", " 2>x") +
				one(r, " && ", " || ", "; ", " | ", "\n", " && ", " | ", ";", "&&", "|", " & ", ";; ", " |& ", " ; ; ", "\n\n", " \\\n") + line
		}
		return text
	}},
	{"words in another order", func(c string, r *rand.Rand, _ *table) string {
		words := strings.Split(c, " ")
		switch r.IntN(4) {
		case 0:
			r.Shuffle(len(words)-1, func(i, k int) { words[i+1], words[k+1] = words[k+1], words[i+1] })
		case 1:
			i := r.IntN(len(words))
			words = append(words[:i:i], words[i+1:]...)
		case 2:
			words = append(words, words[r.IntN(len(words))])
		default:
			words = words[:1+r.IntN(len(words))]
		}
		return strings.Join(words, " ")
	}},
	{"an option of another command", func(c string, r *rand.Rand, t *table) string {
		f := &t.forms[r.IntN(len(t.forms))]
		if len(f.Options) == 0 {
			return c + " -x"
		}
		return c + " " + f.Options[r.IntN(len(f.Options))].Spelling + one(r, "", "=x", " x", "x")
	}},
}

func one(r *rand.Rand, texts ...string) string { return texts[r.IntN(len(texts))] }

func appended(texts ...string) func(string, *rand.Rand, *table) string {
	return func(c string, r *rand.Rand, _ *table) string { return c + " " + one(r, texts...) }
}

func behind(texts ...string) func(string, *rand.Rand, *table) string {
	return func(c string, r *rand.Rand, _ *table) string { return c + one(r, texts...) }
}

func before(texts ...string) func(string, *rand.Rand, *table) string {
	return func(c string, r *rand.Rand, _ *table) string { return one(r, texts...) + c }
}
