// Package task says what a name stands for: npm test, make check, mise run
// lint, ./build.sh and git lg are names of texts that lie in files.
//
// [Find] asks one runner's reader. Its answer is the list of texts that the
// name stands for, each with the file and line it comes from, the directory
// and the variables it gets, and the words that are passed to it. What it
// can't say for certain is a [Problem] with its place, which the engine asks
// about; what it can say is complete, so that the texts alone decide. No text
// is judged here and nothing is run.
//
// Files are looked for as the runner looks for them, from its directory
// upward. Where there is none the answer is empty, and the rule that brought
// the question stands.
//
// A reader takes the part of its runner's language that task files are written
// in and is strict about the rest: what a program computes (a make function,
// a template, a plugin) is a value that is not known, or a problem.
//
// A runner is one file here and one row of the table in task.go; rule files
// name it with task = "npm".
package task
