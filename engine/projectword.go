package engine

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// words judges what code of the project is told. Nobody knows what it does with
// a word, so that one which names a secret, a place outside the workspace, or
// a machine is asked about.
func (j *judge) words(n *Node, words []policy.Word) {
	for _, w := range words {
		n.holed = n.holed || w.HasHole()
		if m, ok := matched(w); ok {
			w = m
		}
		for _, value := range values(w) {
			j.word(n, value)
		}
	}
}

// values lists what a word may say: all of it, what stands behind its first
// equals sign, and what may be glued to a short option.
func values(w policy.Word) []policy.Word {
	text := w.Prefix()
	if w.Parts == nil {
		text = w.Text
	}
	list := []policy.Word{w}
	if strings.HasPrefix(text, "@") {
		list = append(list, without(w, 1)) // a file of words, or of data
	}
	if name, rest, ok := strings.Cut(text, "="); ok {
		list = append(list, without(w, len(name)+1))
		if strings.HasPrefix(rest, "@") {
			list = append(list, without(w, len(name)+2))
		}
	}
	if w.Parts == nil && strings.Contains(text, ",") && !strings.ContainsAny(text, "{ ") {
		for part := range strings.SplitSeq(text, ",") {
			list = append(list, policy.Word{Text: part, Pos: w.Pos})
		}
	}
	if len(text) > 2 && text[0] == '-' && text[1] != '-' && strings.IndexByte("/~.", text[2]) >= 0 {
		list = append(list, without(w, 2))
	}
	return list
}

// without is a word without its first n bytes, which are known.
func without(w policy.Word, n int) policy.Word {
	if w.Parts == nil {
		return policy.Word{Text: w.Text[n:], Pos: w.Pos}
	}
	parts := slices.Clone(w.Parts)
	parts[0].Text = parts[0].Text[n:]
	return policy.Word{Parts: parts, Pos: w.Pos}
}

func (j *judge) word(n *Node, w policy.Word) {
	text, known := w.Const()
	if !known {
		text = w.Prefix()
	}
	if isCode(text) {
		n.reason("project.word", policy.Ask, "Hands code of the project code of the line: "+policy.Clip(w.String(), maxShown), policy.Executes, policy.ReachUnknown)
		return
	}
	if known && len(text) > 1 && (text[0] == '{' || text[0] == '[' && strings.Contains(text, `"`)) {
		for i, part := range strings.Split(text, `"`) { // the texts of JSON
			if i%2 == 1 && part != "" {
				j.word(n, policy.Word{Text: part, Pos: w.Pos})
			}
		}
		return
	}
	if machine := machineOf(text); machine != "" {
		if known && j.isLocal(machine) {
			return
		}
		n.reason("project.word", policy.Ask, "Tells code of the project a machine: "+w.String(), policy.Network, policy.ReachNetwork)
		return
	}
	if text == "" && (known || !hasText(w)) {
		return
	}
	file, is := behind(n, &match.Use{Word: w}, opWrite)
	if !is {
		return
	}
	for _, t := range j.resolve(file.Word, n.command.Dirs) {
		if rule := j.pathRule(t, opRead); rule != nil && rule.Read > policy.Allow {
			j.pathReason(n, rule, rule.Read, opRead, w)
			return
		}
		if rule := j.pathRule(t, opWrite); rule != nil && rule.Write > policy.Allow && j.inWorkspace(t) {
			j.pathReason(n, rule, rule.Write, opWrite, w)
			return
		}
		if !names(text) && !(t.known && !t.pattern && t.real != t.path) {
			continue
		}
		if !j.inWorkspace(target{path: t.path, real: t.real, known: true, pattern: t.pattern}) && !j.harmless(t) {
			n.reason("project.word", policy.Ask, "Tells code of the project a place outside the workspace: "+w.String(), 0, policy.ReachUnset)
			return
		}
	}
}

// isCode reports whether a text is an address that holds code itself: data:text/javascript,...
func isCode(text string) bool {
	for _, scheme := range [...]string{"data:", "javascript:", "blob:"} {
		if len(text) > len(scheme) && strings.EqualFold(text[:len(scheme)], scheme) {
			return true
		}
	}
	return false
}

// hasText reports whether some of a word is known.
func hasText(w policy.Word) bool {
	return slices.ContainsFunc(w.Parts, func(p policy.Part) bool {
		return (p.Kind == policy.Lit || p.Kind == policy.Glob) && strings.Trim(p.Text, "./*?") != ""
	})
}

// names reports whether a text can only be meant as a path that may leave the
// workspace.
func names(text string) bool {
	return text != "" && (text[0] == '/' || text[0] == '~') || text == ".." || strings.HasPrefix(text, "../") || strings.Contains(text, "/../") || strings.HasSuffix(text, "/..")
}

// machineOf is the machine that a text can only mean: the one of a URL, of
// user@host, an address, host:port, or a name below one of the usual domains;
// "" where it means none.
func machineOf(text string) string {
	if strings.Contains(text, "://") {
		return text
	}
	for _, scheme := range [...]string{"http:", "https:", "ftp:"} {
		if len(text) > len(scheme) && strings.EqualFold(text[:len(scheme)], scheme) {
			return text
		}
	}
	if strings.HasPrefix(text, "[") && strings.Count(text, ":") > 1 && strings.Contains(text, "]") {
		return text
	}
	user, rest, at := strings.Cut(text, "@")
	if !at {
		rest = text
	} else if user == "" {
		return "" // @scope/name
	}
	host, tail, colon := strings.Cut(rest, ":")
	if !colon {
		host, _, _ = strings.Cut(rest, "/")
		host, _, _ = strings.Cut(host, "#")
	}
	host = strings.TrimSuffix(host, ".")
	if at && colon && host != "" {
		return text // scp's way
	}
	if _, is := hostAddress(host); is && strings.Count(host, ".") == 3 {
		return text
	}
	dot := strings.LastIndexByte(host, '.')
	if dot < 1 || !isName(host[dot+1:]) || strings.Trim(host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-") != "" {
		return ""
	}
	port := colon && tail != "" && strings.Trim(tail, "0123456789") == ""
	if at || usualDomain(strings.ToLower(host[dot+1:])) || port {
		return text
	}
	return ""
}

func isName(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-") == ""
}

// usualDomain reports whether a name is a top-level domain, and hardly ever
// how a file's name ends.
func usualDomain(name string) bool {
	switch name {
	case "com", "net", "org", "edu", "gov", "mil", "int", "info", "biz", "io", "dev", "app", "ai", "co", "me", "xyz", "site", "online", "cloud", "tech",
		"uk", "de", "fr", "nl", "eu", "it", "es", "ch", "at", "be", "se", "no", "fi", "dk", "cz", "ru", "ua", "cn", "jp", "kr", "tw", "hk", "sg", "au", "nz", "ca", "us", "br", "mx", "za", "onion", "local", "internal":
		return true
	}
	return false
}

// isLocal reports whether an address means this machine.
func (j *judge) isLocal(text string) bool {
	name := hostName(text)
	for _, g := range gates.All {
		for i := range g.Hosts {
			if g.Hosts[i].Trusted && namesHost(g.Hosts[i].Globs, name, name) {
				return plainAddress(text)
			}
		}
	}
	return false
}
