package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// nodeNarrowed are texts that go through the files of a directory which end in some way,
// beside a secret.
var nodeNarrowed = []string{
	`for (const f of fs.readdirSync('.').filter(f => f.endsWith('.js'))) console.log(fs.readFileSync(f,'utf8').length)`,
	`fs.readdirSync('.').filter(f => /\.(js|ts)$/.test(f)).forEach(f => console.log(fs.readFileSync(f,'utf8').length))`,
	`for (const f of fs.readdirSync('.').filter(f => path.extname(f) === '.js')) console.log(fs.readFileSync(f,'utf8').length)`,
	`const files = fs.readdirSync('.').filter(f => f.endsWith('.js')); for (const f of files) console.log(fs.readFileSync(path.join('.', f),'utf8').length)`,
	`const files = fs.readdirSync('.').filter(f => f.endsWith('.js')).sort(); files.forEach(f => { const t = fs.readFileSync(f,'utf8'); console.log(f, t.length) })`,
	`for (const f of fs.readdirSync('.')) { if (!f.endsWith('.js')) continue; console.log(fs.readFileSync(f,'utf8').length) }`,
	`for (const f of fs.readdirSync('.')) if (f.endsWith('.js') || f.endsWith('.ts')) console.log(fs.readFileSync(f,'utf8').length)`,
	`(async () => { for (const f of await fs.promises.readdir('.')) { if (f.endsWith('.md')) console.log(await fs.promises.readFile(f,'utf8')) } })()`,
	`console.log(fs.readdirSync('.').filter(f => f.endsWith('.json')).map(f => JSON.parse(fs.readFileSync(f,'utf8')).name))`,
	"fs.readdirSync('.').forEach(f => { if (['.js','.ts'].includes(path.extname(f))) { const p = `./${f}`; console.log(fs.readFileSync(p,'utf8').length) } })",
	`for (const f of fs.readdirSync('.')) f.endsWith('.js') && console.log(fs.readFileSync(f,'utf8').length)`,
	`const files = fs.readdirSync('.').filter(f => f.endsWith('.js')); console.log(files.length); for (const f of files) console.log(fs.readFileSync(f,'utf8').length)`,
	`for (const f of fs.readdirSync('src').filter(f => f.endsWith('.js'))) fs.writeFileSync(path.join('src', f), fs.readFileSync(path.join('src', f), 'utf8').replace(/a/g, 'b'))`,
	`for (const f of fs.readdirSync('src').filter(f => f.endsWith('.js'))) { const p = path.join('src', f); const t = fs.readFileSync(p, 'utf8'); fs.writeFileSync(p, t.replace('a', 'b')) }`,
}

// nodeNotNarrowed are such in which another file may be read, or changed.
var nodeNotNarrowed = []string{
	`for (const f of fs.readdirSync('.')) console.log(fs.readFileSync(f,'utf8').length)`,
	`for (const f of fs.readdirSync('.').filter(f => f.endsWith('.js') || f)) console.log(fs.readFileSync(f,'utf8').length)`,
	`for (const f of fs.readdirSync('.').filter(f => f.endsWith('v'))) console.log(fs.readFileSync(f,'utf8').length)`,
	`for (const f of fs.readdirSync('.').filter(f => f.endsWith('.env'))) console.log(fs.readFileSync(f,'utf8').length)`,
	`for (const f of fs.readdirSync('.').filter(f => !f.endsWith('.js'))) console.log(fs.readFileSync(f,'utf8').length)`,
	`const l = fs.readdirSync('.').filter(f => f.endsWith('.js')); l.push('.e'+'nv'); for (const f of l) console.log(fs.readFileSync(f,'utf8').length)`,
	`const l = fs.readdirSync('.').filter(f => f.endsWith('.js')); const m = l; m.push('.env'); for (const f of l) console.log(fs.readFileSync(f,'utf8').length)`,
	`for (const f of fs.readdirSync('.')) { if (f.endsWith('.js')) console.log(f); console.log(fs.readFileSync(f,'utf8').length) }`,
	`for (const f of fs.readdirSync('.')) { if (f.endsWith('.js')) for (const f of fs.readdirSync('.')) console.log(fs.readFileSync(f,'utf8').length) }`,
	`for (const f of fs.readdirSync('.')) { if (f.endsWith('.js')) fs.readdirSync('.').forEach(f => console.log(fs.readFileSync(f,'utf8').length)) }`,
	`for (const f of fs.readdirSync('.')) { if (f.endsWith('.js')) { const g = f => fs.readFileSync(f,'utf8'); console.log(g('.en' + 'v'.trim())) } }`,
	`for (let f of fs.readdirSync('.')) { if (f.endsWith('.js')) { f = fs.readdirSync('.')[0]; console.log(fs.readFileSync(f,'utf8').length) } }`,
	`for (const f of fs.readdirSync('.')) { if (f.endsWith('.js')) { } else console.log(fs.readFileSync(f,'utf8').length) }`,
	`for (const f of fs.readdirSync('.')) { if (!f.endsWith('.js')) { console.log(1) } console.log(fs.readFileSync(f,'utf8').length) }`,
	`for (const f of fs.readdirSync('.')) { if (!(f.endsWith('.js') && f.length)) console.log(fs.readFileSync(f,'utf8').length) }`,
	`for (const f of fs.readdirSync('.')) f.endsWith('.js') || console.log(fs.readFileSync(f,'utf8').length)`,
	`fs.readdirSync('.').filter(f => f.endsWith('.js') ? false : true).forEach(f => console.log(fs.readFileSync(f,'utf8').length))`,
	`fs.readdirSync('.').filter(f => /\.js|env$/.test(f)).forEach(f => console.log(fs.readFileSync(f,'utf8').length))`,
	`fs.readdirSync('.').filter(f => /(\.js)?$/.test(f)).forEach(f => console.log(fs.readFileSync(f,'utf8').length))`,
	`fs.readdirSync('.').filter(f => /\.(js|env)$/.test(f)).forEach(f => console.log(fs.readFileSync(f,'utf8').length))`,
	`fs.readdirSync('.').filter(f => /\.(js|.*)$/.test(f)).forEach(f => console.log(fs.readFileSync(f,'utf8').length))`,
	`fs.readdirSync('.').filter(f => /a|\.js$/.test(f)).forEach(f => console.log(fs.readFileSync(f,'utf8').length))`,
	`fs.readdirSync('.').filter(f => !/\.js$/.test(f)).forEach(f => console.log(fs.readFileSync(f,'utf8').length))`,
	`fs.readdirSync('.').filter(f => path.extname(f) !== '.js').forEach(f => console.log(fs.readFileSync(f,'utf8').length))`,
	`fs.readdirSync('.').filter(f => path.extname(f) === '').forEach(f => console.log(fs.readFileSync(f,'utf8').length))`,
	`fs.readdirSync('.').filter((f, i, l) => { l.push('.env'); return f.endsWith('.js') }).forEach(f => console.log(fs.readFileSync(f,'utf8').length))`,
	`fs.readdirSync('.').filter(f => f.endsWith('.js')).concat(['.e'+'nv']).forEach(f => console.log(fs.readFileSync(f,'utf8').length))`,
	`fs.readdirSync('.').filter(f => f.endsWith('.js')).forEach((f, i, l) => { l[i+1] = '.e'.concat('nv'); console.log(fs.readFileSync(f,'utf8').length) })`,
	`fs.readdirSync('.').filter(f => f.endsWith('.js')).forEach(f => { const g = x => fs.readFileSync(x,'utf8'); for (const n of fs.readdirSync('.')) console.log(g(n)) })`,
	`for (const f of fs.readdirSync('.')) { const p = f.slice(0, -3); if (f.endsWith('.js')) console.log(fs.readFileSync(p,'utf8').length) }`,
	`for (const f of fs.readdirSync('.')) if (f.endsWith('.js')) console.log(fs.readFileSync(f.replace('.js',''),'utf8').length)`,
	`for (const f of fs.readdirSync('.').filter(f => f.endsWith('.js'))) console.log(fs.readFileSync('.env'.slice(0,4*f.length),'utf8').length)`,
	`for (const f of fs.readdirSync('.', {recursive: true}).filter(f => f.endsWith('v'))) console.log(fs.readFileSync(f,'utf8').length)`,
	`const f = fs.readdirSync('.')[0]; if (f.endsWith('.js')) console.log(1); console.log(fs.readFileSync(f,'utf8').length)`,
	`for (const f of fs.readdirSync('/home').filter(f => f.endsWith('.js'))) fs.writeFileSync(path.join('/etc', f), 'x')`,
	`for (const f of fs.readdirSync('src').filter(f => f.endsWith('.js'))) fs.writeFileSync('../' + f, 'x')`,
	`for (const f of fs.readdirSync('src').filter(f => f.endsWith('.js'))) fs.writeFileSync(path.join(process.argv[1], f), 'x')`,
	`for (const f of fs.readdirSync('src')) if (f.endsWith('.js')) fs.unlinkSync(f)`,
	`for (const f of fs.readdirSync('src')) if (f.endsWith('.js')) child_process.execSync('rm ' + f)`,
	`for (const f of fs.readdirSync('src')) if (f.endsWith('.js')) require('./' + f)`,
}

func TestNodeNarrowed(t *testing.T) {
	world := nodeWorld()
	world.WriteFile("/home/dev/project/.env", "")
	world.WriteFile("/home/dev/project/a.js", "")
	world.WriteFile("/home/dev/project/src/a.js", "")
	e := New(Options{Files: world})
	for _, program := range nodeNarrowed {
		if v := nodeVerdict(e, nodeLine(program), ModeAcceptEdits); v.Decision != policy.Allow {
			t.Errorf("%v %s: %s", v.Decision, program, v.Reason)
		}
	}
	for _, program := range nodeNotNarrowed {
		if v := nodeVerdict(e, nodeLine(program), ModeAcceptEdits); v.Decision == policy.Allow {
			t.Errorf("allows %s", program)
		}
	}
}
