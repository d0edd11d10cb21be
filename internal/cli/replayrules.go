package cli

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/ruleset"
)

// variant is another set of rules that a history is judged by.
type variant struct {
	name    string
	judge   *judge
	profile string // "" = the one that is set
}

// variants are those that --with names, or else the presets that are not in force.
func (r *replayer) variants() ([]variant, error) {
	var list []variant
	if len(r.options.with) == 0 {
		for _, name := range gates.Presets {
			if v := r.preset(name); !v.same(r.judge) {
				list = append(list, v)
			}
		}
	}
	for _, name := range r.options.with {
		v, err := r.variant(name)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// same reports whether a preset changes nothing.
func (v *variant) same(j *judge) bool {
	a, _ := v.judge.config.Choose("")
	b, _ := j.config.Choose("")
	return cmp.Or(a, "default") == cmp.Or(b, "default") && slices.Equal(v.judge.config.Packs, j.config.Packs)
}

// variant is what a name of --with means: a preset, a profile or a file.
func (r *replayer) variant(name string) (variant, error) {
	profiles := slices.Concat(gates.Profiles[:], r.ownProfiles())
	switch {
	case slices.Contains(gates.Presets[:], name):
		return r.preset(name), nil
	case slices.Contains(profiles, name):
		return variant{name, r.judge, name}, nil
	case !strings.HasSuffix(name, ".toml"):
		names := slices.Compact(slices.Sorted(slices.Values(slices.Concat(gates.Presets[:], profiles))))
		return variant{}, usagef("one of "+strings.Join(names, ", ")+", or a file: rules.toml", "--with: %q is no preset and no profile", name)
	}
	layers, err := readRules(r.process, &situation{cwd: r.here}, []string{name})
	if err != nil {
		return variant{}, err
	}
	v := variant{name: name, judge: newJudge(r.process)}
	v.judge.kept = map[string]loaded{}
	for _, rules := range layers {
		for _, fault := range rules.Faults() {
			return variant{}, fault.Err
		}
		if rules.Layer == ruleset.OwnProfiles {
			return variant{}, usagef("give the profile's name", "--with: %s is a profile", name)
		}
		if whole := rules.Whole(); whole != nil {
			v.judge.options.User = append(slices.Clone(v.judge.options.User), whole)
		}
	}
	return v, nil
}

func (r *replayer) preset(name string) variant {
	v := variant{name: name, judge: newJudgeOf(r.process, r.process.setupWith(name))}
	v.judge.kept = map[string]loaded{}
	return v
}

// ownProfiles lists the user's profiles, and the administrator's.
func (r *replayer) ownProfiles() (names []string) {
	for _, f := range r.judge.setup.Profiles(catalogue.Known).Files {
		names = append(names, f.Base())
	}
	return names
}
