package export

import (
	"math/rand/v2"
	"strings"
)

// Example makes a random line of a Form, as targets may write it: its operands
// may still be what a guard catches.
func (f *Form) Example(r *rand.Rand) string {
	words := []string{f.start(f.Names[r.IntN(len(f.Names))])}
	for _, group := range f.Required {
		words = append(words, group[r.IntN(len(group))])
	}
	if f.Script != nil {
		words = append(words, f.Script.examples[r.IntN(len(f.Script.examples))])
	}
	value := func() string { return exampleWords[r.IntN(len(exampleWords))] }
	apart := f.Max < 0 && f.Min < 2 // else targets can't tell a value from an operand
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
		case ways == 1 && o.Glued:
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

// exampleWords are words of every sort that targets let pass.
var exampleWords = [...]string{
	"a", "x", "README.md", "src/main.go", "./src", "../x", "/", "/etc", "/etc/passwd", "/opt/data/file.txt", "/tmp/x", ".", "..", "x=y", "PATH=/opt", "LD_PRELOAD=x.so",
	"a:b", "1", "0", "20", "user@host:p", "http://host/x", "file:///x/y", "%1", "@f", ",", ":", "a,b", "HEAD^", "HEAD~", "v1..v2", "main", "origin/main", "+x", "a+b",
	"exec", "run", "delete", "remove", "add", "list", "get", "set", "config", "help", "all", "secret", "secrets", "pods", "s3://b/k", "1.5", "true", "false", "none", "rm", "sh",
	"'a b'", "'a b;c|d&e>f<g$(h)`i`*'", `"(x) 'y' [z] {w} #v u"`, "'*.go'", `"*"`, "'{}'", "'$x'", "'s/a/b/'", "'e id'", "';'", `"a=b"`, "'ext::sh'", "';rm'", "'x,y'",
}
