package python

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/python"
)

// unittest calls more than a text names: what it finds in the module and in classes by
// its name, and what the arguments name. A text with test cases is read where none of
// that is there, so that what remains is methods, which count whether they run or not,
// and in whatever order.

// oddTests asks about texts with test cases that are more than that.
func (s *sight) oddTests() {
	if !s.gets["unittest"] {
		return
	}
	for _, name := range [...]string{"load_tests", "setUpModule", "tearDownModule", "*"} {
		if _, imported := s.imports[name]; imported || s.bindings[name] != nil {
			s.in.ask(0, "python.handed", "Python code in which unittest may find "+name)
		}
	}
	for name, full := range s.imports {
		if first(full) == "unittest" && s.bindings[name] != nil {
			s.in.ask(0, "python.handed", "Python code that gives "+name+" another meaning")
		}
	}
	for _, e := range s.values {
		if full, _ := s.dotted(e); full == "unittest.main" {
			s.in.ask(int(e.Pos().Line), "python.handed", "Python code that hands on "+full)
		}
	}
	for _, c := range s.calls {
		if full, _ := s.dotted(c.Func); full == "unittest.main" && !s.plainMain(c) {
			s.in.ask(int(c.Pos().Line), "python.unknown", "Python code with tests that the arguments name")
		}
	}
	for _, c := range s.testCases() {
		for _, m := range c.Body {
			if name, ok := s.plainTest(m); !ok {
				s.in.ask(int(m.Pos().Line), "python.strange", "Python code with "+name+" of a test case, which unittest itself calls")
			}
		}
	}
}

// plainMain reports whether unittest.main runs the tests of the text: the arguments, its
// own or those of the command, name none.
func (s *sight) plainMain(c *python.Call) bool {
	if len(c.Args) > 0 { // the first is a module
		return false
	}
	for _, k := range c.Keywords {
		switch k.Name {
		case "":
			return false
		case "argv":
			list := elements(k.Value)
			return len(list) > 0 && !slices.ContainsFunc(list[1:], func(e python.Expr) bool {
				flag, is := e.(*python.Constant)
				return !is || flag.Kind != python.Str || !strings.HasPrefix(flag.Text, "-")
			})
		}
	}
	return s.in.text.Bare && !s.argv
}

// testCases are the text's classes below unittest's, and those above them.
func (s *sight) testCases() (list []*python.ClassDef) {
	is := map[string]bool{}
	for range s.defined {
		for _, c := range s.defined {
			is[c.Name] = is[c.Name] || slices.ContainsFunc(c.Bases, func(b python.Expr) bool {
				full, _ := s.dotted(b)
				name, named := b.(*python.Name)
				return first(full) == "unittest" || named && is[name.ID]
			})
			for _, b := range c.Bases {
				if name, named := b.(*python.Name); named && is[c.Name] {
					is[name.ID] = true
				}
			}
		}
	}
	for _, c := range s.defined {
		if is[c.Name] {
			list = append(list, c)
		}
	}
	return list
}

// plainTest reports whether a member of a test case has a name that means nothing to
// unittest, or is one of those that it has to be told.
func (s *sight) plainTest(n python.Stmt) (name string, ok bool) {
	switch n := n.(type) {
	case *python.FunctionDef:
		return n.Name, slices.Contains(fixtures[:], n.Name) || !s.ofTestCase(n.Name)
	case *python.Assign:
		for _, t := range n.Targets {
			if t, is := t.(*python.Name); is && s.ofTestCase(t.ID) {
				_, constant := n.Value.(*python.Constant)
				return t.ID, constant && (t.ID == "maxDiff" || t.ID == "longMessage")
			}
		}
	case *python.AnnAssign:
		if t, is := n.Target.(*python.Name); is {
			return t.ID, !s.ofTestCase(t.ID)
		}
	}
	return "", true
}

// ofTestCase reports whether unittest's own classes have something under a name.
func (s *sight) ofTestCase(name string) bool {
	return isSpecial(name) || slices.Contains(ownNames[:], name) || s.in.typeEntry("unittest.IsolatedAsyncioTestCase", name).Kind != code.Nothing
}

var fixtures = [...]string{"setUp", "tearDown", "setUpClass", "tearDownClass", "asyncSetUp", "asyncTearDown"}

// isFixture is 2 for what runs before the tests of a class, 1 for what runs before each
// of them, and 0 for all else.
func isFixture(name string) int {
	switch name {
	case "setUpClass":
		return 2
	case "setUp", "asyncSetUp":
		return 1
	}
	return 0
}

// ownNames are what unittest's classes have beside what facts know.
var ownNames = [...]string{
	"run", "debug", "countTestCases", "defaultTestResult", "doCleanups", "doClassCleanups", "addTypeEqualityFunc", "enterContext", "enterClassContext", "enterAsyncContext", "loop_factory",
	"_addDuration", "_addExpectedFailure", "_addSkip", "_addUnexpectedSuccess", "_asyncioCallsQueue", "_asyncioLoopRunner", "_asyncioRunner", "_asyncioTestContext", "_baseAssertEqual", "_callAsync", "_callCleanup", "_callMaybeAsync",
	"_callSetUp", "_callTearDown", "_callTestMethod", "_classSetupFailed", "_class_cleanups", "_cleanups", "_deprecate", "_diffThreshold", "_feedErrorsToResult", "_formatMessage",
	"_getAssertEqualityFunc", "_outcome", "_setupAsyncioLoop", "_setupAsyncioRunner", "_subtest", "_tail_type_check", "_tearDownAsyncioLoop", "_tearDownAsyncioRunner", "_tearDownPreviousClass", "_testFunc", "_testMethodDoc", "_testMethodName", "_truncateMessage", "_type_equality_funcs",
}
