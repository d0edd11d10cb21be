package system

import "strings"

// Slash writes a path of this system as the shells of agents do, which is how
// commands name files: on Windows C:\\Users\\me is /c/Users/me there, and all other
// systems name it as it is. What is no absolute path stays.
func Slash(path string) string {
	if !Windows || len(path) < 2 {
		return path
	}
	if letter := path[0] | 0x20; path[1] == ':' && letter >= 'a' && letter <= 'z' && (len(path) == 2 || path[2] == '\\' || path[2] == '/') {
		return "/" + string(letter) + strings.ReplaceAll(path[2:], `\`, "/")
	}
	if strings.HasPrefix(path, `\\`) {
		return strings.ReplaceAll(path, `\`, "/")
	}
	return path
}

// Native is the way back from Slash. What names no drive, /tmp or /usr/bin, lies
// where the shell was installed, which nobody tells: it is a path to nothing.
func Native(path string) string {
	if !Windows || !strings.HasPrefix(path, "/") {
		return path
	}
	switch letter := path[min(1, len(path)-1)] | 0x20; {
	case strings.HasPrefix(path, "//"):
		return strings.ReplaceAll(path, "/", `\`)
	case letter >= 'a' && letter <= 'z' && (len(path) == 2 || path[2] == '/'):
		return string(letter) + `:\` + strings.ReplaceAll(strings.TrimPrefix(path[2:], "/"), "/", `\`)
	}
	return nowhere + strings.ReplaceAll(path, "/", `\`)
}

// nowhere is among the devices, where there is none of that name.
const nowhere = `\\.\bashgate-none`
