// Package code is what readers of programming languages share: facts about
// modules, functions and types, which rule files state; values, as far as they
// are known; and the report of what a text does.
//
// The world is closed. A reader follows a text from the constants in it, and
// whatever it meets that no fact speaks of makes the text one that is not
// understood, about which a person is asked.
package code
