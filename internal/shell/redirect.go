package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// redirected is what the redirects of one statement do.
type redirected struct {
	list    []policy.Redirect
	fed     bool // standard input is one of them
	mayFail bool // the command may not run at all
}

// redirects resolves redirects in order and points the frame's streams at
// them. The caller restores the frame, unless the shell itself is redirected.
func (r *run) redirects(rs []*syntax.Redirect) redirected {
	var out redirected
	piped := len(rs) > 0 && rs[0] == r.piped
	for _, rd := range rs {
		first := r.f.stdin
		r.redirect(rd, &out)
		if !feeds(rd) {
			continue
		}
		if piped && r.may(moreRedirects) {
			r.find(idZsh, rd, "zsh reads the pipe as well")
		}
		if out.fed && r.may(moreRedirects) {
			first.draw() // zsh reads one after the other, whatever the command does
			r.f.stdin.draw()
			r.input("0", policy.Input{Kind: policy.InputHole})
		}
		out.fed = true
	}
	return out
}

// redirected interprets what a statement runs between its redirects. What exec does
// to the shell itself stays; what is left of that and of redirects of an outer
// command at once is not followed.
func (r *run) redirected(rs []*syntax.Redirect, body func(redirected) outcome) outcome {
	if len(rs) == 0 {
		streams, execs := r.f.streams, r.f.execs
		o := body(redirected{})
		if !o.kept && r.f.execs == execs {
			r.f.streams = streams
		}
		o.kept = false
		return o
	}
	before := r.f
	red := r.redirects(rs)
	var m mark
	if red.mayFail {
		m = r.mark()
		m.f = before
	}
	o := body(red)
	switch {
	case o.kept:
	case r.f.execs == before.execs:
		r.f.streams = before.streams
	default:
		r.loseStreams()
	}
	if red.mayFail {
		own := r.f.streams
		r.either(m)
		if o.kept {
			r.f.streams = own
		}
		o = o.unless(before.ending())
	}
	o.kept = false
	return o
}

// loseStreams makes it unknown where the descriptors lead.
func (r *run) loseStreams() {
	r.f.stdin = input{Input: policy.Input{Kind: policy.InputHole}}
	r.f.fds = nil
	r.output("1", policy.OutputPipe)
	r.output("2", policy.OutputPipe)
	r.opensLike("1", "")
	r.opensLike("2", "")
}

// hereString resolves the word behind <<<. To bash "~" counts after ":" in it,
// as in what is assigned.
func (r *run) hereString(w *syntax.Word) policy.Word {
	if r.surely(unsplit) {
		return r.single(w)
	}
	r.zshCloses(w)
	v := r.assigned(w)
	if r.old() && expands(w) {
		return policy.Unknown(r.source(w)) // bash 3.2 splits and joins it
	}
	if r.may(assignedText) && !r.surely(assignedText) && strings.Contains(r.source(w), ":~") {
		return policy.Unknown(r.source(w))
	}
	return v
}

// feeds reports whether a redirect gives a command its standard input.
func feeds(rd *syntax.Redirect) bool {
	return isInput(rd.Op) && (rd.N == nil || withoutZeros(rd.N.Value) == "0")
}

// redirectsOutput reports whether a redirect says where standard output goes.
func redirectsOutput(rd *syntax.Redirect) bool {
	return !isInput(rd.Op) && (rd.N == nil || rd.N.Value == "1")
}

// isInput reports whether a redirect is one of input, unless a number says otherwise.
func isInput(op syntax.RedirOperator) bool {
	switch op {
	case syntax.RdrIn, syntax.RdrInOut, syntax.DplIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return true
	}
	return false
}

// withoutZeros is a descriptor's number without the zeros before it: 01 is 1.
func withoutZeros(fd string) string {
	if !isDigits(fd) {
		return fd
	}
	if fd = strings.TrimLeft(fd, "0"); fd == "" {
		return "0"
	}
	return fd
}

// maxDescriptor is a number that every process may open.
const maxDescriptor = 255

func (r *run) redirect(rd *syntax.Redirect, out *redirected) {
	fd := r.descriptorOf(rd, out)
	switch rd.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		r.zshCloses(rd.Word)
		r.heredoc(rd)
		text := r.heredocText(rd)
		r.tell("", text)
		r.input(fd, textInput(text))
		return
	case syntax.WordHdoc:
		r.posixOnly(true, rd, "a here-string is no input to every sh")
		v := r.hereString(rd.Word)
		r.tell("", v)
		if v.Parts == nil {
			v.Text += "\n"
		} else {
			v.Parts = append(v.Parts[:len(v.Parts):len(v.Parts)], policy.Part{Kind: policy.Lit, Text: "\n"})
		}
		r.input(fd, textInput(v))
		return
	}
	if rd.Op == syntax.RdrAll || rd.Op == syntax.AppAll {
		r.both(rd)
	}
	if ps := onlyProcSubst(rd.Word); ps != nil {
		from := r.procSubst(ps)
		out.mayFail = true
		switch {
		case rd.Op == syntax.RdrIn && ps.Op == syntax.CmdIn:
			r.input(fd, policy.Input{Kind: policy.InputPipe, From: from})
		case rd.Op == syntax.RdrIn || rd.Op == syntax.RdrInOut || rd.Op == syntax.DplIn:
			r.input(fd, policy.Input{Kind: policy.InputHole}) // the end that the command reads, too
		default:
			r.output(fd, policy.OutputPipe)
			r.opensInput(outputOf(fd), policy.Input{Kind: policy.InputPipe})
		}
		return
	}
	if closesAndGoesOn(rd) {
		r.find(idGuard, rd, "the descriptor is closed by the dash, and a word follows that the parser did not see")
	}
	w := r.behind(r.target(rd))
	text, _ := w.Const()
	if (rd.Op == syntax.DplIn || rd.Op == syntax.DplOut) && r.copies(rd, fd, w, out) {
		return
	}
	r.zshTarget(rd, text)
	if text != "/dev/null" {
		out.mayFail = true
	}
	r.opensPath(rd, fd, w, out)
}

// both finds what shells do not read alike in &> and &>>.
func (r *run) both(rd *syntax.Redirect) {
	r.posixOnly(true, rd, "&> starts a background job in sh")
	if at := int(rd.OpPos.Offset()); r.may(moreRedirects) && at > 0 && at <= len(r.src.text) && (r.src.text[at-1] == '}' || isDigits(r.src.text[at-1:at])) {
		r.find(idZsh, rd, "a descriptor before &>, which is a word to other shells than zsh")
	}
}

// descriptorOf is the number before a redirect, or "".
func (r *run) descriptorOf(rd *syntax.Redirect, out *redirected) string {
	if rd.N == nil {
		return ""
	}
	fd := rd.N.Value
	if strings.HasPrefix(fd, "{") {
		if r.may(moreRedirects) {
			r.find(idZsh, rd, "zsh opens a descriptor by name in another way than bash")
		}
		r.descriptorName(rd, fd)
		out.mayFail = true // where the variable can't be set
	} else if len(fd) > 9 || len(fd) > 1 && !r.surely(longNumbers) {
		// The first is no number to bash either, which wants it in 31 bits.
		r.find(idGuard, rd, "a number of several digits is a word to dash and zsh, and no descriptor")
	}
	fd = withoutZeros(fd)
	if n, err := strconv.Atoi(fd); err == nil && n > maxDescriptor {
		out.mayFail = true
	}
	return fd
}

// copies does a redirect that makes a descriptor lead where another one does. It
// reports false for one that opens a file.
func (r *run) copies(rd *syntax.Redirect, fd string, w policy.Word, out *redirected) bool {
	text, known := w.Const()
	if known && (text == "-" || isDigits(strings.TrimSuffix(text, "-"))) {
		if len(text) > 1 && strings.HasSuffix(text, "-") && r.may(moreRedirects) {
			r.find(idZsh, rd, "a descriptor that is moved, and to zsh the file "+policy.Quote(text))
		}
		if fd == "" && rd.Op == syntax.DplIn {
			fd = "0"
		}
		from := withoutZeros(strings.TrimSuffix(text, "-"))
		r.duplicate(outputOf(fd), from)
		r.opensLike(outputOf(fd), from)
		if text != "-" && (r.closes || text != "1" && text != "2" && text != "0") {
			out.mayFail = true
		}
		r.closes = r.closes || strings.HasSuffix(text, "-")
		if moved, ok := strings.CutSuffix(text, "-"); ok && moved != "" {
			r.opensLike(withoutZeros(moved), "")
		}
		return true
	}
	out.mayFail = true
	if rd.Op == syntax.DplIn {
		// <&word: a descriptor whose number is not known
		r.input(fd, policy.Input{Kind: policy.InputHole})
		return true
	}
	if fd != "" && fd != "1" && !r.may(moreRedirects) {
		r.output(fd, policy.OutputPipe)
		r.opensLike(fd, "")
		return true // n>&word is an error unless it is a number
	}
	return false
}

// opensPath does a redirect that opens a file.
func (r *run) opensPath(rd *syntax.Redirect, fd string, w policy.Word, out *redirected) {
	text, _ := w.Const()
	op := policy.RedirectWrite
	switch rd.Op {
	case syntax.RdrIn:
		op = policy.RedirectRead
	case syntax.RdrInOut:
		op = policy.RedirectReadWrite
	case syntax.AppOut, syntax.AppAll:
		op = policy.RedirectAppend
	case syntax.RdrOut, syntax.RdrClob, syntax.RdrAll, syntax.DplOut:
	default:
		r.find(idNode, rd, "a redirect that bash does not have")
	}
	out.list = append(out.list, policy.Redirect{Op: op, Path: w, Pos: r.at(rd.Pos())})
	switch op {
	case policy.RedirectRead, policy.RedirectReadWrite:
		if r.mayBeDescriptor(w) {
			r.f.streams.draw()
		}
		r.input(fd, policy.Input{Kind: policy.InputFile, Text: w})
	default:
		if text == "/dev/null" && fd == "2" {
			r.opensFile(fd, w)
			break // what is written there can't fail either
		}
		r.output(fd, policy.OutputFile)
		r.opensFile(outputOf(fd), w)
		if rd.Op == syntax.RdrAll || rd.Op == syntax.AppAll || rd.Op == syntax.DplOut {
			r.output("2", policy.OutputFile)
			r.opensFile("2", w)
		}
	}
}

// closesAndGoesOn reports whether a redirect is like >&-x or >& -x, which bash
// reads as ">&-" and the word "x".
func closesAndGoesOn(rd *syntax.Redirect) bool {
	if rd.Op != syntax.DplIn && rd.Op != syntax.DplOut {
		return false
	}
	l, ok := rd.Word.Parts[0].(*syntax.Lit)
	return ok && strings.HasPrefix(l.Value, "-") && (len(rd.Word.Parts) > 1 || l.Value != "-")
}

// textInput is input of a text that may hold holes.
func textInput(v policy.Word) policy.Input {
	if v.Parts == nil {
		return policy.Input{Kind: policy.InputText, Text: v}
	}
	return policy.Input{Kind: policy.InputHole, Text: v}
}

// target resolves the file of a redirect.
func (r *run) target(rd *syntax.Redirect) policy.Word {
	ws := r.word(nil, rd.Word)
	if len(ws) == 1 {
		return ws[0]
	}
	return policy.Word{Parts: []policy.Part{{Kind: policy.Hole, Text: r.source(rd.Word)}}, Pos: r.at(rd.Word.Pos())}
}

// assignedTargets finds files that what is assigned beside them may name:
// without a command, bash assigns first and opens then; dash and zsh do not.
func (r *run) assignedTargets(c *syntax.CallExpr, s *syntax.Stmt) {
	for _, rd := range s.Redirs {
		if rd.Hdoc != nil || rd.Word == nil {
			continue
		}
		for _, a := range c.Assigns {
			if !independent(rd.Word.Parts, a.Name.Value) {
				r.find(idGuard, rd, "a redirect that may depend on what is assigned beside it, which not every shell does first")
				return
			}
		}
	}
}

// independent reports whether the parts of a word surely mean the same whatever
// a variable holds.
func independent(parts []syntax.WordPart, name string) bool {
	for i, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			if i == 0 && strings.HasPrefix(p.Value, "~") && (name == "HOME" || name == "PWD" || name == "OLDPWD") {
				return false
			}
		case *syntax.SglQuoted:
		case *syntax.DblQuoted:
			if !independent(p.Parts, name) {
				return false
			}
		case *syntax.ParamExp:
			if p.Param == nil || p.Param.Value == name || name == "IFS" || !isPlainParam(p) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func onlyProcSubst(w *syntax.Word) *syntax.ProcSubst {
	if w == nil || len(w.Parts) != 1 {
		return nil
	}
	ps, _ := w.Parts[0].(*syntax.ProcSubst)
	return ps
}

// output makes a descriptor write to somewhere.
func (r *run) output(fd string, out policy.Output) {
	if fd == "" || fd == "1" {
		r.f.stdout = out
		return
	}
	r.input(fd, policy.Input{Kind: policy.InputHole})
}

// input makes a descriptor read from somewhere. Standard output that is opened
// for reading is no output, and whoever writes to it may fail. Descriptors of
// several digits are not followed.
func (r *run) input(fd string, in policy.Input) { r.shares(fd, r.newInput(in)) }

// shares is input for what others may read from as well.
func (r *run) shares(fd string, in input) {
	r.opensInput(fd, in.Input)
	r.leads(fd, in)
}

// leads makes a descriptor read from somewhere, whichever file it has open.
func (r *run) leads(fd string, in input) {
	switch fd {
	case "", "0":
		r.f.stdin = in
		return
	case "1":
		r.f.stdout = policy.OutputPipe
		return
	}
	if len(fd) > 1 {
		return
	}
	fds := make([]descriptor, 0, len(r.f.fds)+1)
	for _, d := range r.f.fds {
		if d.fd != fd {
			fds = append(fds, d)
		}
	}
	r.f.fds = append(fds, descriptor{fd, in})
}

// duplicate does n<&m and n>&m.
func (r *run) duplicate(fd, from string) {
	switch {
	case fd == "0" && from != "0":
		r.f.stdin = input{Input: policy.Input{Kind: policy.InputHole}}
		for _, d := range r.f.fds {
			if d.fd == from {
				r.f.stdin = d.input
			}
		}
	case fd == "1" && from == "2" && !slices.ContainsFunc(r.f.fds, func(d descriptor) bool { return d.fd == "2" }):
		r.f.stdout = policy.OutputHost
	case fd == "1" && from != "1":
		r.f.stdout = policy.OutputPipe // closed, or wherever that descriptor leads
	case fd == "2" && (from == "1" && r.f.stdout == policy.OutputHost || from == "2"):
	case fd != "1" && from == "0":
		r.shares(fd, r.f.stdin)
	case fd != "1" && fd != "0":
		r.input(fd, policy.Input{Kind: policy.InputHole})
	}
}

// outputOf is the descriptor that an output redirect opens.
func outputOf(fd string) string {
	if fd == "" {
		return "1"
	}
	return fd
}

// descriptorName reads the variable of {name}>file.
func (r *run) descriptorName(rd *syntax.Redirect, n string) {
	name := strings.TrimSuffix(strings.TrimPrefix(n, "{"), "}")
	r.posixOnly(true, rd, "{name} before a redirect is a word in sh")
	r.oldOnly(true, rd, "{name} before a redirect is a word to bash 3.2")
	if base, index, ok := strings.Cut(name, "["); ok {
		if !isName(base) || !r.plainSubscript(r.get(base), strings.TrimSuffix(index, "]")) {
			r.find(idEvaluates, rd, "the subscript of a redirect's variable may run a command")
		}
		r.implicitElement(rd, base)
		return
	}
	if isName(name) {
		// A redirect that fails does not set it, nor one of a command that runs
		// in a process of its own.
		m := r.mark()
		r.implicit(rd, name, hole(policy.ShapeNumber))
		r.either(m)
	}
}

// heredocText resolves the body of a here-document.
func (r *run) heredocText(rd *syntax.Redirect) policy.Word {
	if rd.Hdoc == nil {
		return policy.Word{}
	}
	if _, quotedDelim, _ := delimiter(rd.Word); quotedDelim {
		if len(rd.Hdoc.Parts) == 1 {
			if l, ok := rd.Hdoc.Parts[0].(*syntax.Lit); ok {
				text := r.unmap(l.Value)
				if rd.Op == syntax.DashHdoc {
					text = withoutTabs(text, true)
				}
				return policy.Word{Text: text, Pos: r.at(l.Pos())}
			}
		}
		r.find(idGuard, rd.Hdoc, "a quoted here-document that the parser did not take for text")
	}
	return r.body(rd.Hdoc, rd.Op == syntax.DashHdoc)
}

// withoutTabs removes the tabs that lines begin with. first says that the text
// begins on a line of its own.
func withoutTabs(s string, first bool) string {
	if first {
		s = strings.TrimLeft(s, "\t")
	}
	if !strings.Contains(s, "\n\t") {
		return s
	}
	lines := strings.SplitAfter(s, "\n")
	for i := 1; i < len(lines); i++ {
		lines[i] = strings.TrimLeft(lines[i], "\t")
	}
	return strings.Join(lines, "")
}
