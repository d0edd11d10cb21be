package engine

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// On Windows a file has many names: C:\Users\me, C:/Users/me and /c/Users/me, in any
// case, with dots and spaces behind each part, with a stream behind the file, with a
// short name of eight signs. All that is judged is the one that the shells of agents
// use, /c/Users/me; what can't be told to be one is not known.

// windowsPath is a path as shells on Windows have it. known is false where it may be
// another file, for all that the text tells.
func windowsPath(text string) (as string, known bool) {
	known = true
	parts := strings.Split(strings.ReplaceAll(text, `\`, "/"), "/")
	from, at := 0, ""
	for i, part := range parts {
		if len(part) < 2 || part[1] != ':' || !isLetter(part[0]) {
			continue
		}
		// A colon is in no name: whatever stands before it, a drive begins here.
		from, at = i+1, "/"+strings.ToLower(part[:1])
		if rest := part[2:]; rest != "" { // in the directory that this drive is at
			at, known = unknownDir+"/"+rest, false
		}
	}
	list := parts[from:]
	if at == "" && len(parts) > 1 && parts[0] == "" { // /C/Users
		for i := 1; i < len(list); i++ {
			if list[i] == "" {
				continue
			}
			if len(list[i]) == 1 && isLetter(list[i][0]) {
				list[i] = strings.ToLower(list[i])
			}
			break
		}
	}
	for i, part := range list {
		plain, _, stream := strings.Cut(part, ":") // .env::$DATA is .env
		if strings.Trim(plain, ".") != "" {
			plain = strings.TrimRight(plain, ". ")
		}
		if stream && plain == "" {
			plain, known = "*", false
		}
		list[i] = plain
	}
	as = strings.Join(list, "/")
	if at != "" {
		as = at + "/" + as
	}
	return as, known
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// short reports whether a name may be the short one of another: PROGRA~1.
func short(name string) bool {
	stem, ending, _ := strings.Cut(name, ".")
	before, number, found := strings.Cut(stem, "~")
	return found && before != "" && len(stem) <= 8 && len(ending) <= 3 && number != "" && strings.Trim(number, "0123456789") == ""
}

// share notes a path of another machine, which Windows asks for with the user's
// name and a proof of the password.
func (j *judge) share(text string) bool {
	text = strings.ReplaceAll(text, `\`, "/")
	if len(text) < 3 || text[:2] != "//" || text[2] == '/' {
		return false
	}
	if rest := text[2:]; strings.HasPrefix(rest, "?/") || strings.HasPrefix(rest, "./") {
		if rest = rest[2:]; len(rest) > 1 && rest[1] == ':' { // \\?\C:\x
			return false
		}
	}
	j.shared = text
	return true
}

// windowsDirs are the directories of a command, as those that it names are.
func windowsDirs(c *policy.Command) *policy.Command {
	var own *policy.Command
	for i, dir := range c.Dirs {
		as, known := windowsPath(dir)
		if as = path.Clean(as); as == dir && known {
			continue
		}
		if own == nil {
			copied := *c
			own = &copied
			own.Dirs = slices.Clone(c.Dirs)
		}
		if !known {
			own.Dirs = nil
			break
		}
		own.Dirs[i] = as
	}
	if own == nil {
		return c
	}
	return own
}

// windowsProgram is the name under which rules know a program of Windows, where
// names have endings and no case: Git.EXE is git. What an ending other than .exe
// stands for is a script, which may be called like any program.
func windowsProgram(name string) string {
	name = strings.ToLower(strings.ReplaceAll(name, `\`, "/"))
	return strings.TrimSuffix(name, ".exe")
}

// windowsHome writes a path below a user's directory on a drive as ~/...
func windowsHome(p string) (string, bool) {
	const users = "/users/"
	if len(p) < 2+len(users) || !isLetter(p[1]) || !strings.EqualFold(p[2:2+len(users)], users) {
		return "", false
	}
	_, rest, below := strings.Cut(p[2+len(users):], "/")
	if !below {
		return "~", true
	}
	return "~/" + rest, true
}

// shortened puts a star in the place of what is, or may be, the short name of a file
// that is there; HEAD~1 mostly is none.
func (j *judge) shortened(p string) (as string, known bool) {
	for at := 0; at < len(p); {
		end := strings.IndexByte(p[at:], '/')
		if end < 0 {
			end = len(p)
		} else {
			end += at
		}
		if name := p[at:end]; short(name) && (j.engine.opts.Files == nil || j.exists(path.Clean(p[:end]))) {
			return p[:at] + "*" + p[end:], false
		}
		at = end + 1
	}
	return p, true
}

// windowsForms are further names of a path by which rules know it: those of drives
// as the Linux subsystem names them, and programs keep in AppData what others keep
// in .config and .local/share.
func windowsForms(form string) (more []string) {
	form = strings.ToLower(form)
	if len(form) > 1 && form[0] == '/' && isLetter(form[1]) && (len(form) == 2 || form[2] == '/') {
		more = append(more, "/mnt"+form)
	}
	for _, dir := range [...]string{"~/appdata/roaming/", "~/appdata/local/"} {
		if rest, ok := strings.CutPrefix(form, dir); ok {
			more = append(more, "~/.config/"+rest, "~/.local/share/"+rest)
		}
	}
	return more
}

// gitDir reports whether Git's installer puts programs into a directory, written in
// small letters: those that its bash finds first, which only an administrator changes.
func gitDir(dir string) bool {
	dir, _ = windowsPath(dir)
	switch dir {
	case "/c/program files/git/bin", "/c/program files/git/cmd", "/c/program files/git/usr/bin", "/c/program files/git/mingw64/bin":
		return true
	}
	return false
}
