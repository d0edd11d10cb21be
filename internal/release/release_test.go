package main

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
)

// pretend is a release of all targets whose programs are small texts.
func pretend(t *testing.T) *release {
	t.Helper()
	r, err := parse([]string{"-version", "v1.2.3-rc.1", "-revision", "8f2c", "-date", "1764172800", t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	r.work = t.TempDir()
	write := func(name string) {
		path := filepath.Join(r.work, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, to := range targets {
		for _, p := range programs {
			write("bin/" + to.String() + "/" + to.program(p))
		}
	}
	write("share/doc/bashgate/LICENSE")
	write("share/doc/bashgate/README.md")
	write("share/man/man1/bashgate.1")
	return r
}

func TestVersions(t *testing.T) {
	for _, v := range []string{"v0.1.0", "v10.0.7", "v1.0.0-rc.1"} {
		if !isVersion(v) {
			t.Errorf("%q is a version", v)
		}
	}
	for _, v := range []string{"", "v", "0.1.0", "v1.0", "v01.0.0", "v1.0.0.0", "v1.0.0-", "v1.0.0+x", "v1.0.0-a/b", "v1.-0.0", "v+1.0.0"} {
		if isVersion(v) {
			t.Errorf("%q is no version", v)
		}
	}
}

// What package managers read names files of the release alone, each with its
// sum, and every target is in what is for its system.
func TestManifests(t *testing.T) {
	r := pretend(t)
	for _, stage := range []func() error{r.archives, r.npm, r.manifests, r.sums} {
		if err := stage(); err != nil {
			t.Fatal(err)
		}
	}
	read := func(name string) string {
		content, err := os.ReadFile(filepath.Join(r.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	formula, scoop, container, sums := read("bashgate.rb"), read("bashgate.json"), read("Containerfile"), read("SHA256SUMS")
	for _, to := range targets {
		for _, p := range programs {
			name := r.archiveName(p, to)
			sum, err := r.sum(name)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(sums, sum+"  "+name+"\n") {
				t.Errorf("SHA256SUMS lacks %s", name)
			}
			for manifest, wants := range map[*string]bool{&formula: to.os == "darwin" || to.os == "linux", &scoop: to.os == "windows"} {
				if strings.Contains(*manifest, "/v1.2.3-rc.1/"+name+`"`) != wants || strings.Contains(*manifest, sum) != wants {
					t.Errorf("%s and its sum: in a manifest that is for others, or not in its own:\n%s", name, *manifest)
				}
			}
			if generic := strings.ReplaceAll(name, to.arch, "${TARGETARCH}"); strings.Contains(container, generic) != (to.os == "linux") {
				t.Errorf("the container's recipe and %s:\n%s", generic, container)
			}
		}
	}
	scoopKnows(t, scoop)
}

// scoopKnows wants the form of Scoop's manifests, as its wiki "App Manifests" has
// it: url, hash and extract_dir are lists of one length, a hash is a SHA-256, and
// what bin names lies in the archives.
func scoopKnows(t *testing.T, text string) {
	t.Helper()
	type architecture struct {
		URL        []string `json:"url"`
		Hash       []string `json:"hash"`
		ExtractDir []string `json:"extract_dir"`
	}
	var m struct {
		Version      string                  `json:"version"`
		Description  string                  `json:"description"`
		Homepage     string                  `json:"homepage"`
		License      string                  `json:"license"`
		Architecture map[string]architecture `json:"architecture"`
		Bin          []string                `json:"bin"`
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	if m.Version != "1.2.3-rc.1" || m.Description == "" || m.Homepage == "" || m.License != "MIT" || len(m.Architecture) != 2 {
		t.Errorf("a manifest lacks something:\n%s", text)
	}
	sum := regexp.MustCompile(`^[0-9a-f]{64}$`)
	for word, a := range m.Architecture {
		if word != "64bit" && word != "arm64" || len(a.URL) != len(programs) || len(a.Hash) != len(a.URL) || len(a.ExtractDir) != len(a.URL) {
			t.Errorf("%s: %+v", word, a)
			continue
		}
		for i, url := range a.URL {
			if !strings.HasPrefix(url, "https://") || path.Base(url) != a.ExtractDir[i]+".zip" || !sum.MatchString(a.Hash[i]) {
				t.Errorf("%s: %s, %s, %s", word, url, a.ExtractDir[i], a.Hash[i])
			}
		}
	}
	var bin []string
	for _, p := range programs {
		bin = append(bin, "bin/"+target{"windows", "amd64"}.program(p))
	}
	if !slices.Equal(m.Bin, bin) {
		t.Errorf("bin is %q, want %q", m.Bin, bin)
	}
}

// npm installs nothing by scripts, and the package of a machine by its words.
func TestNPM(t *testing.T) {
	r := pretend(t)
	if err := r.npm(); err != nil {
		t.Fatal(err)
	}
	packages, err := filepath.Glob(filepath.Join(r.dir, "npm_*.tgz"))
	if err != nil || len(packages) != len(targets)+1 {
		t.Fatalf("%d packages, %v", len(packages), err)
	}
	names, optional := []string{}, map[string]string{}
	for _, path := range packages {
		var p struct {
			Name, Version string
			OS, CPU       []string
			Scripts       map[string]string
			Optional      map[string]string `json:"optionalDependencies"`
		}
		if err := json.Unmarshal(unpack(t, path)["package/package.json"], &p); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if p.Version != "1.2.3-rc.1" || len(p.Scripts) > 0 {
			t.Errorf("%s: version %s, scripts %v", path, p.Version, p.Scripts)
		}
		if p.Name == "bashgate" {
			optional = p.Optional
			continue
		}
		names = append(names, p.Name)
		if want := "@bashgate/" + strings.Join(append(p.OS, p.CPU...), "-"); p.Name != want {
			t.Errorf("%s is for %s", p.Name, want)
		}
	}
	for _, name := range names {
		if optional[name] != "1.2.3-rc.1" {
			t.Errorf("bashgate needs %s %q", name, optional[name])
		}
	}
	if len(optional) != len(names) || !slices.Contains(names, "@bashgate/win32-x64") {
		t.Errorf("bashgate needs %v, and there are %v", optional, names)
	}
}

func unpack(t *testing.T, path string) map[string][]byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if !h.ModTime.Equal(time.Unix(1764172800, 0)) || h.Uid != 0 || h.Uname != "" {
			t.Errorf("%s: %s is of %v and %q", path, h.Name, h.ModTime, h.Uname)
		}
		if files[h.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
}

func TestBill(t *testing.T) {
	modules := map[string]*debug.Module{
		"example.com/a": {Path: "example.com/a", Version: "v1.0.0", Sum: "h1:x"},
		"example.com/b": {Path: "example.com/b", Version: "v2.0.0", Replace: &debug.Module{Path: "example.com/c", Version: "v3.0.0"}},
	}
	b := newBOM("v0.1.0", "go1.26.8", time.Unix(1764172800, 0).UTC(), modules)
	if err := b.check(); err != nil {
		t.Error(err)
	}
	var purls []string
	for _, c := range b.Components {
		purls = append(purls, c.PURL)
	}
	want := []string{"pkg:golang/stdlib@1.26.8", "pkg:golang/example.com/a@v1.0.0", "pkg:golang/example.com/c@v3.0.0"}
	if !slices.Equal(purls, want) {
		t.Errorf("components %q, want %q", purls, want)
	}
	for what, spoil := range map[string]func(*bom){
		"a component without a version": func(b *bom) { b.Components[1].Version = "" },
		"one twice":                     func(b *bom) { b.Components[1] = b.Components[0] },
		"one that nothing is":           func(b *bom) { b.Dependencies[0].DependsOn[0] = "x" },
		"no time":                       func(b *bom) { b.Metadata.Timestamp = "" },
		"no format":                     func(b *bom) { b.Format = "" },
	} {
		b := newBOM("v0.1.0", "go1.26.8", time.Unix(0, 0).UTC(), modules)
		if spoil(b); b.check() == nil {
			t.Errorf("%s passes", what)
		}
	}
}
