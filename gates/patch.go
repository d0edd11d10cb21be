package gates

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// patch reads what the agents' apply_patch tools are given: which files it
// adds, changes and removes.
//
//	*** Begin Patch
//	*** Update File: src/a.go
//	*** Move to: src/b.go
//	@@ func f() {
//	-	old
//	+	new
//	*** Delete File: c.go
//	*** End Patch
//
// Those that take it differ in where they allow blanks, so that whatever may
// be such a line is one. Unified diffs are read by their --- and +++ lines.
// Source: the parser of Codex' apply_patch.
func patch(text policy.Word, _ *match.Call) match.Reading {
	var out match.Reading
	unreadable := func() match.Reading {
		out.Decision, out.ID, out.Reason = policy.Ask, "patch.unreadable", "The patch may change more files than can be seen"
		out.Effects, out.Reach = policy.Writes, policy.ReachLocal
		return out
	}
	whole, ok := text.Const()
	if !ok {
		return unreadable()
	}
	headers := strings.Contains(whole, "*** Begin Patch")
	for line := range strings.Lines(whole) {
		kind, name, ok := match.Write, "", false
		if headers {
			kind, name, ok = patchHeader(line)
		} else {
			name, ok = diffHeader(line)
		}
		switch {
		case ok && name != "":
			out.Uses = append(out.Uses, match.Use{Kind: kind, Word: policy.Const(name)})
		case ok:
			return unreadable()
		}
	}
	if len(out.Uses) == 0 {
		return unreadable()
	}
	return out
}

// patchHeader reads a line that names a file. A header that is not known names
// none, and is one all the same.
func patchHeader(line string) (kind match.Kind, name string, header bool) {
	text := strings.TrimSpace(line)
	for _, h := range [...]struct {
		prefix string
		kind   match.Kind
	}{
		{"*** Add File:", match.Write}, {"*** Update File:", match.Write}, {"*** Delete File:", match.Delete}, {"*** Move to:", match.Write},
	} {
		if rest, ok := strings.CutPrefix(text, h.prefix); ok {
			return h.kind, strings.TrimSpace(rest), true
		}
	}
	switch text {
	case "*** Begin Patch", "*** End Patch", "*** End of File":
		return 0, "", false
	}
	return 0, "", strings.HasPrefix(line, "*** ")
}

// diffHeader reads a line of a unified diff that names a file. A line that is
// removed may look like one, and counts as one.
func diffHeader(line string) (name string, header bool) {
	line = strings.TrimRight(line, "\r\n")
	for _, prefix := range [...]string{"--- ", "+++ ", "rename from ", "rename to ", "copy to "} {
		rest, ok := strings.CutPrefix(line, prefix)
		if !ok {
			continue
		}
		name, _, _ = strings.Cut(rest, "\t")
		name = strings.TrimSpace(name)
		switch {
		case name == "/dev/null":
			return "", false
		case strings.HasPrefix(name, `"`):
			return "", true
		case strings.HasPrefix(name, "a/"), strings.HasPrefix(name, "b/"):
			name = name[2:]
		}
		return name, true
	}
	return "", false
}
