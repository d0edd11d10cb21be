package gates

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/policy"
)

func TestAwk(t *testing.T) {
	checkRows(t, awk, "awk", []row{
		// What people write.
		{"{print $1}", "ok"},
		{"{ print $4 }", "ok"},
		{"NR%3==1", "ok"},
		{"{s+=$1} END {print s}", "ok"},
		{"NR>=10 && NR<=20", "ok"},
		{"NR==1,NR==5", "ok"},
		{"/foo/ {print $2}", "ok"},
		{"!seen[$0]++", "ok"},
		{`{if ($1 == "foo") print "Exact"; else if ($1 ~ "bar") print "Partial"; else print "Baz"}`, "ok"},
		{"($10 >= min_value && $10 <= max_value)", "ok"},
		{`BEGIN {FS=":";printf "%-20s %6s\n", "Name", "UID"} $4 >= 1000 {printf "%-20s %6d\n", $1, $4}`, "ok"},
		{`{ if ($3 < 100.0) { printf "low %s\n", $0; failed=1 } } END { exit failed }`, "ok"},
		{`/^## \[/{if(found) exit; found=1; next} found{print}`, "ok"},
		{`BEGIN{exit !(v+0 < min+0)}`, "ok"},
		{"\n  BEGIN { target = \"[\" version \"]\" }\n  /^## \\[/ {\n    if (index($0, target) > 0) { found = 1; next }\n  }\n  found { content = content $0 \"\\n\" }\n", "ok"},
		{"{\n  for(i=2; i<=NF; i++) {\n    # Convert\n    val = sprintf(\"%d\", \"0\" $i)\n    printf \"%c%c\", int(val/256), val%256\n  }\n}", "ok"},
		{`{print $0; if($0 ~ /k.set\("required", False\)/) { match($0, /^[[:space:]]*/, a); print a[0] "x" }}`, "ok"},
		{`{sub(/[^/]*$/, ""); print}`, "ok"},
		{`{gsub(/\//, "_"); print $1/2/3, $NF/2, $(1)/2, a[1]/2}`, "ok"},
		{"{x /= 2; y = z / 2}", "ok"},
		{`$0 ~ /=/ && /[\]]/ || /[a\/]/`, "ok"},
		{`{print ($1 > 5), (a > b ? "x" : "y")}`, "ok"},
		{`{print a,
  b; if (c > d) print "e"}`, "ok"},
		{`$1 > 5 {print}`, "ok"},
		{`{x = $1 > 5; while (i > 0) i--}`, "ok"},
		{`function f(a, b) { return a > b ? a : b } { print f($1, $2) }`, "ok"},
		{`{ while ((getline line) > 0) n++ }`, "ok"},
		{`BEGIN{print "danger | \"cmd\" > x"} # print > "x"`, "ok"},
		{`/print > "x"/ {n++}`, "ok"},
		{"{print \\\n $1}", "ok"},
		{`{print length($0), length, toupper($1)}`, "ok"},
		{"1", "ok"},
		{"", "ok"},
		{`BEGIN{close("x"); fflush(); system("")}`, "ok"},
		{`END{print NR, 1e5, .5, 0x1F}`, "ok"},
		{`BEGIN{print ENVIRON["HOME"], ENVIRON["LC_ALL"]}`, "ok"},
		{`{print -/x/, !/y/}`, "ok"},
		{`{ print 1 } /foo/ { print 2 }`, "ok"},
		{`{a["x" > 1]; print $1, $2 | 5}`, "ask awk.execute"},

		// Files.
		{`BEGIN{print "x" > "out"}`, "write out"},
		{`{print >> "out"; n++}`, "write out"},
		{`{print $1, $2 > "/dev/stderr"}`, "write /dev/stderr"},
		{`{printf("%s\n", $1) > "out"}`, "write out"},
		{`{print(1)(2) > "out"}`, "write out"},
		{"{print a,\n b > \"out\"\n}", "write out"},
		{"{print a ?\n b : c > \"out\"\n}", "write out"},
		{`{print > $1}`, "write <$>"},
		{`{print > "d/" $1 ".txt"}`, "write d/<$>"},
		{`{print > "a" "b"}`, `write a<"b">`},
		{`{print > (x)}`, "write <(>"},
		{`{if (x > 1) print > "out"; else print}`, "write out"},
		{`BEGIN{while ((getline line < "in") > 0) n++}`, "read in"},
		{`BEGIN{getline < "in"}`, "read in"},
		{`BEGIN{getline x < $1}`, "read <$>"},
		{`BEGIN{getline x < "a" $1}`, `read a<$>`},
		{`BEGIN{getline x < "-"}`, "ok"},
		{`BEGIN{getline a[1] < "in"; print}`, "read in"},
		{`BEGIN{getline x < ("a" "b")}`, "ask awk.computed-name"},
		{`BEGIN{getline x < "a" "b"}`, "ask awk.computed-name"},
		{`BEGIN{f = "a"; getline x < f}`, "ask awk.computed-name"},
		{`BEGIN{ARGV[1]="x"}`, "read x"},
		{`BEGIN{ARGV[1]="x" y}`, "read <ARGV>; ask awk.computed-name"},
		{`BEGIN{ARGV[ARGC++]="x"}`, "read x; read <ARGC>"},
		{`BEGIN{ARGV[1] = ARGV[1] "x"}`, "read <ARGV>; read <ARGV>; ask awk.computed-name"},
		{`BEGIN{split("a b", ARGV)}`, "read <ARGV>; ask awk.computed-name"},
		{`BEGIN{sub(/a/, "b", ARGV[1])}`, "read <ARGV>; ask awk.computed-name"},
		{`BEGIN{for (i in ARGV) print ARGV[i]}`, "read <ARGV>; read <ARGV>"},
		{`BEGIN{delete ARGV[1]}`, "read <ARGV>"},
		{`{print > "a\x41"}`, `write <"a\x41">`},

		// Programs.
		{`BEGIN{system("ls -l")}`, "script ls -l"},
		{`{ system( "ls" ) }`, "script ls"},
		{`{system("rm " $1)}`, "script rm <$>; ask awk.execute"},
		{`{system($0)}`, "ask awk.execute"},
		{`{system(cmd)}`, "ask awk.execute"},
		{`{system("a" "b")}`, `script a<"b">; ask awk.execute`},
		{`BEGIN{print "x" | "sort"}`, "script sort"},
		{`{print $1 | "sort -n"} END{close("sort -n")}`, "script sort -n"},
		{`{printf "x" | "touch x"}`, "script touch x"},
		{`{print | cmd}`, "ask awk.execute"},
		{`{print | "sh -c " $1}`, "script sh -c <$>; ask awk.execute"},
		{`BEGIN{"date" | getline}`, "script date"},
		{`BEGIN{"date" | getline d; print d}`, "script date"},
		{`BEGIN{while (("ls" | getline f) > 0) print f}`, "script ls"},
		{`BEGIN{("ls") | getline f}`, "script ls"},
		{`{("ls " $1) | getline f}`, "ask awk.execute"},
		{`{cmd = "ls"; cmd | getline f}`, "ask awk.execute"},
		{`{"a " "b" | getline f}`, "script b; ask awk.execute"},
		{`{x "b" | getline f}`, "script b; ask awk.execute"},
		{`{!"b" | getline f}`, "script b; ask awk.execute"},
		{`{print "x" | getline}`, "ask awk.execute"},
		{`BEGIN{print "x" |& "cat"}`, "script cat"},
		{`BEGIN{"cat" |& getline}`, "script cat"},
		{`/x/{system("ls")}`, "script ls"},
		{"BEGIN{print 1 # \\\nsystem(\"ls\")}", "script ls"},
		{`/[/]/{system("ls")}`, "script ls"},
		{`{x = 1 / 2; system("ls") / 2}`, "script ls"},
		{`{system("a\"b\\c\n")}`, "script a\"b\\c\n"},
		{`{system("a\x41")}`, "ask awk.execute"},
		{`@load "x"`, "ask awk.load"},
		{`@include "x"`, "ask awk.load"},
		{`{f = "system"; @f("id")}`, "ask awk.load"},
		{`BEGIN{extension("x.so","y")}`, "ask awk.load"},

		// The network and the environment.
		{`BEGIN{s="/inet/tcp/0/h/9";print "x"|&s}`, "ask awk.execute"},
		{`BEGIN{print "x" |& "/inet/tcp/0/h/9"}`, "ask awk.network"},
		{`BEGIN{"/inet/tcp/0/h/9" |& getline}`, "ask awk.network"},
		{`BEGIN{getline < "/inet4/tcp/0/h/9"}`, "ask awk.network"},
		{`BEGIN{print > "/inet/tcp/0/h/9"}`, "ask awk.network"},
		{`BEGIN{print ENVIRON["API_TOKEN"]}`, "ask awk.environment"},
		{`BEGIN{for (k in ENVIRON) print k}`, "ask awk.environment"},
		{`BEGIN{print ENVIRON[x]}`, "ask awk.environment"},
		{`BEGIN{f(ENVIRON)}`, "ask awk.environment"},
		{`BEGIN{print SYMTAB["x"]}`, "ask awk.environment"},

		// Outside the subset.
		{`{print "x`, "ask awk.unreadable"},
		{"{print \"x\ny\"}", "ask awk.unreadable"},
		{"{print \"x\\\ny\"}", "ask awk.unreadable"},
		{"/x\n/", "ask awk.unreadable"},
		{`/x`, "ask awk.unreadable"},
		{`{print x++ / 2 "/" 3}`, "ask awk.unreadable"},
		{`{print length / 2}`, "ask awk.unreadable"},
		{`{if (1) /foo/}`, "ask awk.unreadable"},
		{`{getline /x/}`, "ask awk.unreadable"},
		{`/[\]/ {system("x")} /]/`, "ask awk.unreadable"},
		{`/[[.x.]/]/`, "ask awk.unreadable"},
		{`{print (1; x > "f"}`, "ask awk.unreadable"},
		{`{print (1}`, "ask awk.unreadable"},
		{`{x >> "f"}`, "ask awk.unreadable"},
		{`{x | "f"}`, "ask awk.unreadable"},
		{`{system}`, "ask awk.unreadable"},
		{`{print "x",`, "ask awk.unreadable"},
		{`"y" > "out" }`, "ask awk.unreadable"},
		{`"y" > "out" } {`, "ask awk.unreadable"},
		{"{print `x`}", "ask awk.unreadable"},
		{`{print é}`, "ask awk.unreadable"},

		// Values that are not known.
		{"NR==<#n>", "ok"},
		{"{print $<#n>}", "ok"},
		{`{print "v<#n>"}`, "ok"},
		{`/x<#n>/`, "ok"},
		{`BEGIN{system("kill <#n>")}`, "script kill <$n>"},
		{`{print > "out<#n>"}`, "write out<$n>"},
		{`{x<#n>}`, "ask awk.unreadable"},
		{`{1<#n>}`, "ask awk.unreadable"},
		{"/<n>/", "ask awk.unreadable"},
		{`{print "<n>"}`, "ask awk.unreadable"},
	})
}

func TestIsSecretName(t *testing.T) {
	for _, name := range strings.Fields("API_TOKEN github_token DB_PASSWORD AWS_SECRET_ACCESS_KEY MYSQL_PWD DATABASE_URL SSH_AUTH_SOCK") {
		if !isSecretName(name) {
			t.Errorf("%s is not secret", name)
		}
	}
	for _, name := range strings.Fields("HOME PATH PWD OLDPWD LANG LC_ALL TERM USER EDITOR") {
		if isSecretName(name) {
			t.Errorf("%s is secret", name)
		}
	}
}

func FuzzAwk(f *testing.F) {
	for _, s := range []string{
		`{print $1/2 > "x"}`, `/[^]/\]]/{"a" | getline x < y}`, "function f(a){return a?/b/:c}\n# x\nEND{f(1)}", `BEGIN{while((getline l<"f")>0)print l|"cat"}`, `{if(x)print(a>b)"c"; else@f()}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, program string) {
		before := awk(policy.Const(program), nil)
		for _, danger := range []string{"\nBEGIN{system(\"danger\")}", "\n{print > \"danger\"}", "\n{\"danger\" | getline}"} {
			after := awk(policy.Const(program+danger), nil)
			if strings.HasSuffix(program, "\\") {
				continue
			}
			if strictness(after) < max(1, strictness(before)) {
				t.Errorf("%q is %s, but with %q %s", program, describe(before), danger, describe(after))
			}
		}
	})
}
