package layout_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/layout"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/internal/toml"
)

// hold wants the laws of what is TOML, and an error with a place of what is
// not.
func hold(t *testing.T, text string) {
	if _, err := toml.Parse([]byte(text)); err != nil {
		_, err := layout.Format([]byte(text), ruleset.Order)
		if wrong, ok := errors.AsType[*toml.Error](err); !ok || wrong.At.Line == 0 {
			t.Fatalf("%q: %v", text, err)
		}
		return
	}
	if err := laws(ruleFile{layer: ruleset.User}, []byte(text), ruleset.Known{}); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
}

func FuzzFormat(f *testing.F) {
	for _, text := range []string{
		"# a\n[[programs]]\nname = \"x\" # b\n[[programs.options]]\nflag = [ # c\n\"-a\", # d\n\n'-b']\nread=['-f']\nsubcommand='y'\n",
		"x = \"\"\"\\\n \"\"\"\"\"\ny = '''''''\nz = [[1,],{a=[2\n],}]\n", "a.b=1\r\n'c'.\"d\" = 2\n[ 'e#' . f ]\n\n\n[[g]]#h\n", "a = [1979-05-27 07:32:00 , 1e5,-inf]\n",
	} {
		f.Add(text)
	}
	f.Fuzz(hold)
}

// FuzzRuleFile changes a part of a rule file here and there: lines move,
// vanish, are joined and get comments and blanks.
func FuzzRuleFile(f *testing.F) {
	var parts [][]string
	for _, file := range ruleFiles(f) {
		tables := strings.Split(string(file.text), "\n[[programs]]")
		for i := range min(len(tables), 40) {
			part := tables[i]
			if i > 0 {
				part = "[[programs]]" + part
			}
			parts = append(parts, strings.SplitAfter(part+"\n", "\n"))
		}
	}
	for seed := range uint64(100) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		lines := append([]string{}, parts[r.IntN(len(parts))]...)
		for range r.IntN(8) {
			i, k := r.IntN(len(lines)), r.IntN(len(lines))
			switch r.IntN(9) {
			case 0:
				lines[i], lines[k] = lines[k], lines[i]
			case 1:
				lines[i] = strings.TrimSuffix(lines[i], "\n")
			case 2:
				lines[i] = "# note\n" + lines[i]
			case 3:
				lines[i] = strings.TrimSuffix(lines[i], "\n") + "\t# 'note\"\n"
			case 4:
				lines[i] += "\n\n"
			case 5:
				lines[i] = strings.Replace(lines[i], ", ", " ,\n\n  # in a list\n", 1+r.IntN(3))
			case 6:
				lines[i] = strings.Replace(lines[i], "[\"", "[ # first\n\"", 1)
			case 7:
				lines[i] = strings.ReplaceAll(lines[i], "\n", " \r\n")
			case 8:
				lines[i] = ""
			}
		}
		hold(t, strings.Join(lines, ""))
	})
}
