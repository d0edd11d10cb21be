package gates

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// makesDatabase judges a database that is not there as a file that is written:
// whoever opens it makes an empty one, even to look at its tables. In the
// workspace that matters only where a name has a meaning: .git/index.lock.
func makesDatabase(c *match.Call) {
	if c.World == nil {
		return
	}
	for i, w := range c.Cmd.Words {
		// Behind an option it may be that option's value.
		if text, _ := w.Const(); (text == "-readonly" || text == "--readonly") && !strings.HasPrefix(c.Cmd.Words[i-1].Prefix(), "-") {
			return
		}
	}
	for _, u := range c.Uses {
		if u.Kind != match.Read || u.Word.Text == ":memory:" {
			continue
		}
		file := u.Word
		switch c.World.Place(file, match.File, u.Dirs) {
		case policy.Yes:
			continue
		case policy.Maybe: // what is known of it says where it lies
			file = policy.Word{Text: file.Prefix(), Pos: file.Pos}
		}
		kind := match.Arg
		if c.World.Place(file, match.Outside, u.Dirs) != policy.No {
			kind = match.Write
		}
		c.Uses = append(c.Uses, match.Use{Kind: kind, Word: u.Word, Dirs: u.Dirs})
		return
	}
}
