package match

import "strings"

// PathGlob reports whether a path matches a glob of a paths table: * and the
// others stay inside one name, ** stands for any number of names. Time is
// linear in the path's names for each ** of the glob.
//
//	/etc/**       everything below /etc
//	**/*.pem      any such name, anywhere
//	~/.ssh/id_*   names in that directory
func PathGlob(glob, path string) bool {
	for i := 0; i < len(glob) && i < len(path) && !isWildcard(glob[i]); i++ {
		if glob[i] != path[i] {
			return false // nearly always
		}
	}
	// Only the last ** is ever moved, as the last star in Glob.
	star, from := "", "" // what follows the last **, and where it is tried
	for some := false; ; {
		if rest, ok := strings.CutPrefix(glob, "**/"); ok {
			if !strings.Contains(rest, "/") {
				return rest == "**" || Glob(rest, path[strings.LastIndexByte(path, '/')+1:])
			}
			some, glob, star, from = true, rest, rest, path
			continue
		}
		if glob == "**" && path != "" {
			return true
		}
		g, p := strings.IndexByte(glob, '/'), strings.IndexByte(path, '/')
		switch {
		case g < 0 && p < 0:
			return glob != "**" && Glob(glob, path)
		case p < 0:
			return false // fewer names than the glob has, wherever ** ends
		case g >= 0 && (glob[:g] == path[:p] || Glob(glob[:g], path[:p])):
			glob, path = glob[g+1:], path[p+1:]
			continue
		}
		i := strings.IndexByte(from, '/')
		if !some || i < 0 {
			return false
		}
		from = from[i+1:]
		glob, path = star, from
	}
}

// isWildcard reports whether a character is one of Wildcards.
func isWildcard(c byte) bool { return c == '*' || c == '?' || c == '[' || c == '\\' }
