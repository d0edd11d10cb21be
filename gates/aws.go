package gates

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// filesOfAws finds the files that glued values name: --filters=file://f.json.
// An operation's options are too many to declare, and values that are words of
// their own are operands, about which rules speak.
func filesOfAws(c *match.Call) {
	for _, w := range c.Cmd.Words {
		name, value, glued := strings.Cut(w.Prefix(), "=")
		if !glued || !strings.HasPrefix(name, "--") {
			continue
		}
		path, isFile := strings.CutPrefix(value, "file://")
		if !isFile {
			path, isFile = strings.CutPrefix(value, "fileb://")
		}
		if !isFile {
			continue
		}
		file := policy.Const(path)
		if _, known := w.Const(); !known {
			file = policy.Word{Parts: []policy.Part{{Text: path}, {Kind: policy.Hole, Text: w.String()}}, Pos: w.Pos}
		}
		c.Uses = append(c.Uses, match.Use{Kind: match.Read, Word: file})
	}
}
