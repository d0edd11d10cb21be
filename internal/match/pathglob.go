package match

import "strings"

// PathGlob reports whether a path matches a glob of a paths table: * and the
// others stay inside one name, ** stands for any number of names.
//
//	/etc/**       everything below /etc
//	**/*.pem      any such name, anywhere
//	~/.ssh/id_*   names in that directory
func PathGlob(glob, path string) bool {
	for {
		if rest, ok := strings.CutPrefix(glob, "**/"); ok {
			if strings.HasPrefix(rest, "**/") {
				glob = rest
				continue
			}
			if !strings.Contains(rest, "/") {
				return rest == "**" || Glob(rest, path[strings.LastIndexByte(path, '/')+1:])
			}
			for {
				if PathGlob(rest, path) {
					return true
				}
				i := strings.IndexByte(path, '/')
				if i < 0 {
					return false
				}
				path = path[i+1:]
			}
		}
		if glob == "**" {
			return path != ""
		}
		g, p := strings.IndexByte(glob, '/'), strings.IndexByte(path, '/')
		if g < 0 || p < 0 {
			return g < 0 && p < 0 && Glob(glob, path)
		}
		if glob[:g] != path[:p] && !Glob(glob[:g], path[:p]) {
			return false
		}
		glob, path = glob[g+1:], path[p+1:]
	}
}
