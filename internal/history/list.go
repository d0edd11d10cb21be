package history

import (
	"bytes"

	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/wire"
)

// readList reads a plain list: a command on each line, or an object of JSON, as
// check --json takes them. A line that begins with # says nothing.
//
//	git status
//	{"command": "git push", "cwd": "/home/u/p", "mode": "default", "shell": "bash", "time": "2026-11-23T21:37:40Z"}
func readList(f *file) error {
	return f.lines(func(line []byte) {
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0 || line[0] == '#':
		case line[0] == '{' && isObject(line):
			f.record(line, func(o wire.Object) {
				command, err := o.Get("command").Text()
				if err != nil {
					command, err = o.Get("cmd").Text()
				}
				if err != nil {
					f.skip(f.line, noRecord)
					return
				}
				c := Command{Text: command, Time: stamp(o.Get("time")), Host: "list"}
				for _, field := range [...]struct {
					key string
					to  *string
				}{{"cwd", &c.Cwd}, {"workspace", &c.Workspace}, {"mode", &c.Mode}, {"shell", &c.Shell}, {"session", &c.Session}} {
					if value, err := o.Get(field.key).Text(); err == nil {
						*field.to = value
					}
				}
				if name, err := o.Get("host").Text(); err == nil {
					if _, err := host.Named(name); err == nil {
						c.Host = name
					}
				}
				f.found("", c)
			})
		default:
			f.found("", Command{Text: string(line), Host: "list", Shell: "bash"})
		}
	})
}

// isObject reports whether a line is an object of JSON and no group of the shell:
// { "$EDITOR" x; }. One that is cut off is an object, too.
func isObject(line []byte) bool {
	if bytes.HasPrefix(line, []byte(`{"`)) {
		return true
	}
	v, err := wire.Parse(line)
	if err != nil {
		return false
	}
	_, err = v.Object()
	return err == nil
}
