package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
)

// nfpm writes packages of Linux distributions. It is run and not imported:
// with its 50 modules it would be the largest part of go.sum.
const nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.0"

// packages writes a deb, an rpm and an apk for each Linux, with both programs.
func (r *release) packages() error {
	for _, t := range r.targets {
		if t.os != "linux" {
			continue
		}
		files, err := r.files(t, programs...)
		if err != nil {
			return err
		}
		config, err := json.Marshal(r.nfpmConfig(t, files)) // JSON is YAML
		if err != nil {
			return err
		}
		path := filepath.Join(r.work, "nfpm_"+t.arch+".yaml")
		if err := os.WriteFile(path, config, 0o644); err != nil {
			return err
		}
		for _, kind := range []string{"deb", "rpm", "apk"} {
			to := filepath.Join(r.dir, archiveDir("bashgate", r.number(), t)+"."+kind)
			err := run("go", []string{"run", nfpm, "package", "--config", path, "--packager", kind, "--target", to},
				"GOFLAGS=", "SOURCE_DATE_EPOCH="+strconv.FormatInt(r.date.Unix(), 10))
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *release) nfpmConfig(t target, files []file) map[string]any {
	contents := []map[string]any{{ // rpm removes the directories that a package calls its own
		"dst": "/usr/share/doc/bashgate", "type": "dir",
		"file_info": map[string]any{"mode": 0o755, "mtime": r.date, "owner": "root", "group": "root"},
	}}
	for _, f := range files {
		contents = append(contents, map[string]any{
			"src": f.path, "dst": "/usr/" + f.name,
			"file_info": map[string]any{"mode": uint32(f.mode), "mtime": r.date, "owner": "root", "group": "root"},
		})
	}
	return map[string]any{
		"name": "bashgate", "arch": t.arch, "platform": "linux", "version": r.version,
		"section": "utils", "priority": "optional",
		"maintainer":  "The bashgate authors <bashgate@users.noreply.github.com>",
		"description": summary, "homepage": source, "license": "MIT",
		"mtime":    r.date,
		"contents": contents,
		// xz, of Go's library, is a tenth smaller than gzip, and every dpkg and rpm reads it.
		"deb": map[string]any{"compression": "xz"},
		"rpm": map[string]any{"compression": "xz", "buildhost": "localhost", "group": "Applications/System"},
	}
}
