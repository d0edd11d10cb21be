package main

import (
	"cmp"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// The parts of CycloneDX 1.6 that a bill of materials of a Go program needs.
type (
	bom struct {
		Format       string       `json:"bomFormat"`
		SpecVersion  string       `json:"specVersion"`
		Version      int          `json:"version"`
		Metadata     metadata     `json:"metadata"`
		Components   []component  `json:"components"`
		Dependencies []dependency `json:"dependencies"`
	}
	metadata struct {
		Timestamp string    `json:"timestamp"`
		Component component `json:"component"`
	}
	component struct {
		Type       string     `json:"type"`
		Ref        string     `json:"bom-ref"`
		Name       string     `json:"name"`
		Version    string     `json:"version"`
		Scope      string     `json:"scope,omitempty"`
		PURL       string     `json:"purl"`
		Licenses   []license  `json:"licenses,omitempty"`
		Properties []property `json:"properties,omitempty"`
	}
	license struct {
		License struct {
			ID string `json:"id"`
		} `json:"license"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	dependency struct {
		Ref       string   `json:"ref"`
		DependsOn []string `json:"dependsOn,omitempty"`
	}
)

// bill writes what the binaries themselves say that they are made of.
func (r *release) bill() error {
	modules := map[string]*debug.Module{}
	version := ""
	for _, t := range r.targets {
		for _, p := range programs {
			info, err := buildinfo.ReadFile(filepath.Join(r.work, "bin", t.String(), t.program(p)))
			if err != nil {
				return err
			}
			version = info.GoVersion
			for _, m := range info.Deps {
				modules[m.Path] = m
			}
		}
	}
	b := newBOM(r.version, version, r.date, modules)
	if err := b.check(); err != nil {
		return fmt.Errorf("bill of materials: %w", err)
	}
	text, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	return r.put("bashgate_"+r.number()+".cdx.json", string(text)+"\n")
}

func newBOM(version, goVersion string, date time.Time, modules map[string]*debug.Module) *bom {
	part := func(kind, path, version string) component {
		purl := "pkg:golang/" + path + "@" + version
		return component{Type: kind, Ref: purl, Name: path, Version: version, PURL: purl}
	}
	program := part("application", "github.com/bashgate/bashgate", version)
	program.Licenses = make([]license, 1)
	program.Licenses[0].License.ID = "MIT"
	parts := []component{part("library", "stdlib", strings.TrimPrefix(goVersion, "go"))}
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		m := modules[path]
		if m.Replace != nil {
			m = m.Replace
		}
		c := part("library", m.Path, m.Version)
		c.Properties = []property{{"go:sum", m.Sum}}
		parts = append(parts, c)
	}
	needs := dependency{Ref: program.Ref}
	for _, c := range parts {
		needs.DependsOn = append(needs.DependsOn, c.Ref)
	}
	return &bom{
		Format: "CycloneDX", SpecVersion: "1.6", Version: 1,
		Metadata:     metadata{date.Format(time.RFC3339), program},
		Components:   parts,
		Dependencies: []dependency{needs},
	}
}

// check says what the format, and who reads bills, want and this one lacks.
func (b *bom) check() error {
	var errs []error
	if b.Format != "CycloneDX" || b.SpecVersion == "" || b.Version < 1 {
		errs = append(errs, errors.New("no bomFormat, specVersion or version"))
	}
	if _, err := time.Parse(time.RFC3339, b.Metadata.Timestamp); err != nil {
		errs = append(errs, err)
	}
	refs := map[string]bool{}
	for _, c := range append([]component{b.Metadata.Component}, b.Components...) {
		if c.Type == "" || c.Name == "" || c.Version == "" || c.PURL == "" {
			errs = append(errs, fmt.Errorf("component %q lacks its type, name, version or purl", cmp.Or(c.Name, c.Ref)))
		}
		if refs[c.Ref] {
			errs = append(errs, fmt.Errorf("two components are %q", c.Ref))
		}
		refs[c.Ref] = true
	}
	for _, d := range b.Dependencies {
		for _, ref := range append(d.DependsOn, d.Ref) {
			if !refs[ref] {
				errs = append(errs, fmt.Errorf("no component is %q", ref))
			}
		}
	}
	return errors.Join(errs...)
}
