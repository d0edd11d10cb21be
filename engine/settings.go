package engine

import (
	"path"
	"strings"

	"github.com/bashgate/bashgate/internal/settings"
	"github.com/bashgate/bashgate/policy"
)

// agentRules applies what the user told their agent to one simple command:
// a deny blocks, an ask asks, an allow may drop the asks about the command's
// own words. Redirects, variables and what a script inside does are not in the
// words that an allow speaks of.
//
// first is the index of the first reason about the words.
func (j *judge) agentRules(n *Node, first int) {
	s := j.request.Settings
	if s == nil || len(settings.Rules(s)) == 0 {
		return
	}
	text, constant := plainText(n.command.Words)
	if r := settings.Denied(s, spelled(n.command, text)...); r != nil {
		if r.Decision == policy.Block {
			n.reason("settings.deny", policy.Block, settingText("deny", r), 0, policy.ReachUnset)
		} else {
			n.reason("settings.ask", policy.Ask, settingText("ask about", r), 0, policy.ReachUnset)
		}
		n.last().class = aboutSettings
		return
	}
	if !constant {
		return
	}
	if r := settings.Allowed(s, text); r != nil && !(r.Cloned() && j.namesSecret(n)) {
		n.granted = &grant{rule: r, first: first}
	}
}

// namesSecret reports whether a word of a command may name a file that is asked
// about when it is read: a program that no rule knows may show it.
func (j *judge) namesSecret(n *Node) (found bool) {
	for _, w := range n.command.Words[1:] {
		pathsIn(w, func(w policy.Word) {
			text, known := w.Const()
			found = found || j.maySecret(n, w)
			for i := range text {
				if strings.IndexByte("@/.~", text[i]) >= 0 { // @file, -ofile
					found = found || known && i > 0 && j.maySecret(n, policy.Const(text[i:])) || text[i] == '@' && j.maySecret(n, policy.Const(text[i+1:]))
					if text[i] != '@' {
						break
					}
				}
			}
		})
	}
	return found
}

func settingText(verb string, r *settings.Rule) string {
	return "The agent's settings " + verb + " " + r.String() + " (" + r.File + ")"
}

// plainText is a command as settings speak of it: its words without quotes.
func plainText(words []policy.Word) (text string, constant bool) {
	var b strings.Builder
	constant = true
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		if s, ok := w.Const(); ok {
			b.WriteString(s)
			continue
		}
		constant = false
		for _, p := range w.Parts {
			b.WriteString(p.Text)
		}
	}
	return b.String(), constant
}

// spelled lists the texts that a deny or an ask may mean: the command as it
// stands, and with the program's bare name.
func spelled(c *policy.Command, text string) []string {
	texts := []string{text}
	if name, ok := c.Words[0].Const(); ok && strings.Contains(name, "/") {
		texts = append(texts, path.Base(name)+text[len(name):])
	}
	return texts
}

// settingsNotes are the settings files that could not be read: what they deny
// is not known.
func settingsNotes(s *settings.Settings) []Node {
	if s == nil {
		return nil
	}
	var notes []Node
	for _, p := range settings.Problems(s) {
		n := Node{source: p.File}
		n.reason("settings.unreadable", policy.Ask, "The agent's settings can't be read: "+p.String(), 0, policy.ReachUnset)
		n.settle()
		notes = append(notes, n)
	}
	return notes
}
