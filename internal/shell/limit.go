package shell

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// The limits. The parser recurses with up to 11 KiB of stack for a level and a
// stack overflow ends the process, so nesting is bounded by counting bytes
// before anything is parsed.
const (
	maxText    = 128 << 10 // Linux's limit for one argument of a program
	maxDepth   = 400       // openers less closers
	maxOpeners = 4000      // openers in all: closers may stand in quotes
	maxWeak    = 4000      // bytes that nest in arithmetic only
	maxConst   = 64 << 10  // length of a known value
	maxParts   = 1000      // parts of a word
	maxHeld    = 16        // parts of a variable's value
	maxElems   = 256       // known elements of an array
	maxExports = 256       // variables exported by the text
	maxMatched = 128       // length of a known value that a pattern is tried on
	maxSteps   = 60000     // statements and words interpreted for one request
	maxEmitted = 4000      // commands of one request
	maxNested  = 24        // texts within texts
	maxStmts   = 200       // statements within statements
	maxLoops   = 16        // loops within loops
	maxUnroll  = 16        // iterations of a loop over known words
	maxUnrolls = 64        // the same for all loops around a command
	maxCalls   = 3         // a function's calls within its own
	maxStack   = 64        // directories that pushd keeps
	maxDirs    = 8         // working directories that are told apart
	maxBraces  = 64        // words that braces become
)

// Budget bounds the work for one request. The zero value is a full budget; the
// reads that share one count together.
type Budget struct {
	steps   int
	emitted int
	nested  int
}

// NewBudget returns a full budget.
func NewBudget() *Budget { return new(Budget) }

// spend takes n steps and reports whether the budget still allows work.
func (r *run) spend(n int) bool {
	if r.limited {
		return false
	}
	r.budget.steps += n
	if r.budget.steps > maxSteps {
		r.exhausted("the command line does too much to follow all of it")
		return false
	}
	return true
}

func (r *run) exhausted(reason string) {
	r.limited = true
	r.report(policy.Finding{ID: idLimit, Reason: reason, Source: policy.Clip(r.src.text, maxSource)})
}

// prefix cuts a text that is over a limit to the part that may still be read:
// whole lines if there are some, else whole commands, else all of it.
func prefix(s string) string {
	for _, end := range [...]string{"\n", ";", "&", "|"} {
		if i := strings.LastIndex(s, end); i > 0 {
			return strings.TrimRight(s[:i], "&|;")
		}
	}
	return s
}

// deep tells in which long texts keywords may nest too deep for the parser.
func deep(s string) bool {
	n := 0
	for _, word := range [...]string{"if", "case", "for", "while", "until", "select", "time", "coproc", "function"} {
		n += strings.Count(s, word)
	}
	return n > 2*maxOpeners
}
