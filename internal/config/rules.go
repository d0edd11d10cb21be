package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/ruleset"
)

// UserRules returns the directory of the user's rule files, or "".
func UserRules(getenv func(string) string) string {
	dir := Dir(getenv)
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "rules")
}

// ProjectRules returns the directory of a project's rule files, or "".
func ProjectRules(workspace string) string {
	if !filepath.IsAbs(workspace) {
		return ""
	}
	return filepath.Join(workspace, ".bashgate", "rules")
}

// Rules loads the rule files of a directory, which need not exist. It returns
// the rules of the files that are whole, nil if there are none, and what is
// wrong with the others: an error of type ruleset.Errors, of reading, or both
// joined. Known is only called if there is a file.
func Rules(dir string, layer ruleset.Layer, known func() ruleset.Known) (*interp.Rules, error) {
	files, err := Files(dir, layer)
	if len(files) == 0 {
		return nil, err
	}
	gates, compileErr := ruleset.Compile(files, known())
	if compileErr != nil {
		err = errors.Join(err, compileErr)
	}
	if len(gates) == 0 {
		return nil, err
	}
	return interp.New(gates), err
}

// Files reads the rule files of a directory, in the order of their names. It
// returns those that can be read, and the errors of the others.
func Files(dir string, layer ruleset.Layer) ([]*ruleset.File, error) {
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var files []*ruleset.File
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) != ".toml" || entry.IsDir() {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		text, readErr := disk.OS{}.ReadFile(path, maxFile)
		if readErr != nil {
			err = errors.Join(err, readErr)
			continue
		}
		files = append(files, ruleset.Load(path, text, layer))
	}
	return files, err
}
