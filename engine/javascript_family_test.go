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
