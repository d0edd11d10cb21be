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
	dir     string
	server  *serve.Server
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

// openHouse starts a server. Enter on its standard input makes another link.
func openHouse(dir string) (*house, string, error) {
	home := filepath.Join(dir, "home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, "", err
	}
	h := &house{dir: home, out: &lines{}}
	env := map[string]string{"HOME": home, "USER": "ada"}
	process := &cli.Process{
		Name: "bashgated", Stdin: strings.NewReader(""), Stdout: h.out, Stderr: io.Discard,
		Getenv: func(name string) string { return env[name] },
		Getwd:  func() (string, error) { return home, nil },
	}
	var err error
	if h.queue, err = process.Requests(); err != nil {
		return nil, "", err
	}
	h.server = &serve.Server{Process: process, Page: "127.0.0.1:0", Open: true}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- h.server.Serve(ctx) }()
	h.end = func() error {
		cancel()
		return <-done
	}
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
		Bound: approval.Bound{Host: "claude", Session: "claude-7bca2281", Command: command, Cwd: "/home/ada/src/app", Workspace: "/home/ada/src/app", Rules: []string{"git.push"}},
		ID:    "7bca2281-33f0", Mode: "default", Shell: "bash",
		Why:  []approval.Why{{ID: "git.push", Text: "Sends commits to another machine: origin (git)", Source: "rules/git.toml:13"}},
		Does: []string{"sends commits to origin"},
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

// served looks at the page that a server gives.
func (l *look) served(dir string) (err error) {
	h, link, err := openHouse(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.end()) }()
	l.at = "served"
	if err := errors.Join(
		l.browser.call("Network.emulateNetworkConditions", object{"offline": false, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}, nil),
		l.browser.call("Emulation.setDeviceMetricsOverride", object{"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": false}, nil),
	); err != nil {
		return err
	}
	asked, err := h.ask("git push origin feature/x", nil)
	if err != nil {
		return err
	}
	if err := errors.Join(
		l.browser.open(link),
		l.until(`document.querySelectorAll("#requests .card").length === 1`),
		l.want(`document.title`, "(1) bashgate"),
		l.want(`location.href`, h.address+"/"),
		l.want(`document.querySelector("#requests .command").textContent`, "git push origin feature/x"),
		l.shot("served-one"),
		l.browser.press("j"),
		l.browser.press("a"),
		l.shot("served-armed"),
	); err != nil {
		return err
	}
	time.Sleep(600 * time.Millisecond)
	if err := errors.Join(l.browser.press("Enter"), l.until(`document.querySelector("#requests .card.over") !== null`), l.shot("served-approved")); err != nil {
		return err
	}
	now, err := h.queue.Request(asked.Code)
	if err != nil {
		return err
	}
	l.check(now.State == approval.Approved && now.By == "ada at the page" && now.Channel == "page", "it is %s by %q", now.State, now.By)
	l.quietServed(h)
	return nil
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
