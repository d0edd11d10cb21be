package main

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bashgate/bashgate/internal/handbook"
	"github.com/bashgate/bashgate/internal/race"
)

const root = "../.."

// examples are the pages whose examples are run; what is generated has none.
var examples = []string{"README.md", "docs/*.md", "docs/notify/*.md", "rules/README.md"}

// pages reads the pages of some patterns.
func pages(t *testing.T, patterns ...string) (list []*handbook.Page) {
	t.Helper()
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("no pages %s (%v)", pattern, err)
		}
		for _, file := range files {
			name, err := filepath.Rel(root, file)
			if err != nil {
				t.Fatal(err)
			}
			page, err := handbook.Read(root, filepath.ToSlash(name))
			if err != nil {
				t.Error(err)
				continue
			}
			list = append(list, page)
		}
	}
	return list
}

// TestDocs runs the examples of the documentation, as docs/contributing.md tells;
// go test ./cmd/bashgate -run TestDocs -update writes into the pages what is printed.
func TestDocs(t *testing.T) {
	race.Sequential(t)
	if runtime.GOOS != "linux" {
		t.Skip("NOT RUN: a terminal is made as Linux makes it")
	}
	skipped := map[string]int{} // by the reason
	run := 0
	t.Run("pages", func(t *testing.T) {
		for _, page := range pages(t, examples...) {
			for _, b := range page.Blocks {
				if b.Skip != "" {
					skipped[b.Skip]++
				} else {
					run++
				}
			}
			t.Run(page.Name, func(t *testing.T) {
				t.Parallel()
				played(t, page)
			})
		}
	})
	t.Logf("%d blocks are run or compared", run)
	for _, reason := range slices.Sorted(maps.Keys(skipped)) {
		t.Logf("NOT RUN: %d, %s", skipped[reason], reason)
	}
}

// played runs the blocks of a page.
func played(t *testing.T, page *handbook.Page) {
	fresh := map[*handbook.Block]string{}
	for _, scene := range page.Scenes() {
		s := stage(t)
		for _, b := range scene {
			text, err := s.Play(b)
			if err == nil {
				err = loaded(s, b)
			}
			if err != nil {
				t.Errorf("%s:%d: %v\nand not\n%s", page.Name, b.Line, err, b.Text)
			}
			if text != b.Text {
				fresh[b] = text
			}
		}
		s.Close()
	}
	if *update && len(fresh) > 0 {
		if err := os.WriteFile(filepath.Join(root, page.Name), page.Replace(fresh), 0o644); err != nil {
			t.Error(err)
		}
	}
}

func stage(t *testing.T) *handbook.Stage {
	t.Helper()
	repository, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("bashgate")
	if err != nil {
		t.Fatal(err)
	}
	models := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":"model 'qwen3:4b-instruct' not found"}`, http.StatusNotFound)
	}))
	t.Cleanup(models.Close)
	s := &handbook.Stage{
		Dir: t.TempDir(),
		// What pages call otherwise than it is here.
		Places: map[string]string{"/etc/bashgate": "@/etc", "/home/me": "@/home", "/w": "@/w", "/ipc": "@/home/ipc", "/usr/local/bin/bashgate": program, "http://127.0.0.1:11434": models.URL},
	}
	s.Env = []string{
		"PATH=" + filepath.Join(repository, "cmd/bashgate/testdata/docs/bin") + ":" + os.Getenv("PATH"),
		"TEST_SYSTEM_DIR=" + filepath.Join(s.Dir, "etc"),
		"REPOSITORY=" + repository,
		"TESTDATA=" + filepath.Join(repository, "cmd/bashgate/testdata/docs"),
		"GORACE=atexit_sleep_ms=0",
		"GIT_AUTHOR_NAME=u", "GIT_AUTHOR_EMAIL=u@example.org", "GIT_COMMITTER_NAME=u", "GIT_COMMITTER_EMAIL=u@example.org",
	}
	if err := s.Open(); err != nil {
		t.Fatal(err)
	}
	return s
}

// kinds are the words that tell which file a block of TOML is, and where it
// lies.
var kinds = []struct {
	word *regexp.Regexp
	file string
}{
	{regexp.MustCompile(`(?m)^\[profile\]`), "~/.config/bashgate/profiles/mine.toml"},
	{regexp.MustCompile(`(?m)^\[\[test\]\]`), "~/.config/bashgate/tests/mine.toml"},
	{regexp.MustCompile(`(?m)^\[\[(programs|paths|hosts|env|tools|servers|sources|override|code)\]\]`), "~/.config/bashgate/rules/mine.toml"},
	{regexp.MustCompile(`(?m)^\[managed\]`), "/etc/bashgate/config.toml"},
	{regexp.MustCompile(``), "~/.config/bashgate/config.toml"},
}

// loaded puts a block of TOML where it counts and wants that nothing is wrong with
// it, and that its examples hold. A block of another language has to be one that
// is run, compared, written, or skipped.
func loaded(s *handbook.Stage, b *handbook.Block) error {
	switch {
	case b.Skip != "" || b.Prints != "":
		return nil
	case b.Language != "toml":
		if slices.Contains([]string{"console", "sh", "json"}, b.Language) || b.File != "" {
			return nil
		}
		return fmt.Errorf("nothing is done with a block of %q\nhint: a comment before it: docs/contributing.md", b.Language)
	}
	file := b.File
	for _, kind := range kinds {
		if file == "" && kind.word.MatchString(b.Text) {
			file = kind.file
		}
	}
	if err := s.Write(file, b.Text); err != nil {
		return err
	}
	wrong, err := s.Run(`said=$(bashgate rules lint) && case "$said" in *warning:*) false;; esac || echo "$said"
said=$(bashgate rules test 2>&1) || case "$said" in *"nothing is tested"*) ;; *) echo "$said";; esac`)
	if err == nil && wrong == "" && strings.Contains(file, "/rules/") {
		wrong, err = s.Run("bashgate rules fmt --check " + file + " >/dev/null || bashgate rules fmt --diff " + file + " || :")
	}
	if err == nil && wrong != "" {
		err = fmt.Errorf("as %s:\n%s", file, wrong)
	}
	return err
}

// TestLinks holds that what the pages link to is there: files, directories and
// headings. Of what lies elsewhere only the form is looked at.
func TestLinks(t *testing.T) {
	all := map[string]*handbook.Page{}
	for _, page := range pages(t, "*.md", "docs/*.md", "docs/*/*.md", "rules/README.md") {
		all[page.Name] = page
	}
	links := 0
	for _, page := range all {
		for _, link := range page.Links {
			links++
			if err := handbook.Leads(os.DirFS(root), all, page, link.To); err != nil {
				t.Errorf("%s:%d: %s: %v", page.Name, link.Line, link.To, err)
			}
		}
	}
	if links == 0 {
		t.Error("no links")
	}
}

// TestNamedCommands holds that the commands which pages name in their text are
// there, and that their helps tell of the flags that they are named with.
func TestNamedCommands(t *testing.T) {
	named := regexp.MustCompile(`^bashgate (?:help )?([a-z]+)(?: |$)([^'"|]*)`)
	flags := regexp.MustCompile(`(?:^| )(--?[a-z][a-z-]*)`)
	helps := map[string]string{"off": ""} // what status prints
	found := 0
	for _, page := range pages(t, examples...) {
		for _, span := range page.Spans {
			m := named.FindStringSubmatch(span.To)
			if m == nil {
				continue
			}
			found++
			help, ok := helps[m[1]]
			if !ok {
				out, err := exec.Command("bashgate", "help", m[1]).Output()
				if err != nil {
					t.Errorf("%s:%d: %s: there is no such command", page.Name, span.Line, span.To)
				}
				help = string(out)
				helps[m[1]] = help
			}
			words, _, _ := strings.Cut(m[2], "-- ") // what follows is another program's
			for _, flag := range flags.FindAllStringSubmatch(words, -1) {
				if !regexp.MustCompile(regexp.QuoteMeta(flag[1]) + `\b`).MatchString(help) {
					t.Errorf("%s:%d: %s: its help does not tell of %s", page.Name, span.Line, span.To, flag[1])
				}
			}
		}
	}
	if found == 0 {
		t.Error("no commands")
	}
}

// TestMakeTargets holds that what the Makefile's head and the pages for
// contributors tell to make can be made.
func TestMakeTargets(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	targets := map[string]bool{"make": true, "check": true} // alone, and the sample of a project's own
	for _, m := range regexp.MustCompile(`(?m)^([a-z][a-z0-9-]*):`).FindAllStringSubmatch(string(makefile), -1) {
		targets[m[1]] = true
	}
	head, _, _ := strings.Cut(string(makefile), "\n\n")
	target := regexp.MustCompile(`\bmake(?: [a-z][a-z0-9-]*)?`)
	var told []string
	for _, m := range regexp.MustCompile(`(?m)(?:^# |;  )(`+target.String()+`)`).FindAllStringSubmatch(head, -1) {
		told = append(told, m[1])
	}
	for _, page := range pages(t, "README.md", "docs/contributing.md", "docs/exports.md", "docs/hosts.md", "docs/install.md", "docs/releasing.md") {
		for _, span := range page.Spans {
			if m := target.FindString(span.To); m != "" {
				told = append(told, m)
			}
		}
	}
	if len(told) < 10 {
		t.Errorf("only %q", told)
	}
	for _, command := range told {
		if !targets[strings.TrimPrefix(command, "make ")] {
			t.Errorf("%s: there is no such target", command)
		}
	}
}

// TestPackages holds that the list of docs/architecture.md names the packages that
// there are, each once.
func TestPackages(t *testing.T) {
	page, err := handbook.Read(root, "docs/architecture.md")
	if err != nil || len(page.Blocks) == 0 {
		t.Fatal(err)
	}
	var listed, there []string
	for line := range strings.Lines(page.Blocks[0].Text) {
		if name := strings.Fields(line); len(name) > 0 {
			listed = append(listed, name[0])
		}
	}
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}}", "../../...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.FieldsSeq(string(out)) {
		there = append(there, strings.TrimPrefix(name, "github.com/bashgate/bashgate/"))
	}
	slices.Sort(listed)
	slices.Sort(there)
	if diff := cmp.Diff(there, listed); diff != "" {
		t.Errorf("docs/architecture.md lists other packages than there are (-there +listed):\n%s", diff)
	}
}
