package engine

import (
	"fmt"
	"strings"
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
	"directories that are cut out of texts": {
		`const d = os.tmpdir().slice(0, 1) + 'home/dev'; for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))`,
		`for (const f of fs.readdirSync(path.sep + 'home')) console.log(fs.readFileSync(path.sep + 'home/' + f, 'utf8'))`,
		`const c = child_process.spawn('pwd'); let s = ''; c.stdout.on('data', d => s += d); c.on('close', () => { for (const f of fs.readdirSync(s.slice(0, 9))) console.log(fs.readFileSync(s.slice(0, 9) + '/' + f, 'utf8')) })`,
		`const d = process.config.variables.node_prefix.slice(0, 1) + 'home/dev'; for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))`,
		`for (const f of fs.readdirSync('../'.repeat(1))) console.log(fs.readFileSync('../' + f, 'utf8'))`,
		`(async () => { const d = process.cwd().slice(0, 9); for (const f of await fs.promises.readdir(d)) console.log(await fs.promises.readFile(d + '/' + f, 'utf8')) })()`,
		`const d=process.cwd(); const p=d.slice(0,d.lastIndexOf('/')); for (const f of fs.readdirSync(p)) console.log(fs.readFileSync(p+'/'+f,'utf8'))`,
		`const p=process.cwd().split('/').slice(0,-1).join('/'); for (const f of fs.readdirSync(p)) console.log(fs.readFileSync(p+'/'+f,'utf8'))`,
		`const p=process.cwd().replace(/[^/]*$/,''); for (const f of fs.readdirSync(p)) console.log(fs.readFileSync(p+'/'+f,'utf8'))`,
		`const p=/(.*)\//.exec(process.cwd())[1]; for (const f of fs.readdirSync(p)) console.log(fs.readFileSync(p+'/'+f,'utf8'))`,
		`const p=(process.cwd()+'/src').slice(0,9); for (const f of fs.readdirSync(p)) console.log(fs.readFileSync(p+'/'+f,'utf8'))`,
		"const p=`${process.cwd()}/src`.slice(0,9); for (const f of fs.readdirSync(p)) console.log(fs.readFileSync(p+'/'+f,'utf8'))",
		`const p=path.resolve('src').slice(0,9); for (const f of fs.readdirSync(p)) console.log(fs.readFileSync(p+'/'+f,'utf8'))`,
		`const p=fs.realpathSync('src').slice(0,9); for (const f of fs.readdirSync(p)) console.log(fs.readFileSync(p+'/'+f,'utf8'))`,
		`const p=JSON.parse(JSON.stringify({d:process.cwd()})).d.slice(0,9); for (const f of fs.readdirSync(p)) console.log(fs.readFileSync(p+'/'+f,'utf8'))`,
		`const m=new Map(); m.set('d',process.cwd()); const p=m.get('d').slice(0,9); for (const f of fs.readdirSync(p)) console.log(fs.readFileSync(p+'/'+f,'utf8'))`,
		`let p=''; for (const c of process.cwd()) if (p.length<9) p+=c; for (const f of fs.readdirSync(p)) console.log(fs.readFileSync(p+'/'+f,'utf8'))`,
		`const p=[...process.cwd()].slice(0,9).join(''); for (const f of fs.readdirSync(p)) console.log(fs.readFileSync(p+'/'+f,'utf8'))`,
		`const d=process.cwd(); let p=''; for (let i=0;i<9;i++) p+=d[i]; for (const f of fs.readdirSync(p)) console.log(fs.readFileSync(p+'/'+f,'utf8'))`,
		`const p=child_process.execSync('echo ~').toString().trim(); for (const f of fs.readdirSync(p)) console.log(fs.readFileSync(p+'/'+f,'utf8'))`,
		`const p=child_process.execSync('pwd').toString().trim().slice(0,5); for (const f of fs.readdirSync(p)) console.log(fs.readFileSync(p+'/'+f,'utf8'))`,
		`const p=child_process.spawnSync('pwd').stdout.toString().slice(0,5); for (const f of fs.readdirSync(p)) console.log(fs.readFileSync(p+'/'+f,'utf8'))`,
		`child_process.exec('pwd',(e,o)=>{const p=o.slice(0,5); for (const f of fs.readdirSync(p)) console.log(fs.readFileSync(p+'/'+f,'utf8'))})`,
		`const {execSync}=require('child_process'); (async()=>{const e=require('util').promisify(require('child_process').exec); const {stdout}=await e('pwd'); const p=stdout.slice(0,5); for (const f of fs.readdirSync(p)) console.log(fs.readFileSync(p+'/'+f,'utf8'))})()`,
		`const g=x=>x.slice(0,9); const p=g(process.cwd()); for (const f of fs.readdirSync(p)) console.log(fs.readFileSync(p+'/'+f,'utf8'))`,
		`const o={d:process.cwd()}; const {d:[a,b,c,...r]}=o; for (const f of fs.readdirSync(a+b+c)) console.log(fs.readFileSync(f,'utf8'))`,
		`const p=Buffer.from(process.cwd()).toString('utf8',0,9); for (const f of fs.readdirSync(p)) console.log(fs.readFileSync(p+'/'+f,'utf8'))`,
		`const p=process.execPath[0]; for (const f of fs.readdirSync(p)) console.log(fs.readFileSync(p+'/'+f,'utf8'))`,
		`const p=new Error('x').stack.split('(')[1].slice(0,9); for (const f of fs.readdirSync(p)) console.log(fs.readFileSync(p+'/'+f,'utf8'))`,
		`function w(d) { for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(path.join(d,f),'utf8')) } w('/')`,
		`function w(d) { for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(path.join(d,f),'utf8')) } w('../..')`,
	},
	"what calls pass": {
		`function save(f) { fs.writeFileSync(f, 'x') } ['/etc/x'].forEach(save); save('a')`,
		`function save(f) { f = f + '/../../../etc/x'; fs.writeFileSync(f, 'x') } save('a')`,
		`function save(f) { fs.writeFileSync(f, 'x') } save(...['/etc/x'])`,
		`function save(f) { fs.writeFileSync(f, 'x'); if (f.length < 9) save('/' + f) } save('a')`,
		`function save(f) { fs.writeFileSync(f, 'x') } { function save(g) { } save('a') } save('/etc/x')`,
		`function a(f) { fs.writeFileSync(f, 'x') } function b(f) { a(f) } b('/etc/x')`,
		`function a(f) { fs.writeFileSync(f, 'x') } function b(g) { a(g) } b('a'); [process.argv[1]].forEach(b)`,
		`function save(f, g = f) { fs.writeFileSync(g, 'x') } save('a', '/etc/x')`,
		`function save(f) { ({f} = {f: '/etc/x'}); fs.writeFileSync(f, 'x') } save('a')`,
		`function save(f) { for (f of ['/etc/x']) fs.writeFileSync(f, 'x') } save('a')`,
		`function save(f) { { const f = '/etc/x'; fs.writeFileSync(f, 'x') } } save('a')`,
		`function save(f) { try { throw '/etc/x' } catch (f) { fs.writeFileSync(f, 'x') } } save('a')`,
		`function save(f) { [process.argv[1]].forEach(f => fs.writeFileSync(f, 'x')) } save('a')`,
		`function save(f) { class A { go(f) { fs.writeFileSync(f, 'x') } } new A().go('/etc/x') } save('a')`,
		`const run = c => child_process.execSync('ls ' + c); run(process.cwd())`,
		`const run = (c, o) => child_process.execSync(c, o); run('ls', {shell: '/tmp/x'})`,
		`const show = f => child_process.execFileSync('cat', [f]); show('a'); show('/home/dev/.ssh/id_rsa')`, `for (const f of ['a', '/home/dev/.ssh/id_rsa']) child_process.execFileSync('cat', [f])`, `for (const f of ['a', '/home/dev/.ssh/id_rsa', '1', '2', '3']) child_process.execFileSync('cat', [f, f, f])`,
		`const run = (c, d) => child_process.execSync(c, {cwd: d}); run('git status', '.'); run('git status', '/tmp')`, `child_process.execSync('git status', {cwd: process.argv[2] ? '/tmp' : '.'})`,
		`const run = (c, d) => child_process.execSync(c, {cwd: d}); run('git status', '/tmp')`,
		"const run = c => child_process.execSync(c); run('ls'); run(`rm -rf ${os.homedir()}`)",
		`const run = (c, a) => child_process.execFileSync(c, [a]); run('ls', '.'); run('rm', '/home/dev/x')`,
		`const f = '/etc/x'; function save(f) { fs.writeFileSync(f, 'x') } { save(f) }`,
		`let g = 'a'; function save(f) { fs.writeFileSync(f, 'x') } g = '/etc/x'; save(g)`,
		`const rows = [['a', 'x']]; for (const r of rows) r[0] = '/etc/x'; for (const [f, t] of rows) fs.writeFileSync(f, t)`,
		`const rows = [['a', 'x']]; rows.forEach(r => { r[0] = '/etc/x' }); rows.forEach(([f]) => fs.writeFileSync(f, 'x'))`,
		`const rows = [{f: 'a'}]; rows.map(r => { r.f = '/etc/x' }); for (const {f} of rows) fs.writeFileSync(f, 'x')`,
		`for (const {f} of [{f: 'a', ['f']: '/etc/x'}]) fs.writeFileSync(f, 'x')`,
		`for (const {f} of [{f: 'a', ...{f: '/etc/x'}}]) fs.writeFileSync(f, 'x')`,
		`for (const {f} of [{f: 'a', f: '/etc/x'}]) fs.writeFileSync(f, 'x')`,
		`for (const [f] of [...[['/etc/x']], ['a']]) fs.writeFileSync(f, 'x')`,
		`for (const [f = '/etc/x'] of [[undefined]]) fs.writeFileSync(f, 'x')`,
		`for (const [, f] of [['a', '/etc/x']]) fs.writeFileSync(f, 'x')`,
		`for (const [...f] of [['/etc/x']]) fs.writeFileSync(f[0], 'x')`,
		`for (const f of ['a']) fs.writeFileSync(f, 'x'); for (const f of ['/etc/x']) fs.writeFileSync(f, 'x')`,
		`for (const f of ['a']) fs.writeFileSync(f, 'x'); for (const f of process.argv) fs.writeFileSync(f, 'x')`,
	},
	"code of the project under names": {
		`const {f} = require('./lib'); f(process.argv[1])`,
		`const {f} = require('./lib'); f('/etc/x')`,
		`const {f} = require('./lib'); [1].map(f)`,
		`const {f} = require('./lib'); const g = f; [g].map(h => h(process.argv[1]))`,
		`let {f} = require('./lib'); f = fs.rmSync; f('src')`,
		`const {f: {g}} = require('./lib'); g(process.argv[1])`,
		`const {f = fs.rmSync} = require('./lib'); f('src')`,
		`const {constructor: f} = require('./lib'); f('x')()`,
		`const {...f} = require('./lib'); f.g(process.argv[1])`,
		`const {f} = require('yaml'); f('src')`,
		`const {f} = require('./lib'); { const {f} = fs; f('src') }`,
		`const {rmSync} = require('./lib'); { const rmSync = require('fs').rmSync; rmSync('src', {recursive: true}) }`,
		"const {f} = require('./lib'); f`${process.argv[1]}`",
		`const {f} = require('./lib'); new f(process.argv[1])`,
		`const {f} = require('./lib'); f(f(1), process.env.HOME)`,
		`for (const {f} of [require('./lib')]) f(process.argv[1])`,
		`const {f} = require('./lib'); JSON.parse('{}', f)`,
	},
	"errors and getters of the text's": {
		`class E extends Error { constructor(m) { super(m); return fs } } new E('x').rmSync('src')`,
		`const k = process.argv[1]; class E extends Error { constructor() { super(); this.x = ''[k] } } console.log(new E().x[k])`,
		`const k = process.argv[1]; class E extends Error { x = ''.at } console.log(new E().x[k])`,
		`const k = process.argv[1]; class E extends Error { constructor(c) { super('', {cause: c}) } } console.log(new E(''[k]).cause[k])`,
		`class E extends fs.Dirent {} new E()`,
		`class E extends Error { map(f) { fs.rmSync('/etc/x') } } new E().map(1)`,
		`class E extends Error {} class F extends E { map(f) { f() } } new F()`,
		`class E extends Error { static a() { return 1 } } console.log(E.a())`,
		`class E extends Error { constructor(m) { super(m); this.map = ''.at } } new E().map(1)`,
		`class E extends Error {} const k = process.argv[1]; console.log(E[k])`,
		`class MyError { constructor() { this.x = 1 } } class E extends MyError {} new E()`,
		`class E extends Error { constructor(m) { super(m); fs.rmSync('/etc/x') } } throw new E()`,
		`const o = {get f() { return fs }}; o.f.rmSync('src')`,
		`const k = process.argv[1]; const o = {get a() { return ''[k] }}; console.log(o.a[k])`,
		`const o = {get a() { fs.rmSync('/etc/x', {recursive: true}); return 1 }}; console.log(o.a)`,
		`const o = {get a() { return 1 }}; o.a = 2`,
		`const o = {get a() { return x => x }}; o.a(1)`,
		`class A { get a() { return this } } new A().a.a`,
		`const o = {get then() { return 1 }}; (async () => await o)()`,
		`const o = {get a() { return 1 }}; o.a()`,
	},
	"what code of the project gives": {
		`const {f} = require('./lib'); f(1).then(r => r(process.argv[1]))`,
		`const {f} = require('./lib'); f(1).then(r => { r = fs; r.rmSync('src', {recursive: true}) })`,
		`const {f} = require('./lib'); f(1).then((r, q) => q)`,
		`const {f} = require('./lib'); f(1).then(r => r).then(x => [x].map(y => y.exec('x')))`,
		`const {f} = require('./lib'); f(1).then(r => { [r].forEach(x => x.exec('rm -rf src')) })`,
		`const {f} = require('./lib'); f(1).then(({exec}) => exec(process.argv[1]))`,
		`const {f} = require('./lib'); f(1).then((r = fs) => r.rmSync('src'))`,
		`const {f} = require('./lib'); f(1).then((...r) => r[0].exec('x'))`,
		`const {f} = require('./lib'); f(1).then(fs.rmSync)`,
		`let d = require('./lib'); d = fs; d.rmSync('src', {recursive: true})`,
		`let r = require('./lib').f(1); for (r of [1]) r.exec('x')`,
		`const {T} = require('./lib'); new T(process.argv[1])`,
		`const {T} = require('./lib'); const x = new T(1); x.go(process.argv[1])`,
		`const {T} = require('./lib'); new T.constructor('x')()`,
		`const m = require('yaml'); new m.T('x')`,
		`const {f} = require('./lib'); try { assert.equal(f(1), 2) } catch (e) { e.actual.exec('rm -rf src') }`,
		`const {f} = require('./lib'); (async () => { assert.equal(f(1), 2) })().catch(e => e.actual.exec('rm -rf src'))`,
		`const {f} = require('./lib'); (async () => { assert.equal(f(1), 2) })().then(0, e => e.actual.exec('rm -rf src'))`,
		`const {f} = require('./lib'); process.on('uncaughtException', e => e.actual.exec('rm -rf src')); assert.equal(f(1), 2)`,
		`const {f} = require('./lib'); assert.throws(() => { assert.equal(f(1), 2) }, e => e.actual.exec('rm -rf src'))`,
		`const {f} = require('./lib'); const g = async () => { assert.equal(f(1), 2) }; Promise.allSettled([g()]).then(l => l[0].reason.actual.exec('rm -rf src'))`,
		`const {f} = require('./lib'); JSON.stringify(f(1), (k, v) => v.exec('x'))`,
		`const {f} = require('./lib'); Object.values(f(1)).map(v => v.exec('x'))`,
		`const {f} = require('./lib'); console.log(...f(1))`,
		`const {f} = require('./lib'); Object.assign({}, f(1)).exec('x')`,
	},
	"known places that are put together": {
		`const d = path.resolve(process.cwd(), 'src', '../..', '.ssh'); for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))`,
		`const d = path.resolve(process.cwd(), process.cwd(), '..'); for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))`,
		`const d = path.join(path.resolve('src', '..'), '..', '.ssh'); for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))`,
		`const d = path.resolve(path.join(process.cwd(), 'src'), '..', '..', '.ssh'); for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))`,
		`const d = path.resolve('..'); console.log(fs.readFileSync(path.join(d, '.ssh', process.argv[1]), 'utf8'))`,
		`let d = path.resolve('src'); while (d.length > 3) { d = path.resolve(d, '..'); for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(path.join(d, f), 'utf8')) }`,
		`const d = path.join(fs.realpathSync('src'), '..', '..'); for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))`,
		`const d = path.join(process.cwd(), 'src').slice(0, 9); for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))`,
		`const d = path.normalize(process.cwd() + '/..'); for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))`,
		`const d = path.relative('a', '.') + '/..'; for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))`,
		`const d = path.relative('a/b', '.'); for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))`,
		`for (const g of fs.readdirSync('.')) { const d = path.relative('a', g); for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(path.join(d, f), 'utf8')) }`,
		`const url = require('url'); const d = url.pathToFileURL('.').href.slice(7).split('/').slice(0, -1).join('/'); for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))`,
		`const d = Object.keys({[process.cwd()]: 1})[0].slice(0, 9); for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))`,
		`const d = '/home/dev/project'.slice(0, 9); for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))`,
	},
	"ways up that are no names": {
		`for (const d of 'src,../..'.split(',')) for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))`,
		`const d = JSON.parse('{"d":"../.."}').d; for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))`,
		`const d = new Map([['a', '../..']]).get('a'); for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))`,
		`const d = JSON.parse('["/"]')[0]; for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))`,
		`const d = 'x,/'.split(',')[1]; for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))`,
		`const d = '../'.repeat(2); for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))`,
		`const d = '.'.repeat(2); for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))`,
		`const d = Array(2).fill('..').join('/'); for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))`,
		`const d = path.join(...Array(2).fill('..')); for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))`,
		`const d = 'x/x'.replaceAll('x', '..'); for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))`,
		`const d = new Array(3).join('../'); for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))`,
		`const d = [1, 2].map(() => '..').join('/'); for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))`,
	},
	"names of which a piece is taken away": {
		`console.log(fs.readFileSync('.env.example'.replace('.example', ''), 'utf8'))`,
		`console.log(fs.readFileSync('.env.example'.replace(/\.example$/, ''), 'utf8'))`,
		`const p = os.homedir() + '/.ssh/id_rsa.pub'; console.log(fs.readFileSync(p.replace('.pub', ''), 'utf8'))`,
		`console.log(fs.readFileSync(path.parse('.env.example').name, 'utf8'))`,
		`console.log(fs.readFileSync(path.basename('.env.example', '.example'), 'utf8'))`,
		`console.log(fs.readFileSync('.env.example'.slice(0, 4), 'utf8'))`,
		`console.log(fs.readFileSync('kubeconfig.bak'.split('.')[0], 'utf8'))`,
		`console.log(fs.readFileSync('a-kubeconfig'.split('-')[1], 'utf8'))`,
		`console.log(fs.readFileSync('a\tkubeconfig'.split('\t')[1], 'utf8'))`,
		`console.log(fs.readFileSync('aXkubeconfig'.split('X')[1], 'utf8'))`,
		`console.log(fs.readFileSync('kubeconfigXbak'.replace('Xbak', ''), 'utf8'))`,
		`console.log(fs.readFileSync('the kubeconfig'.slice(4), 'utf8'))`,
		`console.log(fs.readFileSync('xkubeconfig'.slice(1), 'utf8'))`,
		`console.log(fs.readFileSync('xkubeconfigx'.substring(1, 11), 'utf8'))`,
		`console.log(fs.readFileSync('env'.padStart(4, '.'), 'utf8'))`,
		`console.log(fs.readFileSync(path.format({name: '.', ext: 'env'}), 'utf8'))`,
	},
	"what an object holds": {
		`const o = {a: 'x'}; o['/etc/x'] = 'y'; for (const [f, t] of Object.entries(o)) fs.writeFileSync(f, t)`,
		`const o = {'/etc/x': 'x'}; for (const [f, t] of Object.entries(o)) fs.writeFileSync(f, t)`,
		`for (const [f] of Object.entries({a: 1, ...{'/etc/x': 1}})) fs.writeFileSync(f, 'x')`,
		`for (const [f] of Object.entries({a: 1, ['/etc' + '/x']: 1})) fs.writeFileSync(f, 'x')`,
		`const o = {a: 'b'}; const g = p => { p.a = '/etc/x' }; g(o); for (const f of Object.values(o)) fs.writeFileSync(f, 'x')`,
		`const l = Object.entries({a: 1}); for (const e of l) e[0] = '/etc/x'; for (const [f] of l) fs.writeFileSync(f, 'x')`,
		`const l = Object.keys({a: 1}); l.push('/etc/x'); for (const f of l) fs.writeFileSync(f, 'x')`,
		`for (const f of Object.values({a: 'a', get b() { return '/etc/x' }})) fs.writeFileSync(f, 'x')`,
	},
	"names in lists": {
		`console.log('a,kubeconfig'.split(',').map(f => fs.readFileSync(f, 'utf8')))`,
		`for (const f of 'a\nkubeconfig'.split('\n')) console.log(fs.readFileSync(f, 'utf8'))`,
		`for (const f of 'a.txt kubeconfig'.split(' ')) console.log(fs.readFileSync(f, 'utf8'))`,
		`for (const f of 'the kubeconfig'.match(/\S+/g)) console.log(fs.readFileSync(f, 'utf8'))`,
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
	"directories that are cut out of texts": {
		`function w(d) { for (const f of fs.readdirSync(d)) { const p=path.join(d,f); if (fs.statSync(p).isDirectory()) w(p); else console.log(path.relative(process.cwd(),p), fs.readFileSync(p,'utf8').split('\n').length) } } w(process.cwd())`,
		`function w(d) { for (const f of fs.readdirSync(d)) { const p=path.join(d,f); if (fs.statSync(p).isDirectory()) w(p); else if (p.endsWith('.js')) console.log(p, fs.readFileSync(p,'utf8').split('\n').length) } } w(process.argv[2] || 'src')`,
		`function w(d) { for (const f of fs.readdirSync(d)) { const p=path.join(d,f); if (fs.statSync(p).isDirectory()) w(p); else if (p.endsWith('.js')) console.log(p.replace(process.cwd()+'/',''), fs.readFileSync(p,'utf8').length) } } w(path.join(process.cwd(),'src'))`,
		`const files=child_process.execSync('git ls-files').toString().trim().split('\n'); for (const f of files) if (fs.existsSync(f)) console.log(f, fs.readFileSync(f,'utf8').length)`,
		`console.log(child_process.execSync('git log -1').toString().split('\n')[0].slice(7), process.argv.slice(2).join(' '), process.cwd().split('/').pop())`,
		`const v='x'.replace('x', child_process.execSync('git rev-parse HEAD').toString().trim()); console.log(v)`,
		`const walk=(d,out=[])=>{for(const e of fs.readdirSync(d,{withFileTypes:true})){const p=d+'/'+e.name; if(e.isDirectory())walk(p,out); else out.push(p)} return out}; for (const f of walk(process.cwd()+'/src')) console.log(f, fs.readFileSync(f,'utf8').split('\n').length)`,
	},
	"what calls pass": {
		`const show = f => console.log(f, fs.existsSync(f)); for (const f of ['a', 'b']) show(f)`,
		`const {execSync} = require('child_process'); const run = c => execSync(c, {encoding: 'utf8'}).trim(); console.log(run('git status'), run('ls'))`,
		`const read = (f, n) => fs.readFileSync(f, 'utf8').split(n); const first = f => read(f, ' ')[0]; console.log(first('a.txt'))`,
		`for (const f of ['a', 'b']) console.log(fs.existsSync(f)); for (const f of ['c']) console.log(fs.statSync(f).size)`,
	},
	"code of the project under names": {
		`const {f, g: h} = require('./lib'); console.log(f(1), h('x'))`,
		`const {f} = require('./lib'); console.log(f('a').length)`,
	},
	"errors and getters of the text's": {
		`class E extends Error {} try { throw new E('x') } catch (e) { console.log(e.message, e instanceof E) }`,
		`class E extends TypeError { code = 'E1'; constructor(m, at) { super(m); this.name = 'E'; this.at = at } } try { throw new E('x', 3) } catch (e) { console.log(e.name, e.code, e.at) }`,
		`const o = {a: 1, get b() { return this.a + 1 }}; console.log(o.b, JSON.stringify(o))`,
		`class A { constructor(x) { this.x = x } get y() { return this.x * 2 } } console.log(new A(3).y)`,
	},
	"what code of the project gives": {
		`const {f} = require('./lib'); f(1).then(r => console.log(r.x, JSON.stringify(r, null, 2))).catch(e => console.error(e.message))`,
		`const {T} = require('./lib'); const x = new T('a'); console.log(x.go(1).y)`,
		`const {f} = require('./lib'); assert.deepStrictEqual(f(2), [2]); console.log(Object.keys(f(2)))`,
		`let r = require('./lib').f(1); console.log(r)`,
	},
	"known places that are put together": {
		`const w = d => { for (const f of fs.readdirSync(d)) { const p = path.join(d, f); console.log(path.relative('src', p).split('/'), path.relative(process.cwd(), p), fs.readFileSync(p, 'utf8').length) } }; w('src'); w(path.join(process.cwd(), 'lib'))`,
		`const root = path.resolve(process.argv[2] || 'src'); for (const f of fs.readdirSync(root)) console.log(path.relative(root, f).replace(/x/g, '/'), fs.readFileSync(path.join(root, f), 'utf8').length)`,
		`const root = path.join(path.resolve('src'), 'lib'); for (const f of fs.readdirSync(root)) console.log(fs.readFileSync(path.join(root, f), 'utf8').length)`,
		`const root = path.resolve(process.cwd(), 'src'); for (const f of fs.readdirSync(root)) console.log(fs.readFileSync(path.resolve(root, f), 'utf8').length)`,
		`const seen = {}; for (const f of fs.readdirSync('src')) { seen[f] = 1; console.log(fs.readFileSync(path.normalize('src/' + f), 'utf8').length) }`,
	},
	"ways up that are no names": {
		`for (const f of fs.readdirSync('src')) console.log('-'.repeat(40), f.padEnd(30, '.'), f.replace('.', '/').split('/').join('/'), fs.readFileSync('src/' + f, 'utf8').length)`,
	},
	"names of which a piece is taken away": {
		`for (const f of 'lib/a-b.test.js,README.md'.split(',')) console.log(f.replace('.js', '').split('-')[0], fs.readFileSync(f, 'utf8').slice(0, 4), 'a key: ' + f.padStart(20, ' '))`,
		`for (const f of fs.readdirSync('src')) console.log(path.basename(f, '.js'), f.replace(/\.js$/, '.ts').slice(1), fs.readFileSync('src/' + f, 'utf8').length)`,
	},
	"what an object holds": {
		`for (const [k, v] of Object.entries({a: 1, b: 2})) console.log(k, v, fs.existsSync(k))`,
	},
	"names in lists": {
		`console.log("Reads the kubeconfig if there is one"); for (const f of fs.readdirSync("src")) console.log(fs.readFileSync("src/" + f, "utf8").length)`,
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

// TestNodeManyNames: many names in a text, and pieces of these, are not too much to look at.
func TestNodeManyNames(t *testing.T) {
	var names strings.Builder
	for i := range 60 {
		fmt.Fprintf(&names, "'src/part%d/file-%d.test.js',", i%20, i)
	}
	program := "for (const f of [" + names.String() + "].map(x => x.trim())) console.log(f.replace('.js', '').split('-').join(' / '), fs.readFileSync(f, 'utf8').slice(3))"
	if v := nodeVerdict(New(Options{Files: nodeWorld()}), nodeLine(program), "default"); v.Decision != policy.Allow {
		t.Errorf("%v: %s", v.Decision, v.Reason)
	}
}

// nodeEdits are texts that change files whose names they tell in another place than
// where they change them.
var nodeEdits = []string{
	`function save(f) { fs.writeFileSync(f, 'x') } for (const f of ['a.txt', 'b.txt']) save(f)`,
	`const edit = (f, a, b) => { const s = fs.readFileSync(f, 'utf8'); fs.writeFileSync(f, s.replace(a, b)) }; edit('a.txt', 'x', 'y'); edit('b.txt', 'x', 'z')`,
	`for (const [f, t] of [['a.txt', 'x'], ['b.txt', 'y']]) fs.writeFileSync(f, t)`,
	`[['a.txt', 'x'], ['b.txt', 'y']].forEach(([f, t]) => fs.writeFileSync(f, t))`,
	`for (const {f, t} of [{f: 'a.txt', t: 1}, {f: 'b.txt', t: 2}]) fs.writeFileSync(f, String(t))`,
	`const o = {'a.txt': 'x', 'b.txt': 'y'}; for (const [f, t] of Object.entries(o)) fs.writeFileSync(f, t)`,
	`Object.entries({'a.txt': 'x'}).forEach(([f, t]) => fs.writeFileSync(f, t))`,
	`for (const f of Object.keys({'a.txt': 1})) fs.writeFileSync(f, 'x')`,
}

func TestNodeEdits(t *testing.T) {
	e := New(Options{Files: nodeWorld()})
	for _, program := range nodeEdits {
		if v := nodeVerdict(e, nodeLine(program), ModeAcceptEdits); v.Decision != policy.Allow {
			t.Errorf("%v %s: %s", v.Decision, program, v.Reason)
		}
	}
}
