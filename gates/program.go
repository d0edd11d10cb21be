package gates

import (
	node "github.com/bashgate/bashgate/gates/javascript"
	"github.com/bashgate/bashgate/gates/python"
	"github.com/bashgate/bashgate/gen"
	facts "github.com/bashgate/bashgate/internal/code"
)

// ReadProgram hands a text to the reader of its programming language, nil for a
// language without one.
func ReadProgram(language string, text facts.Text) *facts.Report {
	switch language {
	case "python":
		return python.Read(text)
	case "javascript", "bun", "deno", "typescript":
		return node.Read(text, language)
	}
	return nil
}

// Facts is what the built-in rules say of programming languages, as code.Facts has
// it.
func Facts() string { return gen.Code }

// IsProgram reports whether texts of a language are programs that have a reader.
func IsProgram(language string) bool {
	switch language {
	case "python", "javascript", "bun", "deno", "typescript":
		return true
	}
	return false
}

// IsLibrary reports whether a language's own library has a module of a name, in any of
// its versions.
func IsLibrary(language, name string) bool { return language == "python" && python.IsStandard(name) }
