package ruleset

import (
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Word is one word of the rule language with what it means: the source of
// checks, schema and documentation alike.
type Word struct {
	Name string
	Doc  string
}

// kindWord is a kind's word, and how an entry without a suffix takes its
// value.
type kindWord struct {
	name string
	kind match.Kind
	bare match.Arity
	doc  string
}

var kindWords = [...]kindWord{
	{"flag", match.Flag, match.NoValue, "harmless"},
	{"data", match.Data, match.Value, "a harmless value: text, a number, a pattern"},
	{"acts", match.Acts, match.NoValue, "known, but never harmless by itself: an allow takes it only if one of its own flag fields names it"},
	{"name", match.Name, match.Value, "a pattern of the names of files that the program finds, and what it runs is given; of an option: of those that it reads"},
	{"path", match.Path, match.Value, "a path of which only the name or metadata is looked at"},
	{"read", match.Read, match.Value, "a path that is read"},
	{"write", match.Write, match.Value, "a path that is created or changed"},
	{"delete", match.Delete, match.Value, "a path that is removed"},
	{"move", match.Move, match.Value, "a path that is moved away"},
	{"source", match.Source, match.Value, "read, or sent for where it is remote: host:path, s3://..., scheme://..."},
	{"target", match.Target, match.Value, "written, or sent to where it is remote"},
	{"dir", match.Dir, match.Value, "the directory that the other words are relative to"},
	{"host", match.Host, match.Value, "a machine on the network"},
	{"url", match.URL, match.Value, "an address on the network; file: urls are reads"},
	{"image", match.Image, match.Value, "an image that a registry is asked for, host/path:tag; without a host docker.io"},
	{"sent", match.Sent, match.Value, "a text that is sent: one that is not known asks"},
	{"arg", match.Arg, match.Value, "a word for code of the project: one that names a secret, a place outside the workspace or a machine asks"},
	{"env", match.Env, match.Value, "NAME=VALUE, judged as an environment variable"},
	{"script", match.Script, match.Value, "shell text, judged as a line of its own"},
	{"command", match.Command, match.Value, "the rest of the words (or those up to one of until) are a command, judged as one"},
	{"run", match.Run, match.Value, "a file that is executed"},
	{"code", match.Code, match.Value, "code.LANG: text in a language that bashgate reads (sed, awk, perl, sql, jq); code.any asks"},
}

// Kinds lists the kinds of options and operands.
func Kinds() []Word {
	words := make([]Word, len(kindWords))
	for i, k := range kindWords {
		words[i] = Word{k.name, k.doc}
	}
	return words
}

// KindName returns a kind's word: "read", "code.sed".
func KindName(k match.Kind, lang string) string {
	for _, w := range kindWords {
		if w.kind == k {
			if k == match.Code {
				return w.name + "." + lang
			}
			return w.name
		}
	}
	return "?"
}

func findKind(name string) (kindWord, bool) {
	for _, w := range kindWords {
		if w.name == name && w.kind != match.Code {
			return w, true
		}
	}
	return kindWord{}, false
}

type traitWord struct {
	name  string
	trait match.Traits
	doc   string
}

var traitWords = [...]traitWord{
	{"stop", match.Stop, "the first operand ends the options: sudo, env, ssh, docker run"},
	{"exact", match.Exact, "long options are not abbreviated: cobra, clap"},
	{"anywhere", match.Anywhere, "these options are also read after the subcommand: kubectl, gh, aws, npm"},
	{"negate", match.Negate, "--no-x undoes --x, the last one counts"},
	{"number", match.Number, "-20 is an option"},
	{"plus", match.Plus, "+x is an option"},
	{"bundle", match.Bundle, "the first word is a cluster without a dash: tar, ar"},
	{"bsd", match.BSD, "letters without a dash are options: ps"},
	{"apart", match.Apart, "-xy may be -x -y even where -x takes a value, here and behind all subcommands: yargs, minimist, nopt"},
}

type styleWord struct {
	name  string
	style match.Style
	doc   string
}

var styleWords = [...]styleWord{
	{"gnu", match.GNU, "-x, -xVALUE, -xyz, --long, --long=VALUE, abbreviations; the default"},
	{"long", match.Long, "-name VALUE, -name=VALUE: find, go, java, terraform"},
	{"keys", match.Keys, "name=VALUE operands: dd"},
	{"none", match.Plain, "every word is an operand"},
}

// effectDocs follows the order of policy's effects.
var effectDocs = [...]string{
	"reads files", "creates or changes files", "removes files", "runs code of the project or of a file",
	"sends or receives data", "shows credentials", "plants something that runs later", "acts with more rights", "does not end by itself",
}

// Traits lists the words of an option table's traits.
func Traits() []Word {
	words := make([]Word, len(traitWords))
	for i, t := range traitWords {
		words[i] = Word{t.name, t.doc}
	}
	return words
}

// Styles lists the words of an option table's style.
func Styles() []Word {
	words := make([]Word, len(styleWords))
	for i, s := range styleWords {
		words[i] = Word{s.name, s.doc}
	}
	return words
}

// Effects lists the words for what a command does.
func Effects() []Word {
	var words []Word
	for i, name := range policy.Effects(1<<len(effectDocs) - 1).Names() {
		words = append(words, Word{name, effectDocs[i]})
	}
	return words
}

// Tasks lists the runners that a rule's task field names.
func Tasks() []Word {
	return []Word{
		{"npm", "a script of package.json: npm, pnpm, yarn, bun"},
		{"bin", "a program of node_modules/.bin: npx, bunx, pnpm exec, yarn"},
		{"deno", "a task of deno.json or a script of package.json"},
		{"mise", "a task of mise.toml or a file in its task directories"},
		{"make", "a target of a makefile"},
		{"just", "a recipe of a justfile"},
		{"task", "a task of a Taskfile"},
		{"composer", "a script of composer.json"},
		{"poe", "a task of pyproject.toml: poe"},
		{"pdm", "a script of pyproject.toml: pdm"},
		{"hatch", "a script of an environment of pyproject.toml or hatch.toml"},
		{"uv", "a program that uv run starts in the project's environment"},
		{"cargo", "an alias of .cargo/config.toml"},
		{"git", "an alias of git's configuration"},
		{"shell", "a shell script"},
	}
}

// wordList returns the words that a field with this `words` tag takes.
func wordList(list string) []Word {
	switch list {
	case "style":
		return Styles()
	case "trait":
		return Traits()
	case "effect":
		return Effects()
	case "kind":
		return Kinds()
	case "reach":
		return []Word{
			{"local", "files and processes of this machine"},
			{"unknown", "project code, unknown programs, local daemons"},
			{"network", "talks to a network, or is an interpreter or a downloader"},
		}
	case "language":
		return []Word{{"python", "Python 3"}, {"javascript", "JavaScript, as Node runs it, and Bun and Deno too"}, {"bun", "what Bun has beside that"}, {"deno", "what Deno has beside that"}}
	case "unknown":
		return []Word{
			{"ask", "a person decides; the default"},
			{"allow", "it runs"},
			{"skip", "no opinion; another file may have one"},
			{"block", "it never runs"},
		}
	case "answer":
		return []Word{
			{"allow", "it runs"},
			{"ask", "a person decides"},
			{"block", "it never runs"},
		}
	case "strict":
		return []Word{
			{"ask", "a person decides"},
			{"block", "it never runs"},
		}
	case "ends":
		return []Word{
			{"command", "what it runs: timeout"},
			{"input", "what writes to its standard input: head"},
		}
	case "walks":
		return []Word{
			{"all", "all of them: grep -r"},
			{"unignored", "all but those that version control ignores: rg --hidden"},
			{"unhidden", "all but hidden ones: rg --no-ignore"},
			{"visible", "neither hidden nor ignored ones: rg"},
		}
	case "shows":
		return []Word{
			{"nothing", "names, numbers, sums: grep -l, wc"},
		}
	case "talks":
		return []Word{
			{"named", "those that its words name, and no other: no proxy, no redirect, no tunnel"},
			{"words", "those that its words name where no file is called so: lynx example.org"},
		}
	case "where":
		return []Word{
			{"local", "this machine; the default"},
			{"remote", "another machine: ssh"},
			{"container", "a container or pod"},
		}
	case "adds":
		return []Word{
			{"words", "any words, options among them; the default"},
			{"path", "paths"},
			{"none", "nothing"},
		}
	case "base":
		return []Word{
			{"default", "the built-in rules hold; the default"},
			{"grammar", "the built-in files say how words are read, and nothing else"},
		}
	case "refs":
		return []Word{
			{"git", "git push: its words, and the repository's configuration"},
		}
	case "makes":
		return []Word{
			{"files", "touch, tee"},
			{"directories", "mkdir"},
			{"links", "ln"},
			{"nothing", "it changes or takes away what is there: chmod, rm"},
		}
	case "directories":
		return []Word{
			{"any", "whatever directory it is called by; the default"},
			{"known", "those found by name, or in a directory of the system"},
		}
	case "task":
		return Tasks()
	case "dashes":
		return []Word{
			{"end", "the words behind it are operands: getopt, cobra, clap, argparse, yargs"},
			{"skip", "nothing, and options go on behind it: find"},
			{"unknown", "one of the two: both readings are judged, and the stricter holds; the default"},
		}
	case "into":
		return []Word{
			{"files", "what its other operands name, each by the last element of its name: cp a b d/"},
			{"trees", "the same, and directories with all that is in them: cp -r src d/"},
			{"anything", "whatever a file or another machine says: tar -x"},
		}
	case "prints":
		return []Word{
			{"word", "one word: no blanks, no leading dash, and nothing only where the program fails"},
			{"name", "one word of letters, digits and the signs @ ^ ~, as names of revisions are, and nothing only where the program fails"},
			{"number", "one whole number, and nothing only where the program fails"},
			{"numbers", "whole numbers, a line each, from the first operand, or 1, to the last, where these are whole numbers: seq 2 5"},
		}
	}
	return nil
}

func names(words []Word) []string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = w.Name
	}
	return list
}
