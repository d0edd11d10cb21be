// Package python reads Python: Parse makes a tree of a text, in the syntax of
// the versions 3.8 to 3.14.
//
// The tree is that of CPython's module ast, down to its names. What those
// versions read differently is refused and not guessed; what only some of them
// can read is read, as the others refuse it and run nothing. The one exception
// is with (a, b):, a tuple to Python 3.8, which evaluates it and fails. A text
// that is read may still be refused when Python compiles it, as return outside
// of a function is.
//
// Nothing is known here of what names mean, and nothing is run.
package python
