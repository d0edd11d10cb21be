package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// nodeFamilies are texts that do something else than they seem to, or read what they do
// not seem to name, by how they hide it.
var nodeFamilies = map[string][]string{
	"types are read": {
		"const f = 1, x = 'a'; console.log(f<0>(x))", "const f = 1, g = 2, x = 'a'; console.log([f<0, g>(x)])", "const f = 1, x = f<0>\n1; console.log(x)", "const f = 1, x = f<0>/2/1; console.log(x)", "const f = 1; console.log(f<0>`a`)",
	},
	"names that are no values": {
		"const o = {}; o['.env'] = 1; for (const f of Object.keys(o)) console.log(fs.readFileSync(f, 'utf8'))",
		"const o = {}; o.id_rsa = 1; for (const f of Object.keys(o)) console.log(fs.readFileSync(f, 'utf8'))",
		"const o = {}; ({a: o.kubeconfig} = {a: 1}); for (const f of Object.keys(o)) console.log(fs.readFileSync(f, 'utf8'))",
		"class A { '.env' = 1 } for (const f of Object.keys(JSON.parse(JSON.stringify(new A())))) console.log(fs.readFileSync(f, 'utf8'))",
		"class A { kubeconfig = 1 } for (const f of Object.keys(JSON.parse(JSON.stringify(new A())))) console.log(fs.readFileSync(f, 'utf8'))",
		"try { null.id_rsa } catch (e) { console.log(fs.readFileSync(e.message.split(\"'\")[1], 'utf8')) }",
		"console.log(fs.readFileSync(/.env/.source, 'utf8'))", `console.log(fs.readFileSync(/\.env/.source.slice(1), 'utf8'))`,
		"const a = '.e'; console.log(fs.readFileSync(`${a}${'nv'}`.trim(), 'utf8'))", "const o = {}; o[`.${'env'}`] = 1; for (const f of Object.keys(o)) console.log(fs.readFileSync(f, 'utf8'))",
		"const f = 'env'; console.log(fs.readFileSync('.'.concat(f), 'utf8'))",
	},
	"what code of the project has, too": {
		"Object.assign(require('./package.json'), {out: '/etc/x'}); require('./lib').f(1)", "const d = require('./package.json'); Object.assign(d, {out: '/etc/x'}); require('./lib').f(1)",
		"require('./package.json').out = '/etc/x'; require('./lib').f(1)", "let d; d = require('./package.json'); d.out = '/etc/x'; require('./lib').f(1)", "const [d] = [require('./package.json')]; d.out = '/etc/x'; require('./lib').f(1)",
		"const g = x => { x.out = '/etc/x' }; g(require('./package.json')); require('./lib').f(1)", "require('./package.json').files.map(x => { x.out = '/etc/x' }); require('./lib').f(1)", "const d = [require('./package.json')]; d[0].out = '/etc/x'; require('./lib').f(1)",
		"const d = require('./package.json'); d.files.push('/etc', 'x'); require('./lib').f(1)", "const d = require('./package.json'); d.files.reverse(); require('./lib').f(1)", "delete require('./package.json').a; require('./lib').f(1)", "const d = require('./package.json'); d.n++; require('./lib').f(1)",
		"const d = new Object(require('./package.json')); d.out = 'x'; require('./lib').f(1)", "const g = () => require('./package.json'); g().out = 'x'; require('./lib').f(1)", "const d = {...require('./package.json')}; d.a.out = 'x'; require('./lib').f(1)", "({a: require('./package.json').out} = {a: 'x'}); require('./lib').f(1)",
		"const g = x => x.push('--out'); g(process.argv); require('./lib').f(1)", "process.argv.sort(); require('./lib').f(1)", "for (const l of [process.argv]) l[1] = 'x'; require('./lib')",
	},
}

func TestNodeFamilies(t *testing.T) {
	e := New(Options{Files: nodeWorld()})
	for family, programs := range nodeFamilies {
		for _, program := range programs {
			if v := nodeVerdict(e, nodeLine(program), ModeAcceptEdits); v.Decision == policy.Allow {
				t.Errorf("%s: allows %s", family, program)
			}
		}
	}
}

// nodeQuiet are harmless texts that look like those, by family.
var nodeQuiet = map[string][]string{
	"types are read": {
		"for (let i = 0; i < 3; i++) if (i > (1)) console.log(i < 2 && i > (0))", "console.log([3, 1].sort((a, b) => a < b ? -1 : a > (b) ? 1 : 0), '<a>(b)')",
	},
	"names that are no values": {
		"for (const f of fs.readdirSync('src')) if (!/(.*)test/.test(f)) console.log(fs.readFileSync(path.join('src', f), 'utf8').replace(/.*/, ''))",
	},
	"what code of the project has, too": {
		"const d = require('./package.json'); d.version = '2'; console.log(JSON.stringify(d, null, 2))", "const out = []; for (const k of Object.keys(require('./package.json')).sort()) out.push(k); console.log(out, require('./lib').f(1))",
		"const seen = {}; const l = 'b a'.split(' '); l.reverse(); for (const k of l.map(x => x.trim()).sort().reverse()) seen[0] = k; console.log(seen, require('./lib').f(1))",
	},
}

func TestNodeQuiet(t *testing.T) {
	e := New(Options{Files: nodeWorld()})
	for family, programs := range nodeQuiet {
		for _, program := range programs {
			if v := nodeVerdict(e, nodeLine(program), "default"); v.Decision != policy.Allow {
				t.Errorf("%s: %v %s: %s", family, v.Decision, program, v.Reason)
			}
		}
	}
}
