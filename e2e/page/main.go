// Command page opens the page of `bashgate replay --html` in a headless Chromium
// and looks at it as a person would: on a phone and on a desk, light and dark,
// with the keyboard alone, without JavaScript, and with commands that want to be
// more than text. The browser reaches no other machine.
//
// Usage:
//
//	go run ./e2e/page [-chromium PROGRAM] [-shots DIR]
//
// The exit status is 1 if something is wrong, and 2 if there is no Chromium.
package main

import (
	_ "embed" // for what is looked at inside of the page
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/replay"
	"github.com/bashgate/bashgate/policy"
)

func main() {
	program := flag.String("chromium", "", "the browser (default: chromium, chromium-browser or google-chrome)")
	shots := flag.String("shots", "", "a directory for pictures of the pages")
	flag.Parse()
	names := []string{"chromium", "chromium-browser", "google-chrome"}
	if *program != "" {
		names = []string{*program}
	}
	path := ""
	for _, name := range names {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		fmt.Fprintln(os.Stderr, "page: no Chromium: apt-get install chromium")
		os.Exit(2)
	}
	if err := run(path, *shots); err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(1)
	}
}

// distinct is how many commands the usual sample has.
const distinct = 1000

// view is a way in which a page is looked at.
type view struct {
	name          string
	width, height int
	scheme        string
}

var views = []view{
	{"phone light", 360, 740, "light"},
	{"phone dark", 360, 740, "dark"},
	{"desk light", 1280, 800, "light"},
	{"desk dark", 1280, 800, "dark"},
}

func run(program, shots string) error {
	dir, err := os.MkdirTemp("", "bashgate-page-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	files := map[string]*replay.Report{
		"plain":   sample("plain words", distinct),
		"hostile": sample(hostile, distinct),
		"large":   sample("plain words", 100_000),
		"empty":   {},
	}
	for name, page := range files {
		text := page.Page()
		if len(text) >= 1<<20 {
			return fmt.Errorf("the page %s has %d bytes", name, len(text))
		}
		if err := os.WriteFile(filepath.Join(dir, name+".html"), text, 0o600); err != nil {
			return err
		}
	}
	b, err := startBrowser(program, filepath.Join(dir, "profile"))
	if err != nil {
		return err
	}
	defer b.close()
	l := &look{browser: b, dir: dir, shots: shots}
	if err := l.served(dir, program); err != nil {
		return err
	}
	for _, v := range views {
		if err := l.set(v.width, v.height, v.scheme); err != nil {
			return err
		}
		for _, name := range []string{"plain", "hostile", "large", "empty"} {
			l.at = v.name + ", " + name
			if err := l.page(name, files[name]); err != nil {
				return fmt.Errorf("%s: %w", l.at, err)
			}
		}
	}
	l.at = "hostile against plain"
	if err := l.inert(); err != nil {
		return err
	}
	l.at = "without JavaScript"
	if err := l.withoutScript(); err != nil {
		return err
	}
	if len(l.wrong) > 0 {
		return fmt.Errorf("%d of %d checks failed:\n%s", len(l.wrong), l.checks, strings.Join(l.wrong, "\n"))
	}
	fmt.Printf("%d checks in %d views\n", l.checks, len(views))
	return nil
}

// look is somebody who looks at pages.
type look struct {
	browser    *browser
	dir, shots string
	at         string // what is looked at
	scheme     string
	checks     int
	wrong      []string
}

// check notes what is not as it should be.
func (l *look) check(right bool, format string, args ...any) {
	l.checks++
	if !right {
		l.wrong = append(l.wrong, l.at+": "+fmt.Sprintf(format, args...))
	}
}

// want notes where an expression does not have the value that it should.
func (l *look) want(expression string, want any) error {
	var got any
	if err := l.browser.eval(expression, &got); err != nil {
		return fmt.Errorf("%s: %w", expression, err)
	}
	if n, ok := want.(int); ok {
		want = float64(n)
	}
	l.check(got == want, "%s is %v, want %v", expression, got, want)
	return nil
}

func (l *look) set(width, height int, scheme string) error {
	l.scheme = scheme
	return errors.Join(
		l.browser.call("Emulation.setDeviceMetricsOverride", object{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}, nil),
		l.browser.call("Emulation.setEmulatedMedia", object{"features": []object{{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}}}, nil),
		l.browser.call("Network.emulateNetworkConditions", object{"offline": true, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}, nil),
	)
}

func (l *look) open(name string) error {
	return l.browser.open("file://" + filepath.Join(l.dir, name+".html"))
}

//go:embed inside.js
var inside string

// page looks at one page in the view that is set.
func (l *look) page(name string, p *replay.Report) error {
	if err := l.open(name); err != nil {
		return err
	}
	if l.shots != "" {
		shot, err := l.browser.screenshot()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(l.shots, strings.ReplaceAll(l.at, ", ", "-")+".png"), shot, 0o644); err != nil {
			return err
		}
	}
	// What the page itself says of widths, contrasts, headings and names.
	var faults []string
	if err := l.browser.eval(inside, &faults); err != nil {
		return err
	}
	l.check(len(faults) == 0, "%s", strings.Join(faults, "; "))
	if err := l.named(); err != nil {
		return err
	}
	steps := l.theme
	if name != "empty" {
		steps = func() error { return errors.Join(l.figures(), l.theme(), l.table(p), l.keyboard()) }
	}
	if err := steps(); err != nil {
		return err
	}
	l.quiet(name)
	return nil
}

// quiet looks for errors, and for requests beside that for the page.
func (l *look) quiet(name string) {
	for i := range l.browser.events {
		switch e := &l.browser.events[i]; e.Method {
		case "Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled":
			l.check(false, "%s: %.500s", e.Method, e.Params)
		case "Network.requestWillBeSent":
			var request struct{ Request struct{ URL string } }
			err := json.Unmarshal(e.Params, &request)
			l.check(err == nil && request.Request.URL == "file://"+filepath.Join(l.dir, name+".html"), "asks for %s", request.Request.URL)
		}
	}
}

// named looks whether all that can be used has a name for those who hear it.
func (l *look) named() error {
	var tree struct {
		Nodes []struct {
			Ignored    bool
			Role, Name struct{ Value any }
		}
	}
	if err := l.browser.call("Accessibility.getFullAXTree", nil, &tree); err != nil {
		return err
	}
	used := []any{"button", "link", "searchbox", "textbox", "combobox", "table", "region", "image", "img"}
	seen := 0
	for _, n := range tree.Nodes {
		if n.Ignored || !slices.Contains(used, n.Role.Value) {
			continue
		}
		seen++
		name, _ := n.Name.Value.(string)
		// Tables of figures go by the heading of their section.
		l.check(name != "" || n.Role.Value == "table", "a %v has no name", n.Role.Value)
	}
	l.check(seen > 5, "only %d things can be used", seen)
	return nil
}

// theme switches between light and dark, and back.
func (l *look) theme() error {
	const ground = "getComputedStyle(document.body).backgroundColor"
	var before, after, again string
	err := errors.Join(
		l.browser.eval(ground, &before),
		l.browser.eval(`document.getElementById("theme").focus()`, nil),
		l.browser.press("Enter"),
		l.browser.eval(ground, &after),
		l.browser.press("Enter"),
		l.browser.eval(ground, &again),
	)
	l.check(before == map[string]string{"light": "rgb(252, 252, 250)", "dark": "rgb(23, 23, 22)"}[l.scheme], "the ground of %s is %s", l.scheme, before)
	l.check(before != after, "the switch changes nothing: %s", before)
	l.check(before == again, "the switch does not switch back: %s, %s", before, again)
	return err
}

const shownRows = `document.querySelectorAll("#table tbody tr").length`

// table filters and sorts.
func (l *look) table(p *replay.Report) error {
	b := l.browser
	var data [][]any
	if err := b.eval(`JSON.parse(document.getElementById("data").textContent)`, &data); err != nil {
		return err
	}
	held, asks := len(data), 0
	for _, row := range data {
		if row[1] == "ask" {
			asks++
		}
	}
	l.check(held == len(p.Rows) || held > 5000, "the page holds %d of %d commands", held, len(p.Rows))
	l.check((held < len(p.Rows)) == (b.eval(`document.getElementById("left").textContent`, nil) == nil), "what is left out is not told")
	count := func(n int) string {
		return fmt.Sprintf("%s of %s commands", replay.Thousands(n), replay.Thousands(held))
	}
	const told = `document.querySelector("#table [role=status]").textContent`
	choose := func(value string) error {
		return b.eval(`{ const s = document.getElementById("answer"); s.value = `+fmt.Sprintf("%q", value)+`; s.dispatchEvent(new Event("change")); }`, nil)
	}
	if err := errors.Join(
		l.want(told, count(held)),
		l.want(shownRows, 100),
		l.want(`document.querySelector("#table tbody tr code").textContent`, policy.Visible(p.Rows[0].Command)),
		choose("ask"),
		l.want(told, count(asks)),
		choose(""),
		b.eval(`document.querySelector("#table thead th:nth-child(4) button").click()`, nil),
		l.want(`document.querySelector("#table thead th:nth-child(4)").getAttribute("aria-sort")`, "descending"),
		l.want(`document.querySelector("#table tbody tr td:nth-child(4)").textContent.trim()`, "1,073,741,824\u00a0×"),
		b.eval(`document.querySelector("#table thead th:nth-child(4) button").click()`, nil),
		l.want(`document.querySelector("#table tbody tr td:nth-child(4)").textContent.trim()`, "1\u00a0×"),
		b.eval(`document.querySelector("#table > button").click()`, nil),
		l.want(shownRows, 200),
		l.want(`document.activeElement === document.querySelectorAll("#table tbody tr")[100]`, true),
	); err != nil {
		return err
	}
	return nil
}

// keyboard finds a command without a mouse.
func (l *look) keyboard() error {
	b := l.browser
	const at = `document.activeElement.id || document.activeElement.localName`
	const row = `[...document.querySelectorAll("#table tbody tr")].indexOf(document.activeElement)`
	return errors.Join(
		b.eval(`document.activeElement.blur(); scrollTo(0, 0)`, nil),
		b.press("/"),
		l.want(at, "find"),
		l.want(`document.activeElement.value`, ""),
		b.call("Input.insertText", object{"text": "GIT.push feature/13 "}, nil),
		l.want(`[...document.querySelectorAll("#table tbody code")].every(c => c.textContent.startsWith("git push origin feature/13"))`, true),
		l.want(shownRows+" > 0", true),
		b.press("ArrowDown"),
		l.want(row, 0),
		b.press("ArrowDown"),
		l.want(row, 1),
		b.press("End"),
		l.want(row+" === "+shownRows+" - 1", true),
		b.press("ArrowDown"),
		l.want(row+" === "+shownRows+" - 1", true),
		b.press("Home"),
		b.press("ArrowUp"),
		l.want(row, 0),
		b.press("Escape"),
		l.want(at, "find"),
		l.want(`document.activeElement.value`, ""),
		l.want(shownRows, 100),
		b.press("Tab"),
		l.want(at, "answer"),
		b.press("Tab"),
		l.want(`document.activeElement.textContent`, "command"),
	)
}

// outline is every element of a page with the names of its attributes.
const outline = `[...document.querySelectorAll("*")].map(e => e.localName + "[" + [...e.attributes].map(a => a.name).join() + "]").join("\n")`

// figures looks whether what stands in two places is the same, and drawn as it
// is meant.
func (l *look) figures() error {
	return errors.Join(
		l.want(`document.querySelector("#figures dd").textContent === document.querySelector("#with tbody td").textContent`, true),
		l.want(`/^\d+(\.\d)? %$/.test(document.querySelectorAll("#figures dd")[1].textContent)`, true),
		l.want(`[...document.querySelectorAll("#hosts tbody tr")].every(r => / %$/.test(r.lastChild.textContent))`, true),
		l.want(`document.querySelectorAll("#time svg.chart").length`, 2),
	)
}

// inert compares the elements of a page of hostile commands with those of the
// same page of plain ones.
func (l *look) inert() error {
	var plain, other string
	if err := errors.Join(l.open("plain"), l.browser.eval(outline, &plain), l.open("hostile"), l.browser.eval(outline, &other)); err != nil {
		return err
	}
	l.check(plain == other, "the commands have made elements")
	return errors.Join(
		l.want(`typeof hacked`, "undefined"),
		l.want(`document.querySelector("#danger code:last-of-type") !== null && document.querySelectorAll("#danger li")[1].querySelector("code").textContent`, policy.Visible(hostile)),
	)
}

// withoutScript looks for what must be there all the same.
func (l *look) withoutScript() error {
	b := l.browser
	if err := errors.Join(b.call("Emulation.setScriptExecutionDisabled", object{"value": true}, nil), l.open("plain")); err != nil {
		return err
	}
	defer b.call("Emulation.setScriptExecutionDisabled", object{"value": false}, nil)
	return errors.Join(
		l.want(`document.getElementById("theme").checkVisibility()`, false),
		l.want(`document.querySelector("#figures dd").checkVisibility()`, true),
		l.want(`document.querySelectorAll("svg.chart rect").length > 50`, true),
		l.want(`document.querySelector("noscript").innerText.includes("needs JavaScript")`, true),
	)
}
