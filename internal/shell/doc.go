// Package shell reads a command line as bash does and says which simple
// commands it may run.
//
// It is an abstract interpreter of the tree that mvdan.cc/sh parses: variables,
// functions, directories, redirects and the shell's own commands are followed,
// conditions are not decided. After a condition the state is the join of both
// ways, so code that looks dead is read as if it ran. A value that cannot be
// known is a hole with what is known about it.
//
// The passes over a text, in order; a text that the line evaluates itself
// (eval, trap, an alias) enters at the first one again:
//
//	guard      bytes that a person cannot see or that parsers disagree about
//	limit      length and nesting, before anything can recurse
//	parse      mvdan's parser, with its known misreadings repaired
//	interpret  statements, words, builtins; every literal is checked for
//	           syntax that the parser missed (residue)
//	deferred   traps and functions that were never called, in a state where
//	           every variable is a hole
//
// The interpreter is one walk over the tree. What comes of a statement is a value
// that it returns (outcome.go); what stands around it is another (surroundings.go);
// the state that it finds and leaves is logged, so that it can be taken back and
// joined (state.go, mark.go).
//
// What is known of the shells is in three tables: builtins (builtin.go), the
// variables that shells keep (variable.go), and what they read in ways of their
// own (dialect.go). Where it is not known which shell runs the text, a form may be
// there if one of them has it, and surely is if all have.
//
// The package knows bash, not programs: env, xargs or bash -c are commands
// like any other here. What it cannot read becomes a [policy.Finding], which
// is never looser than ask.
package shell
