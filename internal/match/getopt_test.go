package match

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/policy"
	"github.com/google/go-cmp/cmp"
)

// getoptShort and getoptLong are the table below as getopt(1) wants it.
const (
	getoptShort = "ab:c::d8x:"
	getoptLong  = "all,bytes:,color::,colour-map,output:,outline,out-dir:,x-ray,quiet"
)

func getoptProgram() *Program {
	o := func(spelling string, arity Arity) Option {
		return Option{Spellings: spelling, Arity: arity, Kind: Data}
	}
	p := &Program{Name: "p", Dashes: DashesEnd, Levels: []Level{{Table: &Table{Options: []Option{
		o("-a", NoValue), o("-b", Value), o("-c", Glued), o("-d", NoValue), o("-8", NoValue), o("-x", Value),
		o("--all", NoValue), o("--bytes", Value), o("--color", Optional), o("--colour-map", NoValue),
		o("--output", Value), o("--outline", NoValue), o("--out-dir", Value), o("--x-ray", NoValue), o("--quiet", NoValue),
	}}}}}
	p.Prepare()
	return p
}

// TestGetopt reads random argument vectors with our parser and with getopt(1)
// of util-linux, which is GNU getopt_long: both must find the same options,
// values and operands.
func TestGetopt(t *testing.T) {
	find(t)
	words := []string{
		"-", "--", "", "a", "f.txt", "-a", "-b", "-c", "-d", "-8", "-x", "-ad", "-ab", "-abx", "-ca", "-c=1", "-b=2", "-dc", "-q", "-aq", "-bq",
		"--all", "--al", "--a", "--bytes", "--bytes=3", "--by", "--bytes=", "--color", "--color=always", "--col", "--colo", "--color=", "--colour",
		"--output", "--outp=x", "--out", "--ou", "--outl", "--out-", "--out-d=y", "--o", "--x", "--quiet", "--q", "--frob", "--frob=1", "---", "--=x", "-é", "a b", "'",
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 600 {
		args := make([]string, r.IntN(6))
		for i := range args {
			args[i] = words[r.IntN(len(words))]
		}
		compareGetopt(t, args)
	}
}

// FuzzGetopt is TestGetopt for arguments that the fuzzer makes up; they are
// separated by newlines.
func FuzzGetopt(f *testing.F) {
	find(f)
	for _, s := range []string{"-ab\nx\n--output=f\n--\n-a", "--outp\n-b\n-c1\n-8d", "--col=\n-xb\n\n-"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.ContainsRune(s, 0) {
			return
		}
		compareGetopt(t, strings.Split(s, "\n"))
	})
}

func find(t testing.TB) {
	if out, err := exec.Command("getopt", "-V").Output(); err != nil || !bytes.Contains(out, []byte("util-linux")) {
		t.Skip("NOT RUN: getopt(1) of util-linux is not on this machine, nothing checks the reading of GNU options")
	}
}

func compareGetopt(t *testing.T, args []string) {
	t.Helper()
	cmd := exec.Command("getopt", slices.Concat([]string{"-q", "-s", "sh", "-o", getoptShort, "-l", getoptLong, "--"}, args)...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, "POSIXLY_CORRECT=") })
	out, err := cmd.Output()
	refused := false
	if _, ok := errors.AsType[*exec.ExitError](err); ok {
		refused = true
	} else if err != nil {
		t.Fatal(err)
	}

	command := &policy.Command{Words: []policy.Word{policy.Const("p")}}
	for _, a := range args {
		command.Words = append(command.Words, policy.Const(a))
	}
	var c Call
	c.Cmd = command
	c.read(getoptProgram())
	defeated := c.defeat.stage != nearNone && c.defeat.stage != nearHidden // getopt believes the table
	var got []string
	lenient := false // we read what getopt refuses for its values
	for _, f := range c.flags {
		if f.shadow || f.opt == nil {
			continue
		}
		got = append(got, f.name)
		switch {
		case f.opt.Arity == NoValue:
			lenient = lenient || f.has
		case f.opt.Arity == Value && !f.has:
			lenient = true
		default:
			got = append(got, f.value.Text)
		}
	}
	got = append(got, "--")
	for _, o := range c.operands {
		got = append(got, o.word.Text)
	}
	switch {
	case refused != (defeated || lenient):
		t.Errorf("%q: getopt refuses it: %v; we: %v", args, refused, defeated)
	case refused:
	default:
		if diff := cmp.Diff(unquoted(string(out)), got); diff != "" {
			t.Errorf("%q: getopt and we differ (-getopt +we):\n%s", args, diff)
		}
	}
}

// unquoted reads the words that getopt -s sh prints.
func unquoted(s string) []string {
	var words []string
	var b strings.Builder
	in, open := false, false
	s = strings.TrimSuffix(s, "\n")
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\'':
			in, open = true, !open
		case open:
			b.WriteByte(c)
		case c == '\\':
			i++
			b.WriteByte(s[i])
		case c == ' ':
			if in {
				words = append(words, b.String())
			}
			b.Reset()
			in = false
		default:
			in = true
			b.WriteByte(c)
		}
	}
	if in {
		words = append(words, b.String())
	}
	return words
}
