package match

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
)

var kindNames = [...]string{
	"flag", "data", "acts", "name", "path", "read", "write", "delete", "move", "source", "target",
	"dir", "host", "url", "image", "sent", "arg", "env", "script", "command", "run", "code", "task",
}

// String returns the word used in rule files.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "kind?"
}

// ParseKind reads a kind as rule files write it: "read", "code.sed". It
// reports false for any other word.
func ParseKind(s string) (k Kind, lang string, ok bool) {
	if lang, ok := strings.CutPrefix(s, "code."); ok {
		return Code, lang, lang != ""
	}
	for i, name := range kindNames[:Code] {
		if s == name {
			return Kind(i), "", true
		}
	}
	return Flag, "", false
}

// harmless reports whether a value of the kind may be anything.
func (k Kind) harmless() bool {
	return k == Flag || k == Data || k == Name || k == Path || k == Read || k == Arg
}

// judged reports whether the engine has something to judge in a value.
func (k Kind) judged() bool { return k != Flag && k != Data && k != Acts }

// values lists all kinds that the option's value may have.
func (o *Option) values() []ValueKind {
	all := make([]ValueKind, 0, len(o.Cases())+len(o.Multi())+1)
	all = append(all, o.Cases()...)
	for _, m := range o.Multi() {
		all = append(all, ValueKind{Kind: m.Kind, Lang: m.Lang})
	}
	if len(o.Multi()) == 0 {
		all = append(all, ValueKind{Kind: o.Kind, Lang: o.Lang()})
	}
	return all
}

// cases is a set of an option's kinds: bit i stands for Cases[i], bit
// len(Cases) for the option's own.
type cases uint64

// maxCases is how many kinds by value are told apart; values that fit none of
// them have the option's own kind.
const maxCases = 63

// judge tells which kinds a value has: one where it is known, else all that
// it may have.
func (o *Option) judge(w policy.Word, has bool) cases {
	n := min(len(o.Cases()), maxCases)
	if !has {
		return 1 << n
	}
	var set cases
	for i := range o.Cases()[:n] {
		switch anyGlobWord(o.Cases()[i].Values, w) {
		case policy.Yes:
			return set | 1<<i
		case policy.Maybe:
			set |= 1 << i
		}
	}
	return set | 1<<n
}

// kind returns the ith kind of a set, and whether it is in there.
func (o *Option) kind(set cases, i int) (Kind, string, bool) {
	if set&(1<<i) == 0 {
		return Flag, "", false
	}
	if i < min(len(o.Cases()), maxCases) {
		return o.Cases()[i].Kind, o.Cases()[i].Lang, true
	}
	return o.Kind, o.Lang(), true
}

// acts reports whether the option, or the value it has, may be one that is
// never harmless by itself.
func (f *flag) acts() bool {
	o := f.opt
	if o == nil {
		return false
	}
	if len(o.Cases()) == 0 {
		return o.Kind == Acts
	}
	set := o.judge(f.value, f.has)
	for i := range min(len(o.Cases()), maxCases) + 1 {
		if k, _, ok := o.kind(set, i); ok && k == Acts {
			return true
		}
	}
	return false
}

// harmless reports whether all that the option may mean is harmless.
func (f *flag) harmless() bool {
	for _, v := range f.opt.values() {
		if !v.Kind.harmless() {
			return false
		}
	}
	return true
}
