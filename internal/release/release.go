package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// source is where a release's files are published and what they are made of.
const source = "https://github.com/bashgate/bashgate"

// summary is short enough for Homebrew, which wants name and summary within 80 characters.
const summary = "Allow, ask or block for every command of a coding agent"

// programs are what is released, each in an archive of its own: the hook needs
// the first alone.
var programs = []string{"bashgate", "bashgated"}

// target is a kind of machine, in Go's words.
type target struct{ os, arch string }

var targets = []target{
	{"linux", "amd64"}, {"linux", "arm64"},
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"freebsd", "amd64"}, {"freebsd", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

func (t target) String() string { return t.os + "_" + t.arch }

// program is the file name of a program.
func (t target) program(name string) string {
	if t.os == "windows" {
		return name + ".exe"
	}
	return name
}

// release is one version, for some targets.
type release struct {
	version  string    // "v0.1.0", as Go and the tag write it
	revision string    // the commit; "" = unknown
	date     time.Time // of every file in it, in UTC
	dir      string    // where its files go
	work     string    // what they are made of: bin/OS_ARCH, share; gone afterwards
	targets  []target
}

func parse(args []string) (*release, error) {
	r := &release{targets: targets}
	flags := flag.NewFlagSet("release all", flag.ContinueOnError)
	flags.StringVar(&r.version, "version", "", "`v1.2.3`, or v1.2.3-rc.1")
	flags.StringVar(&r.revision, "revision", "", "the `commit` that it is built from")
	date := flags.String("date", "", "the `seconds` since 1970 that its files bear; absent: 1980, where zip begins")
	only := flags.String("targets", "", "for these `OS/ARCH` alone, with spaces between them")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if !isVersion(r.version) {
		return nil, fmt.Errorf("%q is no version\nhint: make release VERSION=v0.1.0", r.version)
	}
	seconds, err := strconv.ParseInt(cmp.Or(*date, "315532800"), 10, 64)
	if err != nil {
		return nil, fmt.Errorf("date: %w", err)
	}
	r.date = time.Unix(seconds, 0).UTC()
	if fields := strings.Fields(*only); len(fields) > 0 {
		r.targets = slices.DeleteFunc(slices.Clone(targets), func(t target) bool { return !slices.Contains(fields, t.os+"/"+t.arch) })
		if len(r.targets) != len(fields) {
			return nil, fmt.Errorf("targets %q are not all among %v", fields, targets)
		}
	}
	if flags.NArg() != 1 {
		return nil, errors.New("a release goes into one directory")
	}
	if r.dir, err = filepath.Abs(flags.Arg(0)); err != nil {
		return nil, err
	}
	if entries, err := os.ReadDir(r.dir); err == nil && len(entries) > 0 {
		return nil, fmt.Errorf("%s is not empty\nhint: rm -r %[1]s", flags.Arg(0))
	}
	return r, os.MkdirAll(r.dir, 0o755)
}

// isVersion knows v1.2.3 and what may follow it behind a dash. Go modules know
// no other form.
func isVersion(s string) bool {
	s, found := strings.CutPrefix(s, "v")
	numbers, more, dash := strings.Cut(s, "-")
	parts := strings.Split(numbers, ".")
	if !found || len(parts) != 3 || dash && more == "" {
		return false
	}
	for _, p := range parts {
		if n, err := strconv.ParseUint(p, 10, 32); err != nil || strconv.FormatUint(n, 10) != p {
			return false
		}
	}
	return strings.Trim(more, "0123456789.abcdefghijklmnopqrstuvwxyz") == ""
}

// number is the version as all but Go write it: 0.1.0.
func (r *release) number() string { return r.version[1:] }

func (r *release) write() error {
	work, err := os.MkdirTemp("", "bashgate-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	r.work = work
	for _, stage := range []func() error{
		func() error { return share(work) },
		r.binaries,
		r.archives,
		r.bill,
		r.packages,
		r.npm,
		r.manifests,
		r.sums,
	} {
		if err := stage(); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) binaries() error {
	for _, t := range r.targets {
		args := []string{
			// Where a history is, it says more than the version and the revision.
			"-buildvcs=false",
			"-ldflags=-s -w -X github.com/bashgate/bashgate/internal/cli.stampedVersion=" + r.version +
				" -X github.com/bashgate/bashgate/internal/cli.stampedRevision=" + r.revision,
			"-o", filepath.Join(r.work, "bin", t.String()) + string(filepath.Separator),
		}
		for _, p := range programs {
			args = append(args, "./cmd/"+p)
		}
		if err := goBuild(args, "GOOS="+t.os, "GOARCH="+t.arch, "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0"); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
	}
	return nil
}

// file is a file to be packed.
type file struct {
	name string // with slashes, below where it is installed: bin/bashgate
	path string // where it lies now
	mode fs.FileMode
}

// files are what is installed of some programs on a machine, sorted by name.
func (r *release) files(t target, names ...string) ([]file, error) {
	var list []file
	for _, p := range names {
		p = t.program(p)
		list = append(list, file{"bin/" + p, filepath.Join(r.work, "bin", t.String(), p), 0o755})
	}
	shared := filepath.Join(r.work, "share")
	err := filepath.WalkDir(shared, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(r.work, path)
		list = append(list, file{filepath.ToSlash(name), path, 0o644})
		return err
	})
	slices.SortFunc(list, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return list, err
}

// sum is the SHA-256 of a file of the release, in hexadecimal.
func (r *release) sum(name string) (string, error) {
	content, err := os.ReadFile(filepath.Join(r.dir, name))
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:]), err
}

// put writes a text of the release.
func (r *release) put(name, text string) error {
	return os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o644)
}

// sums writes SHA256SUMS, as sha256sum does.
func (r *release) sums() error {
	entries, err := os.ReadDir(r.dir)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, e := range entries {
		sum, err := r.sum(e.Name())
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s  %s\n", sum, e.Name())
	}
	return r.put("SHA256SUMS", b.String())
}
