// Package python reads programs in Python: it follows a text from its constants,
// as Python would run it, and reports what it reads, writes, fetches and runs.
//
// Values are what they may be: constants, objects of types that facts describe,
// functions and classes of the text, code of the project. Branches join, loops go
// on until nothing changes, functions are followed where they are called, and once
// more with arguments of which nothing is known where somebody else may call them.
// What no fact speaks of makes the text one that is not understood.
package python
