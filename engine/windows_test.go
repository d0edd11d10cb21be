package engine

import (
	"testing"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/policy"
)

func TestWindowsPath(t *testing.T) {
	for text, want := range map[string]string{
		`C:\Users\me`: "/c/Users/me", "C:/Users/me": "/c/Users/me", "/c/Users/me": "/c/Users/me", "/C/Users": "/C/Users",
		`D:\`: "/d/", `C:`: "/c/", "/w/C:/Users": "/c/Users", `/w/C:\Users`: "/c/Users", `//?/C:/x`: "/c/x",
		"/c/w/.env.": "/c/w/.env", "/c/w/.env. ": "/c/w/.env", "/c/w/.env::$DATA": "/c/w/.env", "/c/w/../x": "/c/w/../x",
		"/c/w/./x": "/c/w/./x", "/c/w/...": "/c/w/...", "/c/a~b": "/c/a~b", "/c/notes~12345678": "/c/notes~12345678", "x~": "x~",
	} {
		if text == "/C/Users" {
			want = "/c/Users"
		}
		if got, known := windowsPath(text); got != want || !known {
			t.Errorf("%q is %q (known: %v), want %q", text, got, known, want)
		}
	}
	for _, text := range []string{"C:x", "/w/C:Users", "/c/w/:x"} {
		if got, known := windowsPath(text); known {
			t.Errorf("%q is known: %q", text, got)
		}
	}
}

// TestWindows: whatever name of Windows a file is given, it is the same file.
func TestWindows(t *testing.T) {
	var files disk.Memory
	files.Mkdir("/c/Users/me/w")
	files.WriteFile("/c/Users/me/w/.env", "TOKEN=x")
	files.WriteFile("/c/Users/me/w/SECRET~1.PEM", "") // as the disk answers to a short name
	e := New(Options{Files: &files, Windows: true})
	decide := func(command string) Verdict {
		return e.Evaluate(Request{Command: command, Cwd: "/c/Users/me/w", Workspace: "/c/Users/me/w", Home: "/c/Users/me", Shell: "bash"})
	}
	for command, want := range map[string]policy.Decision{
		"git status":                                policy.Allow,
		"git.exe status":                            policy.Allow,
		"GIT.EXE status":                            policy.Allow,
		"git show HEAD~1":                           policy.Allow,
		"git diff HEAD~2 -- src":                    policy.Allow,
		"git log main~3..":                          policy.Allow,
		"git.cmd status":                            policy.Ask, // a script
		"cat src/main.go":                           policy.Allow,
		`cat 'src\main.go'`:                         policy.Allow,
		"cat C:/Users/me/w/main.go":                 policy.Allow,
		`cat 'C:\Users\me\w\main'`:                  policy.Allow,
		`cat '\\server\share\x'`:                    policy.Ask,
		"cat //server/share/x":                      policy.Ask,
		`cat '\\?\UNC\server\x'`:                    policy.Ask,
		"git -C //server/share log":                 policy.Ask,
		"rm -rf C:/":                                policy.Block,
		`rm -rf 'C:\'`:                              policy.Block,
		`rm -rf 'c:\windows'`:                       policy.Block,
		"rm -rf /c":                                 policy.Block,
		"rm -rf /C/WINDOWS":                         policy.Block,
		"rm -rf /d/*":                               policy.Block,
		"rm -rf C:/Users/me":                        policy.Block,
		"rm -rf c:/users/ME":                        policy.Block,
		"rm -rf C:/Users/other":                     policy.Block,
		"cd C:/ && rm -rf *":                        policy.Block,
		`cd 'C:\' && rm -rf Windows`:                policy.Block,
		"rm.exe -rf /c/Users":                       policy.Block,
		`cd C:\Users && rm -rf x`:                   policy.Ask, // bash takes the backslash: it is C:Users
		"rm -rf C:x":                                policy.Ask,
		"touch C:/x":                                policy.Ask,
		`"C:\Program Files\Git\bin\git.exe" status`: policy.Allow,
		`'C:\tools\git.exe' status`:                 policy.Ask,
	} {
		if v := decide(command); v.Decision != want {
			t.Errorf("%s: %v, want %v: %s", command, v.Decision, want, v.Reason)
		}
	}
	// One secret by all its names.
	for _, name := range []string{
		".env", ".ENV", "'.env.'", "'.env::$DATA'", "'.env '", `'C:\Users\me\w\.env'`, "/c/users/me/w/.Env", "C:/USERS/ME/W/.ENV",
		"~/.ssh/id_rsa", "~/.SSH/ID_RSA", `'C:\Users\me\.ssh\id_rsa'`, `'C:\Users\other\.ssh\id_rsa'`, `'\\?\C:\Users\me\.ssh\id_rsa'`,
		`'~\.ssh\id_rsa'`, "C:/Users/me/AppData/Roaming/gcloud/credentials.db", "~/appdata/roaming/gh/hosts.yml",
	} {
		v := decide("cat " + name)
		if v.Decision != policy.Ask || v.Effects&policy.Secret == 0 {
			t.Errorf("cat %s: %v, %v: %s", name, v.Decision, v.Effects, v.Reason)
		}
	}
	// A short name may be that of any file.
	if v := decide("cat SECRET~1.PEM"); v.Decision != policy.Ask {
		t.Errorf("a short name: %v", v.Decision)
	}
}
