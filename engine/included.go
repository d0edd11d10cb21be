package engine

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// included judges the files that a command is told to read by patterns of
// their names: whoever searches all files called .env reads them.
//
//	grep -r --include=.env '' .
//	rg -g id_rsa ''
func (j *judge) included(n *Node, c *match.Call) {
	places := 0
	if !slices.ContainsFunc(c.Uses, func(u match.Use) bool { return u.Kind == match.Read && u.Option == "" }) {
		return
	}
	for i := range c.Uses {
		name := &c.Uses[i]
		text, ok := name.Word.Const()
		if name.Kind != match.Name || name.Option == "" || !ok {
			continue
		}
		for k := range c.Uses {
			root := &c.Uses[k]
			dir, ok := root.Word.Const()
			if root.Kind != match.Read || root.Option != "" || !ok {
				continue
			}
			if places++; places > maxIncluded {
				j.read(n, &match.Use{Kind: match.Read, Word: globbed("", ".*")})
				return
			}
			for _, w := range firstFound(includes(dir, text)) {
				j.read(n, &match.Use{Kind: match.Read, Word: w, Dirs: root.Dirs})
			}
		}
	}
}

// maxIncluded is for how many directories patterns are looked at, each pattern
// for each. More of them count as any hidden file.
const maxIncluded = 1024

// includes lists words for the files below a directory that a pattern of names
// means. A pattern that begins with "!" leaves files out. What a star at its
// beginning stands for is nothing that rules know: "*.json" means x.json, and
// "*.env" x.env.
func includes(dir, pattern string) []policy.Word {
	if strings.HasPrefix(pattern, "!") {
		return nil
	}
	if _, glob, ok := strings.Cut(pattern, ":"); ok {
		pattern = glob // rg --type-add 'x:*.env'
	}
	pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "^"), "$")
	pattern = strings.ReplaceAll(strings.ReplaceAll(pattern, ".*", "*"), `\`, "")
	if strings.HasSuffix(dir, "/") {
		dir = strings.TrimRight(dir, "/")
	}
	var words []policy.Word
	for _, name := range alternatives(pattern) {
		name = strings.TrimPrefix(name, "/")
		for strings.HasPrefix(name, "**/") {
			name = name[len("**/"):]
		}
		end := strings.TrimLeft(name, "*")
		if end == "" {
			continue
		}
		words = append(words, globbed(dir+"/", end))
		if end != name {
			words = append(words, globbed(dir+"/x", end))
			if end[0] != '.' {
				words = append(words, globbed(dir+"/.", end)) // a dot, too
			}
		}
	}
	return words
}

// maxAlternatives is how many texts the braces of a pattern are written out as.
const maxAlternatives = 64

// alternatives writes out a pattern's braces: *.{env,pem} is *.env and *.pem.
func alternatives(pattern string) []string {
	done, todo := []string(nil), []string{pattern}
	for len(todo) > 0 && len(done)+len(todo) <= maxAlternatives {
		text := todo[0]
		todo = todo[1:]
		// The innermost braces have none inside.
		end := strings.IndexByte(text, '}')
		start := strings.LastIndexByte(text[:max(end, 0)], '{')
		if start < 0 {
			done = append(done, text)
			continue
		}
		for part := range strings.SplitSeq(text[start+1:end], ",") {
			todo = append(todo, text[:start]+part+text[end+1:])
		}
	}
	return append(done, todo...)
}
