// Package export writes the rules as policy files of the agents' own engines,
// for where a hook does not fire.
//
// A policy file can say far less than a rule, so an export is always a loss.
// It is never a gain: a target's file allows a command line only where the
// answer here is allow for every line that the target's pattern matches.
// What can't be said that way is left out, which in every target ends in a
// question, and is counted.
//
// It goes in two steps. A deriver turns the rules into Forms: sets of command
// lines, each proven to be allowed as a whole. Then each target writes as many
// Forms as its patterns can express.
//
// # The proof
//
// A Form is a program, a subcommand, a closed list of options, and a number of
// operands. It is put to the same code that judges commands, with holes in
// place of the words that may be anything: a hole is allowed only if all that
// it may stand for is. Three things need care beyond that.
//
// A hole that is read is allowed where a known word might be a secret file, so
// Forms that read carry a mark, and targets refuse words that the tables of
// paths are about.
//
// Options come in any combination. An ask that needs an option to be there, or
// holds whatever is there, shows when all options of the Form are present; one
// that needs an option to be absent shows when the others are. Both are tried,
// and one allow rule must hold in every trial, so that it holds for what lies
// between.
//
// Last, the text itself is judged: examples of each Form, as the targets would
// see them, with the profile, the settings and the files that hold here. A
// Form with an example that is not allowed is dropped.
//
// What a policy file can't know is where the agent stands and where links
// lead. Forms that name files hold for an agent that stands in a project, not
// in a directory of secrets; mode strict leaves them out.
package export
