package cli

import (
	"strings"

	"github.com/bashgate/bashgate/internal/approval"
	"github.com/bashgate/bashgate/internal/export"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/learn"
	"github.com/bashgate/bashgate/internal/session"
	"github.com/bashgate/bashgate/policy"
)

// What the completion prints in place of candidates: the shell shall look for
// files, or directories.
const (
	anyFile = ":files"
	anyDir  = ":dirs"
)

// candidate is a word that may stand at a place, and what it is about.
type candidate struct{ word, about string }

func plainly(words []string) []candidate {
	list := make([]candidate, len(words))
	for i, word := range words {
		list[i].word = word
	}
	return list
}

// valuesOf lists what the word may be that the help writes as "HOST" or "DIR".
// Nothing is known of the others: "TEXT", "CMD".
func (p *Process) valuesOf(kind string) []candidate {
	switch kind {
	case "DIR", "DIRS":
		return []candidate{{word: anyDir}}
	case "FILE", "PATH":
		return []candidate{{word: anyFile}}
	case "SCRIPT":
		return plainly(completed())
	case "HOST", "HOSTS":
		var list []candidate
		for _, h := range host.All() {
			list = append(list, candidate{h.Name, h.Title})
		}
		return list
	case "AGENT":
		var list []candidate
		for _, t := range export.Targets() {
			list = append(list, candidate{word: t.Name})
		}
		return list
	case "PROFILE":
		return plainly(p.setup().ProfileNames())
	case "PACK", "PACKS":
		return plainly(packNames(p))
	case "NAME": // of a preset, a profile or a file
		return append(plainly(p.setup().ProfileNames()), candidate{word: anyFile})
	case "RULE":
		s := situation{}
		if s.complete(p) != nil {
			return nil
		}
		s.workspace = s.cwd
		files, _ := ruleFiles(p, &s)
		return plainly(ruleIDs(files))
	case "CODE":
		queue, err := p.Requests()
		if err != nil {
			return nil
		}
		requests, _ := queue.Requests()
		var list []candidate
		for _, r := range requests {
			if r.State == approval.Pending || r.State == approval.Approved {
				list = append(list, candidate{r.Code, policy.Clip(r.Command, 60)})
			}
		}
		return list
	case "SESSION":
		store, err := session.Open(p.Getenv)
		if err != nil {
			return nil
		}
		names, _ := store.Names()
		var list []candidate
		for _, name := range names {
			if _, id, ok := strings.Cut(name, "-"); ok {
				list = append(list, candidate{id, name})
			}
		}
		return list
	case "ANSWER":
		return p.answered()
	}
	return nil
}

// answered lists what forget takes back.
func (p *Process) answered() (list []candidate) {
	a := allower{process: p}
	if a.complete(p) != nil {
		return nil
	}
	add := func(text []byte) {
		for _, answer := range learn.Answers(text) {
			list = append(list, candidate{answer.ID, answer.Note})
		}
	}
	files, _ := a.files()
	for _, f := range files {
		add(f.text)
	}
	store, err := p.answers()
	if err != nil {
		return list
	}
	entries, _ := store.List()
	for _, e := range entries {
		switch {
		case e.Over:
		case e.Ticket != nil:
			list = append(list, candidate{e.ID, e.Ticket.Command})
		default:
			add(e.Rules)
		}
	}
	return list
}
