// Package engine judges command lines. Evaluate reads the line as the shell
// does, runs every simple command in it through every gate, judges what their
// words mean (paths, hosts, variables, nested commands), and answers with the
// strictest decision and all reasons.
//
// It knows nothing of hosts, and of the disk only what policy.Files tells. What
// it exports, and what package policy does, stays within a major version; for
// decisions that is not so: docs/stability.md says what may become stricter when.
package engine
