package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/edit"
)

// maxFile is how large a file of settings may be, in bytes. What is no file, a
// pipe say, is not read at all.
const maxFile = 64 << 20

// Options are what the user wants.
type Options struct {
	Program    string // absolute path of this program
	Unattended bool   // nobody is there to be asked
	Prompts    bool   // the agent asks its user where the hook says nothing
	FailClosed bool   // the agent denies where the hook fails, if it knows how
	// Policy writes the rules for the agent's own engine into a file's text;
	// nil = no such file.
	Policy func(existing []byte) ([]byte, error)
}

// Change is what becomes of one file.
type Change struct {
	Path    string
	Host    string
	Existed bool
	Before  []byte
	After   []byte
	Gone    bool // the file is removed
	// Left says that hooks of bashgate's stay in the file that were there
	// before install.
	Left bool

	mode  fs.FileMode
	clean func(text, before []byte) ([]byte, error) // takes out what is bashgate's; nil = nothing is left
}

// Changes reports whether the file becomes another one.
func (c *Change) Changes() bool {
	if c.Gone {
		return c.Existed
	}
	return !c.Existed || !bytes.Equal(c.Before, c.After)
}

// Diff shows the change as a unified diff, "" if there is none.
func (c *Change) Diff(p Place) string {
	from, to := p.Show(c.Path), p.Show(c.Path)
	if !c.Existed {
		from = os.DevNull
	}
	if c.Gone {
		to = os.DevNull
	}
	return edit.Diff(string(c.Before), string(c.After), from, to)
}

// Plan is what installing in a scope would change. Nothing is written. Files
// that are already as they should be are in it too.
func (a *Agent) Plan(p Place, s Scope, o Options) ([]*Change, error) {
	if !a.Has(s) {
		return nil, fmt.Errorf("%s has no hooks in the settings of %s\nhint: %s", a.Title,
			[...]string{"a user", "a project"}[s], [...]string{"--project writes a project's", "leave --project away"}[s])
	}
	var changes []*Change
	for _, f := range a.files(p, s) {
		c, err := a.change(f.path)
		if err != nil {
			return nil, err
		}
		name := p.Show(f.path)
		if c.After, err = f.shape.put(a, f.event, c.Before, name, &o); err != nil {
			return nil, err
		}
		c.mode = f.shape.mode(s)
		c.clean = func(text, before []byte) ([]byte, error) { return f.shape.take(text, before, name) }
		changes = append(changes, c)
	}
	if o.Policy == nil {
		return changes, nil
	}
	path := a.PolicyPlace(p, s)
	at := slices.IndexFunc(changes, func(c *Change) bool { return c.Path == path })
	if at < 0 {
		c, err := a.change(path)
		if err != nil {
			return nil, err
		}
		c.After, c.mode = c.Before, (&shape{}).mode(s)
		changes, at = append(changes, c), len(changes)
	}
	c := changes[at]
	after, err := o.Policy(c.After)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Show(path), err)
	}
	c.After, c.clean = after, a.cleaner(c.clean, p.Show(path))
	return changes, nil
}

// PolicyPlace is the file of the agent's own engine in a scope, or "".
func (a *Agent) PolicyPlace(p Place, s Scope) string {
	path := a.Policy
	if s == Project {
		path = a.ProjectPolicy
	}
	if path == "" {
		return ""
	}
	return p.Expand(path)
}

func (a *Agent) change(path string) (*Change, error) {
	text, err := disk.OS{}.ReadFile(path, maxFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return &Change{Path: path, Host: a.Host, Existed: err == nil, Before: text}, nil
}

// Removal is what uninstalling in a scope would change. Nothing is written.
func (a *Agent) Removal(p Place, s Scope, store Store) ([]*Change, error) {
	var changes []*Change
	add := func(path string, clean func(text, before []byte) ([]byte, error)) error {
		c, err := a.change(path)
		if err != nil || !c.Existed {
			return err
		}
		record, err := store.Find(path)
		if err != nil {
			return fmt.Errorf("%w\nhint: remove it; what is bashgate's is then taken out of the file as it is", err)
		}
		if record != nil && record.AfterHash == hash(c.Before) {
			c.After, c.Gone = record.Before, !record.Existed
		} else {
			var before []byte
			if record != nil {
				before = record.Before
			}
			if c.After, err = clean(c.Before, before); err != nil {
				return err
			}
			c.Gone = c.After == nil
		}
		entries, err := a.Entries(path, c.After, path)
		c.Left = err == nil && !c.Gone && len(entries) > 0
		changes = append(changes, c)
		return nil
	}
	policy := a.PolicyPlace(p, s)
	for _, f := range a.files(p, s) {
		name := p.Show(f.path)
		clean := func(text, before []byte) ([]byte, error) { return f.shape.take(text, before, name) }
		if f.path == policy {
			clean = a.cleaner(clean, name)
			policy = ""
		}
		if err := add(f.path, clean); err != nil {
			return nil, err
		}
	}
	if policy != "" {
		if err := add(policy, a.cleaner(nil, p.Show(policy))); err != nil {
			return nil, err
		}
	}
	slices.Reverse(changes) // directories go with the first file that was made in them
	return changes, nil
}

// Apply writes a change, if it is one, and its record. It is an error if the
// file has changed since the change was planned.
func (c *Change) Apply(store Store) error {
	if !c.Changes() {
		return nil
	}
	now, err := disk.OS{}.ReadFile(c.Path, maxFile)
	if existed := err == nil; existed != c.Existed || !bytes.Equal(now, c.Before) {
		return fmt.Errorf("%s has changed meanwhile\nhint: run the command again", c.Path)
	}
	path := edit.Target(c.Path)
	record, err := store.Find(path)
	if err != nil {
		return err
	}
	if record != nil && c.Existed && record.AfterHash != hash(c.Before) {
		// Edited since. What is not bashgate's is what to put back.
		before, err := c.clean(c.Before, record.Before)
		if err != nil {
			return err
		}
		record.Existed, record.Before = before != nil, before
	}
	if record == nil || !c.Existed {
		record = &Record{Path: path, Host: c.Host, Existed: c.Existed, Before: c.Before}
	}
	record.BeforeHash, record.AfterHash = hash(record.Before), hash(c.After)
	made, err := edit.MakeDirs(filepath.Dir(path), 0o755)
	if err != nil {
		return err
	}
	record.Made = append(made, record.Made...)
	if err := store.save(record); err != nil {
		return err
	}
	return edit.Replace(path, c.After, c.mode)
}

// Undo writes a change of Removal, if it is one, and forgets the record.
func (c *Change) Undo(store Store) error {
	path := edit.Target(c.Path)
	record, err := store.Find(path)
	if err != nil {
		return err
	}
	now, err := disk.OS{}.ReadFile(c.Path, maxFile)
	if err != nil || !bytes.Equal(now, c.Before) {
		return fmt.Errorf("%s has changed meanwhile\nhint: run the command again", c.Path)
	}
	switch {
	case c.Gone:
		err = os.Remove(path)
	case c.Changes():
		err = edit.Replace(path, c.After, 0o600)
	}
	if err != nil || record == nil {
		return err
	}
	if c.Gone {
		for _, dir := range record.Made {
			if os.Remove(dir) != nil {
				break // something else is in it
			}
		}
	}
	return store.forget(path)
}
