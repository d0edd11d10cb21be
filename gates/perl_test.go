package gates

import (
	"testing"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// TestPerl: programs as they are written behind -e, and what is not one of those.
func TestPerl(t *testing.T) {
	for _, text := range []string{
		`print if /error/`, `print unless $seen{$_}++`, `s/(\d+)/<$1>/g`, `s/^\s+|\s+$//g; tr/a-z/A-Z/`, `s{a}{b}g; s|x|y|; s(a) /b/`, `y/a/b/`,
		`print $F[1]`, `print "$F[0]\t$F[-1]\n" if $F[2] > 10`, `print join(",", @F), "\n"`, `print "@F[0,2]"`, `$s += $_; END { print $s }`,
		`$c{$_}++; END { print "$_: $c{$_}\n" for sort { $c{$b} <=> $c{$a} } keys %c }`, `BEGIN { $/ = undef } s/a.*b/c/s; print`,
		`next unless /^(\w+)\s+(\d+)/; $s += $2; print "$1 $s\n"`, `printf("%s\n", lc $1) while /(\w+)/g`, `print substr($_, 0, 10), "\n"`,
		`while (<STDIN>) { chomp; my @a = split /,/; print join("\t", @a), "\n" }`, `for my $i (1..5) { printf "%d %s\n", $i, "x" x $i }`,
		`if (/x/) { print "y\n" } elsif ($. > 3) { print } else { last }`, `print if 5..10`, `print if /a/../b/`, `say $. if eof`, `$_=pack"B*",$_`,
		`s/@\w+//; s/a\@b.com/x/; s/${x}b/${1}c/`, `print "a" . ($x ? "b" : 'c') . "\n"`, `my ($a, $b) = split; print $b / $a, "\n"`, `$h{s} = 1; print $h{y}`,
		`print map { "$_\n" } grep { length > 3 } @F`, `print STDERR "x\n"; exit 1`, `$x = 1_000 / 3; print $x // 0`, `print <number> + 1`,
		`print "$ARGV:$.:$_"`, `use strict; use warnings; print rand(3), scalar localtime`,
		`$c++ }{ print $c, "\n"`, `print "-"x40, "\n"`, `print "$F[$#F]"`,
		`print "'$_' '$x' '$F[0]'\n"`, `s/a\/b/c\/d/; s|a\|b|c|; s{a\}b}{c\}}`, `for (my $i = 0; $i < 3; $i ++) { print $i }`, `{ local $/; $_ = <STDIN>; print }`, `say 1.5`, `print "a\@b"; $h{ s } = 1`,
	} {
		checkPerl(t, text, "")
	}
	for family, texts := range map[string][]string{
		"what reaches outside": {
			`system("id")`, "print `id`", `exec "id"`, `open F, "x"`, `unlink "a"`, `eval $_`, `require "x"`, `use Socket`, `do "x"`, `qx/id/`, `print <*.c>`, `print <$f>`, `-e "x"`,
			`opendir D, "."`, `&f`, `f()`, `*f = 1`, `fork`, `kill 9, 1`, `print FOO "x"`, `print {$x} "y"`, `print $x "y"`, `socket(1)`, `syscall 1`, `dump`, `format X =`, `sub f { 1 }`, `goto x`,
		},
		"a name that means something outside": {
			`push @ARGV, "id|"`, `unshift(@ARGV, "x|")`, `$ARGV[0] = "id|"`, `@ARGV = ("id|")`, `local @ARGV = 1`, `$ENV{PATH} = "x"`, `print %ENV`, `$SIG{INT} = 1`, `push @INC, "."`, `$^I = ".x"`, `$0 = 1`, `$main::ARGV[0] = 1`,
			`print "$ARGV[0]"`, `print "@ARGV"`, `print "$ARGV->[0]"`, `print "$ARGV{x}"`, `use strict "x"`, `use Socket;`, `print "$ENV{HOME}"`, `print "@INC"`, `s/x/$ENV{A}/`, `print STDIN`,
		},
		"a reference": {
			`$x->[0] = "id|"`, `$$x[0] = 1`, `@$x = 1`, `$x = \$y`, `$x[0][0] = 1`, `$h{a}{b} = 1`, `push $x, "id|"`, `push @{$x}, 1`, `$x->()`, `&$x`, `print "$$x"`, `print "@$x"`, `print "$x->[0]"`, `keys $x`, `${"ARGV"}`, `${x} = 1`,
		},
		"code in a text": {
			`print "@{[system(1)]}"`, `print "${\ system(1)}"`, `print "$x[system(1)]"`, `print "$h{system(1)}"`, `s/a/@{[1]}/`, `s/a/$x[f()]/`, `/$x[f()]/`, `/@{[1]}/`, `s/a/b/e`, `s/a/b/gee`, `/(?{f()})/`, `/(??{f()})/`, `/( ?{f()})/`, `/(*{f()})/`, `/\c\(?{f()})/`,
			`s/(?{f()})//`, `m{(?{f()})}`, `qq{@{[1]}}`, `split /(?{f()})/`, `print "\N{x}"`, `/(#
?{f()})/x`,
		},
		"another place where a pattern begins": {
			`print $x /"/; f(); print "/;"`, `shift / 2; f() #/`, `time / 2; f() #/`, `print $x ?"?`, `length ? 1 : 2`, `wantarray /"/; f(); "/`, `print $x <<E`, `1if/"/;`, `$x{a} /"`, `pos /2;f()#/`, `print x /2;f()#/`,
		},
		"a word in braces on another line":     {"$h{\neval}", "$h{eval\n}", "$h{ #\nunlink}", "$h{\ns}"},
		"a block that is a table":              {`{"a",1} /2;f();#/`, `{"a"=>1} /2;f();#/`, `{} /2;f();#/`, `{ 1 , 2} /2;f();#/`, "if(1){{a\n=>2} /2;f();#/\n}", `{q(a),1} /2;f();#/`},
		"a number that ends in a point":        {`1./2;f();#/`, `0./2;f();#/`, `1_./2;f();#/`},
		"a sign before what a stream is sent":  {`print $x ++ /2;"/;f();#"`, `print $x --$y`, `print $x x3`},
		"a backslash before its own delimiter": {`print qq{$x\{f()\}}`, `print qq[$x\[f()\]]`, `print qq{@\{[f()]\}}`, `print qq<$x-\>[f()]>`, `s{a}{$x\{f()\}}`, `m@\@{[f()]}@`, `qq@\@{[f()]}@`, `s@a@\@{[f()]}@`},
		"lists of signs in a text":             {`print "@-[f()]"`, `print "@+[f()]"`, `print "@-{f()}"`, `print "@'x[f()]"`, `s/a/@-[f()]/`, `/@'x[f()]/`},
		"options in the program":               {"#!perl -i\nprint", `#!/bin/sh -c`, " \n#!/bin/rm -r x"},
		"a text that goes on elsewhere": {
			"print <<E;\nE\n", `print <<"E"`, "=x\n\"\n=cut\nf();\"", "1;\n=x\n\"\n=cut\nf();\"", `__END__`, `}{ f()`, `}`, `1 }`, `1 }{"a",1} /2;f();#/`, `1 }{} 1`, `1 }{ print }`, `{`, `print "a`, `s/a/b`, `q #a`, `s #a#b#`, `y => 1`, `s'a'b'e`, `m?a?`, `$x'y`,
		},
	} {
		for _, text := range texts {
			checkPerl(t, text, family)
		}
	}
	old := &match.Call{Cmd: &policy.Command{Words: []policy.Word{policy.Const("perl"), policy.Const("-ne"), policy.Const("say /2;f()#/")}}}
	if r := perl(policy.Const("say /2;f()#/"), old); r.Decision != policy.Ask {
		t.Error("say, which is no function behind -e, is one")
	}
	pieces := &match.Call{Cmd: &policy.Command{Words: []policy.Word{policy.Const("perl"), policy.Const("-ne"), policy.Const("1"), policy.Const("-e"), policy.Const("/f()/")}}}
	if r := perl(policy.Const("1"), pieces); r.Decision != policy.Ask {
		t.Error("a program of two pieces, in which the first may go on, is read")
	}
}

// checkPerl wants a program to be harmless, or to ask for a reason of its family.
func checkPerl(t *testing.T, text, family string) {
	t.Helper()
	word := policy.Const(text)
	if text == `print <number> + 1` {
		word = policy.Word{Parts: []policy.Part{{Text: "print "}, {Kind: policy.Hole, Text: "$n", Shape: policy.ShapeNumber}, {Text: " + 1"}}}
	}
	r := perl(word, nil)
	if asks := r.Decision == policy.Ask; asks != (family != "") {
		t.Errorf("%s: %s: %v %s", family, text, r.Decision, r.Reason)
	}
}

// FuzzPerl: any text gets an answer, and one that holds the name of a function that is
// not listed, outside of quotes, patterns and comments, is none that is understood.
func FuzzPerl(f *testing.F) {
	f.Add(`print "a" if /b/; s/c/d/`)
	f.Add(`s{(?{system(1)})}{$x[1]}e`)
	f.Fuzz(func(t *testing.T, text string) {
		perl(policy.Const(text), nil)
		if r := perl(policy.Const(text+"\n;system(1)"), nil); r.Decision != policy.Ask {
			t.Errorf("%q hides what stands behind it", text)
		}
	})
}
