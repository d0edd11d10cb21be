package task

import (
	"slices"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

func pushed(config, head string, words ...string) match.Push {
	m := new(disk.Memory)
	m.WriteFile("/w/.git/config", config)
	m.WriteFile("/w/.git/HEAD", head)
	m.WriteFile("/w/.git/packed-refs", "# pack-refs with: peeled fully-peeled sorted\n0123 refs/heads/x\n0123 refs/tags/v1\n^0123\n0123 refs/remotes/origin/y\n")
	v := &match.Invocation{Program: "git", Path: []string{"push"}, Dirs: []string{"/w"}, Sure: true}
	for _, w := range words {
		v.Operands = append(v.Operands, policy.Const(w))
	}
	return Push(Query{Files: m, Call: v, Dir: "/w", Home: "/home/u"}, "/w")
}

const oneRemote = "[remote \"origin\"]\n\turl = git@git.example:a/b\n"

func TestPush(t *testing.T) {
	for _, test := range []struct {
		words    string
		branches string
		why      string
	}{
		{"", "main", ""},
		{"origin", "main", ""},
		{"origin HEAD", "main", ""},
		{"origin x", "x", ""},
		{"origin x main", "x main", ""},
		{"origin refs/heads/x", "x", ""},
		{"origin x:refs/heads/y", "y", ""},
		{"origin x:y", "y", "y need not be a branch there; refs/heads/y is"},
		{"origin v1", "v1", "v1 is not only a branch"},
		{"origin origin/y", "origin/y", "origin/y is not only a branch"},
		{"origin refs/tags/v1", "", "refs/tags/v1 is no branch"},
		{"origin tag v1", "v1", "tag is no branch"},
		{"origin x:refs/tags/x", "", "refs/tags/x is no branch"},
		{"origin :x", "x", "it deletes"},
		{"origin +x", "x", "it overwrites what is there"},
		{"origin :", "", "it deletes"},
		{"origin refs/heads/*", "", "it is not known what 'refs/heads/*' names"},
		{"origin ^x", "", "it is not known what ^x names"},
		{"other x", "x", "other is no remote of the configuration"},
		{"https://git.example/a/b x", "x", "https://git.example/a/b is no remote of the configuration"},
	} {
		p := pushed(oneRemote, "ref: refs/heads/main\n", strings.Fields(test.words)...)
		if got := strings.Join(p.Branches, " "); got != test.branches || p.Why != test.why || p.All != (test.why == "") {
			t.Errorf("git push %s: %q (%s), want %q (%s)", test.words, got, p.Why, test.branches, test.why)
		}
		if (p.Remote == "origin") != (strings.HasPrefix(test.words, "origin") || test.words == "") {
			t.Errorf("git push %s: to %q", test.words, p.Remote)
		}
	}
}

// TestBranchHere: a commit changes the branch that is checked out.
func TestBranchHere(t *testing.T) {
	for _, test := range []struct {
		head, words string
		branches    string
		why         string
	}{
		{"ref: refs/heads/main\n", "commit", "main", ""},
		{"ref: refs/heads/release/1.2\n", "merge x", "release/1.2", ""},
		{"ref: refs/heads/x\n", "rebase main", "x", ""},
		{"ref: refs/heads/x\n", "rebase x main", "main", ""},
		{"ref: refs/heads/x\n", "rebase x HEAD~1", "", "it is not known what 'HEAD~1' is"},
		{"0123456789\n", "commit", "", ""},
		{"0123456789\n", "rebase main", "", "no branch is checked out"},
		{"ref: refs/heads/main\n", "tag v1", "", "its words are not all known"},
	} {
		m := new(disk.Memory)
		m.WriteFile("/w/.git/config", "")
		m.WriteFile("/w/.git/HEAD", test.head)
		words := strings.Fields(test.words)
		v := &match.Invocation{Program: "git", Path: words[:1], Dirs: []string{"/w"}, Sure: true}
		for _, w := range words[1:] {
			v.Operands = append(v.Operands, policy.Const(w))
		}
		p := Push(Query{Files: m, Call: v, Dir: "/w", Home: "/home/u"}, "/w")
		if got := strings.Join(p.Branches, " "); got != test.branches || p.Why != test.why || p.All != (test.why == "") || p.Remote != "" {
			t.Errorf("git %s on %q: %q (%s), want %q (%s)", test.words, test.head, got, p.Why, test.branches, test.why)
		}
	}
}

func TestAddress(t *testing.T) {
	for _, same := range [][2]string{
		{"https://git.example/a/b.git", "git@git.example:a/b"},
		{"ssh://git@GIT.example/a/b", "git.example:a/b.git"},
	} {
		if address(same[0]) != address(same[1]) {
			t.Errorf("%s is %s, %s is %s", same[0], address(same[0]), same[1], address(same[1]))
		}
	}
	for _, other := range [][2]string{
		{"https://git.example/a/b", "https://evil.example/a/b"},
		{"https://git.example/a/b", "git@git.example:c/b"},
		{"https://git.example/a/b", "/srv/git.example/a/b"},
		{"file:///a/b", "https:///a/b"},
	} {
		if address(other[0]) == address(other[1]) {
			t.Errorf("%s is %s", other[0], other[1])
		}
	}
}

// FuzzPush checks that whatever stands in the configuration and the words, a
// push that is said to be all known changes branches, and at least one.
func FuzzPush(f *testing.F) {
	f.Add(oneRemote, "ref: refs/heads/main\n", "origin", "x")
	f.Add(oneRemote+"[push]\n\tdefault = matching\n", "0123", "origin", "+x:refs/heads/y")
	f.Add("[url \"a\"]\n\tinsteadOf = b\n", "ref: refs/heads/a\n", ".", ":")
	f.Fuzz(func(t *testing.T, config, head, remote, word string) {
		p := pushed(config, head, remote, word)
		if p.All && (len(p.Branches) == 0 || slices.ContainsFunc(p.Branches, func(b string) bool { return !isBranch(b) })) {
			t.Errorf("%q %q: %+v", remote, word, p)
		}
		if p.All && strings.ContainsAny(word, "+*^") {
			t.Errorf("%q: %+v", word, p)
		}
	})
}
