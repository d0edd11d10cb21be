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

// MayLoad reports whether a language's own library, in any of its versions, may load a
// module of a name when it likes; own, whether that is one of its own.
func MayLoad(language, name string) (may, own bool) {
	if language != "python" {
		return false, false
	}
	return python.MayLoad(name), python.IsStandard(name)
}
