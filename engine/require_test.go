package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// requireLines are lines that load a module by a name, in a project in which selfy is the
// name of the package itself, w.json a directory, out a package whose main lies elsewhere.
var requireLines = map[string]policy.Decision{
	// The package itself, by its name.
	`printf '{"name":"zz","exports":{"./package.json":"./a.cjs"}}' > package.json; printf 'console.log(1)' > a.cjs; node -e 'require("zz/package.json")'`: policy.Ask,
	`printf 'console.log(1)' > other.js; node -e 'require("selfy/package.json")'`:                                                                         policy.Ask,
	`printf 'console.log(1)' > other.js; node -e 'require("selfy")'`:                                                                                      policy.Ask,
	`npm pkg set name=zz; node -e 'require("zz/package.json")'`:                                                                                           policy.Ask,
	`node -e 'fs.writeFileSync("other.js", "x"); require("selfy/package.json")'`:                                                                          policy.Ask,
	`node -e 'fs.writeFileSync("src/deep.js", "x"); require("selfy/package.json")'`:                                                                       policy.Ask,
	`node -e 'fs.writeFileSync("package.json", "x"); require("zz/package.json")'`:                                                                         policy.Ask,
	`cd src; node -e 'fs.writeFileSync("../other.js", "x"); require("selfy/package.json")'`:                                                               policy.Ask,
	`node -p 'require("selfy/package.json").version'`:                                                                                                     policy.Allow,
	`node -p 'require("yaml/package.json").version'`:                                                                                                      policy.Allow,
	`echo '{"name":"zz","exports":"./a.cjs"}' > package.json; node -p 'require("zz/package.json").version'`:                                               policy.Ask,
	`echo '{"name":"zz"}' > package.json; node -p 'require("yaml/package.json").version'`:                                                                 policy.Allow,
	`node -e 'fs.writeFileSync("a.txt", require("yaml/package.json").version)'`:                                                                           policy.Allow,
	`printf x > a.txt; node -p 'require("./package.json").version'`:                                                                                       policy.Allow,
	// A directory whose package.json leads elsewhere.
	`node -e 'require("./out")'`:                                policy.Ask,
	`node -e 'require("./up")'`:                                 policy.Ask,
	`node -e 'require("./twice")'`:                              policy.Ask,
	`node -e 'require("./linked")'`:                             policy.Ask,
	`node -e 'require("outer")'`:                                policy.Ask,
	`node -e 'require("./lib")'`:                                policy.Allow,
	`node -e 'require("./beside")'`:                             policy.Allow,
	`printf 'x' > src/b.js; node -e 'require("./beside")'`:      policy.Ask,
	`printf 'x' > src/unread.js; node -e 'require("./beside")'`: policy.Allow,
}

// requireRuns are texts that load what is called data, and whether that may be code.
var requireRuns = map[string]bool{
	`require("./w.json")`:            true,
	`require("./v.json")`:            true,
	`require("./package.json")`:      false,
	`require("mapped/package.json")`: true,
	`require("yaml/package.json")`:   false,
	`require("exact/package.json")`:  false,
	`require("selfy/package.json")`:  true,
	`require("./lib")`:               true,
}

func TestRequire(t *testing.T) {
	world := nodeWorld()
	for file, text := range map[string]string{
		"package.json": `{"name": "selfy", "exports": {"./package.json": "./other.js"}}`, "other.js": "", "src/b.js": "", "w.json/index.js": "", "v.json.js": "",
		"out/package.json": `{"main": "/tmp/x.js"}`, "up/package.json": `{"main": "../../x.js"}`, "twice/package.json": `{"main": "a.js", "main": "/tmp/x.js"}`, "twice/a.js": "", "linked/package.json": "{}",
		"beside/package.json": `{"main": "../src/b.js"}`, "node_modules/yaml/package.json": "{}", "node_modules/yaml/index.js": "", "node_modules/outer/package.json": `{"main": "../../../x"}`,
		"node_modules/mapped/package.json": `{"exports": {"./package.json": "./a.js"}}`, "node_modules/exact/package.json": `{"exports": {".": "./a.js", "./package.json": "./package.json"}}`,
	} {
		world.WriteFile("/home/dev/project/"+file, text)
	}
	world.WriteFile("/tmp/x.js", "")
	world.WriteFile("/home/dev/x.js", "")
	world.Symlink("/tmp/x.js", "/home/dev/project/linked/index.js")
	for line, want := range requireLines {
		if v := nodeVerdict(New(Options{Files: world}), line, ModeAcceptEdits); v.Decision != want {
			t.Errorf("%s\n%s, want %s: %s", line, v.Decision, want, v.Reason)
		}
	}
	for text, want := range requireRuns {
		v := nodeVerdict(New(Options{Files: world}), "node -e '"+text+"'", ModeAcceptEdits)
		if runs := v.Effects&policy.Executes != 0; runs != want || v.Decision != policy.Allow {
			t.Errorf("%s\nruns code: %v, want %v (%s: %s)", text, runs, want, v.Decision, v.Reason)
		}
	}
}
