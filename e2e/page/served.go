package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/bashgate/bashgate/internal/approval"
	"github.com/bashgate/bashgate/internal/cli"
	"github.com/bashgate/bashgate/internal/serve"
)

// house is a server of the page, with a home of its own.
type house struct {
	process *cli.Process
	queue   approval.Queue
	out     *lines
	address string // "http://127.0.0.1:43210"
	end     func() error
}

// lines is an output that can be read while it is written to.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// take returns what was written since, once it ends with a line's end.
func (l *lines) take() (string, error) {
	for range 500 {
		l.mu.Lock()
		text := l.text.String()
		if strings.HasSuffix(text, "\n") {
			l.text.Reset()
			l.mu.Unlock()
			return strings.TrimSpace(text), nil
		}
		l.mu.Unlock()
		time.Sleep(10 * time.Millisecond)
	}
	return "", errors.New("the server prints no link")
}

// openHouse starts a server of a home, and returns its link.
func openHouse(home string) (*house, string, error) {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, "", err
	}
	h := &house{out: &lines{}}
	env := map[string]string{"HOME": home, "USER": "ada"}
	h.process = &cli.Process{
		Name: "bashgated", Stdin: strings.NewReader(""), Stdout: h.out, Stderr: io.Discard,
		Getenv: func(name string) string { return env[name] },
		Getwd:  func() (string, error) { return home, nil },
	}
	var err error
	if h.queue, err = h.process.Requests(); err != nil {
		return nil, "", err
	}
	server := &serve.Server{Process: h.process, Page: "127.0.0.1:0", Open: true}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx) }()
	h.end = sync.OnceValue(func() error {
		cancel()
		return <-done
	})
	link, err := h.out.take()
	if err != nil {
		return nil, "", errors.Join(err, h.end())
	}
	h.address, _, _ = strings.Cut(link, "/#")
	return h, link, nil
}

// ask puts a question as a hook does.
func (h *house) ask(command string, change func(*approval.Request)) (*approval.Request, error) {
	r := approval.Request{
		Bound: approval.Bound{Host: "claude", Session: "claude-7bca2281", Command: command, Cwd: "/home/ada/src/app", Workspace: "/home/ada/src/app", Rules: []string{"git.push"}, Does: []string{"sends commits to origin"}},
		ID:    "7bca2281-33f0", Mode: "default", Shell: "bash",
		Why: []approval.Why{{ID: "git.push", Text: "Sends commits to another machine: origin (git)", Source: "rules/git.toml:13"}},
	}
	if change != nil {
		change(&r)
	}
	made, _, err := h.queue.Ask(r)
	return made, err
}

// until waits for an expression to be true in the page.
func (l *look) until(expression string) error {
	var is bool
	for range 200 {
		if err := l.browser.eval(expression, &is); err != nil {
			return fmt.Errorf("%s: %w", expression, err)
		}
		if is {
			l.checks++
			return nil
		}
		time.Sleep(25 * time.Millisecond)
	}
	var text string
	l.browser.eval(`document.body.innerText.slice(0, 2000)`, &text)
	return fmt.Errorf("%s: %s never comes true:\n%s", l.at, expression, text)
}

// shot writes a picture.
func (l *look) shot(name string) error {
	if l.shots == "" {
		return nil
	}
	shot, err := l.browser.screenshot()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(l.shots, name+".png"), shot, 0o644)
}

// card is the request of a code, as it is drawn.
func card(r *approval.Request) string {
	return `document.querySelector('#requests [data-code="` + r.Code + `"]')`
}

// says is whether something has a text.
func says(element, text string) string {
	return fmt.Sprintf("(%s?.textContent ?? '').includes(%q)", element, text)
}

// rest lets the time go by in which a last step does nothing.
func rest() { time.Sleep(600 * time.Millisecond) }

// became notes where a request is not in a state on the word of somebody.
func (l *look) became(h *house, r *approval.Request, state approval.State, by, channel, reason string) error {
	now, err := h.queue.Request(r.Code)
	if err != nil {
		return err
	}
	l.check(now.State == state && now.By == by && now.Channel == channel && now.Reason == reason, "%s is %s by %q at %q: %q", r.Code, now.State, now.By, now.Channel, now.Reason)
	return nil
}

// click clicks on a button of an element by what stands on it.
func (l *look) click(element, text string) error {
	return l.browser.eval(fmt.Sprintf(`[...%s.querySelectorAll("button")].find(b => b.textContent === %q).click()`, element, text), nil)
}

func (l *look) enterText(text string) error {
	return l.browser.call("Input.insertText", object{"text": text}, nil)
}

// quietServed looks for errors, and for requests to another place.
func (l *look) quietServed(h *house) {
	for i := range l.browser.events {
		switch e := &l.browser.events[i]; e.Method {
		case "Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled":
			l.check(false, "%s: %.500s", e.Method, e.Params)
		case "Network.requestWillBeSent":
			var request struct{ Request struct{ URL string } }
			err := json.Unmarshal(e.Params, &request)
			l.check(err == nil && strings.HasPrefix(request.Request.URL, h.address+"/"), "asks for %s", request.Request.URL)
		}
	}
}
