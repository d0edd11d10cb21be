package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// manifests writes what package managers read of the archives: a formula for
// Homebrew, a manifest for Scoop, a container's recipe. Each where its targets
// are released.
func (r *release) manifests() error {
	if err := r.put("Containerfile", r.containerfile()); err != nil {
		return err
	}
	formula, err := r.formula()
	if err != nil {
		return err
	}
	if err := r.put("bashgate.rb", formula); err != nil {
		return err
	}
	scoop, err := r.scoop()
	if err != nil {
		return err
	}
	return r.put("bashgate.json", scoop)
}

// address is where a file of the release is published.
func (r *release) address(name string) string {
	return source + "/releases/download/" + r.version + "/" + name
}

// formula is for Homebrew, on macOS and Linux.
func (r *release) formula() (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, `class Bashgate < Formula
  desc %q
  homepage %q
  version %q
  license "MIT"

`, summary, source, r.number())
	for _, system := range []struct{ brew, os string }{{"macos", "darwin"}, {"linux", "linux"}} {
		fmt.Fprintf(&b, "  on_%s do\n", system.brew)
		for _, cpu := range []struct{ brew, arch string }{{"arm", "arm64"}, {"intel", "amd64"}} {
			t := target{system.os, cpu.arch}
			if !slices.Contains(r.targets, t) {
				continue
			}
			first, second := r.archiveName(programs[0], t), r.archiveName(programs[1], t)
			sum, err := r.sum(first)
			if err != nil {
				return "", err
			}
			other, err := r.sum(second)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, `    on_%s do
      url %q
      sha256 %q

      resource "bashgated" do
        url %q
        sha256 %q
      end
    end
`, cpu.brew, r.address(first), sum, r.address(second), other)
		}
		b.WriteString("  end\n\n")
	}
	b.WriteString(`  def install
    bin.install "bin/bashgate"
    share.install Dir["share/*"]
    resource("bashgated").stage { bin.install "bin/bashgated" }
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/bashgate version")
    assert_match "block", shell_output("#{bin}/bashgate check 'rm -rf /'", 4)
  end
end
`)
	return b.String(), nil
}

// scoop is for Windows: both archives go into one directory.
func (r *release) scoop() (string, error) {
	architectures := map[string]any{}
	for _, t := range r.targets {
		if t.os != "windows" {
			continue
		}
		var urls, sums, dirs []string
		for _, p := range programs {
			name := r.archiveName(p, t)
			sum, err := r.sum(name)
			if err != nil {
				return "", err
			}
			urls, sums, dirs = append(urls, r.address(name)), append(sums, sum), append(dirs, archiveDir(p, r.number(), t))
		}
		word := map[string]string{"amd64": "64bit", "arm64": "arm64"}[t.arch]
		architectures[word] = map[string]any{"url": urls, "hash": sums, "extract_dir": dirs}
	}
	text, err := json.MarshalIndent(map[string]any{
		"version": r.number(), "description": summary, "homepage": source, "license": "MIT",
		"architecture": architectures,
		"bin":          []string{"bin/bashgate.exe", "bin/bashgated.exe"},
	}, "", "  ")
	return string(text) + "\n", err
}

// containerfile unpacks the archives, and keeps the programs and the licence.
func (r *release) containerfile() string {
	dir := func(program string) string {
		return archiveDir(program, r.number(), target{"linux", "${TARGETARCH}"})
	}
	first, second := dir(programs[0]), dir(programs[1])
	return fmt.Sprintf(`# Beside the archives: docker buildx build --platform linux/amd64,linux/arm64 -f Containerfile .
FROM scratch AS archives
ARG TARGETARCH
ADD %[1]s.tar.xz %[2]s.tar.xz /

FROM scratch
ARG TARGETARCH
LABEL org.opencontainers.image.source=%[3]q org.opencontainers.image.version=%[4]q org.opencontainers.image.revision=%[5]q org.opencontainers.image.licenses="MIT"
COPY --from=archives /%[1]s/bin/bashgate /%[2]s/bin/bashgated /usr/bin/
COPY --from=archives /%[1]s/share/doc/bashgate/LICENSE /usr/share/doc/bashgate/
ENTRYPOINT ["/usr/bin/bashgate"]
`, first, second, source, r.number(), r.revision)
}
