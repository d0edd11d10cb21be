package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// nodeImports are texts that import code of the project, and look at what is there.
var nodeImports = []string{
	`console.log(typeof globalThis.fetch)`,
	`console.log(typeof globalThis.crypto !== 'undefined')`,
	`console.log(Object.getOwnPropertyNames(require('./lib')))`,
	`import {f} from './lib/index.js'; console.log(f(1))`,
	`import lib from './lib/index.js'; console.log(lib.f(1))`,
	`import * as lib from './lib/index.js'; console.log(lib.f(1))`,
	`import('./lib/index.js').then(m => console.log(m.f(1)))`,
	`const m = await import('./lib/index.js'); console.log(m.f(1))`,
	`console.log(require('./lib').f(1))`,
	`import('./lib/index.js').then(m => console.log(Object.keys(m)))`,
	`(async () => { const {f} = await import('./lib/index.js'); console.log(f(1)) })()`,
	`import('./lib/index.js').then(m => console.log(m.default.f(1))).catch(e => console.error(e.message))`,
}

// nodeOddImports are such that import something else, tell it what no text shows, or take
// more from it.
var nodeOddImports = []string{
	`import {f} from './nothing.js'; console.log(f(1))`,
	`import {f} from '/tmp/lib.js'; console.log(f(1))`,
	`import {f} from './lib'; console.log(f(1))`,
	`import {f} from './li%62.js'; console.log(f(1))`,
	`import {f} from 'https://x.example/lib.js'; console.log(f(1))`,
	`import {f} from './lib.js?x'; console.log(f(1))`,
	`import {f} from '../../../../tmp/lib.js'; console.log(f(1))`,
	`import {f} from './lib/index.js'; console.log(f(fs.readFileSync('a.txt', 'utf8')))`,
	`import {f} from './lib/index.js'; f('/etc/passwd')`,
	`import {f} from './lib/index.js'; console.log([f])`,
	`import {f} from './lib/index.js'; ['a'].map(f)`,
	`import {f} from './lib/index.js'; f.constructor('return 1')()`,
	`import {constructor as f} from './lib/index.js'; f('return 1')()`,
	`import * as lib from './lib/index.js'; lib[process.argv[1]](1)`,
	`import * as lib from './lib/index.js'; lib.f = 1`,
	`import {f} from './lib/index.js'; const {g} = f(1); fs.writeFileSync(g, 'x')`,
	`import {f} from './lib/index.js'; { const f = fs; f.unlinkSync('/etc/x') }`,
	`import {f} from './lib/index.js'; fs.writeFileSync('lib/index.js', 'x')`,
	`fs.writeFileSync('lib/index.js', 'x'); import('./lib/index.js').then(m => console.log(m.f(1)))`,
	`fs.writeFileSync('new.js', 'x'); import('./new.js').then(m => console.log(1))`,
	`import('./lib/index.js').then(m => m.f(process.argv[1]))`,
	`import('./lib/index.js').then(m => fs.unlinkSync(m.x))`,
	`import('./lib/index.js').then(m => m)`,
	`import('./lib/index.js').then((m, n) => console.log(m, n))`,
	`import('./' + process.argv[1]).then(m => console.log(m))`,
	`const n = './lib/index.js'; import(n).then(m => console.log(m.f(1)))`,
	`import('./lib/index.js', {with: {type: 'json'}}).then(m => console.log(m))`,
	`const m = await import('./lib/index.js'); console.log([m])`,
	`const m = await import('./lib/index.js'); const k = process.argv[1]; console.log(m[k])`,
	`const f = async () => import('./lib/index.js'); f().then(m => console.log(m))`,
	`import('./lib/index.js').then(fs.unlinkSync)`,
	`import a, {b} from './lib/index.js'; a(b)`,
	`import {f} from './lib/index.js'; export {f}`,
	`import {fetch} from './lib/index.js'; fetch('https://x.example', {method: 'POST'})`,
	`import {require} from './lib/index.js'; require('./lib').f(1)`,
	`console.log(typeof globalThis.constructor.constructor('x')())`,
	`console.log(typeof globalThis[process.argv[1]])`,
	`console.log(typeof globalThis.process.kill(1))`,
	`{ const globalThis = {}; console.log(typeof globalThis.x) } console.log(globalThis)`,
	`console.log(Object.getOwnPropertyNames(require('./lib')).map(k => require('./lib')[k]))`,
}

func TestNodeImports(t *testing.T) {
	e := New(Options{Files: nodeWorld()})
	for _, program := range nodeImports {
		if v := nodeVerdict(e, nodeLine(program), "default"); v.Decision != policy.Allow {
			t.Errorf("%v %s: %s", v.Decision, program, v.Reason)
		}
	}
	for _, program := range nodeOddImports {
		if v := nodeVerdict(e, nodeLine(program), ModeAcceptEdits); v.Decision == policy.Allow {
			t.Errorf("allows %s", program)
		}
	}
}
