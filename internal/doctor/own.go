package doctor

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/bashgate/bashgate/internal/session"
	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/policy"
)

// State looks at the directory in which it is remembered what sessions have
// seen.
func (m *Machine) State() []Finding {
	var list []Finding
	add := func(l Level, file, what, fix string) {
		list = append(list, Finding{Check: "record", Level: l, File: file, What: what, Fix: fix})
	}
	store, err := session.Open(m.Getenv)
	if err != nil {
		add(Fail, "", "what sessions have seen can't be remembered: "+err.Error(), "set HOME")
		return list
	}
	shown := m.Show(store.Dir)
	info, err := os.Stat(store.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if !Writable(store.Dir) {
			add(Fail, shown, "it is not there and can't be made: "+shown, "make it")
			return list
		}
		add(OK, shown, "no session has a record yet", "")
		return list
	case err != nil:
		add(Fail, shown, "it can't be read: "+policy.Visible(err.Error()), "mend the directory")
		return list
	case !info.IsDir() || !Writable(store.Dir):
		add(Fail, shown, "nothing can be written to "+shown+": what would show something does not run", "chown or chmod "+shown)
		return list
	case system.Perm(store.Dir, info)&0o022 != 0:
		add(Fail, shown, "others can write what sessions have seen: "+system.Perm(store.Dir, info).String()+" "+shown, "chmod 700 "+shown)
		return list
	case system.Perm(store.Dir, info)&0o077 != 0:
		add(Warn, shown, "others can read what sessions have seen: "+system.Perm(store.Dir, info).String()+" "+shown, "chmod 700 "+shown)
	}
	names, err := store.Names()
	if err != nil {
		add(Fail, shown, "the records can't be read: "+policy.Visible(err.Error()), "mend the directory")
		return list
	}
	for _, name := range names[:min(1, len(names))] { // the one that changed last
		if damage := store.Read(name).Damage; damage != "" {
			add(Warn, shown, "the record of the last session counts as having seen everything: "+policy.Visible(damage), "a new session, or bashgate taint clear "+policy.Visible(name))
		}
	}
	switch {
	case len(list) > 0:
	case len(names) == 0:
		add(OK, shown, "no session has a record yet", "")
	default:
		add(OK, shown, "what "+plural(len(names), "session")+" saw is remembered in "+shown, "")
	}
	return list
}

// Writable reports whether this user may write to a file or a directory, or make
// it and the directories above it.
func Writable(path string) bool {
	_, err := os.Stat(path)
	for err != nil && path != filepath.Dir(path) {
		path = filepath.Dir(path)
		var info os.FileInfo
		if info, err = os.Stat(path); err == nil && !info.IsDir() {
			return false
		}
	}
	return err == nil && system.Writable(path) == nil
}
