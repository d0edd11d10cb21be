package export

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
)

// To derive Forms and denials from the built-in rules takes a hundred thousand trials
// and questions to the judge, of which the answers are always the same. They are kept,
// in the order of the questions: deriving is the same with them and without them, only
// who answers differs. answers.txt has a line for each family, named by its first name,
// behind one that names the rules:
//
//	git	y41n2yr	y12	a3b
//
// A letter is an answer, and a number behind it says how often it came.

//go:generate go test . -run ^TestAnswers$ -update
//go:embed answers.txt
var answersText string

const (
	yes   = 'y'
	no    = 'n'
	again = 'r' // a trial that says more than yes or no; it is run
	says  = 'a' // the judge's decision is added
)

// reply is the answer to a question of yes or no.
func reply(is bool) byte {
	if is {
		return yes
	}
	return no
}

// tape is the answers to one kind of questions about a family. Those that are behind
// its end, and all of a nil tape, are for the one who asks to find.
type tape struct {
	text string // what is to come
	last byte   // what came last
	left int    // and how often it comes again

	recorded []byte // what was found, if it is to be kept
	record   bool
}

// next is the answer to the next question; ok is false where there is none.
func (t *tape) next() (answer byte, ok bool) {
	if t == nil || t.left == 0 && t.text == "" {
		return 0, false
	}
	if t.left == 0 {
		t.last, t.text = t.text[0], t.text[1:]
		n := 0
		for n < len(t.text) && t.text[n] <= '9' {
			n++
		}
		t.left = 1
		if n > 0 {
			t.left, _ = strconv.Atoi(t.text[:n])
			t.text = t.text[n:]
		}
	}
	t.left--
	return t.last, true
}

// note adds what was found.
func (t *tape) note(answer byte) {
	if t != nil && t.record {
		t.recorded = append(t.recorded, answer)
	}
}

// String is what was found, as it is kept.
func (t *tape) String() string {
	var b []byte
	for i := 0; i < len(t.recorded); {
		n := 1
		for i+n < len(t.recorded) && t.recorded[i+n] == t.recorded[i] {
			n++
		}
		if b = append(b, t.recorded[i]); n > 1 {
			b = strconv.AppendInt(b, int64(n), 10)
		}
		i += n
	}
	return string(b)
}

// tapes are the answers about one family.
type tapes struct {
	tried  tape // whether lines with holes hold: by its tables alone
	judged tape // whether examples are allowed
	denied tape // what is allowed and blocked of the lines of restrictions
}

func (t *tapes) String() string {
	return t.tried.String() + "\t" + t.judged.String() + "\t" + t.denied.String()
}

// recording makes tapes that keep what is found.
func recording() *tapes {
	return &tapes{tape{record: true}, tape{record: true}, tape{record: true}}
}

// keep gives each family the tapes of what is known about it. Trials ask the tables
// of a family alone: those of one with the built-in tables are known whatever other
// rules there are. The judge asks all rules.
func keep(families []*family, s *Source) {
	rules, text, _ := strings.Cut(answersText, "\n")
	if rules != gates.Compiler {
		return // it was not written since the rules changed
	}
	lines := map[string]string{}
	for line := range strings.Lines(text) {
		name, answers, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		lines[name] = answers
	}
	builtIn := families
	if !s.BuiltIn {
		builtIn = familiesOf(gates.All[:])
	}
	named := map[*match.Program][]*family{}
	for _, f := range builtIn {
		named[f.tables[0]] = append(named[f.tables[0]], f)
	}
	for _, f := range families {
		same := named[f.tables[0]]
		i := slices.IndexFunc(same, func(b *family) bool { return slices.Equal(b.tables, f.tables) })
		if i < 0 {
			continue
		}
		kinds := strings.Split(lines[same[i].names[0]], "\t")
		if len(kinds) != 3 {
			continue
		}
		f.tapes.tried.text = kinds[0]
		if s.BuiltIn {
			f.tapes.judged.text, f.tapes.denied.text = kinds[1], kinds[2]
		}
	}
}
