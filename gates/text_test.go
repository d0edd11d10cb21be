package gates

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// reader is the shape of all language readers.
type reader func(policy.Word, *match.Call) match.Reading

// row is one text and what a reader must say of it. The answer is "ok" for a
// harmless text, "ask ID" for a question, and "KIND word" for each use:
//
//	"read in.txt; run ls -l; ask sed.execute"
type row struct {
	text string
	want string
}

// describe writes a reading as a row has it.
func describe(r match.Reading) string {
	var parts []string
	for _, u := range r.Uses {
		parts = append(parts, kindName(u.Kind)+" "+plain(u.Word))
	}
	if r.Decision != policy.Skip {
		parts = append(parts, r.Decision.String()+" "+r.ID)
	}
	if parts == nil {
		return "ok"
	}
	return strings.Join(parts, "; ")
}

func kindName(k match.Kind) string {
	switch k {
	case match.Read:
		return "read"
	case match.Write:
		return "write"
	case match.Delete:
		return "delete"
	case match.Script:
		return "script"
	case match.Run:
		return "run"
	case match.URL:
		return "url"
	case match.Host:
		return "host"
	case match.Code:
		return "code"
	}
	return "kind"
}

// plain writes a word without quotes, its unknown parts as <source>.
func plain(w policy.Word) string {
	if text, ok := w.Const(); ok {
		return text
	}
	var b strings.Builder
	for _, p := range w.Parts {
		switch p.Kind {
		case policy.Lit:
			b.WriteString(p.Text)
		case policy.Glob:
			b.WriteString("{" + p.Text + "}")
		default:
			b.WriteString("<" + p.Text + ">")
		}
	}
	return b.String()
}

// spell makes a word of a row's text: <#n> is an unknown number, <n> an
// unknown text that stays in the word, <*n> one that may split it.
func spell(text string) policy.Word {
	if !strings.Contains(text, "<") {
		return policy.Const(text)
	}
	var parts []policy.Part
	for {
		before, rest, ok := strings.Cut(text, "<")
		name, after, closed := strings.Cut(rest, ">")
		if !ok || !closed || strings.Trim(name, "#*abcdefghijklmnopqrstuvwxyz") != "" || name == "" {
			break
		}
		if before != "" {
			parts = append(parts, policy.Part{Text: before})
		}
		hole := policy.Part{Kind: policy.Hole, Text: "$" + strings.Trim(name, "#*")}
		if name[0] == '#' {
			hole.Shape = policy.ShapeNumber
		} else if name[0] == '*' {
			hole.Kind = policy.Split
		}
		parts = append(parts, hole)
		text = after
	}
	if parts == nil {
		return policy.Const(text)
	}
	if text != "" {
		parts = append(parts, policy.Part{Text: text})
	}
	return policy.Word{Parts: parts}
}

func checkRows(t *testing.T, read reader, program string, rows []row) {
	t.Helper()
	for _, r := range rows {
		c := &match.Call{Name: program, Cmd: &policy.Command{}}
		got := read(spell(r.text), c)
		if describe(got) != r.want {
			t.Errorf("%s %q\n got %s\nwant %s", program, r.text, describe(got), r.want)
		}
		if got.Decision != policy.Skip && (got.ID == "" || got.Reason == "") {
			t.Errorf("%s %q: a question without id or reason", program, r.text)
		}
	}
}

// strictness orders readings: harmless, with uses, asking.
func strictness(r match.Reading) int {
	switch {
	case r.Decision != policy.Skip:
		return 2
	case r.Uses != nil:
		return 1
	}
	return 0
}

func TestFlatten(t *testing.T) {
	for _, r := range []struct {
		text string
		ok   bool
	}{
		{"plain", true},
		{"two\nlines\tand a tab", true},
		{"a <#n> b", true},
		{"a <n> b", false},
		{"a <*n> b", false},
		{"carriage\rreturn", false},
		{"nul\x00", false},
		{"mark\x01", false},
		{"delete\x7f", false},
		{"not utf-8 \xff", false},
		{"é", true},
		{"", true},
	} {
		c, ok := flatten(spell(r.text))
		if ok != r.ok {
			t.Errorf("%q: scannable = %t, want %t", r.text, ok, r.ok)
		}
		if ok && plain(c.word(0, len(c.text))) != plain(spell(r.text)) {
			t.Errorf("%q: came back as %q", r.text, plain(c.word(0, len(c.text))))
		}
	}
	c, _ := flatten(spell("a<#n>b<#m>c"))
	if got := plain(c.word(2, 4)); got != "b<$m>" {
		t.Errorf("a piece of a text is %q", got)
	}
	glob := policy.Word{Parts: []policy.Part{{Kind: policy.Glob, Text: "*"}}}
	if _, ok := flatten(glob); ok {
		t.Error("a glob was taken for text")
	}
}

func TestBracket(t *testing.T) {
	for _, r := range []struct {
		text string
		end  int
		ok   bool
	}{
		{"[a]b", 3, true},
		{"[]]b", 3, true},
		{"[^]]b", 4, true},
		{"[[]b", 3, true},
		{"[[:alpha:]x]b", 12, true},
		{`[\]]`, 3, true},
		{"[a", 0, false},
		{"[a\n]", 0, false},
		{"[[.x.]]", 0, false},
		{"[[=x=]]", 0, false},
		{"[[:x]]", 0, false},
		{"[", 0, false},
		{"[^", 0, false},
		{"[[", 0, false},
	} {
		end, ok := bracket(r.text, 0)
		if ok != r.ok || ok && end != r.end {
			t.Errorf("%q: %d, %t, want %d, %t", r.text, end, ok, r.end, r.ok)
		}
	}
}

func TestMaxUses(t *testing.T) {
	r := sed(policy.Const(strings.Repeat("w x\n", maxUses+1)), nil)
	if len(r.Uses) != maxUses || r.ID != "code.limit" {
		t.Errorf("%d uses and %q", len(r.Uses), r.ID)
	}
}
