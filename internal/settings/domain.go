package settings

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
)

// Domain is the domain of a rule about fetching, in lower case and without the
// dot at its end; "" for one about every machine. One without domain: before it
// may be an address.
func (r *Rule) Domain() string {
	name, ok := strings.CutPrefix(r.Pattern, "domain:")
	if !ok {
		if _, rest, address := strings.Cut(name, "://"); address {
			name = rest
		}
		name, _, _ = strings.Cut(name, "/")
	}
	name = strings.TrimSuffix(strings.ToLower(strings.TrimSpace(name)), ".")
	if name == "*" {
		return ""
	}
	return name
}

// InDomain reports whether a deny or ask of a domain is about a machine, whose
// name is in lower case:
//
//	example.com       it and its subdomains
//	*.example.com     its subdomains, at any depth
//	api.*.com         one name in the star's place
//
// Claude Code means example.com alone by the first; what is forbidden there is
// hardly meant to be had from www.example.com.
func InDomain(domain, name string) bool {
	if parent, ok := strings.CutPrefix(domain, "*."); ok {
		labels := strings.Split(name, ".")
		for i := 1; i < len(labels); i++ {
			if sameLabels(parent, labels[i:]) {
				return true
			}
		}
		return false
	}
	if !strings.Contains(domain, "*") {
		return name == domain || strings.HasSuffix(name, "."+domain)
	}
	return sameLabels(domain, strings.Split(name, "."))
}

func sameLabels(domain string, labels []string) bool {
	globs := strings.Split(domain, ".")
	if len(globs) != len(labels) {
		return false
	}
	for i := range globs {
		if !match.Glob(plain(globs[i]), labels[i]) {
			return false
		}
	}
	return true
}
