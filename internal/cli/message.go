package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/bashgate/bashgate/policy"
)

// complain tells a person what is wrong, and what to do about it.
func (p *Process) complain(what, hint string) {
	s := styleFor(p, p.Stderr)
	fmt.Fprintf(p.Stderr, "bashgate: %s %s\n", s.paint(red, "error:"), what)
	if hint != "" {
		fmt.Fprintf(p.Stderr, "bashgate: %s %s\n", s.paint(dim, "hint:"), hint)
	}
}

// The colours, as terminals take them.
const (
	red    = "31"
	green  = "32"
	yellow = "33"
	bold   = "1"
	dim    = "2"
)

// style says whether output may be coloured.
type style bool

// styleFor allows colours on a terminal that can show them, unless the
// environment forbids it (https://no-color.org).
func styleFor(p *Process, w io.Writer) style {
	if p.Getenv("NO_COLOR") != "" || p.Getenv("TERM") == "" || p.Getenv("TERM") == "dumb" {
		return false
	}
	return style(isTerminal(w))
}

// isTerminal reports whether a stream is connected to a terminal, or to
// another character device that is not /dev/null.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && !isNull(stream)
}

// isNull reports whether a stream is the device that swallows everything. Go
// opens it in the place of a standard stream that is closed.
func isNull(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err == nil && os.SameFile(info, null)
}

func (s style) paint(colour, text string) string {
	if !s || text == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

func (s style) decision(d policy.Decision, text string) string {
	switch d {
	case policy.Allow:
		return s.paint(green, text)
	case policy.Ask:
		return s.paint(yellow, text)
	case policy.Block:
		return s.paint(red, text)
	}
	return s.paint(dim, text)
}

// shorten cuts text in the middle to at most width characters.
func shorten(text string, width int) string {
	if len(text) > 1<<16 {
		text = policy.Clip(text, 1<<16) // no need to count the characters of megabytes
	}
	runes := []rune(text)
	if len(runes) <= width {
		return text
	}
	tail := width / 4
	return string(runes[:width-tail-3]) + "..." + string(runes[len(runes)-tail:])
}

// plural returns "1 rule", "2 rules".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
