package gates

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// awk reads a program for awk. All that reaches outside stands in plain sight
// in the tokens: system(), "cmd" | getline, print | "cmd", print > "file",
// getline < "file", ENVIRON, and what gawk adds: |&, @load and its like. So
// the reader needs a lexer that is right about strings, regexes and comments,
// and of the grammar only where a print statement ends.
//
// Commands and file names that are one constant become uses. Implementations
// group `"a" "b" | getline` differently, so anything longer is not known.
func awk(text policy.Word, _ *match.Call) match.Reading {
	var p awkProgram
	program, ok := flatten(text)
	if !ok {
		p.out.unreadable("awk.unreadable", "awk program is not all known")
		return p.out.Reading
	}
	lexer := awkTokens{code: program}
	if !lexer.tokenize() {
		p.unreadable()
		return p.out.Reading
	}
	p.code, p.tokens = program, lexer.tokens
	p.walk()
	return p.out.Reading
}

// awkProgram is a tokenized program on its way through the reader.
type awkProgram struct {
	code
	tokens []awkToken
	out    report

	depth    int  // of parentheses
	braces   int  // that are open
	printing bool // in the words of a print statement
	level    int  // the depth at which it started
}

func (p *awkProgram) unreadable() {
	p.out.unreadable("awk.unreadable", "awk program is written in a way the gate does not know")
}

func (p *awkProgram) executes() {
	p.out.ask("awk.execute", "awk program runs a command that the gate can't read", policy.Executes, policy.ReachUnknown)
}

// before returns the token n places before the i-th.
func (p *awkProgram) before(i, n int) awkToken {
	if i < n {
		return awkToken{kind: awkNewline}
	}
	return p.tokens[i-n]
}

// after returns the token n places behind the i-th.
func (p *awkProgram) after(i, n int) awkToken {
	return p.tokens[min(i+n, len(p.tokens)-1)]
}

func (p *awkProgram) walk() {
	for i, t := range p.tokens {
		switch t.kind {
		case awkName:
			p.name(i, t)
		case awkNewline:
			// A newline behind an operator continues the statement.
			last := p.before(i, 1)
			if p.depth == p.level && last.endsOperand() {
				p.printing = false
			}
		case awkOp:
			p.operator(i, t)
		}
	}
	if p.braces != 0 {
		p.unreadable() // it could go on in the text of another -e
	}
}

// name looks at a name or keyword.
func (p *awkProgram) name(i int, t awkToken) {
	switch t.text {
	case "print", "printf":
		p.printing, p.level = true, p.depth
	case "system":
		if !p.after(i, 1).is("(") {
			p.unreadable()
			return
		}
		p.runs(i+2, p.after(i, 3).is(")"))
	case "getline":
		if last := p.before(i, 1); !last.is("|") && !last.is("|&") {
			p.getline(i)
		}
	case "ENVIRON":
		p.environ(i)
	case "SYMTAB":
		p.out.ask("awk.environment", "awk program may show the whole environment", policy.Secret, policy.ReachUnset)
	case "ARGV", "ARGC":
		// The program may name further files to read.
		p.argument(i)
	case "extension":
		p.out.ask("awk.load", "awk program loads a library", policy.Executes, policy.ReachUnknown)
	}
}

// operator looks at an operator: where a statement ends, and where data goes
// to or comes from.
func (p *awkProgram) operator(i int, t awkToken) {
	switch t.text {
	case "(":
		p.depth++
	case ")":
		p.depth--
		if p.printing && p.depth < p.level {
			p.unreadable()
		}
	case ";", "{", "}":
		if p.printing && p.depth != p.level {
			p.unreadable()
		}
		p.printing = false
		switch t.text {
		case "{":
			p.braces++
		case "}":
			p.braces--
		}
		if p.braces < 0 {
			p.unreadable()
		}
	case "@":
		p.out.ask("awk.load", "awk program loads code, or calls a function by a computed name", policy.Executes, policy.ReachUnknown)
	case "|", "|&":
		switch {
		case p.after(i, 1).named("getline"):
			p.commandBefore(i)
		case p.printing && p.depth == p.level:
			p.runs(i+1, p.after(i, 2).endsStatement())
		default:
			p.unreadable()
		}
	case ">", ">>":
		if p.printing && p.depth == p.level {
			p.writes(i + 1)
		} else if t.text == ">>" {
			p.unreadable()
		}
	}
}

// runs notes the command that starts at the i-th token. It is known if that
// token is a string and nothing else belongs to it.
func (p *awkProgram) runs(i int, alone bool) {
	command, ok := p.value(i)
	switch {
	case ok && alone:
		if text, known := command.Const(); !known || strings.TrimSpace(text) != "" {
			p.script(command)
		}
	case ok:
		p.executes()
		p.script(join(command, p.source(i+1)))
	default:
		p.executes()
	}
}

// script notes shell text, or gawk's way of opening a connection.
func (p *awkProgram) script(command policy.Word) {
	if isInet(command) {
		p.network()
		return
	}
	p.out.use(match.Script, command)
}

func isInet(w policy.Word) bool { return strings.HasPrefix(w.Prefix(), "/inet") }

func (p *awkProgram) network() {
	p.out.ask("awk.network", "awk program opens a network connection", policy.Network, policy.ReachNetwork)
}

// commandBefore notes the command of `"cmd" | getline`, where the i-th token
// is the pipe.
func (p *awkProgram) commandBefore(i int) {
	if p.printing && p.depth == p.level {
		p.executes() // print "x" | getline: some take it as an output pipe
		return
	}
	at := i - 1
	if p.before(i, 1).is(")") && p.before(i, 3).is("(") {
		at-- // ("cmd") | getline
	}
	command, ok := p.value(at)
	if !ok {
		p.executes()
		return
	}
	p.script(command)
	first := at - 1
	if at != i-1 {
		first--
	}
	switch start := p.before(first+1, 1); {
	case start.kind == awkNewline:
	case start.kind == awkOp && strings.Contains(" ; { } ( , = && || ", " "+start.text+" "):
	default:
		p.executes()
	}
}

// writes notes the file that a print statement writes: the i-th token, if it
// is a string and the statement ends behind it.
func (p *awkProgram) writes(i int) {
	name, ok := p.value(i)
	switch {
	case !ok:
		name = policy.Unknown(p.source(i))
	case !p.after(i, 1).endsStatement():
		name = join(name, p.source(i+1))
	}
	if isInet(name) {
		p.network()
		return
	}
	p.out.use(match.Write, name)
}

// getline notes the file of `getline line < "file"`, where the i-th token is
// the getline. Any "<" up to the end of the statement may be the one; in a
// statement too long to look through there may be one.
func (p *awkProgram) getline(i int) {
	for n := i + 1; !p.tokens[n].endsStatement() && !p.tokens[n].is("{"); n++ {
		if n == i+32 {
			p.out.use(match.Read, policy.Unknown("getline"))
			return
		}
		if !p.tokens[n].is("<") {
			continue
		}
		name, ok := p.value(n + 1)
		switch after := p.after(n, 2); {
		case p.after(n, 1).is("$"):
			name = policy.Unknown(p.source(n + 1))
		case !ok || after.kind == awkString || after.kind == awkName:
			p.computes()
			return
		case after.kind != awkOp && !after.endsStatement() || after.is("$") || after.is("("):
			name = join(name, p.source(n+2))
		}
		if isInet(name) {
			p.network()
			return
		}
		if text, known := name.Const(); known && (text == "-" || text == "/dev/stdin") {
			return
		}
		p.out.use(match.Read, name)
		return
	}
}

// computes notes a file that is read by a name that the program puts together.
// Its pieces are in the text, so that it is no name from elsewhere, and more
// than likely one that should not be seen.
func (p *awkProgram) computes() {
	p.out.ask("awk.computed-name", "awk program reads a file whose name it computes", policy.Reads, policy.ReachUnset)
}

// argument notes the file that is read when the program changes its operands,
// where the i-th token is ARGV or ARGC.
func (p *awkProgram) argument(i int) {
	unknown := policy.Unknown(p.tokens[i].text)
	if p.tokens[i].text == "ARGC" {
		p.out.use(match.Read, unknown)
		return
	}
	last := p.before(i, 1)
	if !p.after(i, 1).is("[") {
		if !last.named("in") && !last.named("delete") {
			p.computes() // split(x, ARGV)
		}
		p.out.use(match.Read, unknown)
		return
	}
	end, depth := i+1, 0
	for ; end < len(p.tokens); end++ {
		if p.tokens[end].is("[") {
			depth++
		} else if p.tokens[end].is("]") {
			if depth--; depth == 0 {
				break
			}
		}
	}
	name, ok := p.value(end + 2)
	if p.after(end, 1).is("=") && ok && p.after(end, 3).endsStatement() && !last.named("delete") {
		p.out.use(match.Read, name)
		return
	}
	p.out.use(match.Read, unknown)
	switch after := p.after(end, 1); {
	case last.named("delete"):
	case after.is("=") && p.after(end, 3).endsStatement() && p.after(end, 2).kind == awkNumber:
	case after.is("="), len(after.text) > 1 && strings.HasSuffix(after.text, "=") && !strings.Contains(" == != <= >= ", " "+after.text+" "),
		after.is("++"), after.is("--"), last.is("++"), last.is("--"),
		last.is(",") && after.is(")"): // sub(/a/, "b", ARGV[1])
		p.computes()
	}
}

// environ judges a look at the environment, where the i-th token is ENVIRON.
func (p *awkProgram) environ(i int) {
	name, ok := p.value(i + 2)
	text, known := name.Const()
	switch {
	case !ok || !known || !p.after(i, 1).is("[") || !p.after(i, 3).is("]"):
		p.out.ask("awk.environment", "awk program may show the whole environment", policy.Secret, policy.ReachUnset)
	case isSecretName(text):
		p.out.ask("awk.environment", "awk program shows the variable "+policy.Quote(text), policy.Secret, policy.ReachUnset)
	}
}

// value returns the value of the i-th token if that is a string whose escapes
// mean the same everywhere.
func (p *awkProgram) value(i int) (policy.Word, bool) {
	if i < 0 || i >= len(p.tokens) || p.tokens[i].kind != awkString {
		return policy.Word{}, false
	}
	from, to := int(p.tokens[i].from)+1, int(p.tokens[i].to)-1
	text := p.text[from:to]
	if strings.IndexByte(text, '\\') < 0 {
		return p.word(from, to), true
	}
	if strings.IndexByte(text, number) >= 0 {
		return policy.Word{}, false
	}
	var b strings.Builder
	for n := 0; n < len(text); n++ {
		if text[n] != '\\' {
			b.WriteByte(text[n])
			continue
		}
		n++
		switch text[n] {
		case '"', '\\':
			b.WriteByte(text[n])
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		default:
			return policy.Word{}, false
		}
	}
	return policy.Const(b.String()), true
}

// source is the text of the i-th token, for messages.
func (p *awkProgram) source(i int) string {
	return strings.ReplaceAll(p.after(i, 0).text, string(rune(number)), "?")
}

// join is a known start with something unknown behind it.
func join(start policy.Word, source string) policy.Word {
	parts := start.Parts
	if text, ok := start.Const(); ok {
		parts = []policy.Part{{Text: text}}
	}
	return policy.Word{Parts: append(parts[:len(parts):len(parts)], policy.Part{Kind: policy.Hole, Text: source})}
}
