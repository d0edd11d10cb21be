package ruleset

import (
	"fmt"
	"path"
	"strings"
)

// A program is named as the shell finds it, or by the file that it is:
//
//	acme                   found in PATH, or in a directory of the system
//	./scripts/check.sh     a file of the workspace, whichever way it is written
//	*/init.sh              one anywhere in the workspace
//	~/go/bin/*             one below the user's home directory
//	/opt/acme/bin/acme
//
// A bare name never means a path: ./acme is another program, which only the
// blocks of acme are about.

// programName checks a program's name.
func (c *compiler) programName(n Text) {
	name := n.Value
	if !strings.Contains(name, "/") {
		program, words, several := strings.Cut(name, " ")
		switch {
		case several && program != "" && strings.TrimSpace(words) == words && !strings.ContainsAny(name, "\t\n*-"):
			c.errorf(n.At, fmt.Sprintf("the program is %q; its rules say subcommand = %q", program, words), "%q is no name of a program", name)
		case strings.ContainsAny(name, " \t\n*"):
			c.errorf(n.At, "a program is named without blanks and wildcards", "%q is no name of a program", name)
		}
		return
	}
	rest, form := name, ""
	for _, prefix := range [...]string{"./", "~/", "*/", "/"} {
		if after, ok := strings.CutPrefix(name, prefix); ok {
			rest, form = after, prefix
			break
		}
	}
	switch {
	case c.Layer == BuiltIn || c.Layer == Packs || form == "":
		hint := "a program is named without its directory"
		if form == "" && !c.builtIn() {
			hint = `begin the path with ./ (the workspace), ~/ or /`
		}
		c.errorf(n.At, hint, "%q is no name of a program", name)
	case rest == "" || path.Clean("/"+rest) != "/"+rest || strings.ContainsAny(rest, "\n\t"):
		c.errorf(n.At, "write it without . and .. and doubled slashes", "%q is no plain path", name)
	case strings.Trim(rest, "*/") == "" && form != "~/" && form != "*/":
		c.errorf(n.At, "name a directory or a file", "%q is every file there is", name)
	}
}

// split parts names from paths.
func split(list []Text) (bare, files []string) {
	for _, name := range values(list) {
		if strings.Contains(name, "/") {
			files = append(files, name)
		} else {
			bare = append(bare, name)
		}
	}
	return bare, files
}

// workspaces checks globs over directories; all says that they are about the
// whole file.
func (c *compiler) workspaces(list Texts, all bool) []string {
	for _, t := range list {
		if g := strings.TrimPrefix(t.Value, "!"); g != "~" && !strings.HasPrefix(g, "/") && !strings.HasPrefix(g, "~/") && !strings.HasPrefix(g, "**/") {
			c.errorf(t.At, `begin it with /, ~/ or **/`, "%q is not absolute", t.Value)
		}
		if c.builtIn() || c.onlyTightens() && all {
			c.errorf(t.At, "", "only a user's file says in which workspaces it counts")
		}
	}
	return values(list)
}
