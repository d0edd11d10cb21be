package expect

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/internal/wire"
	"github.com/bashgate/bashgate/policy"
)

// Result is how one test went.
type Result struct {
	File    string
	At      ruleset.Span
	Command string
	Wrong   []string // what is wrong, line by line; nil: nothing
}

// TAP returns the results in the Test Anything Protocol, version 14
// (testanything.org).
func TAP(results []Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "TAP version 14\n1..%d\n", len(results))
	escape := strings.NewReplacer(`\`, `\\`, "#", `\#`)
	for i := range results {
		r := &results[i]
		word := "ok"
		if r.Wrong != nil {
			word = "not ok"
		}
		fmt.Fprintf(&b, "%s %d - %s\n", word, i+1, escape.Replace(policy.Visible(fmt.Sprintf("%s:%d %s", r.File, r.At.Line, r.Command))))
		if r.Wrong == nil {
			continue
		}
		// A JSON string is one of YAML in double quotes.
		fmt.Fprintf(&b, "  ---\n  message: %s\n", wire.AppendText(nil, policy.Visible(r.Wrong[0])))
		if len(r.Wrong) > 1 {
			b.WriteString("  details:\n")
			for _, line := range r.Wrong[1:] {
				fmt.Fprintf(&b, "    - %s\n", wire.AppendText(nil, policy.Visible(line)))
			}
		}
		fmt.Fprintf(&b, "  file: %s\n  line: %d\n  ...\n", wire.AppendText(nil, policy.Visible(r.File)), r.At.Line)
	}
	return b.String()
}

// JUnit returns the results as the XML that JUnit's reports have, a suite for
// each file.
func JUnit(results []Result) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	fmt.Fprintf(&b, "<testsuites name=\"bashgate\" tests=\"%d\" failures=\"%d\">\n", len(results), Failures(results))
	for len(results) > 0 {
		n := 1
		for n < len(results) && results[n].File == results[0].File {
			n++
		}
		suite := results[:n]
		results = results[n:]
		file := attribute(suite[0].File)
		fmt.Fprintf(&b, "  <testsuite name=%s tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"0\">\n", file, len(suite), Failures(suite))
		for i := range suite {
			r := &suite[i]
			fmt.Fprintf(&b, "    <testcase classname=%s name=%s", file, attribute(strconv.Itoa(r.At.Line)+": "+r.Command))
			if r.Wrong == nil {
				b.WriteString("/>\n")
				continue
			}
			fmt.Fprintf(&b, ">\n      <failure message=%s>%s</failure>\n    </testcase>\n", attribute(r.Wrong[0]), characters(strings.Join(r.Wrong, "\n")))
		}
		b.WriteString("  </testsuite>\n")
	}
	b.WriteString("</testsuites>\n")
	return b.String()
}

// Failures counts the results that are wrong.
func Failures(results []Result) int {
	n := 0
	for i := range results {
		if results[i].Wrong != nil {
			n++
		}
	}
	return n
}

func attribute(s string) string { return `"` + characters(s) + `"` }

// characters writes a text as XML: what marks means is escaped, line ends and
// tabs stay what they are in attributes too, and what XML 1.0 can't hold in any
// spelling (section 2.2: most control characters, U+FFFE, U+FFFF, bytes that
// are not UTF-8) is written as \x1b or \ufffe.
func characters(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '"':
			b.WriteString("&quot;")
		case r == '\t', r == '\n', r == '\r':
			fmt.Fprintf(&b, "&#%d;", r)
		case r < ' ', r >= 0x7f && r <= 0x9f:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r == 0xfffe || r == 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}
