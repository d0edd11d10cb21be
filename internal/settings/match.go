package settings

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Denied returns the strictest deny or ask rule about the shell that any of the
// texts meets, or nil. The texts are spellings of one simple command.
func Denied(s *Settings, texts ...string) *Rule {
	var found *Rule
	for i := range s.rules {
		r := &s.rules[i]
		if r.Tool != Shell || r.Decision == policy.Allow || found != nil && r.Decision <= found.Decision {
			continue
		}
		for _, text := range texts {
			if r.matches(text) {
				found = r
				break
			}
		}
	}
	return found
}

// Allowed returns the allow rule about the shell of the most trusted scope that the text of
// one simple command meets, or nil.
func Allowed(s *Settings, text string) *Rule {
	var found *Rule
	for i := range s.rules {
		r := &s.rules[i]
		if r.Tool == Shell && r.Decision == policy.Allow && (found == nil || r.Scope < found.Scope) && r.matches(text) {
			found = r
		}
	}
	return found
}

// matches reports whether a command's text meets the pattern:
//
//	npm test       exactly that
//	npm run:*      npm run, alone or with words after it
//	npm run *      the same
//	npm run*       anything that begins so
//	git * main     any text in place of the star
func (r *Rule) matches(text string) bool {
	p := r.Pattern
	if p == "" {
		return true
	}
	if prefix, ok := strings.CutSuffix(p, ":*"); ok {
		return wordPrefix(prefix, text)
	}
	if prefix, ok := strings.CutSuffix(p, " *"); ok && !strings.Contains(prefix, "*") {
		return wordPrefix(prefix, text)
	}
	return match.Glob(plain(p), text)
}

// plain makes all wildcards but the star plain text.
func plain(pattern string) string {
	if !strings.ContainsAny(pattern, `?[\`) {
		return pattern
	}
	return strings.NewReplacer("?", `\?`, "[", `\[`, `\`, `\\`).Replace(pattern)
}

func wordPrefix(prefix, text string) bool {
	prefix = strings.TrimRight(prefix, " ")
	if strings.Contains(prefix, "*") {
		prefix = plain(prefix)
		return match.Glob(prefix, text) || match.Glob(prefix+" *", text)
	}
	rest, ok := strings.CutPrefix(text, prefix)
	return ok && (rest == "" || rest[0] == ' ')
}
