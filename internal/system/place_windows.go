package system

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// Windows says that this is Windows: paths have drives, and names no case.
const Windows = true

// Getenv is a variable of this process's environment. HOME is the user's profile
// where nothing else is, and a path as Windows writes it.
func Getenv(name string) string {
	value := os.Getenv(name)
	if name == "HOME" {
		if value = Native(value); !filepath.IsAbs(value) {
			return os.Getenv("USERPROFILE")
		}
	}
	return value
}

// Admin is the directory of the administrator's files. The system is asked, for
// anybody can set a variable.
func Admin() string {
	dir, err := windows.KnownFolderPath(windows.FOLDERID_ProgramData, 0)
	if err != nil {
		dir = `C:\ProgramData`
	}
	return filepath.Join(dir, "bashgate")
}

// Config is the directory of the user's programs' settings where no variable that
// all systems know names one; "" where nothing does.
func Config(getenv func(string) string) string { return absolute(getenv("APPDATA")) }

// State is likewise for what programs remember.
func State(getenv func(string) string) string { return absolute(getenv("LOCALAPPDATA")) }

func absolute(dir string) string {
	if !filepath.IsAbs(dir) {
		return ""
	}
	return dir
}

// ProgramEndings are what a program's file may have behind the name that commands
// call it by.
var ProgramEndings = [...]string{"", ".exe", ".com", ".cmd", ".bat"}
