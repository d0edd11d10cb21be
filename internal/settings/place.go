package settings

import (
	"path"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// The rules about files follow gitignore, with four ways to begin:
//
//	//etc/x          from the root of the file system
//	~/x              from the home directory
//	/x               from the settings' own place: the project, or ~/.claude for the user's file
//	x, ./x           from the current directory
//
// A name without a slash means such names at any depth, and whatever is named
// stands for all that is below it. A directory's name with /** behind it means
// one at any depth in a deny or ask, and the one in the current directory in
// an allow. Source: Claude Code's page about permissions, of its version 2.1.
//
// Where the pages leave a doubt, a deny or ask means more and an allow less:
// the current directory is the one of the command and the session's both for a
// deny, and the session's alone for an allow; braces stand for alternatives in
// a deny, and for themselves in an allow.

// Anchors are the directories that patterns begin at. Each is absolute, or ""
// where it is not known.
type Anchors struct{ Home, Workspace, Cwd string }

// Patterns that are longer or hold more stars than that are a problem: trying
// them could take longer than a hook has.
const (
	maxPattern = 1000 // bytes
	maxStars   = 5    // **
)

func tooMuch(pattern string) bool {
	return len(pattern) > maxPattern || strings.Count(pattern, "**") > maxStars
}

// Globs are the paths that a rule about files is about, as globs that
// match.PathGlob tries on absolute paths. A rule without a pattern has none:
// it is about every file.
func (r *Rule) Globs(a Anchors) []string {
	tightens := r.Decision > policy.Allow
	patterns := []string{r.Pattern}
	if tightens {
		patterns, _ = match.Braces(r.Pattern) // of too many it is all
	}
	var globs []string
	for _, p := range patterns {
		if p == "" || strings.HasPrefix(p, "!") {
			continue // an exception: others stay as strict as they are
		}
		from, rest, bare := r.anchors(p, a)
		for _, dir := range from {
			globs = append(globs, below(dir, rest, bare, tightens)...)
		}
	}
	return globs
}

// anchors tells where a pattern begins and what is left of it; bare says that
// a name alone means such names at any depth.
func (r *Rule) anchors(p string, a Anchors) (from []string, rest string, bare bool) {
	tightens := r.Decision > policy.Allow
	switch {
	case strings.HasPrefix(p, "//"):
		return []string{"/"}, p, false
	case p == "~" || strings.HasPrefix(p, "~/"):
		if a.Home == "" && tightens {
			return []string{"/~"}, p[1:], false // as the engine writes it then
		}
		return known(a.Home), p[1:], false
	case strings.HasPrefix(p, "/"):
		switch r.Scope {
		case User:
			return known(path.Join(a.Home, ".claude")), p, false
		case Moved:
			return append(known(a.Workspace), path.Dir(r.File)), p, false
		case Managed:
			if !tightens {
				return nil, p, false // nobody says where it would begin
			}
			return append(known(a.Workspace), path.Dir(r.File)), p, false
		}
		return known(a.Workspace), p, false
	}
	from = known(a.Workspace)
	if tightens && a.Cwd != a.Workspace {
		from = append(from, known(a.Cwd)...)
	}
	rest, dotted := strings.CutPrefix(p, "./")
	bare = !dotted || tightens
	for strings.HasPrefix(rest, "../") || rest == ".." {
		rest, bare = strings.TrimPrefix(rest[2:], "/"), false
		for i := range from {
			from[i] = path.Dir(from[i])
		}
	}
	return from, rest, bare
}

func known(dir string) []string {
	if dir == "" || !path.IsAbs(dir) {
		return nil
	}
	return []string{path.Clean(dir)}
}

// below lists the globs of what a pattern means in a directory.
func below(dir, pattern string, bare, tightens bool) []string {
	pattern = strings.TrimLeft(pattern, "/")
	inside := strings.HasSuffix(pattern, "/") // only what is in the directories that it names
	pattern = strings.TrimRight(pattern, "/")
	for strings.Contains(pattern, "**/**") {
		pattern = strings.ReplaceAll(pattern, "**/**", "**")
	}
	deep := bare && pattern != "" && !strings.Contains(pattern, "/")
	if name, ok := strings.CutSuffix(pattern, "/**"); ok {
		deep = tightens && bare && !strings.Contains(name, "/") && name != "**"
		pattern, inside = name, true
	} else if pattern == "**" {
		pattern, inside = "", true
	}
	dir = strings.TrimSuffix(plainDir(dir, tightens), "/")
	base := dir
	if pattern != "" {
		base += "/" + pattern
	}
	globs := []string{base + "/**"}
	if tightens || !inside {
		globs = append(globs, base)
	}
	if deep {
		globs = append(globs, dir+"/**/"+pattern+"/**")
		if tightens || !inside {
			globs = append(globs, dir+"/**/"+pattern)
		}
	}
	if tightens {
		for _, glob := range globs[:len(globs):len(globs)] {
			if lower := strings.ToLower(glob); lower != glob {
				globs = append(globs, lower)
			}
		}
	}
	for i, glob := range globs {
		if glob == "" {
			globs[i] = "/"
		}
	}
	return globs
}

// plainDir writes a directory so that its name means itself alone in a glob;
// in one that tightens, a wildcard may stand for a character that is one.
func plainDir(dir string, tightens bool) string {
	if !strings.ContainsAny(dir, `*?[]\{}()`) {
		return dir
	}
	var b strings.Builder
	for i := range len(dir) {
		switch {
		case strings.IndexByte(`*?[]\{}()`, dir[i]) < 0:
			b.WriteByte(dir[i])
		case tightens:
			b.WriteByte('?')
		default:
			b.WriteByte('\\')
			b.WriteByte(dir[i])
		}
	}
	return b.String()
}
