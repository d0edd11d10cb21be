//go:build unix

package system

import "os"

// Windows says that this is Windows: paths have drives, and names no case.
const Windows = false

// Getenv is a variable of this process's environment.
func Getenv(name string) string { return os.Getenv(name) }

// Admin is the directory of the administrator's files.
func Admin() string { return "/etc/bashgate" }

// Config is the directory of the user's programs' settings where no variable that
// all systems know names one; "" for what lies below the home on this system.
func Config(func(string) string) string { return "" }

// State is likewise for what programs remember.
func State(func(string) string) string { return "" }

// ProgramEndings are what a program's file may have behind the name that commands
// call it by.
var ProgramEndings = [...]string{""}
