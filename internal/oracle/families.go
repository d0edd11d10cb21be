//go:build linux

package main

import "maps"

// code is a subscript that runs the hidden program where something calculates
// with it.
const code = "'b[$(" + hidden + " x)]'"

// families are the productions of what a reader has to keep in mind from one
// command to the next: the kinds of lines in which readers were wrong. A line
// of them is a few steps, each of which sets something, moves, leaves a
// construct early or looks at what came of it.
var families = map[string][]string{
	"family": {"«steps»", "«steps»", "«steps»", "«steps»; «look»", "«numbers»", "«numbers»", "«shared»", "«shared»", "«handler»", "«nest»", "«elements»", "«operate»", "«locale»", "«zshell»", "«subscript»", "«oneway»", "«environ»", "«construct»; «look»", "«sets»; «construct»", "«construct»\n«look»"},
	"steps":  {"«step»; «look»", "«step»; «step»; «look»", "«step»\n«step»; «look»", "«step»; «step»; «step»; «look»", "«step»; «block»; «look»", "«block»; «look»", "«step» && «step»; «look»", "«step» || «step»; «look»"},
	"step":   {"«sets»", "«sets»", "«sets»", "«moves»", "«moves»", "«moves»", "«leaves»", "«look»", "«block»"},

	// looks at the state: what a program, a number or a directory becomes.
	"look": {
		"ls", "ls", "ls", "ls $«var»", `ls "$«var»"`, "find . $«var»", `find . "$«var»"`, "ls ~", "ls ~+ ~-", "ls $PWD", "cat ${«var»:-a.txt}", "ls ${«var»:0:1}", "echo $((«sum»))", "(( «sum» ))", "[[ «sum» -eq 1 ]]",
		`ls "$@"`, "ls $1", "ls ${arr[0]}", `ls "${arr[@]}"`, "ls ${m[k]}", "wc -l a.txt $«var»", "echo ${HOME:«sum»}", "ls ${arr[«sum»]}", "$«var» a.txt", "ls $OLDPWD", "env ls", "bash -c 'ls $«var»'", "bash -c 'ls $1' x $«var»", "cat < a.txt", "ls $(echo $«var»)", "jq .", "for i in $«var»; do ls $i; done",
	},
	"var": {"x", "x", "x", "y", "a", "a0", "USER", "FOO", "REPLY", "OPTARG", "n"},
	"sum": {"x", "y", "a", "x+1", "a$?", "a$#", "x[0]", "x=1", "x++", "$x", "y=x", "${x}", "1", "x?1:2", "arr[x]", "m[k]", "x,y", "$#", "-x", "a0", "x[$#]", "${#x}", "y[x]", "0||x", "1$?x"},
	"val": {
		"a.txt", "src", "1", "0", code, code, "-delete", "'. -delete'", "/etc", "ls", "'a b'", "''", "..", "~", "$y", `"$x"`, "$((1+1))", "$(echo a.txt)", "$?", "$#", "a$?", "a$#", "${x:-src}", "x", "'x[0]'", "$1", `"$@"`, ".@-delete", "$RANDOM", "$(wc -l < list)", "$x$y", "*.txt", "{a,b}", "/TMP", "x+1", "$PWD", "$_", "08",
	},
	"sets": {
		"«var»=«val»", "«var»=«val»", "«var»=«val»", "«var»+=«val»", "declare «var»=«val»", "declare -i «var»=«val»", "declare -i «var»", "declare +i «var»", "declare -l «var»=«val»", "declare -u «var»", "declare -a «var»=(«val» «val»)", "declare -A m=([k]=«val»)", "local «var»=«val»", "export «var»=«val»", "export «var»", "readonly «var»=«val»",
		"unset «var»", "read «var» <<< «val»", "read «var» < list", "read -r «var» y <<< «val»", "printf -v «var» %s «val»", "printf -v «var» %d «val»", ": ${«var»:=«val»}", "arr=(«val» «val»)", "arr[1]=«val»", "«var»[0]=«val»", "arr+=(«val»)", "mapfile -t arr < list", "read -a arr <<< «val»", "set -- «val» «val»", "shift", "getopts o: «var» -o «val»",
		"let «var»=1", "(( «var»++ ))", "(( «var»=«sum» ))", "declare -g «var»=«val»", "declare -gi «var»", "unset IFS", "IFS=@", "m[k]=«val»", "«var»=«val» «var»=«val»", "«var»=«val» :", "«var»=«val» true", "«var»=«val» export y", "for «var» in «val» «val»; do :; done", "[[ «val» =~ (.*) ]]; «var»=$BASH_REMATCH", "«var»=$_", "export -n «var»", "exec {«var»}</dev/null", "ls {«var»}<nofile", ": {«var»}<&9", "set -a", "HOME=«val» :",
		"«var»=«val» eval «look'»", "declare -x «var»=«val»", "trap «sets'» ERR", "select «var» in «val»; do break; done < list", "wait -p «var»",
	},
	"moves": {
		"cd src", "cd ..", "cd -", "cd", "cd /etc", "cd /home/user/project", "cd /home/user/project || exit", "cd /home/user/project || return", "cd nowhere", "cd /tmp", "pushd /etc", "pushd src", "popd", "pushd", "cd \"$x\"", "cd $x", "cd ~", "cd /etc 3<nofile", "cd ./src", "cd src/..", "cd nowhere || cd /etc", "cd /etc && cd ..", "dirs -c", "cd -P src", "cd -- src", "pushd -n /etc", "pushd +1", "popd -n", "builtin cd /etc", "command cd /etc",
		"cd ''", "eval 'cd /etc'", "! cd /etc", "cd /etc &", "cd /etc | cat", "(cd /etc)", "{ cd /etc; } 3<nofile", "cd $(echo /etc)", "CDPATH=/ cd etc", "HOME=/tmp cd", "OLDPWD=/tmp cd -", "cd src x", "cd //etc", "env -C src ls", "find src -execdir ls {} +",
	},
	"leaves": {
		"break", "continue", "return", "exit", "false && break", "true && break", "[ -f a.txt ] && break", "[ -f passwd ] && return", "[ -f passwd ] && continue", "break 2", "ls || break", "if ls; then break; fi", "if true; then return; fi", "case $x in *) break;; esac", "{ break; }", "eval break", "! break", "false || return", "(exit)", "set -e; false", "return $x",
	},
	"block": {
		"if «test»; then «steps»; fi", "if «test»; then «steps»; else «steps»; fi", "for i in «val» «val»; do «steps»; done", "for x in «val» «val»; do «steps»; done", "for i; do «steps»; done", "while read l; do «steps»; done < list", "while «test»; do «steps»; break; done", "until «test»; do «steps»; break; done", "for ((i=0;i<2;i++)); do «steps»; done",
		"case «val» in a*) «steps»;; *) «steps»;; esac", "case $x in 1) «steps»;& *) «steps»;; esac", "f() { «steps»; }; f", "f() { «steps»; }; f «val»; f", "f() ( «steps» ); f", "f() { «steps»; }; «step»; f", "f() { «steps»; }; x=«val» f", "f() { local x; «steps»; }; f", "( «steps» )", "{ «steps»; }", "{ «steps»; } 3<nofile", "{ «steps»; } > /dev/null", "{ «steps»; } | cat", "echo «val» | while read x; do «steps»; done", "{ «steps»; } &", "eval «steps'»", "x=$(«steps»)", "echo $(«steps»)", "bash -c «steps'»", "export x=«val»; bash -c «steps'»", "bash -c «steps'» x «val»", "select i in «val»; do «steps»; break; done < list", "time { «steps»; }", "[ -f nofile ] && «step»", "ls || «step»", "true || «step»", "cat <(«steps»)", "coproc { «steps»; }", "trap «look'» «signal»; «steps»", "(trap «look'» EXIT; «steps»)", "! { «steps»; }", "«step» & wait", "shopt -s lastpipe; «step» | «step»", "while read l; do «step»; «leaves»; «step»; done < list", "for i in 1 2; do «step»; «leaves»; «step»; done",
	},

	// environ is what programs have of a few names that are exported, hidden by a
	// function's own, given for a command and taken away.
	"environ":  {"«envstep»; «envlook»", "«envstep»; «envstep»; «envlook»", "«envstep»; «envstep»; «envstep»; «envlook»", "export «envname»=«envval»; «envcall»; «envlook»", "«envcall»; «envlook»", "«envname»=«envval» «envname»=$(«envlook») «envlook»"},
	"envname":  {"O", "O", "O", "USER", "P"},
	"envval":   {"1", "2", "src", "''", "$O", "$(ls)", "a$P"},
	"envstep":  {"export «envname»=«envval»", "export «envname»=«envval»", "export «envname»", "«envname»=«envval»", "unset «envname»", "export -n «envname»", "declare +x «envname»", "declare -x «envname»=«envval»", "declare «envname»=«envval»", "«envname»=«envval» :", "«envname»=«envval» export «envname»", "read «envname» <<< «envval»", "readonly «envname»=«envval»", "for «envname» in 1 2; do «envlook»; done", "declare -i «envname»=1", "«envname»+=«envval»", ": ${«envname»:=«envval»}", "printf -v «envname» 3", "«envcall»", "(«envstep»; «envlook»)", "x=$(«envstep»; «envlook»)", "«envstep» | cat", "if ls; then «envstep»; fi", "eval '«envplain»'", "set -a; «envname»=«envval»"},
	"envplain": {"O=2; ls", "export O=3", "unset O", "export -n O; ls", "local O=4; ls"},
	"envcall":  {"f() { «envlocal»; «envlook»; }; f", "f() { «envlocal»; «envstep»; «envlook»; }; f", "f() { «envlocal»; «envlook»; }; «envname»=«envval» f", "f() { «envlocal»; g; «envlook»; }; g() { «envlocal»; «envlook»; }; f", "f() { «envlocal»; if ls; then «envstep»; fi; «envlook»; }; f; f"},
	"envlocal": {"local «envname»=«envval»", "local «envname»=«envval»", "local «envname»", "local -x «envname»=«envval»", "local +x «envname»=«envval»", "declare «envname»=«envval»", "typeset -x «envname»", "declare -g «envname»=«envval»", "declare -gx «envname»=«envval»", "local «envname»; unset «envname»", "unset «envname»", "local -i «envname»=1", "readonly «envname»=1", "«envstep»", "local O P; O=1 P=2"},
	"envlook":  {"ls", "ls", "sh -c 'ls $O'", "env ls", "«envname»=«envval» ls", "«envname»=«envval» P=$(ls) ls", "«envname»=«envval» sh -c 'ls $P'", "ls $O", "O=1 command ls", "exec ls", "env -u O ls", "(ls)", "ls | cat", "eval ls"},

	// numbers are variables of which a reader may think that they hold one.
	"numbers": {"x=«val»; «numeric»; «calculates»", "«numeric»; x=«val»; «calculates»", "a0=" + code + "; a=1; «calculates»", "x=" + code + "; «numeric»; «calculates»", "f() { «numeric»; }; x=" + code + "; f; «calculates»", "while read l; do x=«val»; «numeric»; done < list; «calculates»", "«numeric» || «numeric»; x=«val»; «calculates»"},
	"numeric": {
		"declare -i x", "declare -i x=«val»", "[ -f nofile ] && declare -i x=1", "true || declare -i x=1", "ls || let x=1", "if ls; then declare -i x=1; else x=«val»; fi", "unset x; declare -i x", "declare -i x=x", "declare -ai x=(1 2)", "local -i x=1", "(( x=1 ))", "let x[1]", "exec {x}</dev/null", ": {x}<&9", "printf -v x %d 1", "declare +i x", "read x <<< 1", "x=$((1))", "x=$#", "for x in 1 2; do break; done", "getopts a x -a", "false | declare -i x=1", "x=a$?", "typeset -i x=«sum»", "declare -gi x=1",
	},
	"calculates": {"echo $((x))", "echo $((«sum»))", "(( «sum» ))", "let «sum'»", "[[ x -eq 1 ]]", "[[ «sum» -lt 1 ]]", "echo ${HOME:x}", "echo ${arr[x]}", "arr[x]=1", "declare -i z=x", "for ((;x;)); do break; done", "echo $[x]", "[ $x -eq 1 ]", "shift $x", "printf %d $x", "unset 'arr[x]'", "SECONDS=$x", "return $x", "echo ${@:x}", "[[ -v arr[x] ]]", "test -v 'arr[$x]'"},

	// subscript sets what the shell itself keeps, through all that sets.
	"subscript": {"«counter»[«number»]=«val»; ls", "«counter»[0]+=«val»; ls", "«counter»=(«val»); ls", "declare -a «counter»; «counter»[0]=«val»; ls", "read '«counter»[0]' <<< «val»; ls", "printf -v '«counter»[1]' %s «val»; ls", ": ${«counter»[0]:=«val»}; ls", "«counter»=«val»; «look»", "for «counter» in «val»; do ls; done", "read «counter» <<< «val»; ls", "export «counter»=«val»; «shell» -c ls", "«counter»=«val» ls", "declare -A «counter»; «counter»[ls]=«val»; ls", "pushd src; DIRSTACK[1]=/etc; popd; ls", "unset «counter»; «counter»=«val»; «look»", "local «counter»=«val»; ls", "echo $((«counter»))", "mapfile -t «counter» <<< «val»; ls", "declare -A m; m[«val»]=1; ls"},
	"counter":   {"RANDOM", "SECONDS", "LINENO", "HISTCMD", "BASHPID", "SRANDOM", "OPTIND", "SHLVL", "COLUMNS", "LINES", "EPOCHSECONDS", "BASH_ARGV0", "BASH_CMDS", "DIRSTACK", "FUNCNAME", "GROUPS", "PIPESTATUS", "UID", "ERRNO", "HISTSIZE", "KEYTIMEOUT", "TRY_BLOCK_ERROR", "MAILCHECK", "FUNCNEST", "options", "commands", "argv", "path", "status", "REPORTTIME", "match", "OPTARG", "IFS", "HOME", "PATH", "TMOUT", "PPID", "BASH_ALIASES"},

	// shared is an input that several commands read.
	"shared":   {"{ «takes»; «reads»; } <<'E'\n«records»\nE", "( «takes»; «reads» ) <<E\n«records»\nE", "printf '%s\\n' one «text'» two | { «takes»; «reads»; }", "f() { «takes»; «reads»; }; f <<'E'\n«records»\nE", "exec <<'E'\n«records»\nE\n«takes»; «reads»", "while read l; do «reads»; done <<'E'\n«records»\nE", "{ «takes»; «reads»; } < list", "«reads» <<< «val»", "echo «val» | «reads»", "printf «text'» | «reads»", "cat <<E | «reads»\n«records»\nE", "exec 3<<'E'\n«records»\nE\nread l <&3; «reads» <&3", "if «takes»; then «reads»; fi <<'E'\n«records»\nE", "«reads» < a.txt", "cd src; «reads» < x.go", "echo «val» | xargs «reads»", "bash -c '«reads»' <<E\n«records»\nE", "bash <<'E'\nread l\n«records»\nE", "{ «reads»; «takes»; «reads»; } <<'E'\n«records»\nE", "«reads» 3<<E 0<&3\n«records»\nE", "«takes» <<E | «reads»\n«records»\nE", "coproc cat; «reads» <&${COPROC[0]}", "echo «val» 2> >(«writes») | «reads»", "echo «val» > >(«writes») | «reads»", "x=$(echo «val» 2> >(«writes»)); ls $x", "< >(«writes») echo «val» | «reads»", "{ echo «val»; } 2> >(«writes») | «reads»", "printf «text'» 3> >(«writes»; «writes») | «reads»"},
	"writes":   {"echo «val»", "printf «text'»", "cat", "echo «val» >&2", "tee /dev/null"},
	"takes":    {"read l", "read -r l", "head -n1", "cat", "head -c2", "wc -l", "read -n2 l", "sort", "mapfile a", "ls", "read l < /dev/null", "true", "read -u 3 l", "sed 1q", "grep -m1 a", "IFS= read -d '' l", "(read l)", "read l | cat", "cat > /dev/null", "tee /dev/null"},
	"reads":    {"psql", "jq .", "sqlite3 a.db", "bash", "xargs ls", "psql -f a.txt", "sh", "while read x; do ls \"$x\"; done", "jq -r .a", "wc -l", "mysql"},
	"records":  {"select '\n; drop table x; --'", "1\n2", "echo '\n" + hidden + " x\n'", "ls\nls a", "a b\n-delete", "select 1;", "\t1\n$x", "one\\\ntwo"},
	"handler":  {"«sets»; trap «look'» «signal»; «step»", "(«step»; trap «look'» EXIT; «step»)", "f() { «look»; }; «sets»; trap f EXIT; «step»", "trap «steps'» «signal»; «step»; «look»", "trap «look'» «signal»; trap - «signal»; «step»", "x=$(trap «look'» EXIT; «step»)", "trap «look'» EXIT; bash -c «steps'»", "trap «look'» EXIT; exec ls", "f() { trap «look'» RETURN; «step»; }; f; «step»", "set -e; trap «look'» ERR; «step»; false", "trap 'x=«val»' DEBUG; «step»; «look»", "«step»; trap «look'» EXIT; exit", "trap «look'» EXIT; («step»)", "TRAPEXIT() { «look»; }; «step»", "f() { trap «look'» EXIT; «step»; }; f; «look»"},
	"nest":     {"«sets»; eval «steps'»", "«sets»; bash -c «steps'»", "«sets»; bash -c \"«look»\"", "x=«val» bash -c «look'»", "env x=«val» bash -c «look'»", "env -i bash -c «look'»", "env -u HOME bash -c 'cd; ls'", "env HOME=/tmp sh -c 'ls ~; cd; ls'", "export x=«val»; sh -c «steps'»", "set -- «val»; eval «look'»", "eval \"eval «look'»\"", "f() { «steps»; }; export -f f; bash -c f", "x=«look'»; eval \"$x\"", "x=«look'»; bash -c \"$x\"", "«sets»; . ./s.sh; «look»", "set -- «val»; . ./s.sh", "cd src; . ../s.sh; «look»", "x=«val» . ./s.sh; «look»", ". ./s.sh «val»; «look»", "bash s.sh «val»; «look»", "export x=«val»; bash s.sh", "«sets»; . <(«inner»); «look»", "source /dev/stdin <<'E'\n«steps»\nE", "bash -c «steps'» <<E\n«records»\nE", "alias q=«look'»; eval q"},
	"oneway":   {"[ -f nofile ] && «sets»; «look»", "if [ -f nofile ]; then «sets»; else «sets»; fi; «look»", "case $(date) in z) «sets»;; esac; «look»", "while read l; do «sets»; done < /dev/null; «look»", "«sets» | cat; «look»", "«sets» & «look»", "{ «sets»; } & wait; «look»", "true || «sets»; «look»", "for i in *.zz; do «sets»; done; «look»", "f() { «sets»; }; «look»", "f() { «sets»; return; «sets»; }; f; «look»", "ls || { «sets»; «leaves»; }; «look»", "readonly r=1; r=2 true && «sets»; «look»", "eval ')'; «sets»; «look»", "«sets» 3<nofile; «look»", "echo ${q:?no}; «sets»; «look»", "{ «sets»; ls; } || «sets»; «look»", "«moves» || exit; «look»", "«moves» && «look»; «look»", "set -u; «sets»; «look»"},
	"elements": {"arr=(«val» [2]=«val»); «look»", "declare -A m=([k]=«val» [«val»]=b); ls ${m[k]}", "arr=(a b); arr[-1]=«val»; ls ${arr[1]}", "arr=(«val» «val»); unset 'arr[0]'; ls ${arr[0]} \"${arr[@]}\"", "arr=(«val»); arr+=«val»; ls \"${arr[@]}\"", "arr=(«val» b c); ls \"${arr[@]:1:1}\" ${#arr[@]}", "arr=(«val»); for i in \"${!arr[@]}\"; do ls ${arr[i]}; done", "x=(«val»); x=«val»; ls $x ${x[0]}", "x=«val»; x[1]=«val»; ls $x \"${x[@]}\"", "read -a arr <<< 'a -delete'; find . ${arr[1]}", "arr=(-a -l); ls ${arr[@]/-a/-R}", "declare -a arr='(«val» b)'; ls ${arr[0]}", "set -- «val» b; arr=(\"$@\"); ls ${arr[0]}", "mapfile -t arr <<< «val»; ls ${arr[0]}", "IFS=,; arr=(«val»); ls \"${arr[*]}\"", "local -a arr=(«val»); ls $arr", "arr=(*.txt); wc -l \"${arr[@]}\"", "x=(a b); export x; env"},
	"operate":  {"x=«raw'»; ls ${x«op»«pat»}", "x=«raw'»; ls \"${x«op»«pat»}\"", "x=«raw'»; ls \"${x/«pat»/«word»}\"", "x=«raw'»; ls ${x//«pat»/«raw»}", "set -- «raw'» «raw'»; ls \"${*«op»«pat»}\"", "set -- «raw'» b; ls \"${@«op»«pat»}\"", "x=«raw'»; ls ${x:-«word»} \"${x+«raw'»}\"", "x=«raw'»; ls \"${x:+\"«raw»\"}\"", "x=«raw'»; ls ${x^^«pat»} ${x,}", "x=«raw'»; ls ${x@Q} ${x@U}", "x=«raw'»; IFS=«sep»; ls $x", "x=«raw'»; IFS=«sep»; set -- $x; ls \"$2\" \"$*\"", "x=«raw'»; ls ${x:1} ${x: -1} \"${x:0:2}\"", "x=«raw'»; case $x in «pat») ls;; *) find . -delete;; esac", "x=«raw'»; [[ $x == «pat» ]] && ls", "arr=(«raw'» «raw'»); ls \"${arr[@]«op»«pat»}\"", "find . \"${HOME:+\"\\-delete\"}\"", "x=«raw'»; ls ${#x}", "x='«raw»'; y=\"$x\"'b'$x; ls \"$y\"", "ls ~«sep»a x=~ \"${x:-~}\"", "x=«raw'»; ls $'«ansi»'\"$x\"", "read -r x y <<< «raw'»; ls \"$y\"", "x=«raw'»; printf -v y '%q %s' \"$x\" b; ls $y"},
	"op":       {"#", "##", "%", "%%", ":-", ":+", "/", "//", "/#", "/%"},
	"pat":      {"a", "*", "?", "*.", "*b", "[ab]", "[!a]", "\\*", "'*'", `"?"`, "$y", "''", "%", "#", "//", "@(a|b)", "*/", " ", "\\\\", "[[:alpha:]]", "-", ".", "\"\"", "~", "a b", "é"},
	"raw":      {"abc", "a b", "a.txt", "/usr/x.y", "a:b:c", ":a:", "  a  b ", "", "-n", "*", "?", "[ab]", "a*b", "\\", "a\\b", "~", "$y", "\"", "{a,b}", "a=b", "#", "%", "/", "-delete", "a,b", "é", "-d", "delete", "a\nb", "&", "x*"},
	"sep":      {"@", ":", ",", "a", "' '", "''", "-", "e", "\\\\"},
	"locale":   {"LC_ALL=«charset» ls «odd»", "export LC_ALL=«charset»\necho «odd»", "LANG=«charset»; echo «odd»", "LC_ALL=«charset» bash -c «oddtext'»", "export LC_ALL=«charset»; eval «oddtext'»", "x=«odd»; ls ${x%?} ${#x}", "LC_ALL=C; x=é; ls ${x:0:1} ${x#?}", "TEXTDOMAIN=x; TEXTDOMAINDIR=$PWD/src; echo $\"hello\"", "LC_ALL=C.UTF-8 TEXTDOMAIN=x bash -c 'echo $\"hello\"'", "ls $'\\u00e9' [[:alpha:]].txt", "LC_CTYPE=«charset»; case é in ?) ls;; esac"},
	"charset":  {"C", "C.UTF-8", "ja_JP.sjis", "zh_CN.gbk", "POSIX", "en_US.UTF-8", "zh_TW.big5"},
	"odd":      {"é", "Á\\; ls", "Ä\\ -x", "$'\\x81'\\\\", "日本", "\"Á\\$x\"", "Á\\\nls", "ä'b'", "\xe9\\ b", "\x81\\$x"},
	"oddtext":  {"echo «odd»", "ls «odd»", "echo \"«odd»\"", "x=«odd»; ls $x"},
	"zshell":   {"x=src; x=-delete && : & find . $x", "«sets» && : & «look»", "«sets» || : & «look»", "«sets» && : &! «look»", "«moves» && «moves» & «look»", "«moves»&&«step»& «look»", "x=src; if «sets» && : & then «look»; fi", "set -- «raw'» -delete; find . \"${*«op»«pat»}\"", "x=delete; find . \"${x/\"\"/-}\"", "x=-d; find . ${x//%/elete}", "ls ${(«flag»)x}", "x=«raw'»; ls ${x:«flag»}", "x=«raw'»; ls $x[1,2] $x:«flag»", "arr=(«val» «val»); ls $arr[1] $arr", "setopt «zopt»; x=«val»; ls $x", "unsetopt «zopt»; «look»", "repeat 2 «step»; «look»", "for x («val» «val») «look»", "if [[ -f a.txt ]] { «steps» }; «look»", "() { «steps» } «val»; «look»", "x==ls; $x", "ls *(.) **/*(N)", "ls a.txt(e:" + hidden + ":)", "typeset -T FOO foo; foo=(«val»); ls $FOO", "typeset -A m; m=(k «val»); ls $m[k]", "integer x=«val»; «look»", "float x=«val»; «look»", "foreach i («val») «look»; end", "{ «steps» } always { «look» }", "f() { setopt local_options sh_word_split; ls $x; }; x=«val»; f", "emulate sh; x=«val»; ls $x", "print -z ls; «look»", "cd project home; ls", "hash -d q=/etc; ls ~q", "noglob ls *", "function f g { «steps» }; g", "x=«val»; ls ${x:-«val»}$~x", "ls $=x $^arr", "autoload f; «look»", "<«raw» ls", "< a.txt", "> /dev/null < a.txt", "alias -g Q='| " + hidden + "'; ls Q", "alias -s txt=" + hidden + "; eval ./a.txt"},
	"flag":     {"s", "h", "t", "r", "e", "l", "u", "f", "q", "Q", "P", "j:a:", "s:a:", "o", "k", "A", "a", "&", "P)x", "e)x"},
	"zopt":     {"sh_word_split", "glob_subst", "ksh_arrays", "auto_cd", "cdable_vars", "extended_glob", "null_glob", "rc_quotes", "posix_builtins", "err_exit", "auto_pushd", "magic_equal_subst", "no_equals", "all_export", "no_unset", "csh_null_glob", "prompt_subst", "multios", "brace_ccl", "path_dirs"},
}

// allProductions is the whole grammar.
var allProductions = func() map[string][]string {
	all := maps.Clone(productions)
	maps.Copy(all, families)
	all["construct"] = constructLines()
	for name := range families {
		if productions[name] != nil {
			panic("the grammar has two " + name)
		}
	}
	return all
}()
