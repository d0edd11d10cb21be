package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// completions are lines up to where tab is pressed, some words that are offered
// then, and some that are not. In the directory lie a file "notes.toml" and a
// directory "sub".
var completions = []struct{ line, has, hasNot string }{
	{"bashgate ", "check rules install help", "__complete notes.toml"},
	{"bashgate ex", "explain exec export", "check"},
	{"bashgate --", "--host --unattended --help", "--json"},
	{"bashgate --host cl", "claude cline", "codex"},
	{"bashgate help ", "check completion", "notes.toml"},
	{"bashgate help rules ", "lint fmt", "check"},
	{"bashgate check --", "--json --mode --packs --help --attended=false", "--tap notes.toml"},
	{"bashgate check --mode ", "default plan bypassPermissions", "bash notes.toml"},
	{"bashgate check --mode=pl", "--mode=plan", "--mode=default notes.toml"},
	{"bashgate check --mode plan --sh", "--shell", "--mode"},
	{"bashgate check --shell ", "bash sh zsh unknown", "default"},
	{"bashgate check --profile ", "default strict trusting mine", "guard-git"},
	{"bashgate check --packs ", "guard-git protect-main", "strict"},
	{"bashgate check --packs guard-git,", "guard-git,protect-main", "guard-git,guard-git"},
	{"bashgate check --cwd ", "sub", "notes.toml"},
	{"bashgate check --cwd=", "sub", "notes.toml"},
	{"bashgate rules ", "lint fmt audit", "--tap notes.toml"},
	{"bashgate rules lint ", "notes.toml", "lint"},
	{"bashgate rules test --", "--tap --junit --workspace", "--diff --only"},
	{"bashgate rules fmt --", "--check --diff", "--tap"},
	{"bashgate rules audit --only ", "arity harm unknown", "notes.toml"},
	{"bashgate rules audit --only arity,", "arity,harm", "arity,arity"},
	{"bashgate rules show git.push-f", "git.push-force git.push-force-refspec", "git.push"},
	{"bashgate log ", "verify", "notes.toml"},
	{"bashgate log --", "--decision --rule --follow", "--head"},
	{"bashgate log verify --", "--head --json", "--rule"},
	{"bashgate log --decision ask,bl", "ask,block", "ask,allow"},
	{"bashgate log --rule paths.system-r", "paths.system-root", "git.push"},
	{"bashgate cop ", "ask eval replay", "show"},
	{"bashgate cop eval --dry", "--dry-run", "--json"},
	{"bashgate packs enable ", "guard-git no-publish", "list"},
	{"bashgate packs list --", "--names", "--yes"},
	{"bashgate taint ", "show clear", "--all"},
	{"bashgate config ", "show path schema", "notes.toml"},
	{"bashgate completion ", "bash zsh fish", "notes.toml"},
	{"bashgate install --fail", "--fail-closed=false", "--all"},
	{"bashgate install g", "gemini goose", "claude"},
	{"bashgate init --preset ", "careful usual trusting", "strict"},
	{"bashgate init --agents claude,ge", "claude,gemini", "claude,codex"},
	{"bashgate export ", "gemini zed", "notes.toml"},
	{"bashgate export gemini --mode ", "useful strict", "plan"},
	{"bashgate serve --print ", "systemd launchd", "notes.toml"},
	{"bashgate explain --host ge", "gemini", "claude"},
	{"bashgate replay --agent ", "claude zsh list", "notes.toml"},
	{"bashgate replay ", "notes.toml sub", "claude"},
	{"bashgate trust ", "sub", "notes.toml"},
}

// TestCompletion lets the real shells complete, by the machinery that tab starts
// in them.
func TestCompletion(t *testing.T) {
	home, tested := t.TempDir(), 0
	dir := filepath.Join(home, "dir")
	for name, text := range map[string]string{"dir/notes.toml": "", "dir/sub/x": "", ".config/bashgate/profiles/mine.toml": "[profile]\nextends = \"strict\"\n"} {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=xterm", "LC_ALL=C.UTF-8"}
	run := func(program string, args ...string) string {
		t.Helper()
		c := exec.Command(program, args...)
		c.Dir, c.Env = dir, env
		var complaint strings.Builder
		c.Stderr = &complaint
		out, err := c.Output()
		if err != nil || complaint.Len() > 0 {
			t.Fatalf("%s: %v\n%s", program, err, complaint.String())
		}
		return string(out)
	}
	for shell, driver := range map[string]string{"bash": bashDriver, "zsh": zshDriver, "fish": fishDriver} {
		if _, err := exec.LookPath(shell); err != nil {
			t.Logf("SKIPPED: there is no %s to complete in", shell)
			continue
		}
		tested++
		script := filepath.Join(home, "bashgate."+shell)
		if err := os.WriteFile(script, []byte(run("bashgate", "completion", shell)), 0o644); err != nil {
			t.Fatal(err)
		}
		args := []string{"-c", driver, script}
		switch shell {
		case "bash":
			args = []string{"-c", driver, "bash", script}
		case "zsh":
			args = []string{"-f", "-c", driver, "zsh", script}
		}
		for _, row := range completions {
			args = append(args, row.line)
		}
		answers := strings.Split(run(shell, args...), "==\n")
		if len(answers) != len(completions)+1 {
			t.Fatalf("%s answers %d of %d lines:\n%.2000s", shell, len(answers)-1, len(completions), strings.Join(answers, "==\n"))
		}
		for i, row := range completions {
			offered := strings.Split(answers[i+1], "\n")
			for k, word := range offered {
				// What stands before the last = is no part of what bash and zsh
				// put in, and is one of what fish does.
				word, _, _ = strings.Cut(word, "\t")
				offered[k] = strings.TrimSuffix(word, "/")
				if _, value, ok := strings.Cut(row.line, "="); ok && value == "" || ok && shell == "bash" {
					offered[k] = offered[k][strings.LastIndexByte(offered[k], '=')+1:]
				}
			}
			for word := range strings.FieldsSeq(row.has) {
				if shell == "bash" && strings.Contains(row.line, "=") {
					word = word[strings.LastIndexByte(word, '=')+1:]
				}
				if !slices.Contains(offered, word) {
					t.Errorf("%s: %q does not offer %q, but %.300q", shell, row.line, word, offered)
				}
			}
			for word := range strings.FieldsSeq(row.hasNot) {
				if slices.Contains(offered, word) {
					t.Errorf("%s: %q offers %q", shell, row.line, word)
				}
			}
		}
	}
	if tested == 0 {
		t.Error("there is no shell to complete in")
	}
}

// The drivers print "==" and what is offered for each of the lines that they are
// given behind the script's name.

// Readline splits words at = too.
const bashDriver = `
. "$1"
complete -p bashgate >/dev/null || exit 1
shift
for line; do
    echo ==
    IFS=' ' read -ra COMP_WORDS <<<"${line//=/ = }"
    [[ $line == *[\ =] ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
    _bashgate
    printf '%s\n' "${COMPREPLY[@]}"
done
`

const fishDriver = `
source $argv[1]
for line in $argv[2..-1]
    echo ==
    complete -C $line
end
`

// An interactive zsh at a terminal of its own, which finds the script where it looks
// for functions, writes what its completion adds into a file.
const zshDriver = `
zmodload zsh/zpty || exit 1
script=$1; shift
out=$HOME/offered
>$out
export OFFERED=$out
zpty inner "zsh -f -i"
mkdir $HOME/functions && cp $script $HOME/functions/_bashgate
zpty -w inner 'PS1= PS2=; unsetopt beep; fpath=($HOME/functions $fpath); autoload -Uz compinit; compinit -u -D'
zpty -w inner 'compadd() {
    if [[ "$*[1,(i)(-|--)]" == (|*\ )-(O|A|D)(|\ *) ]]; then builtin compadd "$@"; return; fi
    local -a hits; builtin compadd -A hits "$@"; print -rl -- $hits >>$OFFERED; builtin compadd "$@"
}'
zpty -w inner 'offer() { _main_complete; compstate[insert]= compstate[list]=; print -r -- end-of-offer >>$OFFERED }'
zpty -w inner 'zle -C offer complete-word offer; bindkey "^I" offer; bindkey "^U" kill-whole-line; bindkey "^M" accept-line'
zpty -w inner 'print ready >>$OFFERED'
wait_for() {
    local -i i
    for ((i = 0; i < 3000; i++)); do
        while zpty -r -t inner junk; do :; done
        [[ "$(<$out)" == *$1 ]] && return
        sleep 0.01
    done
    print -u2 "no answer: $(<$out)"; exit 1
}
wait_for ready
for line; do
    >$out
    zpty -w -n inner $'\C-u'"$line"$'\t'
    wait_for end-of-offer
    print '=='
    print -r -- "$(<$out)"
done
zpty -d inner
`
