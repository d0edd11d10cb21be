// Package edit changes other programs' files: only what has to change, and the
// rest stays as its owner wrote it, byte for byte, with comments, order, blanks
// and line ends. It knows JSON with comments and commas at the end, and blocks
// of lines between two marks in anything else; it shows a change as a unified
// diff, and replaces files so that nobody sees half of one.
package edit
