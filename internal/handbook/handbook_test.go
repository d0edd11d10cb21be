package handbook

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
)

const fence = "```"

// page is parsed, or the test ends.
func page(t *testing.T, text string) *Page {
	t.Helper()
	p, err := Parse("page.md", []byte(strings.ReplaceAll(text, "FENCE", fence)))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// played are a page as it should be, and what is wrong with it.
func played(t *testing.T, p *Page) (text string, wrong []string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("NOT RUN: a terminal is made as Linux makes it")
	}
	fresh := map[*Block]string{}
	for _, scene := range p.Scenes() {
		s := &Stage{Dir: t.TempDir(), Env: []string{"PATH=" + os.Getenv("PATH")}, Places: map[string]string{"/etc/x": "@/etc"}}
		if err := s.Open(); err != nil {
			t.Fatal(err)
		}
		for _, b := range scene {
			text, err := s.Play(b)
			if err != nil {
				wrong = append(wrong, err.Error())
			}
			fresh[b] = text
		}
		s.Close()
	}
	return string(p.Replace(fresh)), wrong
}

const whole = `# A page

FENCEconsole
$ mkdir -p a && cd a
$ pwd | sed "s:$HOME:~:"
~/project/a
$ printf '%s\n' one two three four
one
…
four
$ echo "from 10 to 20, rules/x.toml:3"
from … to 20, rules/x.toml:2
$ cat <<END
> $(( 1 + 1 ))
> END
2
$ echo one \
  two
one two
FENCE

The shell goes on, within a section:

<!-- test:
$ pwd | sed "s:$HOME:~:"
~/project/a
-->

<!-- test: file ~/said -->
FENCEjson
{"a": [1,
 2]}
FENCE

<!-- test: prints cat ~/said; echo 3 -->
FENCEjson
{"a":[1,2]}
3
FENCE

## Another home

<!-- test: skip needs an agent -->
FENCEsh
agent
FENCE

FENCEsh
cd /
test ! -e ~/said
FENCE

<!-- test: goes on -->
## And on

<!-- test: file /etc/x/f -->
FENCEtext
managed
FENCE

<!-- test: goes on -->
FENCEconsole
$ echo "QRST is approved" # at 2026-01-02 10:11:12
QRST is approved
$ cat /etc/x/f
managed
FENCE
`

func TestPlay(t *testing.T) {
	text := strings.Replace(whole, "<!-- test: goes on -->\n## And on", "## And on", 1)
	p := page(t, text)
	if got, wrong := played(t, p); wrong != nil || got != strings.Replace(string(p.Text), "x.toml:2", "x.toml:3", 1) {
		t.Errorf("%q\n%s", wrong, got)
	}
	if got := len(p.Scenes()); got != 3 {
		t.Errorf("%d scenes", got)
	}
}

// Whatever is changed in what a page shows is found, and put right.
func TestPlayFinds(t *testing.T) {
	for _, change := range [][2]string{
		{"~/project/a\n$ printf", "~/project/b\n$ printf"},
		{"one\n…", "One\n…"},
		{"…\nfour", "…\nfive"},
		{"four\n$", "four\nfive\n$"},
		{"to 20, rules/x.toml:2", "to 21, rules/x.toml:2"},
		{"2\n$ echo one", "$ echo one"},
		{"one two\nFENCE", "FENCE"},
		{"\n-->", "b\n-->"},
		{"\n3\nFENCE", "\n4\nFENCE"},
		{"managed\nFENCE\n`", "Managed\nFENCE\n`"},
		{"QRST is approved\n", "QRST is denied\n"},
	} {
		text := strings.Replace(whole, "<!-- test: goes on -->\n## And on", "## And on", 1)
		changed := strings.Replace(text, strings.TrimSuffix(change[0], "`"), strings.TrimSuffix(change[1], "`"), 1)
		if change[0] == "QRST is approved\n" || strings.HasPrefix(change[0], "managed") { // what is shown, and not the command or the file
			at := strings.LastIndex(text, strings.TrimSuffix(change[0], "`"))
			changed = text[:at] + strings.TrimSuffix(change[1], "`") + text[at+len(strings.TrimSuffix(change[0], "`")):]
		}
		if changed == text {
			t.Errorf("%q is not there", change[0])
			continue
		}
		got, wrong := played(t, page(t, changed))
		if len(wrong) != 1 {
			t.Errorf("%q for %q: %q", change[1], change[0], wrong)
		}
		if _, wrong := played(t, page(t, strings.ReplaceAll(got, fence, "FENCE"))); wrong != nil && !strings.Contains(change[0], "3\nFENCE") {
			t.Errorf("%q for %q: it is not put right: %q", change[1], change[0], wrong)
		}
	}
}

func TestFails(t *testing.T) {
	for _, text := range []string{
		"FENCEsh\ntrue\nfalse\ntrue\nFENCE\n",
		"FENCEjson\n{\nFENCE\n",
		"FENCEconsole\nls\nFENCE\n",
		"FENCEconsole\n$ exit\n$ echo x\nx\nFENCE\n",
	} {
		if _, wrong := played(t, page(t, text)); len(wrong) != 1 {
			t.Errorf("%s: %q", text, wrong)
		}
	}
	for _, text := range []string{
		"<!-- test: skip -->\n```sh\nx\n```\n",
		"<!-- test: ship x -->\n```sh\nx\n```\n",
		"<!-- test: skip x -->\n\nno block\n",
	} {
		if _, err := Parse("page.md", []byte(text)); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
}

// A name is the same for the page and for what is printed, wherever it stands.
func TestNames(t *testing.T) {
	p := page(t, "FENCEconsole\n$ echo ABCD is approved\nQRST is approved\n$ echo QRST qrst\nQRST qrst\nFENCE\n")
	if _, wrong := played(t, p); wrong != nil {
		t.Errorf("%q", wrong)
	}
	p = page(t, "FENCEconsole\n$ echo ABCD is approved; echo EFGH is denied\nQRST is approved\nQRST is denied\nFENCE\n")
	if _, wrong := played(t, p); len(wrong) != 1 {
		t.Errorf("%q", wrong)
	}
}

// What is printed for one name may be another name of the page, and the same as for
// another one.
func TestNamesCross(t *testing.T) {
	ask := func(word string) string {
		word = word[:1] + "''" + word[1:] // no name of the page, in a command
		return "$ printf 'Type %s to go on: ' " + word + "; read -r word; test \"$word\" = " + word + " && echo went on\n"
	}
	for _, words := range [][2]string{{"pear", "apple"}, {"pear", "pear"}, {"plum", "pear"}, {"apple", "pear"}, {"plum", "apple"}} {
		for range 4 { // the order of a map
			p := page(t, "FENCEconsole\n"+ask(words[0])+"Type apple to go on: apple\nwent on\n"+ask(words[1])+"Type pear to go on: pear\nwent on\nFENCE\n")
			if _, wrong := played(t, p); wrong != nil {
				t.Errorf("%q: %q", words, wrong)
			}
		}
	}
}

// What a person types is shown behind the question.
func TestDialog(t *testing.T) {
	const command = "printf 'Type %s to go on: ' garlic; read -r word; test \"$word\" = garlic && echo went on"
	if _, wrong := played(t, page(t, "FENCEconsole\n$ "+command+"\nType apple to go on: apple\nwent on\nFENCE\n")); wrong != nil {
		t.Errorf("%q", wrong)
	}
	if _, wrong := played(t, page(t, "FENCEconsole\n$ "+command+"\nType apple to go on: pear\nwent on\nFENCE\n")); len(wrong) != 1 {
		t.Errorf("%q", wrong)
	}
	if _, wrong := played(t, page(t, "FENCEsh\n"+command+"\nFENCE\n")); wrong != nil {
		t.Errorf("%q", wrong)
	}
}

func TestLeads(t *testing.T) {
	files := fstest.MapFS{"page.md": {}, "docs/a.md": {}, "docs/b/c.png": {}}
	p := page(t, "# `One_two`, three-4: five?\n\n# x\n\n# x\n\n| a |\n|---|\n| [t](docs/a.md) |\n\n![i](docs/b/c.png) <https://example.org/> [r]\n\n[r]: #x-1\n")
	a := page(t, "# A\n")
	a.Name = "docs/a.md"
	pages := map[string]*Page{"page.md": p, "docs/a.md": a}
	if len(p.Links) != 4 {
		t.Errorf("%v", p.Links)
	}
	for _, link := range p.Links {
		if err := Leads(files, pages, p, link.To); err != nil {
			t.Errorf("%s: %v", link.To, err)
		}
	}
	for _, to := range []string{"#one_two-three-4-five", "#x-1", "docs/a.md#a", "docs/b", "mailto:a@example.org"} {
		if err := Leads(files, pages, p, to); err != nil {
			t.Errorf("%s: %v", to, err)
		}
	}
	for _, to := range []string{"#x-2", "docs/a.md#b", "a.md", "docs/b/c.png#a", "http://example.org", "https:x", "//example.org", "https://a b/"} {
		if err := Leads(files, pages, p, to); err == nil {
			t.Errorf("%s: no error", to)
		}
	}
	if err := Leads(files, pages, a, "../page.md#x"); err != nil {
		t.Error(err)
	}
}
