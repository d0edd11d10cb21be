//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// rows reads a file of finds.
func rows(t *testing.T, file string) (all []find) {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		var row find
		if err := json.Unmarshal(in.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		all = append(all, row)
	}
	if len(all) == 0 && file != "testdata/open.jsonl" {
		t.Errorf("%s has no rows", file)
	}
	return all
}

// TestRegressions judges the lines that once started something unseen.
func TestRegressions(t *testing.T) {
	j := newJudge(fixture)
	for _, row := range rows(t, "testdata/regressions.jsonl") {
		v := j.verdict(row.Line, row.Shell)
		switch row.Want {
		case "not_allow":
			if v.Decision == policy.Allow {
				t.Errorf("%s: %q is allowed: %s", row.Shell, row.Line, row.Note)
			}
		case "allow":
			if v.Decision != policy.Allow {
				t.Errorf("%s: %q asks: %s", row.Shell, row.Line, v.Reason)
			}
		default:
			t.Errorf("%q wants %q", row.Line, row.Want)
		}
	}
}

func TestMatches(t *testing.T) {
	lit := func(s string) policy.Word { return policy.Const(s) }
	parts := func(p ...policy.Part) policy.Word { return policy.Word{Parts: p} }
	rows := []struct {
		words []policy.Word
		argv  []string
		want  bool
	}{
		{[]policy.Word{lit("ls"), lit("-l")}, []string{"ls", "-l"}, true},
		{[]policy.Word{lit("ls")}, []string{"ls", "-l"}, false},
		{[]policy.Word{lit("ls"), lit("-l")}, []string{"ls"}, false},
		{[]policy.Word{lit("ls"), parts(policy.Part{Kind: policy.Hole})}, []string{"ls", "x y"}, true},
		{[]policy.Word{lit("ls"), parts(policy.Part{Kind: policy.Hole})}, []string{"ls", "x", "y"}, false},
		{[]policy.Word{lit("ls"), policy.UnknownWords("$x")}, []string{"ls"}, true},
		{[]policy.Word{lit("ls"), policy.UnknownWords("$x"), lit("z")}, []string{"ls", "a", "b", "z"}, true},
		{[]policy.Word{lit("ls"), parts(policy.Part{Text: "a"}, policy.Part{Kind: policy.Hole}, policy.Part{Text: "c"})}, []string{"ls", "abc"}, true},
		{[]policy.Word{lit("ls"), parts(policy.Part{Text: "a"}, policy.Part{Kind: policy.Hole}, policy.Part{Text: "c"})}, []string{"ls", "abd"}, false},
		{[]policy.Word{lit("cat")}, []string{"ls"}, false},
		{[]policy.Word{parts(policy.Part{Kind: policy.Hole})}, []string{"ls"}, false},
	}
	for _, r := range rows {
		if got := matches(r.words, started{Path: "/bin/" + r.argv[0], Argv: r.argv}); got != r.want {
			t.Errorf("matches(%v, %q) = %v, want %v", r.words, r.argv, got, r.want)
		}
	}
}

func TestShrink(t *testing.T) {
	line := "echo a; echo b && danger x | wc"
	got := shrink(line, func(s string) bool { return len(s) >= 6 && s[:1] == "e" })
	if len(got) != 6 {
		t.Errorf("shrink left %q", got)
	}
}
