// Package policy is the vocabulary of bashgate: decisions, effects, words,
// commands. It holds what the other packages say to each other and nothing
// that decides; it imports the standard library only. What it exports stays
// within a major version: docs/stability.md.
package policy
