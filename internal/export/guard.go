package export

import (
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// The guards are what a Form that reads may not name, whatever else its words
// are. They are pieces of text rather than paths, for a target can't resolve
// one: "/etc/shadow" anywhere in a line counts. They say too much, never too
// little, under one condition: words may not hold what makes two spellings of
// one path ("..", "//", "/./").

// piece is a text that a guard looks for.
type piece struct {
	parts []string // texts in this order, with anything but a quote between them
	begin bool     // the first stands at the beginning of a name
	end   bool     // the last stands at the end of a name
}

// guards are the pieces of all paths that may not be read.
type guards struct {
	secrets []piece
	// Directories that hold secrets further down. No word may be one of them:
	// absolute ones, and those below a home directory ("" is the directory
	// itself). Names that begin with a dot are missing: no absolute word may
	// hold one.
	above, home []string
}

func newGuards(gates []*match.Gate) *guards {
	g := &guards{}
	above := map[string]bool{}
	seen := map[string]bool{}
	for _, gate := range gates {
		for i := range gate.Paths {
			rule := &gate.Paths[i]
			if rule.Read <= policy.Allow {
				continue
			}
			for _, glob := range rule.Globs {
				if strings.HasPrefix(glob, "!") {
					continue
				}
				p := newPiece(glob)
				if key := p.key(); !seen[key] {
					seen[key] = true
					g.secrets = append(g.secrets, p)
				}
				if rule.Tree && !strings.HasPrefix(glob, "**/") {
					for dir := fixedDir(glob); ; dir = path.Dir(dir) {
						above[strings.ToLower(dir)] = true
						if dir == "/" || dir == "." || dir == "~" {
							break
						}
					}
				}
			}
		}
	}
	for dir := range above {
		if strings.Contains(dir, "/.") || g.secret(dir) {
			continue
		}
		if rest, ok := strings.CutPrefix(dir, "~"); ok {
			g.home = append(g.home, rest)
		} else if dir != "." {
			g.above = append(g.above, strings.TrimSuffix(dir, "/"))
		}
	}
	if len(g.home) > 0 {
		g.above = append(g.above, "", "/home", "/users", "/private")
	}
	sort.Strings(g.home)
	sort.Strings(g.above)
	g.above = slices.Compact(g.above)
	sort.Slice(g.secrets, func(i, k int) bool { return g.secrets[i].key() < g.secrets[k].key() })
	return g
}

// secret reports whether a text names what may not be read.
func (g *guards) secret(text string) bool {
	return slices.ContainsFunc(g.secrets, func(p piece) bool { return p.matches(text) })
}

// homes are the forms of a home directory; a star is a name.
var homes = [...]string{"~", "/root", "/var/root", "/home/*", "/users/*"}

// fixedDir is the part of a glob before its first wildcard, up to a slash.
func fixedDir(glob string) string {
	i := strings.IndexAny(glob, `*?[`)
	if i < 0 {
		return glob
	}
	if dir := strings.TrimSuffix(glob[:strings.LastIndexByte(glob[:i], '/')+1], "/"); dir != "" {
		return dir
	}
	return "/"
}

// newPiece makes the text that every path holds which the glob matches.
func newPiece(glob string) piece {
	text := strings.ToLower(glob)
	text = strings.TrimPrefix(text, "**/")
	text = strings.TrimPrefix(text, "~/")
	p := piece{begin: !strings.HasPrefix(text, "*") && !strings.HasPrefix(text, "/"), end: true}
	for strings.HasSuffix(text, "/**") {
		text = strings.TrimSuffix(text, "/**")
	}
	p.parts = strings.FieldsFunc(text, func(r rune) bool { return r == '*' || r == '?' })
	if strings.HasSuffix(text, "*") || strings.HasSuffix(text, "?") {
		p.end = false
	}
	for i, part := range p.parts {
		if k := strings.IndexByte(part, '['); k >= 0 { // a set: what stands before it says enough
			p.parts, p.end = append(p.parts[:i:i], part[:k]), false
			break
		}
	}
	p.parts = slices.DeleteFunc(p.parts, func(s string) bool { return s == "" })
	return p
}

func (p *piece) key() string {
	key := strings.Join(p.parts, "*")
	if p.begin {
		key = "^" + key
	}
	if p.end {
		key += "$"
	}
	return key
}

// matches reports whether a text, in lower case, holds the piece.
func (p *piece) matches(text string) bool {
	if len(p.parts) == 0 {
		return true
	}
	for at := 0; ; at++ {
		i := strings.Index(text[at:], p.parts[0])
		if i < 0 {
			return false
		}
		if at += i; p.begin && at > 0 && nameByte(text[at-1]) {
			continue
		}
		if p.rest(text[at+len(p.parts[0]):], p.parts[1:]) {
			return true
		}
	}
}

func (p *piece) rest(text string, parts []string) bool {
	if len(parts) == 0 {
		return !p.end || text == "" || !nameByte(text[0])
	}
	for at := 0; ; at++ {
		i := strings.Index(text[at:], parts[0])
		if i < 0 {
			return false
		}
		if at += i; p.rest(text[at+len(parts[0]):], parts[1:]) {
			return true
		}
	}
}

// nameByte reports whether a byte may be a part of a name: what stands beside
// is another one.
func nameByte(b byte) bool { return isAlnum(b) || b == '_' || b == '-' || b == '.' }
