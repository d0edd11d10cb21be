package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// nodeMade are texts that put the name of a secret together of their own constants, and of
// words of their line.
var nodeMade = []string{
	`let h=process.env.HOME; h+='/.s'; h+='sh/id_'; h+='rsa'; console.log(fs.readFileSync(h,'utf8'))`,
	`const m=new Map([['a','.e'],['b','nv']]); console.log(fs.readFileSync(m.get('a')+m.get('b'),'utf8'))`,
	`let p='.e'; p+='nv'; console.log(fs.readFileSync(p,'utf8'))`,
	`let p=''; for (const c of ['.','e','n','v']) p+=c; console.log(fs.readFileSync(p,'utf8'))`,
	`const a=[]; a.push('.e'); a.push('nv'); console.log(fs.readFileSync(a.join(''),'utf8'))`,
	`console.log(fs.readFileSync('_env'.replaceAll('_','.'),'utf8'))`,
	`console.log(fs.readFileSync('env'.replace(/(.*)/,'.$1'),'utf8'))`,
	`console.log(fs.readFileSync('_env'.replace(/_/g,'.'),'utf8'))`,
	`console.log(fs.readFileSync(['x','.e','nv'].slice(1).join(''),'utf8'))`,
	`console.log(fs.readFileSync(util.format('%s%s','.e','nv'),'utf8'))`,
	`console.log(fs.readFileSync(String.fromCharCode(46,101,110,118),'utf8'))`,
	`const s='abc.xenv'; console.log(fs.readFileSync(s[3]+s[5]+s[6]+s[7],'utf8'))`,
	`console.log(fs.readFileSync(JSON.parse('"\\u002eenv"'),'utf8'))`,
	`console.log(fs.readFileSync('abc.envx'.match(/\.\w{3}/)[0],'utf8'))`,
	`console.log(fs.readFileSync(['.','e','n','v'].reduce((a,b)=>a+b),'utf8'))`,
	`let h=process.env.HOME; h+='/.s'; h+='s'; h+='h/i'; h+='d_r'; h+='sa'; console.log(fs.readFileSync(h,'utf8'))`,
	`let h=process.env.HOME; for (const c of ['/.s','sh/id_','rsa']) h+=c; console.log(fs.readFileSync(h,'utf8'))`,
	`let h=process.env.HOME; for (const c of ['/.s','sh/id_','rsa']) h=h+c; console.log(fs.readFileSync(h,'utf8'))`,
	`console.log(fs.readFileSync(['.e','nv'].map(x=>x.trim()).join(''),'utf8'))`,
	`console.log(fs.readFileSync([..."vne."].reverse().join(''),'utf8'))`,
	`console.log(fs.readFileSync('vne.'.split('').reverse().join(''),'utf8'))`,
	`console.log(fs.readFileSync(decodeURIComponent('%2eenv'),'utf8'))`,
	`console.log(fs.readFileSync(unescape('%2eenv'),'utf8'))`,
	`console.log(fs.readFileSync(atob('LmVudg=='),'utf8'))`,
	`console.log(fs.readFileSync(Buffer.from('2e656e76','hex').toString(),'utf8'))`,
	`console.log(fs.readFileSync(Buffer.from([46,101,110,118]).toString(),'utf8'))`,
	`console.log(fs.readFileSync(Buffer.from([46,101,110,118]),'utf8'))`,
	`console.log(fs.readFileSync(new TextDecoder().decode(new Uint8Array([46,101,110,118])),'utf8'))`,
	`const o={a:'.e',b:'nv'}; let s=''; for (const k in o) s+=o[k]; console.log(fs.readFileSync(s,'utf8'))`,
	`const o={'.e':1,'nv':1}; let s=''; for (const k in o) s+=k; console.log(fs.readFileSync(s,'utf8'))`,
	`const o={'.e':1,'nv':1}; console.log(fs.readFileSync(Object.keys(o).join(''),'utf8'))`,
	`const o=JSON.parse('{"a":".e","b":"nv"}'); console.log(fs.readFileSync(o.a+o.b,'utf8'))`,
	`const m=new Map(); m.set('a','.e'); m.set('b','nv'); console.log(fs.readFileSync(m.get('a')+m.get('b'),'utf8'))`,
	`const s=new Set(['.e','nv']); console.log(fs.readFileSync([...s].join(''),'utf8'))`,
	`const s=new Set(); s.add('.e'); s.add('nv'); let p=''; s.forEach(x=>{p+=x}); console.log(fs.readFileSync(p,'utf8'))`,
	`let p='.e'; ['nv'].forEach(x=>{p+=x}); console.log(fs.readFileSync(p,'utf8'))`,
	`let p=fs.readFileSync('a.txt','utf8').slice(0,0); p+='.e'; p+='nv'; console.log(fs.readFileSync(p,'utf8'))`,
	`let p=(process.argv[9]||'')+'.e'; p+='nv'; console.log(fs.readFileSync(p,'utf8'))`,
	`let p=''; for(let i=0;i<4;i++) p+='.xenv'.charAt(i?i+1:0); console.log(fs.readFileSync(p,'utf8'))`,
	`console.log(fs.readFileSync(path.format({dir:'.',base:'.e'+'n'.concat('v')}),'utf8'))`,
	`console.log(fs.readFileSync(querystring.unescape('%2eenv'),'utf8'))`,
	`console.log(fs.readFileSync((14).toString(36),'utf8'))`,
	`console.log(fs.readFileSync([['.e','nv']].flat().join(''),'utf8'))`,
	`console.log(fs.readFileSync(Array.from({length:4},(_, i)=>'xenv.'.at(i-1)).join(''),'utf8'))`,
	`console.log(fs.readFileSync([46,101,110,118].map(c=>String.fromCharCode(c)).join(''),'utf8'))`,
	`console.log(fs.readFileSync(String.fromCharCode(...[46,101,110,118]),'utf8'))`,
	`console.log(fs.readFileSync('.q'.replace(/q/,x=>'en'+'v'),'utf8'))`,
	`class A { constructor() { this.p='.e' } m() { this.p+='nv'; return this.p } } console.log(fs.readFileSync(new A().m(),'utf8'))`,
	`function* g() { yield '.e'; yield 'nv' } console.log(fs.readFileSync([...g()].join(''),'utf8'))`,
	`setTimeout((a,b)=>console.log(fs.readFileSync(a+b,'utf8')),1,'.e','nv')`,
	`let p='.e'; if (1) p=p.concat('nv'); console.log(fs.readFileSync(p,'utf8'))`,
	`console.log(fs.readFileSync(zlib.gunzipSync(Buffer.from('H4sIAAAAAAAAA9NLzSsDAGkZ5QsEAAAA','base64')).toString(),'utf8'))`,
	"let s=''; for (const x of ['.e','nv','a','b','c','d','e','f','g','h','i'].slice(0,2)) s=`${s}${x}`; console.log(fs.readFileSync(s,'utf8'))",
	`const L=['.e','nv','a','b','c','d','e','f','g','h','i']; let k=process.argv.length-1; console.log(fs.readFileSync(L[k]+L[k+1],'utf8'))`,
	`console.log(fs.readFileSync(fs.readdirSync('.')[0].replace(/.*/,['.e','nv'].join('')),'utf8'))`,
	`console.log(fs.readFileSync(fs.readFileSync('a.txt','utf8').slice(0,0)+String.fromCharCode(46)+'e'+'n'.padEnd(2,'v'),'utf8'))`,
	`fs.createReadStream(String.fromCharCode(46,101)+decodeURI('%6ev')).pipe(process.stdout)`,
	`const d = JSON.parse('{}'); d.a = '.e'; d.b = 'nv'; console.log(fs.readFileSync(d.a + d.b, 'utf8'))`,
	`const d = JSON.parse('[]'); d.push('.e'); d.push('nv'); console.log(fs.readFileSync(d.join(''), 'utf8'))`,
	`const d = JSON.parse('[]'); d.push('.e', 'nv'); console.log(fs.readFileSync(d[0] + d[1], 'utf8'))`,
	`const d = Object.fromEntries([['a', '.e'], ['b', 'nv']]); console.log(fs.readFileSync(d.a + d.b, 'utf8'))`,
	`const p = new URLSearchParams(); p.set('a', '.e'); p.set('b', 'nv'); console.log(fs.readFileSync(p.get('a') + p.get('b'), 'utf8'))`,
	`const f = (a, ...r) => a + r.join(''); console.log(fs.readFileSync(f('.e', 'n', 'v'), 'utf8'))`,
	`let x = '.e'; setTimeout(() => console.log(fs.readFileSync(x, 'utf8')), 10); x += 'nv'`,
	`let x = '.e'; const f = () => { x += 'nv' }; f(); console.log(fs.readFileSync(x, 'utf8'))`,
	`let x = '.e'; for (;;) { x += 'nv'; break } console.log(fs.readFileSync(x, 'utf8'))`,
	`let x = '.e'; do { x += 'nv' } while (0); console.log(fs.readFileSync(x, 'utf8'))`,
	`let x = '.e'; switch (1) { case 1: x += 'nv' } console.log(fs.readFileSync(x, 'utf8'))`,
	`let x = '.e'; x ||= 'q'; x += 'nv'; console.log(fs.readFileSync(x, 'utf8'))`,
	`const o = {p: '.e'}; o.p += 'nv'; console.log(fs.readFileSync(o.p, 'utf8'))`,
	`const a = ['.e']; a[0] += 'nv'; console.log(fs.readFileSync(a[0], 'utf8'))`,
	`let [x] = ['.e']; x += 'nv'; console.log(fs.readFileSync(x, 'utf8'))`,
	`const a = ['q', '.e', 'nv']; a.shift(); console.log(fs.readFileSync(a.join(''), 'utf8'))`,
	`const a = ['nv', '.e']; a.sort(); console.log(fs.readFileSync(a.join(''), 'utf8'))`,
	`const a = ['.e', 'nv', 'q']; a.pop(); console.log(fs.readFileSync(a.join(''), 'utf8'))`,
	"const a = ['.e', 'nv']; console.log(fs.readFileSync(`${a}`.replace(',', ''), 'utf8'))",
	`const a = ['.e', 'nv']; console.log(fs.readFileSync(String(a).split(',').join(''), 'utf8'))`,
	`const a = ['.e', 'nv']; console.log(fs.readFileSync(a.toString().replaceAll(',', ''), 'utf8'))`,
	`const a = ['.e', 'nv']; let s = ''; a.entries().forEach(([i, x]) => { s += x }); console.log(fs.readFileSync(s, 'utf8'))`,
	`const a = ['.e', 'nv']; let s = ''; for (const [i, x] of a.entries()) s += x; console.log(fs.readFileSync(s, 'utf8'))`,
	`const a = ['.e', 'nv']; const it = a.values(); console.log(fs.readFileSync([...it].join(''), 'utf8'))`,
	`console.log(fs.readFileSync(['.e', 'nv'].flatMap(x => [x]).join(''), 'utf8'))`,
	`console.log(fs.readFileSync(['.e', 'nv'].reduce((a, b) => a.concat(b), ''), 'utf8'))`,
	"console.log(fs.readFileSync(['.e', 'nv'].reduce((a, b) => `${a}${b}`, ''), 'utf8'))",
	`console.log(fs.readFileSync(Object.entries({'.e': 'nv'})[0].join(''), 'utf8'))`,
	`for (const [a, b] of new Map([['.e', 'nv']])) console.log(fs.readFileSync(a + b, 'utf8'))`,
	`new Map([['.e', 'nv']]).forEach((b, a) => console.log(fs.readFileSync(a + b, 'utf8')))`,
	`console.log(fs.readFileSync([process.env.X, '.e', 'nv'].filter(Boolean).join(''), 'utf8'))`,
	`console.log(fs.readFileSync([process.env.X, '.e', 'nv'].join(''), 'utf8'))`,
	`const l = [process.env.X]; l.push('.e'); l.push('nv'); console.log(fs.readFileSync(l.join(''), 'utf8'))`,
	`let p = fs.readFileSync('a.txt', 'utf8'); if (p) p = ['.e', 'nv'].join(''); console.log(fs.readFileSync(p, 'utf8'))`,
	`let p = fs.readFileSync('a.txt', 'utf8'); p = decodeURIComponent('%2eenv'); console.log(fs.readFileSync(p, 'utf8'))`,
	`(async () => { let p = ''; for await (const c of ['.e', 'nv']) p += c; console.log(await fs.promises.readFile(p, 'utf8')) })()`,
	`const m = 'q=.e;r=nv'.split(';').map(x => x.split('=')[1]); console.log(fs.readFileSync(m[0] + m[1], 'utf8'))`,
	`const t = '.e\nnv'.split('\n'); console.log(fs.readFileSync(t[0] + t[1], 'utf8'))`,
	"const t = `.e nv`.split(/ /); console.log(fs.readFileSync(t.join(''), 'utf8'))",
	`const s = 'the file .e and nv'; console.log(fs.readFileSync(s.slice(9, 11) + s.slice(16), 'utf8'))`,
	`const s = 'vne.'; let r = ''; for (let i = s.length - 1; i >= 0; i--) r += s[i]; console.log(fs.readFileSync(r, 'utf8'))`,
	`const s = 'vne.'; let r = ''; for (const c of s) r = c + r; console.log(fs.readFileSync(r, 'utf8'))`,
	`const h = process.env.HOME; console.log(fs.readFileSync([h, ['.s', 'sh'].join(''), ['id', 'rsa'].join('_')].join('/'), 'utf8'))`,
	`const h = process.env.HOME; console.log(fs.readFileSync(path.resolve(h, decodeURIComponent('%2essh/id%5frsa')), 'utf8'))`,
	`console.log(fs.readFileSync(util.format('%s/%s', process.env.HOME, ['.s', 'sh/id_', 'rsa'].join('')), 'utf8'))`,
	`console.log(fs.readFileSync(process.env.HOME.concat('/.s', 'sh/id_', 'rsa'), 'utf8'))`,
}

// nodeMadeOfWords are such lines, with words of theirs.
var nodeMadeOfWords = []string{
	`node -e 'console.log(fs.readFileSync(process.argv[1] + process.argv[2], "utf8"))' .e nv`,
	`node -e 'console.log(fs.readFileSync(process.argv.slice(1).join(""), "utf8"))' .e nv`,
	"node -e 'const [, a, b] = process.argv; console.log(fs.readFileSync(`${a}${b}`, \"utf8\"))' .e nv",
	`node -e 'console.log(fs.readFileSync(process.argv[1].replace("_", "."), "utf8"))' _env`,
	`bun -e 'console.log(require("fs").readFileSync(Bun.argv[2] + Bun.argv[3], "utf8"))' .e nv`,
	`deno eval 'console.log(Deno.readTextFileSync(Deno.args[0] + Deno.args[1]))' .e nv`,
	// and where Bun says where a text stands
	`bun -e 'require("fs").writeFileSync(__dirname + "q", "x")'`,
	`bun -e 'await Bun.write(__dirname + "q", "x")'`,
	`bun -e 'require("fs").writeFileSync(__filename + "/../../q", "x")'`,
	// and where a function has the name of something else, too
	`node -e 'function f() {} { let f = 1 } const k = process.argv[1]; const F = Object.fromEntries([["a", f]]).a[k]; console.log(F.toString())'`,
	`node -e 'class f {} { let f = 1 } const k = process.argv[1]; const F = [f][0][k]; console.log(F)'`,
	`node -e '{ const f = () => 1; console.log(JSON.stringify({a: f})) } { const f = 2; console.log(f) }'`,
}

// nodeShown are harmless texts that show what they name, or read what somebody else names.
var nodeShown = []string{
	`let s = ""; for (let i = 0; i < 3; i++) s += fs.readFileSync("part" + i + ".txt", "utf8"); console.log(s)`,
	"for (let i = 0; i < 3; i++) console.log(fs.readFileSync(`part-${String(i).padStart(3, \"0\")}.txt`, \"utf8\"))",
	`for (const n of ["a","b","c","d","e","f","g","h","i","j","k","l","m","n","o","p","q","r","s"]) console.log(fs.readFileSync("src/" + n + ".js", "utf8").length)`,
	`let base = "src"; base += "/lib"; console.log(fs.readFileSync(base + "/a.js", "utf8"))`,
	`let p = ""; for (const d of ["a", "b"]) { p = d + "/package.json"; if (fs.existsSync(p)) console.log(JSON.parse(fs.readFileSync(p, "utf8")).version) }`,
	"const m = {a: \"x.js\", b: \"y.js\"}; for (const [k, f] of Object.entries(m)) console.log(k, fs.readFileSync(`src/${f}`, \"utf8\").length)",
	`const files = child_process.execSync("git ls-files").toString().split("\n").filter(Boolean); for (const f of files) console.log(fs.readFileSync(f.replace(/\.js$/, ".ts"), "utf8").length)`,
	`let cur = ""; for (const l of fs.readFileSync("list.txt", "utf8").split("\n")) { cur += l.trim() + ".js"; console.log(fs.readFileSync(cur, "utf8")); cur = "" }`,
	`const main = require("./package.json").main || "./index.js"; console.log(fs.readFileSync(main.replace(/^\.\//, ""), "utf8").length)`,
	`let f = "a.js"; if (!fs.existsSync(f)) f = f.replace(/\.js$/, ".ts"); console.log(fs.readFileSync(f, "utf8"))`,
	"\"a b c\".split(\" \").map(n => `src/${n}.js`).forEach(f => console.log(fs.readFileSync(f, \"utf8\").length))",
	`console.log(fs.readFileSync("log-" + new Date().toISOString().slice(0, 10) + ".txt", "utf8"))`,
	`const f = (process.env.DIR || "src") + "/a.json"; console.log(JSON.parse(fs.readFileSync(f, "utf8")).x)`,
	`for (const f of process.argv.slice(1)) console.log(f, fs.readFileSync(path.join("src", f + ".js"), "utf8").length)`,
	`const sum = [1, 2, 3].reduce((a, b) => a + b); console.log(sum, fs.readFileSync("a" + sum + ".txt", "utf8"))`,
	`function walk(d, n) { for (const f of fs.readdirSync(d)) { let p = d; p += "/" + f; if (fs.statSync(p).isDirectory()) walk(p, n + 1); else console.log(n, fs.readFileSync(p, "utf8").length) } } walk("src", 0)`,
}

func TestNodeMade(t *testing.T) {
	e := New(Options{Files: nodeWorld()})
	lines := nodeMadeOfWords
	for _, program := range nodeMade {
		lines = append(lines, nodeLine(program))
	}
	for _, line := range lines {
		if v := nodeVerdict(e, line, ModeAcceptEdits); v.Decision == policy.Allow {
			t.Errorf("allows %s", line)
		}
	}
	for _, program := range nodeShown {
		if v := nodeVerdict(e, nodeLine(program), "default"); v.Decision != policy.Allow {
			t.Errorf("%v %s: %s", v.Decision, program, v.Reason)
		}
	}
}
