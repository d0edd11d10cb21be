package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// nodeTold are texts that reach more through code of the project than they show, by how.
var nodeTold = map[string][]string{
	"what all functions share": {
		"const lib = require('./lib'); const g = lib.f.constructor('console.log(1)'); g()",
		"const {f} = require('./lib'); f.constructor('console.log(1)').call()",
		"const {f} = require('./lib'); f(1).then(x => { const g = x.f.constructor('console.log(1)'); g() })",
		"const lib = require('./lib'); const t = new lib.T('a'); t.x.constructor('console.log(1)').call()",
		"const lib = require('./lib'); lib.__defineGetter__('x', 'y')",
	},
	"what only the tree shows": {
		"const {f} = require('./lib'); for (const [k] of Object.entries({'.env': 1})) console.log(f(k))",
		"const {f} = require('./lib'); Object.keys({'.env': 1}).forEach(k => console.log(f(k)))",
		"const {f} = require('./lib'); for (const k of Object.keys({'/root/.ssh/id_rsa': 1})) f([k])",
		"const {f} = require('./lib'); for (const k of Object.keys({'.env': 1})) f({path: k})",
		"const lib = require('./lib'); for (const k of Object.keys({'.env': 1})) new lib.T(k)",
		"const {f} = require('./lib'); for (const [n, p] of [[1, '.env'], [2, 'a'], [3, 'a'], [4, 'a'], [5, 'a'], [6, 'a'], [7, 'a'], [8, 'a'], [9, 'a']]) f(p)",
	},
	"a key of nothing is no place": {
		"fs.mkdirSync('undefined'); for (const {'': f} of [['a/b']]) fs.writeFileSync(`${f}/../../x`, 'y')",
		"for (const [f] of [{0: 'a.txt'}]) fs.writeFileSync(f, 'y')",
	},
	"words that begin a type": {
		"const lib = require('./lib'), keyof = 1, b = fs.readFileSync('a.txt', 'utf8'); lib.read<keyof\nb>(b)",
		"const lib = require('./lib'), readonly = 1, b = fs.readFileSync('a.txt', 'utf8'); new lib.T<readonly\nb>(b)",
		"const lib = require('./lib'), infer = 1, b = fs.readFileSync('a.txt', 'utf8'); lib.read<infer\nb>(b)",
	},
}

func TestNodeTold(t *testing.T) {
	e := New(Options{Files: nodeWorld()})
	for how, programs := range nodeTold {
		for _, program := range programs {
			if v := nodeVerdict(e, nodeLine(program), ModeAcceptEdits); v.Decision == policy.Allow {
				t.Errorf("%s: allows %s", how, program)
			}
		}
	}
	for _, program := range []string{
		"const {f} = require('./lib'); for (const [k, v] of Object.entries({a: 1, b: 2})) console.log(f(k), v)",
		"const {f} = require('./lib'); for (const k of ['a', 'b']) console.log(f([k, {path: k}]))",
		"const lib = require('./lib'); console.log(lib.f('a').call, new lib.T('a').x)",
	} {
		if v := nodeVerdict(e, nodeLine(program), "default"); v.Decision != policy.Allow {
			t.Errorf("%v %s: %s", v.Decision, program, v.Reason)
		}
	}
}
