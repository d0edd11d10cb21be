package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// launcher starts the program of the package that is for the machine.
//
//go:embed launcher.js
var launcher []byte

// npmWords are Node's names where they are not Go's.
var npmWords = strings.NewReplacer("amd64", "x64", "windows", "win32")

// npmName names the package that holds a machine's programs.
func npmName(t target) string {
	return "@bashgate/" + npmWords.Replace(t.os+"-"+t.arch)
}

// npmPackage is what a package.json says; maps are written sorted.
type npmPackage map[string]any

// npm writes the package bashgate, which holds the launcher, and one for each
// target with its programs. npm installs of the latter, which are optional, the
// one whose "os" and "cpu" are the machine's, and nothing is run to install.
func (r *release) npm() error {
	common := func(name, description string) npmPackage {
		return npmPackage{
			"name": name, "version": r.number(), "description": description, "license": "MIT",
			"homepage": source, "repository": map[string]string{"type": "git", "url": "git+" + source + ".git"},
		}
	}
	optional := map[string]string{}
	for _, t := range r.targets {
		optional[npmName(t)] = r.number()
		p := common(npmName(t), "The programs of bashgate for "+t.os+" on "+t.arch)
		p["os"], p["cpu"] = []string{npmWords.Replace(t.os)}, []string{npmWords.Replace(t.arch)}
		p["preferUnplugged"] = true // a program can't be run out of an archive
		var files []file
		for _, name := range programs {
			name = t.program(name)
			files = append(files, file{"bin/" + name, filepath.Join(r.work, "bin", t.String(), name), 0o755})
		}
		if err := r.npmArchive("bashgate-"+npmWords.Replace(t.os+"-"+t.arch), p, files); err != nil {
			return err
		}
	}
	path := filepath.Join(r.work, "launcher.js")
	if err := os.WriteFile(path, launcher, 0o644); err != nil {
		return err
	}
	p := common("bashgate", summary)
	p["bin"] = map[string]string{"bashgate": "bin/bashgate.js"}
	p["engines"] = map[string]string{"node": ">=16"}
	p["optionalDependencies"] = optional
	return r.npmArchive("bashgate", p, []file{{"bin/bashgate.js", path, 0o755}})
}

// npmArchive writes npm_NAME_VERSION.tgz.
func (r *release) npmArchive(name string, p npmPackage, files []file) error {
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	path := filepath.Join(r.work, "package.json")
	if err := os.WriteFile(path, append(text, '\n'), 0o644); err != nil {
		return err
	}
	doc := filepath.Join(r.work, "share/doc/bashgate")
	files = append(files, file{"package.json", path, 0o644},
		file{"LICENSE", filepath.Join(doc, "LICENSE"), 0o644}, file{"README.md", filepath.Join(doc, "README.md"), 0o644})
	for i := range files {
		files[i].name = "package/" + files[i].name
	}
	content, err := packGzip(files, r.date)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.dir, fmt.Sprintf("npm_%s_%s.tgz", name, r.number())), content, 0o644)
}
