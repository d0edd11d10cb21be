// Package rulegen is the rule compiler: it turns the rule files into Go
// source, the registry of gates, the schema and the reference of rules.
//
// It never imports what it writes (gen, gates) nor what uses that (engine),
// so that broken output can always be written again.
package rulegen
