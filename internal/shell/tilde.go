package shell

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// assignee returns how long the beginning of a text is that looks like the one
// of an assignment with a value: a= or a+=. It is 0 if there is none.
func assignee(s string) int {
	name, value, ok := strings.Cut(s, "=")
	if name = strings.TrimSuffix(name, "+"); !ok || name == "" || isDigits(name[:1]) || !isName(name) {
		return 0
	}
	return len(s) - len(value)
}

// tilde adds what "~" at the start of a text stands for, and returns the rest.
// more says that the word goes on after the text. What is not known stays as
// it is written, so that rules can see whose home is meant.
func (r *run) tilde(b *builder, s string, more bool) string {
	if !strings.HasPrefix(s, "~") {
		var home bool
		if s, home = r.assignedHome(b, s); !home {
			return s
		}
	}
	if b.either {
		end := strings.IndexAny(s+"/", "/:")
		b.part(policy.Part{Kind: policy.Hole, Text: s[:end], Shape: policy.ShapePaths})
		return s[end:]
	}
	ends := "/"
	if b.assign || r.surely(homeColons) {
		ends = "/:"
	}
	end := strings.IndexAny(s, ends)
	if colon := strings.IndexAny(s, "/:"); r.may(homeColons) && !r.surely(homeColons) && colon >= 0 && colon != end {
		b.part(policy.Part{Kind: policy.Hole, Text: s[:colon]}) // the name ends there to bash alone
		return s[colon:]
	}
	first, _, _ := strings.Cut(s, "/")
	if !b.assign && end >= 0 && s[end] == ':' && (more || strings.Contains(first, `\`)) { // ~:"" and ~:\a are text to bash
		b.part(policy.Part{Kind: policy.Hole, Text: s[:end]})
		return s[end:]
	}
	open := end < 0 && more // the name may go on in another part: ~"root"
	if end < 0 {
		end = len(s)
	}
	if (open || strings.Contains(s[:end], `\`)) && r.may(namedPlaces) {
		r.report(policy.Finding{ID: idZsh, Reason: "a home to zsh, whose name is quoted, and text to other shells", Source: s, Pos: b.pos})
	}
	if open {
		return s // ~$x is not expanded
	}
	b.open = true
	if !r.addNamed(b, s[:end]) {
		return s
	}
	return s[end:]
}

// addNamed adds what "~" and a name stand for. It reports false for a user that may not
// be there.
func (r *run) addNamed(b *builder, s string) bool {
	name := s[1:]
	switch {
	case strings.Contains(name, "=") && b.split && r.may(assignedText):
		// In x=~root=~ bash takes both for homes, in ~=~ the first if another
		// follows, in ~=x none.
		b.part(policy.Part{Kind: policy.Hole, Text: s, Shape: policy.ShapePaths})
	case r.zshNamed(b, name):
	case name == "":
		r.addHome(b)
	case isPlace(name) && r.may(plainOnly): // bash as sh knows them, dash does not
		b.part(policy.Part{Kind: policy.Hole, Text: s})
	case name == "+":
		r.addPwd(b, s)
	case name == "-" && len(r.f.old) == 1 && r.get("OLDPWD") == nil:
		b.lit(r.f.old[0])
	case isPlace(name):
		b.part(policy.Part{Kind: policy.Hole, Text: s}) // pushd -n puts any text there
	default:
		r.zshFails() // an error to zsh if there is no such user
		return false
	}
	return true
}

// assignedHome adds the beginning of a word up to a home behind what looks like an
// assignment, and returns the rest. It reports whether there is a home.
func (r *run) assignedHome(b *builder, s string) (string, bool) {
	// echo a=~/x:~/y: bash expands what looks like an assignment.
	if b.assign || !b.split || b.leading || !r.may(assignedText) {
		return s, false
	}
	name := assignee(s)
	if name == 0 {
		return s, false
	}
	b.assign, b.either = true, !r.surely(assignedText)
	if name == len(s) || s[name] != '~' {
		return s, false
	}
	b.lit(s[:name])
	return s[name:], true
}

// isPlace reports whether a tilde before the name stands for a directory of
// the stack or of the shell itself.
func isPlace(name string) bool {
	return name != "" && (name[0] >= '0' && name[0] <= '9' || name[0] == '+' || name[0] == '-')
}

func (r *run) addHome(b *builder) {
	if v := r.get("HOME"); v != nil {
		if s, known := v.value.Const(); !known || s == "" || v.set != policy.Yes || v.attrs&arrayAttrs != 0 {
			b.part(policy.Part{Kind: policy.Split, Text: "~", Shape: policy.ShapePaths}) // a word of nothing is none
			return
		}
		b.value(v.value, "~")
		return
	}
	if r.in.Home != "" {
		b.lit(r.in.Home)
		return
	}
	b.lit("~")
}

// addPwd adds the directory by a name of it. Where that is not known it may be any
// text: PWD and OLDPWD are variables like others.
func (r *run) addPwd(b *builder, source string) {
	if len(r.f.dirs) == 1 && r.get("PWD") == nil {
		b.lit(r.f.dirs[0])
		return
	}
	b.part(policy.Part{Kind: policy.Hole, Text: source})
}
