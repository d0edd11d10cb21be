package python_test

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/gates/python"
	"github.com/bashgate/bashgate/gen"
	"github.com/bashgate/bashgate/internal/code"
)

// readBare reads a text that the command gives no arguments.
func readBare(text string) *code.Report {
	return python.Read(code.Text{Code: text, Facts: &code.Facts{Texts: []string{gen.Code}}, Home: "/home/user", Dir: "/home/user/project", Bare: true})
}

const plainCase = "import unittest, os\nclass T(unittest.TestCase):\n def test_a(self): self.assertEqual(1,1)\n"

// cases are decoys in test cases: unittest calls what no text names, in an order of its own.
var cases = map[string]string{
	"test":                        "import unittest\nclass T(unittest.TestCase):\n def test_a(self): open('/etc/x','w')\nunittest.main()",
	"method nobody calls":         "import unittest\nclass T(unittest.TestCase):\n def helper(self): open('/etc/x','w')\nunittest.main()",
	"fixture":                     "import unittest\nclass T(unittest.TestCase):\n def setUp(self): open('/etc/x','w')\n def test_a(self): pass\nunittest.main()",
	"class fixture":               "import unittest\nclass T(unittest.TestCase):\n @classmethod\n def tearDownClass(cls): open('/etc/x','w')\n def test_a(self): pass\nunittest.main()",
	"fixture of a mixin":          "import unittest\nclass M:\n def test_m(self): open('/etc/x','w')\nclass T(M,unittest.TestCase): pass\nunittest.main()",
	"class below":                 "import unittest\nclass A(unittest.TestCase):\n def go(self): pass\n def test_a(self): self.go()\nclass B(A):\n def go(self): open('/etc/x','w')\nunittest.main()",
	"other order":                 "import unittest\nfrom pathlib import Path\np=Path('a')\nclass T(unittest.TestCase):\n def test_b(self): p.touch()\n def test_a(self):\n  global p\n  p=Path('/etc/x')\nunittest.main()",
	"state of a test":             "import unittest\nclass T(unittest.TestCase):\n p='a'\n def test_b(self): open(self.p,'w')\n def test_a(self): T.p='/etc/x'\nunittest.main()",
	"state of a fixture":          "import unittest\nclass T(unittest.TestCase):\n def test_a(self): open(self.p,'w')\n def setUp(self): self.p='/etc/x'\nunittest.main()",
	"state in a list":             "import unittest\nl=['a']\nclass T(unittest.TestCase):\n def test_b(self): open(l[0],'w')\n def test_a(self): l[0]='/etc/x'\nunittest.main()",
	"name set behind":             "import unittest\np='a'\nclass T(unittest.TestCase):\n def test_a(self): open(p,'w')\np='/etc/x'\nunittest.main()",
	"load_tests":                  plainCase + "def load_tests(l,t,p): open('/etc/x','w')\nunittest.main()",
	"load_tests by another name":  plainCase + "load_tests=lambda l,t,p: os.remove('/etc/x')\nunittest.main()",
	"load_tests imported":         plainCase + "from app import load_tests\nunittest.main()",
	"load_tests in a loop":        plainCase + "for load_tests in [os.abort]: pass\nunittest.main()",
	"module fixture":              plainCase + "def setUpModule(): open('/etc/x','w')\nunittest.main()",
	"module fixture imported":     plainCase + "from os import abort as tearDownModule\nunittest.main()",
	"all of a module":             "from app import *\n" + plainCase + "unittest.main()",
	"module by position":          "import unittest\nunittest.main('antigravity')",
	"module by name":              "import unittest\nunittest.main(module='antigravity')",
	"module that is none":         "import unittest\nunittest.main(module=None)",
	"test by name":                plainCase + "unittest.main(defaultTest='os.abort')",
	"test by argument":            plainCase + "unittest.main(argv=['x','os.abort'])",
	"argument that is computed":   plainCase + "unittest.main(argv=['x']+['os.abort'])",
	"argument behind a star":      plainCase + "unittest.main(argv=['x',*['os.abort']])",
	"argument in a name":          plainCase + "a=['x']\na.append('os.abort')\nunittest.main(argv=a)",
	"arguments by stars":          plainCase + "unittest.main(**{'argv':['x','os.abort']})",
	"arguments in a list":         plainCase + "unittest.main(*['os'])",
	"sys.argv":                    plainCase + "import sys\nsys.argv.append('os.abort')\nunittest.main()",
	"sys.argv by another name":    plainCase + "from sys import argv as a\na.append('os.abort')\nunittest.main()",
	"sys.argv looked up":          plainCase + "import sys\ngetattr(sys,'argv').append('os.abort')\nunittest.main()",
	"runner of its own":           plainCase + "class R:\n def run(self,t): open('/etc/x','w')\nunittest.main(testRunner=R)",
	"loader of its own":           plainCase + "class L:\n def loadTestsFromModule(self,m): open('/etc/x','w')\nunittest.main(testLoader=L())",
	"main by another name":        plainCase + "m=unittest.main\nm(argv=['x','os.abort'])",
	"main handed on":              plainCase + "list(map(unittest.main,['antigravity']))",
	"main that means more":        plainCase + "from unittest import main\ndef f():\n global main\n main=lambda: open('/etc/x','w')\nf(); main()",
	"main as a class":             plainCase + "unittest.TestProgram(argv=['x','os.abort'])",
	"main of its module":          plainCase + "unittest.main.main(argv=['x','os.abort'])",
	"getattr of main":             plainCase + "getattr(unittest,'main')(argv=['x','os.abort'])",
	"method of unittest's":        "import unittest\nclass T(unittest.TestCase):\n def run(self,r=None): open('/etc/x','w')\nunittest.main()",
	"own name":                    "import unittest\nclass T(unittest.TestCase):\n def id(self): return 'x'\nunittest.main()",
	"own name of a mixin":         "import unittest\nclass M:\n def countTestCases(self): return 1\nclass T(M,unittest.TestCase): pass\nunittest.main()",
	"private name":                "import unittest\nclass T(unittest.TestCase):\n _cleanups=[(print,(),{})]\nunittest.main()",
	"exception of its own":        "import unittest\nclass E(Exception):\n def __str__(self): open('/etc/x','w')\nclass T(unittest.TestCase):\n failureException=E\nunittest.main()",
	"maxDiff that is computed":    "import unittest\nclass T(unittest.TestCase):\n maxDiff=print\nunittest.main()",
	"special method":              "import unittest\nclass T(unittest.TestCase):\n def __call__(self,r): pass\nunittest.main()",
	"constructor":                 "import unittest\nclass T(unittest.TestCase):\n def __init__(self,n): pass\nunittest.main()",
	"hook of classes":             "import unittest\nclass T(unittest.TestCase):\n def __init_subclass__(cls): open('/etc/x','w')\nclass U(T): pass",
	"test that is a value":        "import unittest\nfrom pathlib import Path\nclass T(unittest.TestCase):\n test_a=Path('/etc/x').touch\nunittest.main()",
	"test that is a function":     "import unittest\ndef f(s): open('/etc/x','w')\nclass T(unittest.TestCase):\n test_a=f\nunittest.main()",
	"test that is set":            plainCase + "T.test_b=lambda s: open('/etc/x','w')\nunittest.main()",
	"test of the library":         "import unittest, os\nclass T(unittest.TestCase):\n test_a=os.abort\nunittest.main()",
	"property":                    "import unittest\nclass T(unittest.TestCase):\n @property\n def test_a(self): open('/etc/x','w')\nunittest.main()",
	"what is compared":            "import unittest\nclass C:\n def __eq__(s,o): open('/etc/x','w')\nclass T(unittest.TestCase):\n def test_a(self): self.assertEqual(C(),C())\nunittest.main()",
	"what is shown":               "import unittest\nclass C:\n def __repr__(s): open('/etc/x','w')\nclass T(unittest.TestCase):\n def test_a(self): self.assertEqual(C(),1)\nunittest.main()",
	"what is raised":              "import unittest\nclass E(Exception):\n def __str__(s): open('/etc/x','w')\nclass T(unittest.TestCase):\n def test_a(self): raise E\nunittest.main()",
	"what assertRaises calls":     "import unittest\nclass T(unittest.TestCase):\n def test_a(self): self.assertRaises(OSError,open,'/etc/x','w')\nunittest.main()",
	"what it calls of the text's": "import unittest\ndef f(p): open(p,'w')\nclass T(unittest.TestCase):\n def test_a(self): self.assertRaises(OSError,f,'/etc/x')\nunittest.main()",
	"method that it calls":        "import unittest\nfrom pathlib import Path\nclass T(unittest.TestCase):\n def test_a(self): self.assertRaises(OSError,Path('/etc/x').touch)\nunittest.main()",
	"behind what is raised":       "import unittest\nfrom pathlib import Path\nclass T(unittest.TestCase):\n def test_a(self):\n  p=Path('a')\n  with self.assertRaises(KeyError):\n   p=Path('/etc/x'); raise KeyError; p=Path('a')\n  p.touch()\nunittest.main()",
	"cleanup":                     "import unittest, os\nclass T(unittest.TestCase):\n def test_a(self): self.addCleanup(os.remove,'/etc/x')\nunittest.main()",
	"cleanup of the text's":       "import unittest\nfrom pathlib import Path\nclass T(unittest.TestCase):\n def test_a(self):\n  p=Path('a')\n  self.addCleanup(lambda: p.touch())\n  p=Path('/etc/x')\nunittest.main()",
	"equality by type":            "import unittest\nclass T(unittest.TestCase):\n def setUp(self): self.addTypeEqualityFunc(int,lambda a,b: open('/etc/x','w'))\nunittest.main()",
	"context":                     "import unittest\nclass T(unittest.TestCase):\n def setUp(self): self.enterContext(open('/etc/x','w'))\nunittest.main()",
	"skip that means more":        "import unittest\nclass T(unittest.TestCase):\n @unittest.skipIf(open('/etc/x','w'),'y')\n def test_a(self): pass\nunittest.main()",
	"decorator of its own":        "import unittest\ndef d(f): return lambda s: open('/etc/x','w')\nclass T(unittest.TestCase):\n @d\n def test_a(self): pass\nunittest.main()",
	"mock":                        "import unittest.mock\nunittest.mock.patch('os.remove')",
	"patch":                       "from unittest.mock import patch\nimport os\nwith patch('os.remove'): os.remove('/etc/x')",
	"discovery":                   "import unittest\nunittest.TestLoader().discover('/tmp/evil')",
	"loaded by name":              "import unittest\nunittest.TestLoader().loadTestsFromName('os.abort')",
	"loaded by names":             "import unittest\nunittest.defaultTestLoader.loadTestsFromNames(['os.abort'])",
	"loaded module":               "import unittest, app\nunittest.TestLoader().loadTestsFromModule(app)",
	"suite of anything":           "import unittest, os\ns=unittest.TestSuite()\ns.addTest(os.remove)\nunittest.TextTestRunner().run(s)",
	"suite of a function":         "import unittest\ns=unittest.TestSuite([lambda r: open('/etc/x','w')])\nunittest.TextTestRunner().run(s)",
	"run of a function":           "import unittest\nunittest.TextTestRunner().run(lambda r: open('/etc/x','w'))",
	"stream":                      "import unittest\nclass S:\n def write(s,x): open('/etc/x','w')\n def flush(s): pass\nunittest.TextTestRunner(stream=S()).run(unittest.TestSuite())",
	"stream that is opened":       "import unittest\nunittest.TextTestRunner(open('/etc/x','w')).run(unittest.TestSuite())",
	"result of its own":           "import unittest\nclass R(unittest.TestResult):\n def startTest(s,t): open('/etc/x','w')\nunittest.TextTestRunner(resultclass=R).run(unittest.TestSuite())",
	"function as a test":          "import unittest\nunittest.FunctionTestCase(lambda: open('/etc/x','w')).run()",
	"async test":                  "import unittest\nclass T(unittest.IsolatedAsyncioTestCase):\n async def test_a(self): open('/etc/x','w')\nunittest.main()",
	"async fixture":               "import unittest\nclass T(unittest.IsolatedAsyncioTestCase):\n async def asyncSetUp(self): self.addAsyncCleanup(self.x)\n async def x(self): open('/etc/x','w')\nunittest.main()",
	"class in a function":         "import unittest\ndef f():\n class T(unittest.TestCase):\n  def test_a(self): open('/etc/x','w')\n return T\nunittest.TextTestRunner().run(unittest.makeSuite(f()))",
	"attribute of the module":     "import unittest\nunittest.case.sys.exit()",
	"unittest that is changed":    plainCase + "unittest.TestCase.setUp=lambda s: open('/etc/x','w')\nunittest.main()",
	"instance that is changed":    plainCase + "t=T('test_a')\nt.run=lambda r: open('/etc/x','w')\nt.run()",
	"hidden globals":              "import unittest\nclass T(unittest.TestCase):\n def test_a(self): self.assertEqual.__func__.__globals__['sys'].exit()\nunittest.main()",
}

// TestCases: nobody is told a harmless place by them.
func TestCases(t *testing.T) {
	for family, text := range cases {
		if r := readBare(text); !told(r) {
			t.Errorf("%s: %s\nsays %q", family, text, said(r))
		}
	}
}

// TestCasesNamed: what the command's arguments name is called, too.
func TestCasesNamed(t *testing.T) {
	const text = plainCase + "unittest.main()"
	if got := said(readBare(text)); got != "" {
		t.Errorf("without arguments: says %q", got)
	}
	if got := said(read(text)); !strings.Contains(got, "ask") {
		t.Errorf("with arguments: says %q", got)
	}
	if got := said(read(plainCase + "unittest.main(argv=['x', '-v'], exit=False)")); got != "" {
		t.Errorf("with arguments of its own: says %q", got)
	}
}
