package task

// Remote is another repository that one knows by a name.
type Remote struct{ Name, URL string }

// Remotes lists the remotes that the configuration of a directory's own
// repository names; none where it can't be read, or rewrites addresses.
func Remotes(q Query, dir string) (list []Remote) {
	if q.Cache == nil {
		q.Cache = new(Cache)
	}
	s := search{Query: q}
	repository, ok := s.repository(dir)
	if !ok {
		return nil
	}
	rewritten := false
	s.gitConfig(repository, func(_ string, e gitEntry) {
		switch {
		case e.section == "remote" && e.key == "url":
			list = append(list, Remote{e.sub, e.value})
		case e.section == "url":
			rewritten = true
		}
	})
	if rewritten || len(s.Problems) > 0 {
		return nil
	}
	return list
}
