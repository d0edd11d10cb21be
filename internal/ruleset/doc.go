// Package ruleset is the rule language: it reads rule files strictly and says
// what they mean. The language is documented in rules/README.md.
//
// A file goes through two stages. Load reads what was written (File, Program,
// Options, Rule ...), with the place of every word. Compile checks it and
// returns what it means: match.Gate values, which the generator prints as Go
// and the interpreter runs. The rest of the program sees only the second.
//
// Nothing is guessed and nothing ignored: an unknown key, a wrong type, a
// field without effect, a missing reason, a rule that can never hold are
// errors, each with its place, the line, and a hint. All errors of a file are
// reported at once.
//
// The tags of the written types and the word lists are the only source of
// keys and words: loading, the JSON schema and the reference are read off
// them.
package ruleset
