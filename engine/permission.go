package engine

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/settings"
	"github.com/bashgate/bashgate/policy"
)

// What the user told their agent about its tools for files and pages holds for
// commands too: a denied Read blocks cat, a denied Edit blocks touch, a denied
// WebFetch blocks curl. An allowed Edit lets an ordinary write of the workspace
// pass. About the agent's own tools the agent itself decides.

// permission is one rule of the agent's settings about files.
type permission struct {
	rule  *settings.Rule
	globs []string // over absolute paths; nil: every file
}

// permissions are the rules that hold in a request.
type permissions struct {
	made    bool
	reads   []permission // denied or asked about
	edits   []permission
	allowed []permission     // Edit, by files that don't come with a clone
	fetches []*settings.Rule // denied or asked about
	held    map[holding]*settings.Rule
}

// agent returns the rules of the agent's settings; nil if there are none.
func (j *judge) agent() *permissions {
	s := j.request.Settings
	if s == nil || len(settings.Rules(s)) == 0 {
		return nil
	}
	if p := &j.permissions; p.made {
		return p
	}
	p := permissions{made: true}
	for i := range settings.Rules(s) {
		r := &settings.Rules(s)[i]
		switch allow := r.Decision == policy.Allow; {
		case r.Tool == settings.Fetch && !allow:
			p.fetches = append(p.fetches, r)
		case r.Tool == settings.Read && !allow:
			p.reads = j.permission(p.reads, r)
		case (r.Tool == settings.Edit || r.Tool == settings.Write) && !allow:
			p.edits = j.permission(p.edits, r)
		case r.Tool == settings.Edit && !r.Cloned():
			p.allowed = j.permission(p.allowed, r)
		}
	}
	j.permissions = p
	return &j.permissions
}

// against lists the rules that deny or ask about reading or changing files.
func (p *permissions) against(o op) []permission {
	switch {
	case p == nil:
		return nil
	case o == opRead:
		return p.reads
	}
	return p.edits
}

// permission adds a rule about files. Where its directories are links, their
// targets are meant too.
func (j *judge) permission(list []permission, r *settings.Rule) []permission {
	if r.Pattern == "" {
		return append(list, permission{rule: r})
	}
	here := settings.Anchors{Home: j.request.Home, Workspace: j.request.Workspace, Cwd: j.request.Cwd}
	globs := r.Globs(here)
	real := here
	for _, dir := range [...]*string{&real.Home, &real.Workspace, &real.Cwd} {
		if *dir != "" {
			*dir = j.follow(*dir)
		}
	}
	if real != here {
		globs = append(globs, r.Globs(real)...)
	}
	if r.Decision > policy.Allow {
		for _, glob := range globs[:len(globs):len(globs)] {
			if dir := match.FixedDir(glob); dir != "" && dir != "/" {
				if real := j.follow(dir); real != dir {
					globs = append(globs, real+glob[len(dir):])
				}
			}
		}
	}
	if globs == nil {
		return list
	}
	return append(list, permission{r, globs})
}

// agentPlace applies the agent's rules to a file that a command reads or
// changes.
func (j *judge) agentPlace(n *Node, t target, o op, w policy.Word) {
	r, d := j.forbidden(t, o)
	if r != nil {
		j.agentReason(n, r, d, w.String())
	}
	if d >= policy.Ask {
		return
	}
	switch r := j.holds(t, o); {
	case r == nil:
	case o == opDelete:
		j.agentReason(n, r, policy.Ask, w.String())
	default:
		// Whoever allows the command allows what it goes through.
		n.reason("path.walk", policy.Ask, "Goes through a directory that holds what the agent's settings don't let pass, "+r.String()+" ("+r.File+"): "+w.String(), 0, policy.ReachUnset)
	}
}

// agentReason adds a rule of the agent's settings as a reason, once for each thing
// that it is about.
func (j *judge) agentReason(n *Node, r *settings.Rule, d policy.Decision, what string) {
	id, verb := "settings.ask", "ask about"
	if r.Decision == policy.Block {
		id, verb = "settings.deny", "deny"
	}
	text := settingText(verb, r) + ": " + what
	if d < r.Decision {
		text = settingText("may "+verb, r) + ": " + what
	}
	for i := range n.Reasons {
		if n.Reasons[i].ID == id && n.Reasons[i].text == text {
			return
		}
	}
	n.reason(id, d, text, 0, policy.ReachUnset)
	n.last().class = aboutSettings
}

// forbidden returns the strictest rule of the agent's settings against reading
// or changing a file, and what it makes of it: a deny that only may be about it
// asks. It returns nil if there is none.
func (j *judge) forbidden(t target, o op) (rule *settings.Rule, d policy.Decision) {
	list := j.agent().against(o)
	if len(list) == 0 {
		return nil, policy.Skip
	}
	forms := j.spellings(t)
	for i := range list {
		r := list[i].rule
		if r.Decision <= d {
			continue
		}
		switch list[i].names(t, forms) {
		case policy.Yes:
			rule, d = r, r.Decision
		case policy.Maybe:
			if d < policy.Ask {
				rule, d = r, policy.Ask
			}
		}
	}
	return rule, d
}

// names tells whether a rule is about a file. A pattern of the line is held to
// name it as the rows of the paths tables hold it; a word that is not all known
// only may.
func (p *permission) names(t target, forms []string) policy.Tri {
	if p.globs == nil {
		return policy.Yes
	}
	for _, glob := range p.globs {
		for _, form := range forms {
			switch {
			case !t.pattern && match.PathGlob(glob, form), t.pattern && mayMatch(form, glob):
				if t.known {
					return policy.Yes
				}
				return policy.Maybe
			case strings.HasPrefix(form, unknownDir+"/"):
				// Below a directory that is not known, names tell.
				if _, name, ok := strings.Cut(glob, "/**/"); ok && mayMatch(form, "**/"+name) {
					return policy.Maybe
				}
			}
		}
	}
	return policy.No
}

// holding is a directory that was looked through, for reading or for changes.
type holding struct {
	dir  string
	read bool
}

// holds returns a rule that is about something in a directory, or may be where
// it holds too much to look at: what goes through the directory, or removes it,
// meets that too. It returns nil if there is none.
func (j *judge) holds(t target, o op) *settings.Rule {
	p := j.agent()
	list := p.against(o)
	if len(list) == 0 || t.pattern || !t.known {
		return nil
	}
	key := holding{t.real, o == opRead}
	rule, known := p.held[key]
	if !known {
		if p.held == nil {
			p.held = make(map[holding]*settings.Rule)
		}
		rule = j.look(list, t.real)
		p.held[key] = rule
	}
	return rule
}

// maxLooked is how many names are looked at in a directory and below it. It
// takes some milliseconds.
const maxLooked = 5000

// look looks through a directory for what rules are about.
func (j *judge) look(list []permission, dir string) *settings.Rule {
	if dir != "/" && !j.isDir(dir) {
		return nil
	}
	var sought []permission // those with names at any depth
	for i := range list {
		var globs []string
		for _, glob := range list[i].globs {
			switch fixed := match.FixedDir(glob); {
			case fixed == glob:
				if within(glob, dir) && j.mayExist(glob) {
					return list[i].rule
				}
			case within(fixed, dir) || fixed == "" || within(dir, fixed):
				globs = append(globs, glob)
			}
		}
		if globs != nil {
			sought = append(sought, permission{list[i].rule, globs})
		}
	}
	if sought == nil || j.engine.opts.Files == nil {
		return nil
	}
	looked := 0
	for dirs := []string{dir}; len(dirs) > 0; dirs = dirs[1:] {
		if strings.HasSuffix(dirs[0], "/.git/objects") {
			continue // named after their content
		}
		names, err := j.engine.opts.Files.ReadDir(dirs[0], maxLooked)
		looked += len(names)
		if err != nil || looked > maxLooked {
			return sought[0].rule
		}
		for _, name := range names {
			at := strings.TrimSuffix(dirs[0], "/") + "/" + name
			for i := range sought {
				if slices.ContainsFunc(sought[i].globs, func(glob string) bool { return match.PathGlob(glob, at) }) {
					return sought[i].rule
				}
			}
			if j.isDir(at) {
				dirs = append(dirs, at)
			}
		}
	}
	return nil
}

func (j *judge) isDir(p string) bool {
	if j.engine.opts.Files == nil {
		return true
	}
	info, err := j.lstat(p)
	return err == nil && info.IsDir()
}

// mayExist reports whether there is something at a path, as far as is known.
func (j *judge) mayExist(p string) bool {
	if j.engine.opts.Files == nil {
		return true
	}
	_, err := j.lstat(p)
	return !errors.Is(err, fs.ErrNotExist)
}

// allowedEdit names the rule of the agent's settings that allows an ordinary
// write to files: one about each of them, by both its names where it is a link.
// It returns "" if there is none.
func (j *judge) allowedEdit(places []target) string {
	p := j.agent()
	if p == nil || len(places) == 0 {
		return ""
	}
	name := ""
	for _, t := range places {
		k := slices.IndexFunc(p.allowed, func(a permission) bool {
			return a.globs == nil || matchesAny(a.globs, t.path) && matchesAny(a.globs, t.real)
		})
		if k < 0 || t.pattern || !t.known {
			return ""
		}
		r := p.allowed[k].rule
		name = r.String() + " (" + r.File + ")"
	}
	return name
}

func matchesAny(globs []string, p string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool { return match.PathGlob(glob, p) })
}

// agentHost applies the agent's rules about fetching to a machine that a
// command talks to; name is "" where it is not known.
func (j *judge) agentHost(n *Node, w policy.Word, name string) {
	p := j.agent()
	if p == nil {
		return
	}
	for _, r := range p.fetches {
		if domain := r.Domain(); domain == "" || name != "" && settings.InDomain(domain, name) {
			j.agentReason(n, r, r.Decision, w.String())
		}
	}
}
