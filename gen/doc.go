// Package gen holds the gates: one Go file for each rule file in rules,
// written by cmd/rulegen. Nothing in it runs before main, and nothing is
// edited by hand but this file.
//
//go:generate go run github.com/bashgate/bashgate/cmd/rulegen
package gen
