package gates

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/policy"
)

func TestJq(t *testing.T) {
	checkRows(t, jq, "jq", []row{
		{".", "ok"},
		{".name", "ok"},
		{".a.env", "ok"},
		{".env", "ok"},
		{`."env"`, "ok"},
		{`.["env"]`, "ok"},
		{"{env, import: 1, a: .b}", "ok"},
		{"{a:1,env}", "ok"},
		{"{$__loc__}", "ok"},
		{"$env", "ok"},
		{`.. | .env?`, "ok"},
		{`.[] | select((.key1=="value1") and .key2=="value2")`, "ok"},
		{`.findings[] | "\(.file):\(.line) [\(.rule_id // "no (env) rule")]"`, "ok"},
		{"\n  \"Summary:\",\n  (.data[0].files | sort_by(-.x) | .[:10][] |\n    \"  \\(.filename | split(\"/\") | .[-1])\")\n", "ok"},
		{`.[] | @base64, @sh "x \(.a)"`, "ok"},
		{`. + $ARGS.named # env`, "ok"},
		{`reduce .[] as {env: $x} (0; . + $x)`, "ok"},
		{`def f(x): x; f(.a)`, "ok"},
		{`"env \"env\" import"`, "ok"},
		{`input_filename, input_line_number, (inputs | keys), halt_error`, "ok"},
		{`.labels | map(select(.name | startswith("é"))) | length > 1`, "ok"},
		{"", "ok"},

		{"env", "ask jq.environment"},
		{"$ENV", "ask jq.environment"},
		{"$ ENV", "ask jq.environment"},
		{"{$ENV}", "ask jq.environment"},
		{"env.HOME", "ask jq.environment"},
		{"$ENV.PATH", "ask jq.environment"},
		{`$ENV["API_TOKEN"]`, "ask jq.environment"},
		{`env["A"+"B"]`, "ask jq.environment"},
		{`env|.HOME`, "ask jq.environment"},
		{`env[.x]`, "ask jq.environment"},
		{`{"a": env}`, "ask jq.environment"},
		{`[{a:1},env]`, "ask jq.environment"},
		{`{(env|tostring):1}`, "ask jq.environment"},
		{`{a: 1|env}`, "ask jq.environment"},
		{`{env as $x | 1}`, "ask jq.environment"},
		{`"\(env)"`, "ask jq.environment"},
		{`"\("\(env)")"`, "ask jq.environment"},
		{`@sh "\(env)"`, "ask jq.environment"},
		{"# x\nenv", "ask jq.environment"},
		{`"a\"b" | env`, "ask jq.environment"},
		{`..env`, "ask jq.environment"},
		{`import "x" as x; 1`, "ask jq.import"},
		{`include "x"; 1`, "ask jq.import"},
		{`"x" | modulemeta`, "ask jq.import"},

		{"# x \\\n\"\nenv", "ask jq.unreadable"},
		{`"x`, "ask jq.unreadable"},
		{`"x\`, "ask jq.unreadable"},
		{`(]`, "ask jq.unreadable"},
		{`.a)`, "ask jq.unreadable"},
		{`{`, "ask jq.unreadable"},
		{`.é`, "ask jq.unreadable"},
		{`'.a'`, "ask jq.unreadable"},

		{".[<#n>]", "ok"},
		{".[:<#n>] | .a<#n>", "ok"},
		{"env<#n>", "ask jq.environment"},
		{".[<n>]", "ask jq.unreadable"},
		{`.["<n>"]`, "ask jq.unreadable"},
	})
}

func TestYq(t *testing.T) {
	checkRows(t, yq, "yq", []row{
		{".a.b[0].c-d", "ok"},
		{".jobs.build.env.FOO", "ok"},
		{`.colour = "42"`, "ok"},
		{`select(filename == "a.yml") * select(filename == "b.yml")`, "ok"},
		{`. as $item ireduce ({}; . * $item)`, "ok"},
		{`.payload | select(. == (.x))`, "ok"},
		{`.a style="double"`, "ok"},
		{`load("x.yml")`, "read x.yml"},
		{`.a = load_str ("x") | .b`, "read x"},
		{`load(.file)`, "ask yq.file"},
		{`load("a" + .b)`, "ask yq.file"},
		{`load("YQ==" | @base64d)`, "ask yq.file"},
		{`.a" | load("x") | "b`, "read x"},
		{`.a = strenv(HOME)`, "ask jq.environment"},
		{`env(HOME)`, "ask jq.environment"},
		{`envsubst`, "ask jq.environment"},
		{`.a | envsubst(ne)`, "ask jq.environment"},
		{`eval(.x)`, "ask yq.unreadable"},
		{`system("id")`, "ask yq.execute"},
		{"env", "ask jq.environment"},
		{".[<n>]", "ask jq.unreadable"},
	})
}

// jqFilters generates filters of the places where strings, comments and
// fields could be confused.
func jqFilters(r *rand.Rand) string {
	var filter func(depth int) string
	filter = func(depth int) string {
		if depth == 0 {
			return pick(r, ".", ".a", ".env", `."env"`, "env", "$ENV", "1", `"env"`, `"\"env"`, `"#"`, "[]", "{env}", "{a: env}", "{$ENV}", "$__loc__", "{env: 1}", "input_filename", `"\\"`)
		}
		sub := func() string { return filter(depth - 1) }
		switch r.IntN(9) {
		case 0:
			return "(" + sub() + ")"
		case 1:
			return `"a\(` + sub() + `)b"`
		case 2:
			return "[" + sub() + pick(r, ",", "|", "+", "//") + sub() + "]"
		case 3:
			return "{a: " + sub() + ", " + pick(r, "env", "env: 1", "$__loc__", `"env"`, `"\(env|length)": 1`) + "}"
		case 4:
			return sub() + " # " + pick(r, `"`, "env", `\`, "(") + "\n"
		case 5:
			return sub() + pick(r, " | ", "|", ", ", "?//") + sub()
		case 6:
			return pick(r, `@json "\(`, `@sh "\(`, `"\"\(`) + sub() + `)"`
		case 7:
			return sub() + pick(r, ".env", `["env"]`, "?", ".HOME", "|length", "|tostring")
		}
		return sub()
	}
	return filter(1 + r.IntN(3))
}

func TestJqRuns(t *testing.T) {
	t.Parallel()
	program := need(t, "jq")
	c := newCell(t)
	runs, r := oracleSize(t, 60)
	harmless, shown := 0, 0
	for range runs {
		filter := jqFilters(r)
		reading := jq(policy.Const(filter), nil)
		if strictness(reading) == 0 {
			harmless++
		}
		output, _, _ := c.run(t, map[string]string{"f": `{"a": 1}`}, program, filter, "f")
		if strings.Contains(output, "hunter2") {
			shown++
			if reading.Decision == policy.Skip {
				t.Errorf("%q shows the environment, but is %s to the reader", filter, describe(reading))
			}
		}
	}
	t.Logf("%d showed the environment", shown)
	quiet(t, harmless, runs, 30)
}

func FuzzJq(f *testing.F) {
	for _, s := range []string{`{a:"\(.b|"x\(1)")",env} # x`, `.a[1]."b"|$ENV.X`, `import "a" as $b; env`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, filter string) {
		for _, read := range []reader{jq, yq} {
			before := read(policy.Const(filter), nil)
			after := read(policy.Const(filter+"\n|env"), nil)
			if strictness(after) < 2 && !strings.HasSuffix(filter, "\\") {
				t.Errorf("%q is %s, but with env %s", filter, describe(before), describe(after))
			}
		}
	})
}
