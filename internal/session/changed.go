package session

import (
	"strings"

	"github.com/bashgate/bashgate/engine"
)

// Changed lists the files at or below dirs that a session wrote which had seen
// untrusted content (at any level, weak counts too), and that may still hold
// what it wrote. known is false where no record can tell: the list is damaged.
// Of the directories above only those files count that lie in one of them
// itself, or among its modules: what tools look for from the bottom up.
func (s Store) Changed(dirs, above []string) (list []engine.Place, known bool) {
	if len(dirs) == 0 {
		return nil, true
	}
	where := &area{beside: above}
	for _, dir := range dirs {
		where.add(engine.Place{Path: strings.ToValidUTF8(dir, "\ufffd")})
	}
	where.add(engine.Place{Path: nowhere})
	found, damage := s.entries(where)
	if damage != "" {
		return nil, false
	}
	c := checker{}
	c.prepare(found, func(e *entry) bool { return e.Corruption > 0 })
	seen := map[engine.Place]bool{}
	for i := range found {
		e := &found[i]
		if p := (engine.Place{Path: e.What, Pattern: e.Pattern}); e.Corruption > 0 && !seen[p] && c.holds(e, nil) {
			seen[p] = true
			list = append(list, p)
		}
	}
	return list, true
}
