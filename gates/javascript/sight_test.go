package javascript

import (
	"slices"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/gen"
	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// readAll reads a text as Node, or another, would run it in a project.
func readAll(text, runtime string) *code.Report {
	return Read(code.Text{
		Code: text, Facts: &code.Facts{Texts: []string{gen.Code}}, Home: "/home/user", Dir: "/home/user/project",
		Find: func(name string, _ []policy.Word) code.Origin {
			switch {
			case strings.HasPrefix(name, "./"):
				return code.Local
			case strings.HasPrefix(name, "/"):
				return code.Strange
			}
			return code.Installed
		},
		Config: func(bool, ...string) code.Origin { return code.Installed },
	}, runtime)
}

// decoys are texts that do something else than what they look like, or may, by what
// lets them.
var decoys = map[string][]string{
	"names and places of functions": {
		"['a'].forEach(function g(f) { if (f === 'a') g('/home/user/.bashrc'); else require('fs').writeFileSync(f, 'x') })",
		"['ls'].map(function g(c, n) { require('child_process').execSync(c); if (n == 0) g('touch /home/user/x', 1) })",
		"let k = 1; import('path').then(function g(p) { if (k) { k = 0; g(['/home/user/x', '']) } else require('fs').writeFileSync(p.join('a'), 'x') })",
		"const o = {eval(x) { return x }, f: function h(n) { if (n) this.eval(n); else h(\"require('fs').writeFileSync('/x', 'x')\") }}; o.f()",
		"const o = {f: function h(n) { if (n) this.child_process.exec('touch /home/user/pwned'); else h(1) }}; o.f()",
		"require('child_process').spawnSync('sh', {stdio: 'inherit'}, ['-c', 'ls'])",
		"require('child_process').exec('touch ../pwned', () => 1, {cwd: 'sub'})",
		"setTimeout({toString: [].join, 0: 'process.exit()', length: 1})",
	},
	"a key takes a function out of data": {
		"const k = 'constructor'; ''[k][k]('1')()",
		"const k = process.argv[1]; let f = ''; for (const i of [1, 2]) f = f[k]; console.log(f)",
		"const k = process.argv[1]; const a = ''[k]; console.log(a[k])",
		"const k = process.argv[1]; const o = {}; o.a = ''[k]; console.log(o.a[k])",
		"const k = process.argv[1]; const l = []; l.push(''[k]); for (const f of l) l.push(f[k])",
		"const k = process.argv[1]; ['a'].map(x => ''[k]).map(f => f[k])",
		"const k = process.argv[1]; function g(x) { return x[k] } console.log(g(g('')))",
		"const {constructor: c} = ''; console.log(c)",
		"const k = process.argv[1]; const o = {}; o.map = ''[k].getPrototypeOf; console.log(o.map(1))",
		"const k = process.argv[1]; let a; try { throw ''[k] } catch (e) { a = e } console.log(a[k])",
	},
	"an object below a function": {
		"const k = process.argv[1]; const o = {}; o[process.argv[2]] = ''[k]; console.log(o[k])",
		"const k = process.argv[1]; const o = JSON.parse('{}'); o[k] = ''[k]; const p = o; console.log(p[k])",
		"const k = process.argv[1]; const o = {}; const p = o; p[k] = ''[k]; console.log(o[k])",
		"const k = process.argv[1]; const f = o => { o[k] = ''[k] }; const o = {}; f(o); console.log(o[k])",
		"const k = process.argv[1]; const o = {}; Object.assign(o, {[k]: ''[k]}); console.log(o[k])",
		"const k = process.argv[1]; const o = {}; for (o[k] of [''[k]]) console.log(o[k])", "const k = process.argv[1]; const o = {}; [o[k]] = [''[k]]; console.log(o[k])",
		"const k = process.argv[1]; const o = {}; o[k] = o[k] || ''[k]; console.log(o[k])",
		"const k = process.argv[1]; const s = JSON.parse('1')[k]; const o = {}; o.then = s; (async () => { await o; console.log(o[k]) })()",
		"const k = process.argv[1]; const u = {}; [''[k]].forEach(''[k], u); console.log(u[k])",
		"const k = process.argv[1]; const u = {}; const o = {[k]: ''[k]}; o.map(''[k], u); console.log(u[k])",
		"const k = process.argv[1]; const u = {}; const o = {}; o[k] = ''[k]; o.map(...[''[k], u]); console.log(u[k])",
	},
	"a function under the name of another": {
		"const k = process.argv[1]; const o = {}; o.trim = o[k]; const s = o.trim(''[k]); console.log(s[k])",
		"const k = process.argv[1]; const o = {trim: ''[k]}; console.log(o.trim(''[k])[k])",
		"const k = process.argv[1]; const o = Object.fromEntries([['trim', ''[k]]]); o.trim(''[k]); console.log(o[k])",
		"const k = process.argv[1]; const l = [''[k]]; l.then = [][k]; (async () => { const s = await l; console.log(s[k]) })()",
		"const k = process.argv[1]; console.log(fs.statSync('.')._checkModeProperty[k])",
	},
	"a function comes back as data": {
		"const k = process.argv[1]; const e = new (require('events').EventEmitter)(); e.on('newListener', (n, f) => f[k]); e.on('x', () => 1)",
		"const k = process.argv[1]; const {EventEmitter} = require('events'); const e = new EventEmitter(); console.log(e.listeners('x')[0][k])",
		"const k = process.argv[1]; new Promise(r => r(''.at)).then(f => console.log(f[k]))", "const k = process.argv[1]; new Promise((r, j) => j(''.at)).catch(f => console.log(f[k]))", "const k = process.argv[1]; console.log((await new Promise(r => r([''.at])))[0][k])",
		"const k = process.argv[1]; function* g() { yield ''.at } for (const f of g()) console.log(f[k])", "const k = process.argv[1]; function* g() { yield ''.at } console.log([...g()][0][k])", "const k = process.argv[1]; const p = new Promise(r => [''.at].forEach(r)); p.then(f => f[k])",
		"const k = process.argv[1]; setTimeout(f => console.log(f[k]), 0, () => 1)",
		"const k = process.argv[1]; [1].reduce((a, b) => a[k], () => 1)",
		"const k = process.argv[1]; JSON.stringify(''[k], (n, v) => v[k])",
		"const k = process.argv[1]; try { assert.equal(''[k], 1) } catch (e) { console.log(e.actual[k]) }",
		"const k = process.argv[1]; try { assert.throws(() => { throw 1 }, () => 1) } catch (e) { console.log(e.expected[k]) }",
		"const k = process.argv[1]; console.log(url.parse('http://a/').format[k])",
		"const k = process.argv[1]; process.exitCode = ''.at; console.log(process.exitCode[k])", "const k = process.argv[1]; for (const x of [''.at]) console.log(x[k])",
		"const k = process.argv[1]; console.log('a'.matchAll(/a/g).next[k])",
		"const k = process.argv[1]; const o = {}; o.then = [][k]; (async () => { await o; console.log(o[0][k]) })()",
	},
	"what all objects share": {
		"const k = process.argv[1]; ({})[k].shell = '/tmp/x'; child_process.execSync('ls')",
		"const k = process.argv[1]; const p = {}[k]; p.shell = '/tmp/x'; child_process.execSync('ls')",
		"const k = process.argv[1]; Object.assign({}[k], {shell: '/tmp/x'}); child_process.execSync('ls')",
		"const k = process.argv[1]; const o = {}; o.map = {}[k].assign; o.map({}[k], {shell: '/tmp/x'}); child_process.execSync('ls')",
		"const k = process.argv[1]; [][k].push('/etc'); child_process.execFileSync('ls', [])",
		"String.prototype.x = 1", "delete Array.prototype.map", "console.log = 1", "({'__proto__': {shell: 'x'}})",
	},
	"a module or its function as a value": {
		"fs.unlinkSync.call(null, 'a')", "['a'].forEach(fs.unlinkSync)", "const o = {fs}; o.fs.unlinkSync('a')", "Promise.resolve(fs).then(f => f.unlinkSync('a'))",
		"const f = async () => require('fs'); f().then(x => x.unlinkSync('a'))", "const g = x => x; g(require('fs')).unlinkSync('a')",
		"const {x = fs} = {}; x.unlinkSync('a')", "for (const cp of [require('child_process')]) cp.execSync('ls')", "[1].map(function () { this.unlinkSync('a') }, fs)",
		"new fs.unlinkSync('a')", "const r = require; r('fs').unlinkSync('a')", "import('fs').then(f => f)", "import('fs').then((f = child_process) => f.execSync('ls'))",
		"const {rmSync} = import('fs').then(f => f)", "import('fs').then(({unlinkSync}) => unlinkSync('a'))", "const g = f => f.unlinkSync('a'); import('fs').then(g)", "import('./x.mjs').then(f => f.g('a'))",
		"new Promise(r => r(fs)).then(f => f.unlinkSync('a'))", "new Promise((r, j) => j(fs)).catch(f => f.unlinkSync('a'))", "(async () => { for await (const f of [fs]) f.unlinkSync('a') })()",
		"function* g() { yield fs } for (const f of g()) f.unlinkSync('a')", "function* g() { yield* [fs] } for (const f of g()) f.unlinkSync('a')",
		"new Promise(r => [fs.unlinkSync].forEach(r))", "new Promise(r => { const o = {r}; o.r(1) })", "http.get('http://a.example/', r => r).then(f => f)", "'x'.replace('x', fs.unlinkSync)",
		"let cp; cp = require('child_process'); cp.execSync('ls')", "var process = {cwd: () => '/etc'}; console.log(process.cwd())",
		"((path) => path)(1); fs.writeFileSync(path.join('a', 'b'), 'x')", "const path = {join: (a, b) => b}; fs.writeFileSync(path.join('a', '/etc/x'), 'x')",
		"function require(x) { return 1 } require('./package.json')",
	},
	"a name that means something without the text": {
		"const k = process.argv[1]; JSON.parse('{\"a.txt\":1}', fs[k]); fs = 1", "const k = process.argv[1]; { let Blob = ''; } JSON.parse('{\"map\":\"1\"}', Blob[k]).map()",
		"new Promise(r => { r = fs; r.unlinkSync('a') })", "new Promise((r = fs.unlinkSync) => r('a'))", "new Promise((...r) => r[0](fs)).then(f => f.unlinkSync('a'))",
		"const r = f => f.unlinkSync('a'); new Promise(r => r(1)); r(fs)", "http.get('http://a.example/', r => { r = fs; r.unlinkSync('a') })", "http.get('http://a.example/', r => 1); const r = 1", "x: { var process = {cwd: () => '/etc'} } console.log(process.cwd())",
		"const Promise = function (f) { f(fs) }; new Promise(f => f.unlinkSync('a'))", "const module = 1; if (require.main === module) console.log(1)", "require.main === 1; require.main.require('fs').unlinkSync('a')",
		"var Blob; const k = process.argv[1]; console.log(Blob[k])", "var fs; const k = process.argv[1]; console.log(fs[k])", "const f = (a = Blob) => { var Blob; return a }; f()",
		"if (process.argv.length) { function Blob() {} } console.log(Blob[process.argv[1]])", "x = 1", "for (Blob of [1]) console.log(Blob)",
	},
	"a word that means something else": {
		"let p = 'a'; p = '/etc/x'; fs.writeFileSync(p, 'x')", "const l = ['a']; l[0] = '/etc/x'; for (const p of l) fs.writeFileSync(p, 'x')",
		"['a', 'b'].forEach((f, i, l) => { l[1] = '/etc/x'; fs.unlinkSync(f) })", "['a', 'b'].forEach((f, ...r) => { r[1][1] = '/etc/x'; fs.unlinkSync(f) })",
		"function f(a) { arguments[0] = '/etc/x'; fs.writeFileSync(a, 'x') } f('a')", "const m = new Map([['a', '/etc/x']]); fs.writeFileSync(m.get('a'), 'x')",
		"fs.writeFileSync(3, 'x')", "fs.writeFileSync(1 + 1 + 'a', 'x')", "fs.writeFileSync('a'.concat('/../../etc/x'), 'x')",
		"child_process.execSync(`echo ${process.cwd()}`)", "child_process.execFileSync('ls', [process.cwd() + '/'])", "child_process.execFileSync('ls', [path.resolve('a')])",
		"child_process.execSync('ls', {cwd: new URL('file:///etc')})", "child_process.execSync('ls', {stdio: [0, 3, 2]})",
		"child_process.spawn('ls', [], {stdio: ['pipe', 'pipe', 'pipe', 'ipc']})", "const o = {flag: 'w'}; fs.readFileSync('a', o)", "fs.readFileSync('a', JSON.parse('{\"flag\":\"w\"}'))",
		"const o = {toString() { return '/etc/x' }}; fs.writeFileSync('a' + o, 'x')", "fs.writeFileSync('a', 'x', {mode: 0o4755})", "fs.chmodSync('a', 0o4755)", "fs.mkdtempSync('/tmp/x')",
	},
	"an address that means something else": {
		"fetch('https://a.example\\\\@b.example/')", "fetch('https://a.example/\\tx')", "const u = new URL('https://a.example/'); u.hostname = 'b'; fetch(u)",
		"const o = {method: 'POST'}; fetch('https://a.example/', o)", "fetch('https://a.example/', JSON.parse('{}'))", "fetch('https://a.example/').then(r => r)", "https.get('https://a.example', {method: 'POST'})", "http.globalAgent.options.x = 1",
	},
	"a module that is put there": {
		"fs.writeFileSync('x.json.js', ''); require('./x.json')", "fs.writeFileSync('lib/index.js', 'x'); require('./lib').f(1)", "fs.unlinkSync('x.json'); require('./x.json')", "fs.cpSync('/tmp/x', 'x.json', {recursive: true}); require('./x.json')",
	},
	"a directory that is made on the way": {
		"fs.mkdirSync('/etc/x/../../tmp/y', {recursive: true})", "fs.cpSync('a', 'b/../c', {recursive: true})", "fs.promises.mkdir('a/./../b', {recursive: true})",
	},
	"options that are given twice": {
		"child_process.execSync('git status', {cwd: '.', cwd: '/tmp'})",
	},
	"code of others that is told what no text shows": {
		"require('./lib').rm(process.argv[1])", "require('./lib').run(() => 1)", "require('shelljs').rm('-rf', 'src')", "require('shelljs')('-rf')", "const {rm} = require('shelljs'); rm('src')", "const s = require('shelljs'); [1].map(s.rm)", "new (require('shelljs').Rm)('src')",
		"const s = require('shelljs'); s.config.x = 1", "console.log(`${require('shelljs').rm('src')}`)",
	},
	"an object of the text's": {
		"const k = process.argv[1]; const o = {f() {}}; JSON.parse('{\"map\":\"1\"}', o.f[k]).map()", "const k = process.argv[1]; const o = {f() {}}; console.log(o[k])", "const k = process.argv[1]; const o = {f() {}}; for (const f of Object.values(o)) console.log(f[k])",
		"const o = {f() {}}; const {f} = o; f()", "const o = {f() {}}; const g = o.f; g()", "const o = {f() {}}; [1].map(o.f)", "const o = {f() {}}; console.log({...o})", "const o = {f() {}}; const g = () => o; g().f()", "const o = {f() {}}; [o].map(x => x.f())",
		"const k = process.argv[1]; function g() { return [o] } const o = {f() {}}; console.log(g()[0].f[k])", "const o = {f() {}}; o.f = 1; o.f()", "const k = process.argv[1]; const o = {f() {}}; o[k] = 1", "const k = process.argv[1]; const o = {f() {}}; o.g = ''[k]; o.g(1)", "const o = {f() {}}; o.call(1)", "const k = process.argv[1]; const o = {f() {}}; o[k](1)", "const o = {f() {}}; o['call'](1)", "const o = {f() { super.f.constructor('x')() }}; o.f()", "const o = {f: (0, fs.unlinkSync)}; o.f('a')", "const o = {f() {}}; with (o) f()", "const o = {f() {}}; o.f`a`", "const o = {f() {}}; new o.f()", "const o = {f() {}}; delete o.f; o.f()", "const o = {f() {}}; for (o.f of [1]) o.f()", "const o = {f() {}}; [o.f] = [1]; o.f()", "const o = {f() {}}; o.f++", "const o = {f() {}}; o['f'].call(fs)",
		"const o = {f() { return this }}; o.f().f()", "const o = {f() { return function () { return this } }}; o.f()()", "const o = {f() { [1].map(function () { this.unlinkSync('a') }, fs) }}; o.f()", "const o = {f() { function g() { return this } g() }}; o.f()", "const o = {g: () => this}; o.g()",
		"const o = {then(r) { [1].map(r) }}; await o", "const o = {f(r) { r('a') }}; o.f(fs.unlinkSync)", "const o = {f(r) { r.unlinkSync('a') }}; o.f(fs)", "const o = {f(p) { fs.unlinkSync(p) }}; o.f('a')", "const o = {p: '/etc/x', f() { fs.writeFileSync(this.p, '') }}; o.f()",
		"const o = {f() {}, f: 1}; o.f()", "const o = {['f']() {}}; o.f()", "const o = {get f() { return fs }}; o.f.unlinkSync('a')", "const o = {__proto__: {f() {}}}; o.f()", "const o = {constructor() {}}; o.constructor()", "let o = {f() {}}; o = fs; o.f()", "const o = {f() {}}; o.x ||= fs",
		"const o = {toString() { return '/etc/x' }}; fs.writeFileSync('a' + o, 'x')", "const o = {f() {}}; console.log(`${o}`)", "const o = {f() {}}; JSON.stringify(o, (k, v) => v)", "const o = {f() {}}; console.log(...o)", "const o = {f() {}}; new Promise(r => r(o)).then(x => x.f())", "const o = {f() {}}; try { throw o } catch (e) { e.f() }",
		"const o = {f() { arguments[0]('a') }}; o.f(1)", "const o = {async f() { return o }}; await o.f()", "const o = {f: fs.unlinkSync}; o.f('a')", "const o = {f() {}, g: fs}; o.g.unlinkSync('a')", "function* g() { yield o } const o = {f() {}}; for (const x of g()) x.f()",
		"const k = process.argv[1]; const o = {f: function __dirname() { JSON.parse('{\"map\":\"1\"}', __dirname[k]).map() }}; o.f()", "const k = process.argv[1]; [1].map(function __filename() { JSON.parse('{\"map\":\"1\"}', __filename[k]).map() })",
	},
	"a class of the text's": {
		"const k = process.argv[1]; class A { f() {} } JSON.parse('{\"map\":\"1\"}', A[k]).map()", "const k = process.argv[1]; class A { f() {} } const a = new A(); JSON.parse('{\"map\":\"1\"}', a.f[k]).map()", "const k = process.argv[1]; class A { f() { JSON.parse('{\"map\":\"1\"}', this.f[k]).map() } } new A().f()",
		"const k = process.argv[1]; class A { f() { console.log(this[k]) } } new A().f()", "const k = process.argv[1]; class A { set(v) { this[k] = v } } new A().set(1)", "class A {} console.log(A.constructor)", "class A {} A.prototype.map = 1", "class A { f() {} } console.log(new A().constructor)", "class A {} const B = A; new B()",
		"class A { f() {} } const l = [new A()]; l[0].f()", "class A { f() {} } const m = () => new A(); m().f()", "class A { f() {} } function g(a) { a.f() } g(new A())", "class A { f() {} } const a = new A(); Promise.resolve(a).then(x => x.f())", "class A { then(f) { [1].map(f) } } await new A()", "class A { f() {} } await new A()",
		"class A { f() { return this } } new A().f().f()", "class A { constructor() { return fs } f() {} } new A().unlinkSync('a')", "class A { constructor() { return [] } fill() {} } new A().fill(1)", "class A { constructor() { return ''[process.argv[1]] } f() {} } new A().f('x')", "class A { constructor() { if (1) { return {} } } f() {} } new A().f()",
		"class A { constructor(f) { this.f = f } g() { this.f('a') } } new A(fs.unlinkSync).g()", "class A { f = fs.unlinkSync; g() { this.f('a') } } new A().g()", "class A { f = () => 1 } new A().f()", "class A { f() {} constructor() { this.f = 1 } } new A().f()", "class A { f = 1; f() {} } new A().f()",
		"class A extends Array { f() {} } new A().f()", "class A { static f() {} } console.log([A.f])", "class A { static x = fs } A.x.unlinkSync('a')", "class A { static { fs.unlinkSync('a') } }", "class A { get x() { return fs } } new A().x.unlinkSync('a')", "class A { set x(v) { v.unlinkSync('a') } } new A().x = fs", "class A { ['f']() {} } new A().f()", "class A { [Symbol.iterator]() {} } for (const x of new A()) x",
		"class A { f() { return super.f() } } new A().f()", "class A { constructor() { console.log(new.target) } } new A()", "class A { f() { arguments[0] } } new A().f()", "class A { f() { [1].forEach(function () { this.x = 1 }, fs) } } new A().f()", "class A { f(p = fs) { p.unlinkSync('a') } } new A().f()", "class A { f() {} } A()", "class A { f() {} } new A().f.call(fs)",
		"const A = class { f() {} }; new A().f()", "new (class { f() { fs.unlinkSync('a') } })().f()", "class A { p = '/etc/x'; f() { fs.writeFileSync(this.p, '') } } new A().f()", "class A { constructor(p) { this.p = p } f() { fs.writeFileSync(this.p, '') } } new A('a').f()", "class A { f(p) { fs.unlinkSync(p) } } new A().f('a')", "class Promise { constructor(f) { f(fs) } } new Promise(f => f.unlinkSync('a'))",
		"class A { f() {} } { class A { g() {} } new A().g() }", "class Blob {} const k = process.argv[1]; console.log(Blob[k])", "class A { #f = fs; g() { this.#f.unlinkSync('a') } } new A().g()", "class A { f() {} } console.log(new A() + '')", "class A { f() {} } const {f} = new A(); f()", "class A { f() {} } let a = new A(); a = 1; a.f()", "class A { x() { this.f?.() } f() {} } new A().x()",
		"const k = process.argv[1]; class A { x = ''[k]; f() { return this.x[k] } } console.log(new A().f())", "const k = process.argv[1]; class A { constructor(x) { this.x = x } f() { return this.x[k] } } console.log(new A(''[k]).f())", "class A { toJSON(k) { return fs[k] } } JSON.stringify(new A())",
		"class A { 'constructor'() { return [] } fill() {} } new A().fill(1)", "class A { get\nf() { return fs } } new A().f.unlinkSync('a')", "class A { static\nf() { return fs } } A.f().unlinkSync('a')", "class A { #f() {} g(k) { console.log(this.#f[k]) } } new A().g(process.argv[1])", "class A { #x; g() { return #x in this } } console.log(new A().g())",
		"class A { f() {} } class B { constructor() { this.a = new A() } g() { this.a.f() } } new B().g()", "class A { f() {} } const a = new A(); const b = {a}; b.a.f()", "class A { f() {} } const a = new A(); a.g = a; a.g.f()", "class A { f() { const self = this; return () => self } } new A().f()().f()", "class A { f() { setTimeout(this.g, 1) } g() {} } new A().f()",
		"class A { f() { label: { return this } } } new A().f().f()", "class A { async *f() { yield this } } for await (const x of new A().f()) x.f()", "class A { f() {} } function g() { return new A() } g().f()", "class A { f() {} } Object.assign(new A(), {f: 1})", "class A { f() {} } Object.keys(new A())", "class A { f() {} } structuredClone(new A())", "class A { f() {} } new A() instanceof A",
		"class A { x = import(process.argv[1]) } new A()", "class A { f() { <!-- x\n} }", "class A { f(...a) { a[0]('x') } } new A().f(fs.unlinkSync)", "class A { f({unlinkSync: u}) { u('a') } } new A().f(fs)", "@fs class A {}", "class A { accessor x = fs }", "class A { f() { eval('1') } }", "class A { f() { return Function('return 1') } }",
	},
	"what promisify makes": {
		"const k = process.argv[1]; const run = require('util').promisify(child_process.exec); const p = run('git status'); JSON.parse('{\"map\":\"1\"}', p.child.on[k]).map()", "const run = require('util').promisify(child_process.exec); const p = run('git status'); p.child.stdin.write('x')", "require('util').promisify(child_process.execFile)('git', ['log']).child.stdin.write('x')",
		"const run = require('util').promisify(child_process.exec); const f = () => run('git status'); f().child.stdin.write('x')", "const run = require('util').promisify(child_process.exec); const {child} = run('git status'); child.stdin.write('x')", "const run = require('util').promisify(child_process.exec); [run('git status')].map(p => p.child.stdin.write('x'))",
		"const p = require('util').promisify; const e = p(process.argv[1]); e('ls')", "const {promisify} = require('util'); [fs.unlink].map(promisify)", "const {promisify} = require('util'); promisify(f => f())()", "const util = require('util'); child_process.exec[util.promisify.custom] = fs.unlinkSync; util.promisify(child_process.exec)('a')",
		"const {promisify} = require('util'); const e = promisify(child_process.exec); e(process.argv[1])", "const {promisify} = require('util'); const e = promisify(child_process.exec); [e].map(f => f('rm a'))", "const {promisify} = require('util'); new promisify(child_process.exec)", "const {promisify} = require('util'); promisify(child_process.exec, 1)('ls')",
		"function promisify(f) { return f } promisify(child_process.exec)('ls')", "const e = require('util').promisify(child_process.spawn); e('ls')", "require('util.promisify')(fs.unlink)('a')", "const p = require('fs.promises'); p.readFile('a')",
	},
	"a function that a test is handed": {
		"const k = process.argv[1]; const {test} = require('node:test'); test('a', (t, done) => JSON.parse('{\"map\":\"1\"}', done[k]).map())", "const k = process.argv[1]; const {test} = require('node:test'); test('a', (t, ...r) => console.log(r[0][k]))", "const {test} = require('node:test'); test('a', (t, d = 1) => console.log(d))", "const {test} = require('node:test'); test('a', t => console.log(t))",
		"const {test} = require('node:test'); test('a', t => t.mock.method(fs, 'x', () => 1))", "const {test} = require('node:test'); const f = (t, d) => console.log(d); test('a', f)", "const {before} = require('node:test'); before((c, done) => console.log(done))", "const test = require('node:test'); const t = test; [1].map(t)", "const {test} = require('node:test'); test('a', {skip: true}, (t, done) => console.log(done))",
	},
	"a var that has the name of a module, which it still means before it is set": {
		"child_process.exec('rm -rf ~'); var child_process = process.version", "http.get('http://x.example/?x'); var http = process.version", "fs.writeFileSync(url.resolve('/home/dev/project/d','../x'),'y'); var url = require('path')",
		"if (0) { var child_process = process.version } child_process.exec('rm a')", "for (var os = process.version;;) { os.exec('x'); break }",
	},
	"streams that lead elsewhere": {
		"process.stdin.pipe({write: 1})", "const s = fs.createReadStream('a'); [s].map(x => x.pipe(process.stdout))", "fs.createReadStream('a').pipe(process.argv)", "require('stream').pipeline(fs.createReadStream('a'), x => x, process.stdout, () => 1)", "require('stream/promises').pipeline([fs.unlinkSync])", "require('stream/promises').pipeline(fs.createReadStream('a'), ...[process.stdout])",
	},
	"the language made another one": {
		"class M extends Map {}", "class E extends Error { map(f) { return f } }", "const o = {set a(x) {}}", "const o = {get a() { return 1 }, set a(x) {}}", "new Proxy({}, {})", "console.log(String.raw`a`)", "eval('1')",
		"Reflect.get({}, 'a')", "Symbol('a')", "globalThis.x = 1", "process.env.X = '1'", "console.log(process.env)", "const k = 'X'; console.log(process.env[k])", "new Promise(require('fs').unlinkSync)",
	},
}

// TestDecoys: each is asked about.
func TestDecoys(t *testing.T) {
	for family, texts := range decoys {
		for _, text := range texts {
			for _, runtime := range []string{language, "bun", "deno"} {
				if r := readAll(text, runtime); len(r.Asks) == 0 {
					t.Errorf("%s: %s: %s\nis understood: %v", runtime, family, text, r.Effects)
				}
			}
		}
	}
}

// TestUnderstood: what agents write is read, and its words are what they are.
func TestUnderstood(t *testing.T) {
	for text, want := range map[string]string{
		"console.log(require('./package.json').version)":                                                                                                "read ./package.json",
		"const p = JSON.parse(fs.readFileSync('a', 'utf8')); p.v = process.env.V; console.log(p)":                                                       "command printenv V; read a",
		"let d = ''; process.stdin.on('data', c => d += c).on('end', () => console.log(JSON.parse(d)))":                                                 "",
		"const {execSync: e} = require('child_process'); console.log(e('git status', {stdio: 'pipe'}))":                                                 "script 'git status'",
		"const cp = require('node:child_process'); cp.execFileSync('git', ['log', '-1'])":                                                               "command git log -1",
		"const files = ['a', 'b']; for (const f of files) fs.writeFileSync('out/' + f, 'x')":                                                            "write out/a; write out/b",
		"const commands = ['git status', 'git log']; commands.forEach(c => child_process.execSync(c))":                                                  "script 'git log'; script 'git status'",
		"for (const f of ['a', 'b']) fs.writeFileSync('out/' + f, 'x')":                                                                                 "write out/a; write out/b",
		"['a', 'b'].forEach(f => fs.rmSync(`out/${f}`, {force: true}))":                                                                                 "delete out/a; delete out/b",
		"const path = require('path'); fs.writeFileSync(path.join('a', '..', 'b'), 'x')":                                                                "write b",
		"fs.readdirSync('src').forEach(f => console.log(fs.readFileSync('src/' + f, 'utf8').length))":                                                   "path src; read src; read src/; read src/\".*\"; read src/\"...\"; read utf8",
		"const c = {}; for (const w of 'a b'.split(' ')) c[w] = (c[w] || 0) + 1; console.log(c)":                                                        "",
		"const o = {}; const a = JSON.parse('{}'); for (const k of Object.keys(a)) o[k] = a[k]; console.log(o)":                                         "",
		"const n = JSON.parse('[]').reduce((o, x) => { o[x.k] = (o[x.k] || 0) + 1; return o }, {}); console.log(n)":                                     "",
		"const g = {}; for (const x of JSON.parse('[]')) { g[x.k] = g[x.k] || []; g[x.k].push(x) } console.log(g)":                                      "",
		"const rl = require('readline').createInterface({input: process.stdin}); let n = 0; rl.on('line', () => n++).on('close', () => console.log(n))": "",
		"const r = require('child_process').spawnSync('git', ['status'], {encoding: 'utf8'}); console.log(r.status, r.stdout.trim())":                   "command git status",
		"const [, , ...args] = process.argv; console.log(args)":                                                                                         "",
		"const g = {}; for (const x of JSON.parse('[]')) (g[x.k] ||= []).push(x); console.log(g)":                                                       "",
		"const d = require('./a.json').d; console.log(Object.keys(d).filter(k => d[k].startsWith('^')))":                                                "read ./a.json",
		"(async () => { const r = await fetch('https://a.example/b'); console.log((await r.json()).c) })()":                                             "url https://a.example/b",
		"fetch('https://a.example/b').then(r => r.json()).then(d => console.log(d.c)).catch(e => console.error(e))":                                     "url https://a.example/b",
		"var fs = require('fs'); for (var i = 0; i < 2; i++) { var n = i; } console.log(fs.existsSync('a'), n)":                                         "path a",
		"const c = child_process.exec('ls', (e, out) => console.log(out)); c.on('exit', code => { const n = code; console.log(n) })":                    "script ls",
		"const list = [1]; [list].forEach(list => console.log(list.length))":                                                                            "",
		"const {promises: fs} = require('fs'); (async () => console.log(await fs.readFile('a')))()":                                                     "read a",
		"const f = '.env '; console.log(fs.readFileSync(f.trim()))":                                                                                     "read \"node:fs.readFileSync(...)\"; read .env; read env",
		"import {readFileSync} from 'node:fs'; console.log(readFileSync(0, 'utf8').length)":                                                             "",
		"console.log(require('./lib').add(1, 'b'))":                                                                                                     "arg b",
		"function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) } console.log(fib(9))":                                                            "",
		"const sleep = ms => new Promise(r => setTimeout(r, ms)); sleep(5).then(() => console.log(1))":                                                  "",
		"new Promise((resolve, reject) => { fs.readFile('a', (e, d) => { if (e) reject(e); else resolve(d) }) }).then(d => console.log(d.length))":      "read a",
		"const http = require('http'); http.get('http://a.example/b', r => { r.on('data', c => console.log(c)); console.log(r.statusCode) })":           "url http://a.example/b",
		"(async () => { let s = ''; for await (const c of process.stdin) s += c; console.log(JSON.parse(s).a) })()":                                     "",
		"function* g() { const x = yield 1; yield* [x, 2] } for (const n of g()) console.log(n); console.log([...g()])":                                 "",
		"x: for (const a of [1]) { for (;;) { if (a) continue x; else break x } }":                                                                      "",
		"class A { n = 0; #l = []; constructor(x) { this.x = x } add(y) { this.n += y; this.#l.push(y); return this.n } async all() { return this.#l.map(z => z + this.x) } } const a = new A(2); a.add(1); a.all().then(l => console.log(l)); console.log(a.n, a, JSON.stringify(a))": "",
		"const o = {n: 1, f(x) { return this.n + x }, g: x => x * 2, async h() { console.log(this.f(1), o.g(2)) }}; o.h(); o['g'](1); o.n++; o.m = 'a'; console.log(o, o.n)":                                                                                                           "",
		"class A { read() { return fs.readFileSync('a', 'utf8') } drop() { fs.unlinkSync('b') } } console.log(new A().read())":                                                                                                                                                         "delete b; read a",
		"function main() { job.run() } const job = {run() { console.log(1) }}; main()":                                                                                                                                                                                                 "",
		"const {promisify} = require('util'); const {exec} = require('child_process'); const run = promisify(exec); (async () => { const {stdout} = await run('git status'); console.log(stdout) })()":                                                                                 "script 'git status'",
		"const run = require('util').promisify(child_process.execFile); run('git', ['log']).then(r => console.log(r.stdout))":                                                                                                                                                          "command git log",
		"const rm = require('util').promisify(fs.unlink); rm('a')":                                                                                                                                                                                                                     "delete a",
		"const {test, describe} = require('node:test'); describe('x', () => { test('y', t => { t.diagnostic('z'); fs.unlinkSync('a') }) })":                                                                                                                                            "delete a",
		"fs.createReadStream('a').pipe(zlib.createGunzip()).pipe(fs.createWriteStream('b')).on('finish', () => console.log(1))":                                                                                                                                                        "read a; write b",
		"await require('stream/promises').pipeline(fs.createReadStream('a'), fs.createWriteStream('b'))":                                                                                                                                                                               "read a; write b",
		"console.log([3].map(function fac(n) { return n < 2 ? 1 : n * fac(n - 1) }))":                                                                                                                                                                                                  "",
		"const t = setInterval(() => { clearInterval(t) }, 1); https.get('https://a.example/b', r => { r.on('error', console.error) }).on('error', console.error)":                                                                                                                     "url https://a.example/b",
		"import('fs').then(f => f.unlinkSync('a'))":                                                     "delete a",
		"const {readFileSync} = await import('node:fs'); console.log(readFileSync('a', 'utf8').length)": "read a",
		"function main() { console.log(1) } if (require.main === module) main()":                        "",
		"const h = require('crypto').createHash('md5'); h.update('a'); console.log(h.digest('hex'))":    "",
	} {
		r := readAll(text, language)
		var got []string
		for _, e := range r.Effects {
			what := e.Word.String()
			if e.Kind == match.Command {
				what = (&policy.Command{Words: e.Words}).String()
			}
			got = append(got, e.Kind.String()+" "+what)
		}
		slices.Sort(got)
		if s := strings.Join(got, "; "); s != want || len(r.Asks) > 0 {
			t.Errorf("%s\nsays %q\nwant %q; asks %v", text, s, want, r.Asks)
		}
	}
}
