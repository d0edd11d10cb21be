package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// patience is how long an answer of the browser may take.
const patience = 30 * time.Second

// browser is a headless Chromium that is told what to do over two pipes: JSON
// messages, each with a NUL behind it, as its DevTools protocol has them.
type browser struct {
	command  *exec.Cmd
	out      io.WriteCloser
	messages chan message
	last     int // the id of the last call
	session  string
	events   []message // that came since the page was opened
}

// message is an answer (with an id) or an event (with a method).
type message struct {
	ID     int             `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// startBrowser starts Chromium with a profile in dir. No name leads anywhere, and no
// address but that of this machine.
func startBrowser(program, dir string) (*browser, error) {
	in, out, err := os.Pipe() // what it reads
	if err != nil {
		return nil, err
	}
	back, answers, err := os.Pipe() // what it writes
	if err != nil {
		return nil, err
	}
	args := []string{
		"--headless=new", "--remote-debugging-pipe", "--user-data-dir=" + dir, "--no-first-run", "--disable-gpu",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
		"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--disable-dev-shm-usage",
	}
	if os.Getuid() == 0 {
		args = append(args, "--no-sandbox") // it refuses to run as root otherwise
	}
	b := &browser{command: exec.Command(program, append(args, "about:blank")...), out: out, messages: make(chan message, 1000)}
	b.command.ExtraFiles = []*os.File{in, answers}
	var complaints bytes.Buffer
	b.command.Stderr = &complaints
	if err := b.command.Start(); err != nil {
		return nil, err
	}
	in.Close()
	answers.Close()
	go b.read(back)
	if err := b.tab(); err != nil {
		b.close()
		return nil, fmt.Errorf("%w\n%s", err, &complaints)
	}
	return b, nil
}

// tab opens another tab, in which all happens from then on.
func (b *browser) tab() error {
	b.session = ""
	var target struct{ TargetID, SessionID string }
	if err := b.call("Target.createTarget", object{"url": "about:blank"}, &target); err != nil {
		return err
	}
	if err := b.call("Target.attachToTarget", object{"targetId": target.TargetID, "flatten": true}, &target); err != nil {
		return err
	}
	b.session = target.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network", "Accessibility"} {
		if err := b.call(domain+".enable", nil, nil); err != nil {
			return err
		}
	}
	return nil
}

// closeTab closes a tab that is not the one in which things happen.
func (b *browser) closeTab(session string) error {
	here := b.session
	b.session = session
	defer func() { b.session = here }()
	return b.call("Page.close", nil, nil)
}

func (b *browser) close() {
	b.out.Close() // it ends where its pipe does
	done := make(chan error, 1)
	go func() { done <- b.command.Wait() }()
	select {
	case <-done:
	case <-time.After(patience):
		b.command.Process.Kill()
		<-done
	}
}

func (b *browser) read(from io.Reader) {
	defer close(b.messages)
	in := bufio.NewReader(from)
	for {
		data, err := in.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(data[:len(data)-1], &m) == nil {
			b.messages <- m
		}
	}
}

// object is what a call is given.
type object = map[string]any

// call asks for something and reads the answer into result, unless that is nil.
func (b *browser) call(method string, params object, result any) error {
	b.last++
	call := object{"id": b.last, "method": method}
	if params != nil {
		call["params"] = params
	}
	if b.session != "" {
		call["sessionId"] = b.session
	}
	data, err := json.Marshal(call)
	if err != nil {
		return err
	}
	if _, err := b.out.Write(append(data, 0)); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	id := b.last
	m, err := b.next(func(m *message) bool { return m.ID == id })
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", method, err)
	case m.Error != nil:
		return fmt.Errorf("%s: %s", method, m.Error.Message)
	case result == nil:
		return nil
	}
	return json.Unmarshal(m.Result, result)
}

// next waits for a message and keeps the events before it.
func (b *browser) next(wanted func(*message) bool) (*message, error) {
	late := time.After(patience)
	for {
		select {
		case m, ok := <-b.messages:
			if !ok {
				return nil, errors.New("the browser has ended")
			}
			if m.Method != "" {
				b.events = append(b.events, m)
			}
			if wanted(&m) {
				return &m, nil
			}
		case <-late:
			return nil, fmt.Errorf("no answer within %v", patience)
		}
	}
}

// open opens a page and waits until it has loaded.
func (b *browser) open(url string) error {
	if err := b.call("Page.navigate", object{"url": "about:blank"}, nil); err != nil {
		return err
	}
	if _, err := b.next(func(m *message) bool { return m.Method == "Page.loadEventFired" }); err != nil {
		return err
	}
	b.events = nil
	if err := b.call("Page.navigate", object{"url": url}, nil); err != nil {
		return err
	}
	for i := range b.events { // it may have come before the answer
		if b.events[i].Method == "Page.loadEventFired" {
			return nil
		}
	}
	_, err := b.next(func(m *message) bool { return m.Method == "Page.loadEventFired" })
	return err
}

// eval evaluates an expression in the page, and reads its value into result.
func (b *browser) eval(expression string, result any) error {
	var answer struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception *struct {
			Text      string `json:"text"`
			Exception struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	if err := b.call("Runtime.evaluate", object{"expression": expression, "returnByValue": true}, &answer); err != nil {
		return err
	}
	if e := answer.Exception; e != nil {
		return fmt.Errorf("%s %s", e.Text, e.Exception.Description)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(answer.Result.Value, result)
}

// keys are those that the page knows, by the codes of Windows that the protocol
// goes by.
var keys = map[string]int{"Tab": 9, "Enter": 13, "Escape": 27, "End": 35, "Home": 36, "ArrowUp": 38, "ArrowDown": 40}

// press presses and releases a key: one of keys, or a character.
func (b *browser) press(key string) error {
	down := object{"type": "keyDown", "key": key}
	if code, ok := keys[key]; ok {
		down["code"], down["windowsVirtualKeyCode"] = key, code
		if key == "Enter" {
			down["text"] = "\r"
		}
	} else {
		down["text"] = key
	}
	if err := b.call("Input.dispatchKeyEvent", down, nil); err != nil {
		return err
	}
	up := object{"type": "keyUp", "key": key}
	if code, ok := keys[key]; ok {
		up["code"], up["windowsVirtualKeyCode"] = key, code
	}
	return b.call("Input.dispatchKeyEvent", up, nil)
}

// screenshot returns the page as a PNG, as far as it is of use to look at.
func (b *browser) screenshot() ([]byte, error) {
	var size struct {
		Content struct{ Width, Height float64 } `json:"cssContentSize"`
	}
	if err := b.call("Page.getLayoutMetrics", nil, &size); err != nil {
		return nil, err
	}
	clip := object{"x": 0, "y": 0, "width": size.Content.Width, "height": min(size.Content.Height, 3000), "scale": 1}
	var shot struct{ Data []byte }
	err := b.call("Page.captureScreenshot", object{"captureBeyondViewport": true, "format": "png", "clip": clip}, &shot)
	return shot.Data, err
}
