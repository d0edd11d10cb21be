package replay

import (
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/internal/wire"
	"github.com/bashgate/bashgate/policy"
)

// markup is HTML that stands in this package as it is. Only constants become
// one without being converted, so that a text of others can't by mistake.
type markup string

// document is an HTML document that is being written.
type document struct{ bytes []byte }

// put adds markup.
func (d *document) put(m markup) *document {
	d.bytes = append(d.bytes, m...)
	return d
}

// text adds a text of anybody's, between elements or in an attribute's quotes:
// as one line, as a terminal would draw it, cut where it is long.
func (d *document) text(s string) *document {
	for _, r := range policy.Visible(cut(s, pageText)) {
		switch r {
		case '&':
			d.put("&amp;")
		case '<':
			d.put("&lt;")
		case '>':
			d.put("&gt;")
		case '"':
			d.put("&quot;")
		case '\'':
			d.put("&#39;")
		default:
			d.bytes = append(d.bytes, string(r)...)
		}
	}
	return d
}

// lines adds a text of several lines, for an element that keeps them.
func (d *document) lines(s string) *document {
	n := 0
	for line := range strings.Lines(s) {
		if n++; n > pageLines {
			return d.put("…\n")
		}
		d.text(strings.TrimSuffix(line, "\n")).put("\n")
	}
	return d
}

// number adds a count: 12,345.
func (d *document) number(n int) *document { return d.text(Thousands(n)) }

// value adds a text as JSON for a script element, where nothing may look like
// the element's end or like the beginning of a comment.
func (d *document) value(s string) *document {
	for _, c := range wire.AppendText(nil, policy.Visible(cut(s, pageText))) {
		switch c {
		case '<':
			d.put(`\u003c`)
		case '>':
			d.put(`\u003e`)
		case '&':
			d.put(`\u0026`)
		default:
			d.bytes = append(d.bytes, c)
		}
	}
	return d
}

// bar adds a bar of a share of the width it has, 0 to 1.
func (d *document) bar(class markup, share float64) *document {
	return d.put("<svg class=\"bar\" aria-hidden=\"true\"><rect class=\"").put(class).put("\" height=\"100%\" width=\"").
		text(strconv.FormatFloat(100*min(max(share, 0), 1), 'f', 1, 64)).put("%\"/></svg>")
}

// hash is how a policy names a style or a script that stands in the page.
func hash(file string) string {
	sum := sha256.Sum256([]byte(file))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// cut shortens a text to so many bytes.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	end := most
	for end > most-4 && s[end]&0xc0 == 0x80 { // not within a character
		end--
	}
	return s[:end] + " …"
}

// Thousands writes a count with a comma after each third digit.
func Thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// percent writes a share of a whole: "93.4 %"; of nothing it is "–".
func percent(part, whole int) string {
	if whole == 0 {
		return "–"
	}
	return Decimal(100*float64(part)/float64(whole)) + " %"
}

// Decimal writes a number with one digit behind the point, from 100 on with none.
func Decimal(f float64) string {
	if f >= 99.95 {
		return Thousands(int(f + 0.5))
	}
	return strconv.FormatFloat(f, 'f', 1, 64)
}
