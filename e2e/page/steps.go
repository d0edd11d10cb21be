package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/approval"
	"github.com/bashgate/bashgate/internal/session"
	"github.com/bashgate/bashgate/policy"
)

// served looks at the page that a server gives.
func (l *look) served(dir, program string) (err error) {
	home := filepath.Join(dir, "home")
	h, link, err := openHouse(home)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.end()) }()
	if err := l.show(1280, 800, "light"); err != nil {
		return err
	}
	for _, step := range []struct {
		name string
		do   func(*house) error
	}{
		{"in by a link", func(h *house) error { return l.letIn(h, link) }},
		{"keyboard", l.byKeyboard},
		{"mouse", l.byMouse},
		{"too late", l.tooLate},
		{"trust", l.vouch},
		{"hostile", l.hostileRequests},
		{"two tabs", l.twoTabs},
		{"views", l.everyView},
		{"notice", l.byNotice},
		{"two browsers", func(h *house) error { return l.twoBrowsers(h, home, link, program) }},
		{"a thousand", l.thousand},
		{"ended", l.serverEnds},
	} {
		l.at = "served, " + step.name
		if err := step.do(h); err != nil {
			return fmt.Errorf("%s: %w", l.at, err)
		}
	}
	return nil
}

// show sets a view in which this machine can be reached.
func (l *look) show(width, height int, scheme string) error {
	return errors.Join(
		l.set(width, height, scheme),
		l.browser.call("Network.emulateNetworkConditions", object{"offline": false, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}, nil),
	)
}

// letIn opens the link, and finds what waits.
func (l *look) letIn(h *house, link string) error {
	asked, err := h.ask("git push origin feature/x", nil)
	if err != nil {
		return err
	}
	token := link[strings.IndexByte(link, '#')+1:]
	return errors.Join(
		l.browser.open(link),
		l.until(card(asked)+" !== null"),
		l.want(`document.title`, "(1) bashgate"),
		l.want(`location.href`, h.address+"/"),
		l.want(`document.cookie`, ""),
		l.want(`performance.getEntriesByType("resource").some(e => e.name.includes("`+token+`"))`, false),
		l.want(card(asked)+`.querySelector(".command").textContent`, "git push origin feature/x"),
		l.shot("served-one"),
	)
}

// byKeyboard approves, denies with a reason, and does neither by a stray key.
func (l *look) byKeyboard(h *house) error {
	second, err := h.ask("git push origin other", nil)
	if err != nil {
		return err
	}
	b := l.browser
	if err := l.until(card(second) + " !== null"); err != nil {
		return err
	}
	all, err := h.queue.Requests()
	if err != nil {
		return err
	}
	asked := all[1]
	if err := errors.Join(
		b.press("j"), b.press("Enter"), b.press("Enter"), b.press("y"),
		b.press("a"), b.press("Enter"), // too soon to be meant
		l.want(`document.activeElement.textContent`, "Approve "+asked.Code),
		l.shot("served-armed"),
		b.press("Escape"), b.press("Enter"), b.press("Enter"),
		l.became(h, asked, approval.Pending, "", "", ""),
		b.press("j"), b.press("j"), b.press("j"), b.press("k"),
		b.press("a"),
	); err != nil {
		return err
	}
	rest()
	if err := errors.Join(
		b.press("Enter"), l.until(says(card(asked), "Approved by ada at the page")),
		l.became(h, asked, approval.Approved, "ada at the page", "page", ""),
		l.want(`document.title`, "(1) bashgate"),
		l.want(card(second)+` === document.activeElement`, true), // the next one
		b.press("d"), l.enterText("not on a Friday: a j"), l.shot("served-deny"),
		b.press("Enter"), l.until(says(card(second), "Denied by ada at the page: not on a Friday: a j")),
		l.became(h, second, approval.Denied, "ada at the page", "page", "not on a Friday: a j"),
		l.want(`document.title`, "bashgate"),
		b.press("?"), l.want(`document.getElementById("help").open`, true), l.shot("served-help"), b.press("Escape"), l.want(`document.getElementById("help").open`, false),
	); err != nil {
		return err
	}
	l.quietServed(h)
	return nil
}

// byMouse clicks, once and twice.
func (l *look) byMouse(h *house) error {
	asked, err := h.ask("npm publish", nil)
	if err != nil {
		return err
	}
	if err := errors.Join(
		l.until(card(asked)+" !== null"),
		l.until(says(`document.getElementById("news")`, "New request "+asked.Code+" from claude: npm publish")),
		l.click(card(asked), "Approve…"), l.click(card(asked), "Approve "+asked.Code), // a double click
		l.became(h, asked, approval.Pending, "", "", ""),
		l.click(card(asked), "Back"),
		l.click(card(asked), "Deny…"),
		l.click(card(asked), "Deny "+asked.Code),
		l.until(says(card(asked), "Denied by ada")),
	); err != nil {
		return err
	}
	return l.became(h, asked, approval.Denied, "ada at the page", "page", "")
}

// tooLate watches a request's time go by, in the middle of an answer.
func (l *look) tooLate(h *house) error {
	asked, err := h.ask("git push origin late", func(r *approval.Request) { r.Life = 2 * time.Second })
	if err != nil {
		return err
	}
	return errors.Join(
		l.until(card(asked)+" !== null"),
		l.click(card(asked), "Approve…"),
		l.until(says(card(asked), "Expired: nobody has answered in time")),
		l.want(card(asked)+`.querySelectorAll("button").length`, 0),
		l.became(h, asked, approval.Expired, "", "", ""),
	)
}

// vouch approves and trusts what a session has seen.
func (l *look) vouch(h *house) error {
	store, err := session.Open(h.process.Getenv)
	if err != nil {
		return err
	}
	const name = "claude-7bca2281"
	if err := store.Append(name,
		session.Event{Kind: session.Seen, Corruption: 2, What: "WebFetch example.org", Why: "A page of strangers", Use: "1"},
		session.Event{Kind: session.Ran, Use: "1"},
	); err != nil {
		return err
	}
	state := store.Read(name)
	asked, err := h.ask("npm install left-pad", func(r *approval.Request) {
		r.Labels = state.Seen(1)
		r.Why = append(r.Why, approval.Why{ID: "taint.person", Text: "The session has read WebFetch example.org, which a stranger may have written", Source: "rules/taint.toml:3"})
	})
	if err != nil {
		return err
	}
	if err := errors.Join(l.until(card(asked)+" !== null"), l.click(card(asked), "Approve…"), l.shot("served-trust")); err != nil {
		return err
	}
	rest()
	if err := errors.Join(l.click(card(asked), "Approve, and trust what it has seen"), l.until(says(card(asked), "Approved by ada"))); err != nil {
		return err
	}
	state = store.Read(name)
	l.check(len(state.Labels) == 1 && state.Labels[0].Trusted == "ada at the page", "the session has %+v", state.Labels)
	return l.became(h, asked, approval.Approved, "ada at the page", "page", "")
}

// hostileRequests shows commands that want to be more than text.
func (l *look) hostileRequests(h *house) error {
	hostile := strings.ToValidUTF8(hostile, "") // others are not asked about
	evil, err := h.ask(hostile, func(r *approval.Request) {
		r.Why[0].Text, r.Does, r.ID, r.Cwd = hostile, []string{hostile}, hostile, "/"+hostile
	})
	if err != nil {
		return err
	}
	long, err := h.ask("echo "+strings.Repeat("abcdefghi ", 40_000)+"THE END", nil)
	if err != nil {
		return err
	}
	many, err := h.ask(strings.Repeat("echo one more line\n", 200)+"git push", nil)
	if err != nil {
		return err
	}
	if err := errors.Join(
		l.until(card(many)+" !== null"),
		l.want(`typeof hacked`, "undefined"),
		l.want(card(evil)+`.querySelector(".command").textContent`, policy.Visible(hostile)),
		l.want(`document.querySelectorAll("#requests :is(script, img, svg, style, iframe)").length`, 0),
		l.want(says(card(many), "201 lines, "), true),
		l.want(`[...`+card(long)+`.querySelectorAll("button")].find(b => b.textContent === "Approve…").disabled`, true),
		l.want(says(card(long), "THE END"), false),
		l.click(card(long), "Show all of it"),
		l.until(says(card(long)+`.querySelector(".command")`, "THE END")),
		l.want(`[...`+card(long)+`.querySelectorAll("button")].find(b => b.textContent === "Approve…").disabled`, false),
		l.want(card(long)+`.querySelector(".command").textContent === "echo " + "abcdefghi ".repeat(40000) + "THE END"`, true),
		// Not even a script of the page could run a text.
		l.want(`(() => { const s = document.createElement("script"); s.textContent = "hacked = 1"; document.body.append(s); s.remove(); return typeof hacked; })()`, "undefined"),
	); err != nil {
		return err
	}
	refused := 0 // what the browser says of that script
	for _, e := range l.browser.events {
		if e.Method == "Log.entryAdded" && strings.Contains(string(e.Params), "Content Security Policy") {
			refused++
		}
	}
	l.check(refused == 1, "the browser has refused %d scripts", refused)
	l.browser.events = nil
	return nil
}

// twoTabs answers in one what another tab is about to answer.
func (l *look) twoTabs(h *house) error {
	asked, err := h.ask("git push origin tabs", nil)
	if err != nil {
		return err
	}
	first := l.browser.session
	if err := errors.Join(l.until(card(asked)+" !== null"), l.browser.tab(), l.browser.open(h.address+"/"), l.until(card(asked)+" !== null"), l.click(card(asked), "Approve…")); err != nil {
		return err
	}
	rest()
	second := l.browser.session
	l.browser.session = first
	if err := errors.Join(l.click(card(asked), "Deny…"), l.click(card(asked), "Deny "+asked.Code)); err != nil {
		return err
	}
	l.browser.session = second
	// Now, or when it has heard of the other's answer and there is no such button.
	l.click(card(asked), "Approve "+asked.Code)
	if err := errors.Join(l.until(says(card(asked), "Denied by ada")), l.became(h, asked, approval.Denied, "ada at the page", "page", "")); err != nil {
		return err
	}
	// Who asks all the same is told what it is.
	const late = `fetch("/resolve", {method: "POST", headers: {"Content-Type": "application/json", "X-Bashgate-Key": localStorage.getItem("bashgate-key")}, body: JSON.stringify({code: %q, sum: %q, state: "approved"})}).then(r => r.json()).then(v => { window.told = v.error; })`
	if err := errors.Join(l.browser.eval(fmt.Sprintf(late, asked.Code, asked.Sum()), nil), l.until(`window.told === "`+asked.Code+` is denied by ada at the page"`)); err != nil {
		return err
	}
	return l.browser.closeTab(first)
}

// views looks at every part of the page, in all widths and colours.
func (l *look) everyView(h *house) error {
	for _, v := range append([]view{{"small light", 320, 640, "light"}}, views...) {
		if err := errors.Join(l.show(v.width, v.height, v.scheme), l.browser.open(h.address+"/"), l.until(`document.querySelectorAll("#requests .card").length > 3`)); err != nil {
			return err
		}
		for _, part := range []struct{ key, ready string }{
			{"1", `document.querySelector("#waiting").checkVisibility()`},
			{"2", `document.querySelectorAll("#lines li").length > 3 && document.querySelectorAll("#ended li").length > 3`},
			{"3", says(`document.querySelector("#seen")`, "trusted by ada at the page")},
		} {
			var faults []string
			if err := errors.Join(l.browser.press(part.key), l.until(part.ready), l.shot("served-"+v.name+"-"+part.key), l.browser.eval(inside, &faults), l.named()); err != nil {
				return err
			}
			l.check(len(faults) == 0, "%s, part %s: %s", v.name, part.key, strings.Join(faults, "; "))
		}
		if err := errors.Join(
			l.browser.press("2"), l.until(`document.querySelector("#history").checkVisibility()`), l.browser.press("/"), l.want(`document.activeElement.id`, "find-history"),
			l.enterText("not friday"), l.until(`document.querySelectorAll("#lines li").length === 1`), l.want(says(`document.querySelector("#lines li")`, "git push origin other"), true),
			l.browser.press("Escape"), l.until(`document.querySelectorAll("#lines li").length > 3`),
		); err != nil {
			return err
		}
		l.quietServed(h)
	}
	return l.show(1280, 800, "light")
}

// byNotice follows the link of a notice.
func (l *look) byNotice(h *house) error {
	asked, err := h.ask("git push origin notice", nil)
	if err != nil {
		return err
	}
	token, err := h.queue.Sign(asked, approval.Approved)
	if err != nil {
		return err
	}
	var faults []string
	if err := errors.Join(
		l.browser.open(h.address+"/answer#"+token),
		l.until(says(`document.querySelector("#request")`, "git push origin notice")),
		l.want(`location.href`, h.address+"/answer"),
		l.browser.eval(inside, &faults),
		l.shot("served-notice"),
	); err != nil {
		return err
	}
	l.check(len(faults) == 0, "%s", strings.Join(faults, "; "))
	rest()
	if err := errors.Join(
		l.became(h, asked, approval.Pending, "", "", ""),
		l.click("document", "Approve "+asked.Code),
		l.until(says(`document.querySelector("#request")`, "Approved by ada by a notice")),
		l.became(h, asked, approval.Approved, "ada by a notice", "notice", ""),
	); err != nil {
		return err
	}
	l.quietServed(h)
	return errors.Join(
		l.browser.open(h.address+"/answer#"+token),
		l.until(says(`document.getElementById("fault")`, asked.Code+" is approved by ada by a notice")),
		l.want(`document.querySelectorAll("main button").length`, 0),
	)
}

// twoBrowsers has another browser, at another server of the same person, and a
// link that was used.
func (l *look) twoBrowsers(h *house, home, link, program string) error {
	other, otherLink, err := openHouse(home)
	if err != nil {
		return err
	}
	defer other.end()
	asked, err := h.ask("git push origin browsers", nil)
	if err != nil {
		return err
	}
	b, err := startBrowser(program, filepath.Join(home, "profile"))
	if err != nil {
		return err
	}
	defer b.close()
	here := l.browser
	if err := errors.Join(here.open(h.address+"/"), l.until(card(asked)+" !== null"), l.click(card(asked), "Approve…")); err != nil {
		return err
	}
	l.browser = b
	defer func() { l.browser = here }()
	if err := errors.Join(
		b.open(link),
		l.until(says(`document.getElementById("out")`, "This link has been used already: if not by you, end bashgate serve.")),
		l.shot("served-out"),
		l.want(`document.querySelectorAll("#requests .card").length`, 0),
		b.open(h.address+"/"),
		l.until(`document.getElementById("out").checkVisibility()`),
		b.open(otherLink),
		l.until(card(asked)+" !== null"),
		l.click(card(asked), "Deny…"),
		l.click(card(asked), "Deny "+asked.Code),
		l.until(says(card(asked), "Denied by ada")),
	); err != nil {
		return err
	}
	l.browser = here
	return errors.Join(
		l.until(says(card(asked), "Denied by ada at the page")),
		l.became(h, asked, approval.Denied, "ada at the page", "page", ""),
	)
}

// thousand opens the page where very much waits.
func (l *look) thousand(h *house) error {
	for i := range 1000 {
		if _, err := h.ask(fmt.Sprintf("git push origin feature/%d", i), func(r *approval.Request) {
			r.Session, r.Life = fmt.Sprintf("claude-%d", i/10), time.Hour
		}); err != nil {
			return err
		}
	}
	var paint, drawn float64
	if err := errors.Join(
		l.browser.open(h.address+"/"),
		l.until(`document.querySelectorAll("#requests .card").length === 50`),
		l.browser.eval(`performance.now()`, &drawn),
		l.browser.eval(`performance.getEntriesByType("paint")[0].startTime`, &paint),
	); err != nil {
		return err
	}
	l.check(paint < 1000 && drawn < 3000, "the first paint is after %.0f ms, and the list after %.0f", paint, drawn)
	fmt.Printf("with 1,000 requests the first paint is after %.0f ms, the list after %.0f\n", paint, drawn)
	var took float64
	return errors.Join(
		l.browser.press("/"), l.enterText("feature/999"),
		l.until(`document.querySelectorAll("#requests .card").length === 1`),
		l.browser.press("Escape"),
		l.until(`document.querySelectorAll("#requests .card").length === 50`),
		l.browser.eval(`(() => { const t = performance.now(); document.getElementById("more-waiting").click(); document.body.offsetHeight; return performance.now() - t; })()`, &took),
		l.want(`document.querySelectorAll("#requests .card").length`, 100),
		l.shot("served-thousand"),
	)
}

// serverEnds tells that nobody listens any more.
func (l *look) serverEnds(h *house) error {
	l.quietServed(h)
	if err := h.end(); err != nil {
		return err
	}
	return l.until(says(`document.getElementById("state")`, "connection lost, trying again"))
}
