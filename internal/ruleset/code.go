package ruleset

import (
	"slices"
	"strings"

	facts "github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/policy"
)

// code is what the file says of programming languages, as code.Facts has it.
func (c *compiler) code() string {
	var lines []string
	for i := range c.Code {
		if r := &c.Code[i]; c.begin(&r.Table) {
			lines = append(lines, c.codeRow(r)...)
		}
	}
	c.in = nil
	return facts.Sorted(lines)
}

// codeRow is what one row says: its lines.
func (c *compiler) codeRow(r *CodeRow) (lines []string) {
	if r.Has("module") == r.Has("type") {
		c.errorf(r.At, `module = "json", or type = "pathlib.Path"`, "[[code]] needs a module or a type")
	}
	for _, owner := range append(r.Module, r.Type...) {
		lines = append(lines, c.codeOwner(r, owner.Value)...)
	}
	return lines
}

// codeOwner is what a row says of one module or type.
func (c *compiler) codeOwner(r *CodeRow, owner string) (lines []string) {
	prefix := ""
	if owner == "builtins" {
		owner = ""
	}
	if owner != "" {
		prefix = owner + "."
	}
	add := func(name, what string) { lines = append(lines, r.Language.Value+"\t"+name+"\t"+what) }
	switch {
	case r.Has("type"):
		add(owner, strings.TrimSpace("type "+r.Base.Value))
	case owner != "":
		add(owner, "module")
	}
	if r.Has("base") && !r.Has("type") {
		c.errorf(r.Base.At, "", "base is for types")
	}
	loosens := (r.Has("calls") || r.Has("static") || r.Has("values") || r.Has("type") || len(r.Ask) == 0) && !c.mayLoosen(r.At, "[[code]]")
	for _, list := range []struct {
		texts  []Text
		method bool
	}{{r.Calls, r.Has("type")}, {r.Static, false}} {
		for _, t := range list.texts {
			name, rest, ok := strings.Cut(t.Value, "(")
			if _, err := facts.ParseSignature("(" + rest); !ok || err != nil || !areNames(name) {
				why := `write it like "load(read, *) -> plain"`
				if err != nil {
					why = err.Error()
				}
				c.errorf(t.At, why, "%q says nothing about a call", t.Value)
				continue
			}
			for one := range strings.SplitSeq(name, "|") {
				dot := ""
				if list.method {
					dot = "."
				}
				add(prefix+one, dot+"("+rest)
			}
		}
	}
	for _, t := range r.Values {
		name, of, ok := strings.Cut(t.Value, ":")
		if _, err := facts.ParseType(strings.TrimSpace(of)); !ok || err != nil || !areNames(name) {
			c.errorf(t.At, `write it like "sep: str"`, "%q says nothing about a value", t.Value)
			continue
		}
		for one := range strings.SplitSeq(name, "|") {
			add(prefix+one, ": "+strings.TrimSpace(of))
		}
	}
	ask := facts.Ask{Reason: r.Reason.Value, Effects: effects(r.Effects)}
	ask.Reach, _ = policy.ParseReach(r.Reach.Value)
	if len(r.Ask) > 0 {
		c.checkAsk(r)
	}
	for _, t := range r.Ask {
		if t.Value == "*" {
			add(owner, ask.String())
			continue
		}
		add(prefix+t.Value, ask.String())
	}
	if loosens {
		lines = slices.DeleteFunc(lines, func(l string) bool { return !strings.Contains(l, "\t! ") })
	}
	return lines
}

func (c *compiler) checkAsk(r *CodeRow) {
	if r.Reason.Value == "" || strings.HasSuffix(r.Reason.Value, ".") {
		c.errorf(r.At, `reason = "what it does, for the person who is asked", without a full stop`, "[[code]] asks without a \"reason\"")
	}
}

// areNames reports whether a text is one or several names with | between them.
func areNames(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.|*") == ""
}
