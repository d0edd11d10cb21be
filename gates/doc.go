// Package gates judges what rule files can't say.
//
// Judge runs every generated gate over a command. ReadCode hands the text of
// a small language (a sed script, an SQL statement) to its reader, Handle a
// whole command to a handler; both are generated from what the rule files
// name, so that a rule naming a language without a reader does not compile.
//
// # What belongs here
//
// A rule file says how a program reads its command line: which option takes a
// value, which operand is a path, which one is a text in a language. That is
// nearly always enough, and it is the place for anything that can be told from
// a word or a list of words: subcommands, modes, the names of safe settings.
//
// A reader belongs here when the decision needs the grammar of a text: where
// its strings end, which letter is a command and which one is data. A reader
//
//   - takes the text as a word, which may hold values that are not known;
//   - answers with uses (what the text reads, writes, fetches and runs), which
//     the engine judges as it judges the command's own words, or with a
//     decision and a reason about the text itself;
//   - reads the subset of the language that it understands, and asks about
//     all else: a construct of a newer version, text it would have to guess
//     at, a text that two implementations of the language read differently;
//   - takes time linear in the text, allocates little, never panics, and
//     looks at nothing but its arguments.
//
// # Whole languages
//
// Programs in a language such as Python have readers of their own, in packages
// below this one, which ReadProgram calls: abstract interpreters, which know of
// modules and functions what rules/code says. What their imports find is for the
// engine to tell, as it depends on the disk. An interpreter whose language has no
// reader (node -e, perl -e) gets the language "any" from its rule file, about
// which the engine asks.
package gates
