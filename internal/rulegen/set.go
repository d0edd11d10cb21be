package rulegen

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
)

// set is all that the rule files say.
type set struct {
	all      []*ruleset.File
	builtIn  []*match.Gate
	profiles []*match.Gate
	packs    []*match.Gate
	code     []*match.Gate // what rules/code says of programming languages
	presets  []preset
	errs     ruleset.Errors
}

func (s *set) gates() []*match.Gate { return slices.Concat(s.builtIn, s.packs, s.profiles) }

// load reads and compiles rules, rules/packs, rules/profiles and reads
// rules/presets. The error is
// of reading; what is wrong with the rules is in errs.
func load(fsys fs.FS) (*set, error) {
	s := &set{}
	var known ruleset.Known
	for _, l := range []struct {
		dir   string
		layer ruleset.Layer
		gates *[]*match.Gate
	}{{"rules", ruleset.BuiltIn, &s.builtIn}, {"rules/packs", ruleset.Packs, &s.packs}, {"rules/profiles", ruleset.Profiles, &s.profiles}} {
		files, err := ruleset.LoadDir(fsys, l.dir, l.dir, l.layer)
		if err != nil {
			return nil, err
		}
		gates, err := ruleset.Compile(files, known)
		if errs, ok := errors.AsType[ruleset.Errors](err); ok {
			s.errs = append(s.errs, errs...)
		}
		*l.gates = gates
		s.all = append(s.all, files...)
		if l.layer == ruleset.BuiltIn {
			known = ruleset.KnownFrom(gates)
		}
	}
	files, err := ruleset.LoadDir(fsys, "rules/code", "rules/code", ruleset.BuiltIn)
	if err != nil {
		return nil, err
	}
	gates, err := ruleset.Compile(files, known)
	if errs, ok := errors.AsType[ruleset.Errors](err); ok {
		s.errs = append(s.errs, errs...)
	}
	s.code, s.all = gates, append(s.all, files...)
	presets, errs, err := loadPresets(fsys)
	s.presets, s.errs = presets, append(s.errs, errs...)
	return s, err
}
