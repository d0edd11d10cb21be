package session

import "github.com/bashgate/bashgate/engine"

// Changed lists the files at or below dirs that a session wrote which had seen
// untrusted content.
func (s Store) Changed(dirs []string) (list []engine.Place, known bool) {
	events, _, damage := s.files().read()
	for _, e := range current(events) {
		for _, dir := range dirs {
			if e.Corruption > 0 && (below(e.What, dir) || below(dir, e.What) || e.Pattern && mayRead(engine.Place{Path: dir}, &e)) {
				list = append(list, engine.Place{Path: e.What, Pattern: e.Pattern})
			}
		}
	}
	return list, damage == ""
}
