package cli

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/ruleset"
)

// variant is another set of rules that a history is judged by.
type variant struct {
	name    string
	judge   *judge
	profile string // "" = the one that is set
}

// variants are those that --with names, or else the built-in profiles.
func (r *replayer) variants() ([]variant, error) {
	names := r.options.with
	if len(names) == 0 {
		names = gates.Profiles[:]
	}
	var list []variant
	for _, name := range names {
		v, err := r.variant(name)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

func (r *replayer) variant(name string) (variant, error) {
	profiles := slices.Concat(gates.Profiles[:], r.ownProfiles())
	if slices.Contains(profiles, name) {
		return variant{name, r.judge, name}, nil
	}
	if !strings.HasSuffix(name, ".toml") {
		return variant{}, usagef("one of "+strings.Join(profiles, ", ")+", or a file: rules.toml", "--with: %q is no profile", name)
	}
	layers, err := readRules(r.process, &situation{cwd: r.here}, []string{name})
	if err != nil {
		return variant{}, err
	}
	j := newJudge(r.process)
	j.kept = map[string]loaded{}
	for _, rules := range layers {
		for _, fault := range rules.Faults() {
			return variant{}, fault.Err
		}
		if rules.Layer == ruleset.OwnProfiles {
			return variant{}, usagef("give the profile's name", "--with: %s is a profile", name)
		}
		if whole := rules.Whole(); whole != nil { // in its own place it may only tighten; here it is a proposal
			j.options.User = append(slices.Clone(j.options.User), whole)
		}
	}
	return variant{name, j, ""}, nil
}

// ownProfiles lists the user's profiles, and the administrator's.
func (r *replayer) ownProfiles() (names []string) {
	for _, f := range r.judge.setup.Profiles(builtIn).Files {
		names = append(names, f.Base())
	}
	return names
}
