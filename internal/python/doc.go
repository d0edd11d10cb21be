// Package python reads Python: Parse makes a tree of a text, in the syntax of
// the versions 3.8 to 3.14.
//
// The tree is that of CPython's module ast, down to its names. What those
// versions read differently is refused and not guessed; what only some of them
// can read is read, as the others refuse it and run nothing. Nothing is known
// here of what names mean, and nothing is run.
package python
