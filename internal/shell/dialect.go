package shell

// Dialect says which shell will run the text.
type Dialect uint8

// The dialects. The zero value is a shell that is not known: the text is read
// as bash does, and forms that mean something else to zsh are found. What sh
// alone reads in another way is not: who runs sh must say so.
const (
	Any   Dialect = iota // bash or zsh
	Bash                 // GNU bash
	POSIX                // sh: dash, or bash in POSIX mode
	Zsh                  // zsh
)

// forms are what a shell reads, or does, in a way that not all of them have.
type forms uint32

const (
	// Of zsh, as its manual has them.
	calculating   forms = 1 << iota // operands that are numbers elsewhere, and variables of its own, are arithmetic
	oneBased                        // arrays begin at 1, $a is all of one, and a subscript of text is a character
	unsplit                         // values are neither split nor patterns
	lateBraces                      // braces are expanded after values, and alone they are blocks
	namedPlaces                     // =ls is a path, ~x and cd x are the directory that a variable holds
	modifiers                       // $x:t, $x[1], ${x:t}
	moreEscapes                     // of $'...' and prompts
	morePatterns                    // (a|b), ^a, a~b, *(.), and what ends a pattern
	moreWords                       // words of the language and builtins that are programs elsewhere
	moreRedirects                   // > a > b writes both, a redirect alone runs a program, what joins a descriptor
	hooks                           // functions and handlers that it calls by itself, and when
	ownProcesses                    // which parts of a line run in this shell: a & list, command, exec, time
	tiedState                       // variables that are parts of the shell
	typedValues                     // declarations convert what a variable holds
	functionNames                   // $0 is the name of the function
	failing                         // errors that are none elsewhere, after which nothing is printed
	signWords                       // set - takes all arguments away

	// Of bash, and partly where it runs as sh.
	earlyBraces  // braces are expanded before values, in declarations too
	reprinting   // substitutions are printed before they are read once more, a lone dollar joins values
	assignedText // what looks like an assignment has homes, and so has what <<< gives
	shellNumbers // HISTCMD, BASH_SUBSHELL and their kin
	homeColons   // the name of a home ends at a colon
	catalogues   // $"..." is a text to translate
	plainEcho    // echo takes -n more than once, and leaves backslashes alone
	newArrays    // what is assigned to an element is all that an array has, whatever the environment has
	longNumbers  // a descriptor may have several digits

	// Of sh, which may be dash.
	plainOnly   // what POSIX does not have is a program, an error, or text
	keepsBefore // what stands before a special builtin stays
	dropsLast   // a backslash at the end of a text is nothing
)

// The shells that are read for.
const (
	bash     = earlyBraces | reprinting | assignedText | shellNumbers | homeColons | catalogues | plainEcho | newArrays | longNumbers
	bashAsSh = earlyBraces | reprinting | homeColons | plainOnly | keepsBefore | catalogues
	dash     = plainOnly | keepsBefore
	zsh      = calculating | oneBased | unsplit | lateBraces | namedPlaces | modifiers | moreEscapes | morePatterns | moreWords |
		moreRedirects | hooks | ownProcesses | tiedState | typedValues | functionNames | failing | signWords | dropsLast
)

// readers are the shells that may run a text of each dialect: two where it is not
// known which of them does.
var readers = [...][2]forms{Any: {bash, zsh}, Bash: {bash, bash}, POSIX: {dash, bashAsSh}, Zsh: {zsh, zsh}}

// may reports whether the shell that runs the text may have one of the forms.
func (r *run) may(f forms) bool {
	of := readers[r.in.Dialect]
	return (of[0]|of[1])&f != 0
}

// surely reports whether it has one of the forms, whichever shell it is.
func (r *run) surely(f forms) bool {
	of := readers[r.in.Dialect]
	return of[0]&of[1]&f != 0
}
