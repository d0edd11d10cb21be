package engine

import (
	"testing"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/policy"
)

// nodeListed are texts that read what they list, in a project with a .env where they look.
var nodeListed = []string{
	`console.log(fs.readdirSync('.').map(f => fs.readFileSync(f, 'utf8')))`,
	`for (const f of fs.readdirSync('.')) console.log(fs.readFileSync(f, 'utf8'))`,
	`for (const f of fs.readdirSync('.')) console.log(fs.readFileSync('./' + f, 'utf8'))`,
	`for (const f of fs.readdirSync(process.cwd())) console.log(fs.readFileSync(path.join(process.cwd(), f), 'utf8'))`,
	`for (const f of fs.readdirSync('.', {withFileTypes: true})) console.log(fs.readFileSync(f.name, 'utf8'))`,
	`for (const f of fs.readdirSync('.', {recursive: true})) console.log(fs.readFileSync(f, 'utf8'))`,
	`fs.readdir('.', (e, l) => { for (const f of l) console.log(fs.readFileSync(f, 'utf8')) })`,
	`fs.promises.readdir('.').then(l => l.forEach(f => console.log(fs.readFileSync(f, 'utf8'))))`,
	`(async () => { for (const f of await fs.promises.readdir('.')) console.log(await fs.promises.readFile(f, 'utf8')) })()`,
	`for (const f of fs.globSync('*')) console.log(fs.readFileSync(f, 'utf8'))`,
	`for (const f of fs.globSync('.*')) console.log(fs.readFileSync(f, 'utf8'))`,
	`for (const f of fs.globSync('**/*')) console.log(fs.readFileSync(f, 'utf8'))`,
	"const d = '.'; for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(`${d}/${f}`, 'utf8'))",
	`function w(d) { for (const f of fs.readdirSync(d, {withFileTypes: true})) f.isDirectory() ? w(path.join(d, f.name)) : console.log(fs.readFileSync(path.join(d, f.name), 'utf8')) } w('.')`,
	`for (const f of fs.readdirSync('sec', {recursive: true})) console.log(fs.readFileSync('sec/' + f, 'utf8'))`,
	`for (const f of fs.readdirSync('sec/deep')) console.log(fs.readFileSync('sec/deep/' + f, 'utf8'))`,
	`for (const f of fs.readdirSync('.')) fs.createReadStream(f).pipe(process.stdout)`,
	`for (const f of fs.readdirSync('.')) fs.copyFileSync(f, 'x.txt')`,
	"const d = process.argv[2] || 'sec/deep'\nfor (const f of fs.readdirSync(d)) console.log(fs.readFileSync(`sec/${d}/${f}`, 'utf8'))",
	"for (const d of fs.readdirSync('sec')) for (const f of fs.readdirSync('sec/' + d)) console.log(fs.readFileSync(`sec/${d}/${f}`, 'utf8'))",
}

// nodeListedElsewhere list where none is, or read nothing of it.
var nodeListedElsewhere = []string{
	`for (const f of fs.readdirSync('.')) console.log(f)`,
	`for (const f of fs.readdirSync('src')) console.log(fs.readFileSync('src/' + f, 'utf8'))`,
	`for (const f of fs.readdirSync('src')) console.log(fs.readFileSync(path.join('src', f), 'utf8').length)`,
	`for (const f of fs.readdirSync('src', {recursive: true})) console.log(fs.readFileSync('src/' + f, 'utf8'))`,
	`for (const f of ['a', 'b']) console.log(fs.readFileSync(f + '.txt', 'utf8'), fs.readdirSync('.'))`,
	`console.log(fs.readFileSync(process.argv[1] ?? 'a.txt', 'utf8'))`,
	"for (const f of fs.readdirSync('src')) console.log(fs.readFileSync(`src/${f}/package.json`, 'utf8'))",
	"for (const f of fs.readdirSync('.')) console.log(fs.readFileSync(`${f}/package.json`, 'utf8'))",
	"for (const f of fs.readdirSync('.')) console.log(fs.readFileSync('a' + f, 'utf8'))",
}

func TestNodeListed(t *testing.T) {
	world := &disk.Memory{}
	for _, file := range []string{".env", "sec/deep/.env", "src/a.js", "package.json"} {
		world.WriteFile("/home/dev/project/"+file, "")
	}
	judge := func(text string) Verdict {
		return nodeVerdict(New(Options{Files: world}), "node - <<'E'\n"+text+"\nE", ModeAcceptEdits)
	}
	for _, text := range nodeListed {
		if v := judge(text); v.Decision == policy.Allow {
			t.Errorf("%s\nis allowed", text)
		}
	}
	for _, text := range nodeListedElsewhere {
		if v := judge(text); v.Decision != policy.Allow {
			t.Errorf("%s\n%s: %s", text, v.Decision, v.Reason)
		}
	}
}
