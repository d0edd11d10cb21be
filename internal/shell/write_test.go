package shell

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/policy"
)

const payload = `b[$(danger-cmd x)]`

// ways are constructs that give a variable V the value that runs a command once
// the shell calculates it; D declares it an array first.
var ways = []struct {
	text  string
	shell []Dialect
}{
	{"V='" + payload + "'", []Dialect{Any, Bash, Zsh}},
	{"V+='" + payload + "'", []Dialect{Any, Bash, Zsh}},
	{"V[0]='" + payload + "'", []Dialect{Any, Bash, Zsh}},
	{"V[1]='" + payload + "'", []Dialect{Any, Bash, Zsh}},
	{"V[0]+='" + payload + "'", []Dialect{Any, Bash, Zsh}},
	{"V=('" + payload + "')", []Dialect{Any, Bash, Zsh}},
	{"V+=(1 '" + payload + "')", []Dialect{Any, Bash, Zsh}},
	{"V=([0]='" + payload + "')", []Dialect{Any, Bash, Zsh}},
	{"declare -a V; V[0]='" + payload + "'", []Dialect{Any, Bash, Zsh}},
	{"declare -a V=('" + payload + "')", []Dialect{Any, Bash, Zsh}},
	{"export V='" + payload + "'", []Dialect{Any, Bash, Zsh}},
	{"export 'V=" + payload + "'", []Dialect{Any, Bash, Zsh}},
	{"f() { local V='" + payload + "'; }; f", []Dialect{Any, Bash, Zsh}},
	{"f() { declare -g V='" + payload + "'; }; f", []Dialect{Any, Bash, Zsh}},
	{": ${V:='" + payload + "'}", []Dialect{Any, Bash, Zsh}},
	{": ${V[0]:='" + payload + "'}", []Dialect{Any, Bash, Zsh}},
	{": ${V[0]='" + payload + "'}", []Dialect{Any, Bash, Zsh}},
	{"read V <<< '" + payload + "'", []Dialect{Any, Bash, Zsh}},
	{"read 'V[0]' <<< '" + payload + "'", []Dialect{Any, Bash, Zsh}},
	{"read x V <<< 'x " + payload + "'", []Dialect{Any, Bash, Zsh}},
	{"read -a V <<< '" + payload + "'", []Dialect{Any, Bash}},
	{"mapfile V <<< '" + payload + "'", []Dialect{Any, Bash}},
	{"readarray -t V < list", []Dialect{Any, Bash}},
	{"printf -v V %s '" + payload + "'", []Dialect{Any, Bash, Zsh}},
	{"printf -v 'V[0]' %s '" + payload + "'", []Dialect{Any, Bash, Zsh}},
	{"for V in '" + payload + "'; do :; done", []Dialect{Any, Bash, Zsh}},
	{"V=$(cat list)", []Dialect{Any, Bash, Zsh}},
	{"V[0]=$(cat list)", []Dialect{Any, Bash, Zsh}},
	{"eval \"V[0]='" + payload + "'\"", []Dialect{Any, Bash, Zsh}},
	{"ls && V[0]='" + payload + "'", []Dialect{Any, Bash, Zsh}},
	{"while ls; do V[0]='" + payload + "'; done", []Dialect{Any, Bash, Zsh}},
	{"ls | while read 'V[0]'; do :; done", []Dialect{Any, Bash, Zsh}},
}

// A variable that the shell calculates is never given what may run a command
// without a question, whichever construct does it.
func TestSpecialVariables(t *testing.T) {
	specials := map[Dialect][]string{
		Bash: {"RANDOM", "SRANDOM", "SECONDS", "OPTIND", "HISTCMD", "BASHPID", "LINENO", "EPOCHSECONDS"},
		Zsh: {
			"COLUMNS", "LINES", "LISTMAX", "HISTSIZE", "SAVEHIST", "KEYTIMEOUT", "FUNCNEST", "SHLVL", "ERRNO", "TRY_BLOCK_ERROR", "TRY_BLOCK_INTERRUPT",
			"MAILCHECK", "ZLE_RPROMPT_INDENT", "LOGCHECK", "BAUD", "TMOUT", "DIRSTACKSIZE", "PERIOD", "REPORTTIME", "REPORTMEMORY", "UID", "EUID", "GID", "EGID",
			"OPTIND", "SECONDS", "RANDOM",
		},
	}
	specials[Any] = append(specials[Bash], specials[Zsh]...)
	for dialect, names := range specials {
		for _, name := range names {
			for _, w := range ways {
				if strings.HasPrefix(w.text, ": ${V:=") && (&run{in: &Input{Dialect: dialect}}).counts(name) {
					continue // it has a value already
				}
				text := strings.ReplaceAll(w.text, "V", name)
				for _, d := range w.shell {
					if d == dialect && len(New().Read(Input{Text: text, Dialect: d, Dirs: []string{"/w"}}).Findings) == 0 {
						t.Errorf("dialect %d: nothing asks about %s", d, text)
					}
				}
			}
		}
	}
}

// What the shell makes of a variable besides is found however it is written.
func TestSpecialState(t *testing.T) {
	for _, c := range []struct{ name, value string }{
		{"BASH_CMDS", "/tmp/x"}, {"BASH_ALIASES", "danger-cmd"}, {"DIRSTACK", "/etc"}, {"FUNCNEST", "1"}, {"PROMPT_COMMAND", "danger-cmd"}, {"PS4", "$(danger-cmd)"},
	} {
		for _, way := range []string{"read 'V[1]' <<< 'X'", "V[1]='X'", "V=(a 'X')", "printf -v 'V[1]' %s 'X'", ": ${V[1]:='X'}", "mapfile V <<< 'X'", "declare -A V; V[1]='X'"} {
			text := strings.NewReplacer("V", c.name, "X", c.value).Replace(way)
			if len(New().Read(Input{Text: text, Dialect: Bash, Dirs: []string{"/w"}}).Findings) == 0 {
				t.Errorf("nothing asks about %s", text)
			}
		}
	}
	for _, name := range []string{"TMPPREFIX", "path", "fpath", "commands", "options", "dirstack", "aliases", "functions", "nameddirs"} {
		for _, way := range []string{"V=x", "V[1]=x", "V=(x)", "read 'V[1]' <<< x", ": ${V[1]:=x}", "printf -v 'V[1]' %s x"} {
			text := strings.ReplaceAll(way, "V", name)
			if len(New().Read(Input{Text: text, Dialect: Zsh, Dirs: []string{"/w"}}).Findings) == 0 {
				t.Errorf("nothing asks about %s in zsh", text)
			}
		}
	}
}

// That a variable may have an attribute, or may have been made a number, says
// nothing of what it holds.
func TestNumbersByValue(t *testing.T) {
	makes := []string{
		"ls && M", "ls || M", "if ls; then M; fi", "case $y in a) M;; esac", "while ls; do M; done", "for i in $y; do M; done", "ls | M", "( M )", "M &",
		"f() { M; }", "f() { M; }; ls && f", "ls && { M; }", "until ls; do M; break; done", "for ((;;)); do break; M; done",
	}
	numbers := []string{"declare -i x=1", "declare -gi x=1", "typeset -i x=1", "readonly x=1", "((x=1))", "let x=1", "x=1", "local -i x=1"}
	for _, m := range makes {
		for _, number := range numbers {
			for _, use := range []string{"echo $((x))", "echo ${HOME:x}", "[[ x -eq 1 ]]", "a[x]=1", "((x))", "let x"} {
				text := "x='" + payload + "'; " + strings.ReplaceAll(m, "M", number) + "; " + use
				for _, d := range []Dialect{Any, Bash} {
					if len(New().Read(Input{Text: text, Dialect: d, Dirs: []string{"/w"}, Args: []policy.Word{}}).Findings) == 0 {
						t.Errorf("dialect %d: nothing asks about %s", d, text)
					}
				}
			}
		}
	}
	for _, text := range []string{
		"a0='" + payload + "'; echo $((a$#))", "a0='" + payload + "'; true; echo $((a$?))", "a0='" + payload + "'; x=a$#; echo $((x))",
		"x[1]='" + payload + "'; let x[1]", "x[1]='" + payload + "'; let 'x[1]'", "x='" + payload + "'; declare -i x=x", "x='" + payload + "'; declare -i x+=1",
		"x='" + payload + "'; ls {x}</dev/null; echo $((x))", "x='" + payload + "'; exec {x}</dev/null; echo $((x))",
		"while read l; do x='" + payload + "'; unset x; declare -i x; done < list", "while ls; do n=x; declare -i n; done; x='" + payload + "'; n=x",
	} {
		if len(New().Read(Input{Text: text, Dialect: Bash, Dirs: []string{"/w"}}).Findings) == 0 {
			t.Errorf("nothing asks about %s", text)
		}
	}
}

// A variable that may fold case holds one of two texts.
func TestFoldingByValue(t *testing.T) {
	for _, text := range []string{"ls && declare -l x; x=/TMP; ls $x", "ls || declare -u x; x=/tmp; ls $x", "f() { declare -gu x; }; ls && f; x=/tmp; ls $x"} {
		got := New().Read(Input{Text: text, Dialect: Bash, Dirs: []string{"/w"}})
		if c := got.Commands[len(got.Commands)-1]; c.Words[1].IsConst() {
			t.Errorf("%s: ls is believed to see %s", text, c.Words[1])
		}
	}
}
