package javascript

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/javascript"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Bun and Deno run what Node runs. Facts of theirs alone stand under their names, and
// what stands under Node's holds for them too. They differ in what they load before a
// text, and in what they take from its comments.

// language is what facts about JavaScript stand under, and who runs it: Node.
const language = "javascript"

// dotEnvs are the files whose variables Bun has by itself.
var dotEnvs = []string{
	".env", ".env.local", ".env.development", ".env.production", ".env.test",
	".env.development.local", ".env.production.local", ".env.test.local",
}

// configured tells whose the files of some names are that configure who runs the text.
func (in *reader) configured(above bool, names ...string) code.Origin {
	if in.text.Config == nil {
		return code.Strange
	}
	return in.text.Config(above, names...)
}

// dotEnv notes as read the files from which Bun has variables.
func (in *reader) dotEnv() {
	if in.runtime != "bun" {
		return
	}
	for _, name := range dotEnvs {
		if in.configured(false, name) != code.Installed {
			in.report.Use(code.Effect{Use: match.Use{Kind: match.Read, Word: policy.Const(name)}, Line: in.line})
		}
	}
}

// elsewhere looks at a text that something else than Node runs.
func (s *sight) elsewhere() {
	switch s.in.runtime {
	case "bun":
		s.loadsConfig(false, "bunfig.toml")
	case "deno":
		if s.asArguments() {
			s.refuse("what -p reads in another way")
		}
		if s.loadsConfig(true, "deno.json", "deno.jsonc") && s.imports {
			s.refuse("an import that deno.json may lead elsewhere")
		}
		if s.bare && s.loadsConfig(true, "package.json") {
			s.refuse("an import that package.json may lead elsewhere")
		}
	default:
		s.refuse("types, or for another program than Node")
	}
}

// orders refuses what who runs the text may look for in comments: a text that begins
// with @bun-cjs is a function that is called, and of an error the lines are shown of
// the file that a map of sources names.
func (s *sight) orders() {
	text := s.in.text.Code
	if strings.Contains(text, "sourceMappingURL") || s.in.runtime != language && slices.ContainsFunc(pragmas, func(p string) bool { return strings.Contains(text, p) }) {
		s.refuse("what may be an order to who runs it")
	}
}

// pragmas are what Bun and Deno look for there.
var pragmas = []string{"@bun", "@deno", "@jsx", "<reference"}

// loadsConfig notes the files that configure who runs the text, which may name code to
// load before it, and reports whether there are any.
func (s *sight) loadsConfig(above bool, names ...string) bool {
	switch s.in.configured(above, names...) {
	case code.Installed:
		return false
	case code.Local:
		s.config = names[0]
	default:
		s.refuse(names[0] + " that may be anybody's")
	}
	return true
}

// asArguments reports whether a text may be something else between parentheses, where
// deno eval -p puts it: {}/x()/g divides there.
func (s *sight) asArguments() bool {
	body := s.in.program.Body
	if len(body) == 0 {
		return false
	}
	switch body[0].(type) {
	case *javascript.Block:
		return true
	case *javascript.FunctionStmt, *javascript.ClassStmt:
		if len(body) == 1 {
			return false
		}
		x, ok := body[1].(*javascript.ExprStmt)
		return ok && beginsWithRegexp(x.X)
	}
	return false
}

// beginsWithRegexp reports whether the first word of an expression is a regular
// expression.
func beginsWithRegexp(e javascript.Expr) bool {
	switch e := e.(type) {
	case *javascript.Regexp:
		return true
	case *javascript.Binary:
		return beginsWithRegexp(e.X)
	case *javascript.Call:
		return beginsWithRegexp(e.F)
	case *javascript.Member:
		return beginsWithRegexp(e.X)
	case *javascript.Cond:
		return beginsWithRegexp(e.Test)
	case *javascript.Sequence:
		return len(e.List) > 0 && beginsWithRegexp(e.List[0])
	case *javascript.Template:
		return e.Tag != nil && beginsWithRegexp(e.Tag)
	case *javascript.Update, *javascript.Assign:
		return true // of a member, which may begin so
	}
	return false
}

// inherits refuses programs that are started with variables of files that Bun has read.
func (s *sight) inherits() {
	starts := func(e code.Effect) bool {
		return (e.Kind == match.Command || e.Kind == match.Script) && !isPrintenv(&e)
	}
	if s.in.runtime == "bun" && slices.ContainsFunc(s.in.report.Effects, starts) && s.in.configured(false, dotEnvs...) != code.Installed {
		s.refuse("programs that get what .env holds")
	}
}
