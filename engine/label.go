package engine

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// What a session has seen is told to people and to reviewers, and is written
// down. So its words are kinds, machines and files: what else stands in a
// command or an address may be a secret.

// called notes which program runs, and the subcommand that its tables name.
func (n *Node) called(name string, path []string) {
	n.named = policy.Quote(name)
	if len(path) > 0 {
		n.named += " " + strings.Join(path, " ")
	}
}

// label names a command with what it speaks to or reads.
func (n *Node) label(what []string) string {
	name := n.named
	if name == "" {
		name = "a file"
		if words := n.Words(); len(words) > 0 {
			name = fileLabel(words[0])
		}
	}
	for _, w := range what {
		if len(name) > maxShown {
			break // no more of it is shown
		}
		if w != "" {
			name += " " + w
		}
	}
	return policy.Clip(name, maxShown)
}

// shownFiles names files that a command reads, seen from where the agent
// stands.
func (j *judge) shownFiles(places []Place) []string {
	const most = 3
	var list []string
	for i, p := range places {
		if i == most {
			list = append(list, "and "+strconv.Itoa(len(places)-most)+" more")
			break
		}
		if strings.HasPrefix(p.Path, unknownDir) {
			continue
		}
		name := p.Path
		if rel, err := filepath.Rel(j.request.Cwd, name); err == nil && rel != ".." && !strings.HasPrefix(rel, "../") {
			name = rel
		}
		list = append(list, policy.Quote(name))
	}
	return list
}

// fileLabel shows a word that names a file. Of what is not known, no more than a
// variable's name is shown: another command may stand there.
func fileLabel(w policy.Word) string {
	if w.IsConst() || !w.HasHole() {
		return w.String()
	}
	var b strings.Builder
	for _, p := range w.Parts {
		switch {
		case p.Kind == policy.Lit || p.Kind == policy.Glob || isVariable(p.Text):
			b.WriteString(policy.Word{Parts: []policy.Part{p}}.String())
		default:
			b.WriteString("...")
		}
	}
	return b.String()
}

// isVariable reports whether the source of a value is a variable: $f, ${f}.
func isVariable(source string) bool {
	name, ok := strings.CutPrefix(source, "$")
	if inner, braces := strings.CutPrefix(name, "{"); braces {
		name = strings.TrimSuffix(inner, "}")
	}
	for i := range len(name) {
		if b := name[i] | 0x20; (b < 'a' || b > 'z') && (b < '0' || b > '9') && name[i] != '_' {
			return false
		}
	}
	return ok && name != ""
}

// shownHost names the machines that a word may mean; "" where none is known.
func shownHost(w policy.Word) string {
	text, ok := w.Const()
	if !ok {
		text = w.Prefix()
		if _, rest, isURL := strings.Cut(text, "://"); !isURL || !strings.Contains(rest, "/") {
			if len(w.Parts) == 1 && isVariable(w.Parts[0].Text) {
				return w.String()
			}
			return ""
		}
	}
	return machines(text)
}

// machines names the machines of an address.
func machines(text string) string {
	var names []string
	for _, name := range hostNames(text).hosts {
		if name != "" {
			names = append(names, policy.Visible(name))
		}
	}
	return strings.Join(names, " ")
}

// toolLabel names a tool's use: "WebFetch example.org", "Read /w/.env".
func toolLabel(t *Tool) string {
	for _, name := range [...]string{"url", "file_path", "notebook_path", "path", "absolute_path", "filePath", "uri", "source", "paths", "include"} {
		v := t.Arg(name)
		if v == "" {
			continue
		}
		scheme, rest, isURL := strings.Cut(v, "://")
		switch {
		case isURL && scheme == "file":
			v = rest
		case isURL && !strings.Contains(scheme, ":") || name == "url":
			v = machines(v)
		case isURL:
			v = scheme + "://" // an MCP server's own
		}
		return strings.TrimSpace(t.Name + " " + policy.Clip(policy.Visible(v), maxShown))
	}
	return t.Name
}
