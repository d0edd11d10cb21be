package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/internal/audit"
	"github.com/bashgate/bashgate/internal/wire"
	"github.com/bashgate/bashgate/policy"
)

// verifyLog is `bashgate log verify`: it looks whether the decision log is what was
// written. head is the end of it that somebody has noted down; "" = none.
func verifyLog(p *Process, head string, asJSON bool) (int, error) {
	noted, err := parseNoted(head)
	if err != nil {
		return 0, err
	}
	c := p.setup().Audit
	where, err := p.auditLog(&c)
	if err != nil {
		return 0, err
	}
	report, err := where.Verify(noted)
	if errors.Is(err, fs.ErrNotExist) && noted.Seq == 0 {
		return exitOK, (&logTool{process: p, json: asJSON}).nothing(where.Path, c.Off)
	}
	if err != nil {
		return 0, err
	}
	status := exitOK
	if !report.Whole() {
		status = exitError
	}
	if asJSON {
		_, err := p.Stdout.Write(verifyJSON(report))
		return status, err
	}
	_, err = io.WriteString(p.Stdout, verifyText(p, report))
	return status, err
}

// parseNoted reads HASH:SEQ.
func parseNoted(text string) (n audit.Noted, err error) {
	if text == "" {
		return n, nil
	}
	mac, seq, ok := strings.Cut(text, ":")
	n.Mac = mac
	n.Seq, err = strconv.ParseUint(seq, 10, 63)
	if !ok || err != nil || n.Seq == 0 || len(mac) < audit.ShortMac || len(mac) > 2*audit.ShortMac || strings.Trim(mac, "0123456789abcdef") != "" {
		return n, usagef("as bashgate log verify prints it: 3f7a22b19c04d5e6:1042", "--head %q is no end of a log", text)
	}
	return n, nil
}

// verifyText is what is printed of a report.
func verifyText(p *Process, r *audit.Report) string {
	var b strings.Builder
	show := func(list []audit.Finding) {
		for i := range list {
			f := &list[i]
			place := policy.Visible(p.home(f.File))
			if f.Line > 0 {
				place += ":" + strconv.Itoa(f.Line)
			}
			if f.To > f.Line {
				place += "-" + strconv.Itoa(f.To)
			}
			fmt.Fprintf(&b, "%s: %s: %s\n", place, f.Kind, policy.Visible(f.Text))
		}
	}
	show(r.Notes)
	show(r.Findings)
	if r.Older > 0 {
		fmt.Fprintf(&b, "%s from before the log was chained: nothing vouches for them\n", plural(r.Older, "line"))
	}
	if !r.Anew.IsZero() {
		fmt.Fprintf(&b, "the log begins anew with line 1, and its key is of %s: if nobody has removed the log before, that is well\n", r.Anew.Local().Format("2006-01-02 15:04"))
	}
	if r.Lines == 0 {
		if r.Whole() {
			b.WriteString("no line is chained yet\n")
		}
		return b.String()
	}
	const day = "2006-01-02 15:04:05"
	state := "whole"
	if !r.Whole() {
		state = "and " + plural(len(r.Findings), "finding")
	}
	fmt.Fprintf(&b, "%s from %s to %s, %s\n", plural(r.Lines, "line"), r.First.Local().Format(day), r.Last.Local().Format(day), state)
	if r.Whole() {
		fmt.Fprintf(&b, "head %s:%d\n", r.Mac[:audit.ShortMac], r.Seq)
	}
	return b.String()
}

// verifyJSON is the report as one object.
func verifyJSON(r *audit.Report) []byte {
	b := fmt.Appendf(nil, `{"v":1,"whole":%t,"lines":%d,"unchained_before":%d,"first_seq":%d,"last_seq":%d,"mac":%q`, r.Whole(), r.Lines, r.Older, r.From, r.Seq, r.Mac)
	if r.Lines > 0 {
		b = append(b, `,"first":"`+r.First.UTC().Format(logTime)+`","last":"`+r.Last.UTC().Format(logTime)+`"`...)
	}
	if !r.Anew.IsZero() {
		b = append(b, `,"key_made":"`+r.Anew.UTC().Format(logTime)+`"`...)
	}
	for _, part := range [...]struct {
		key  string
		list []audit.Finding
	}{{"findings", r.Findings}, {"notes", r.Notes}} {
		b = append(b, `,"`+part.key+`":[`...)
		for i := range part.list {
			f := &part.list[i]
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, `{"kind":"`+f.Kind+`","file":`...)
			b = wire.AppendText(b, f.File)
			b = fmt.Appendf(b, `,"line":%d,"to":%d,"text":`, f.Line, f.To)
			b = append(wire.AppendText(b, f.Text), '}')
		}
		b = append(b, ']')
	}
	return append(b, "}\n"...)
}

const logTime = "2006-01-02T15:04:05.999999999Z07:00"
