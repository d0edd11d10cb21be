package shell

import "testing"

// What bash 3.2 reads in another way is asked about, or not known, where it may
// be the shell, and is no question where it is not.
func TestOldBash(t *testing.T) {
	for _, text := range []string{
		"declare -A m; m['b[$(danger-cmd)]']=1", "f() { local -A m; }; f", "typeset -A m=([a]=1)", "ls {fd}>/dev/null", "exec {fd}>/dev/null",
		"echo \"$(cat <<'E'\na ) $(danger-cmd)\nE\n)\"", "echo \"$(cat <<'E'\nit's\nE\n)\"", "echo $(case a in a) ls;; esac)", "echo $(ls # '\n) ; echo ' ; danger-cmd '",
	} {
		if got := New().Read(Input{Text: text, Dialect: Bash, Dirs: []string{"/w"}, Old: true}); len(got.Findings) == 0 {
			t.Errorf("nothing asks about %s", text)
		}
		for _, f := range New().Read(Input{Text: text, Dialect: Bash, Dirs: []string{"/w"}}).Findings {
			if f.ID == idGuard {
				t.Errorf("%s asks where bash is new: %s", text, f.Reason)
			}
		}
	}
	for _, text := range []string{
		"ls $'\\u002ddelete'", "x=a; ls ${x^^}", "x=a; ls \"${x@Q}\"", "set -- a; ls \"${@:0}\"", "x=ab; ls \"${x/b/'c'}\"", "declare -l x=A; ls $x", "declare -u x; x=a; ls $x",
	} {
		got := New().Read(Input{Text: text, Dialect: Bash, Dirs: []string{"/w"}, Old: true})
		c := got.Commands[len(got.Commands)-1]
		if s, known := c.Words[len(c.Words)-1].Const(); known && s != "a" {
			t.Errorf("%s: ls is believed to see %q", text, s)
		}
	}
	for _, text := range []string{
		"echo \"$(cat <<'E'\na (b) \"c\"\nE\n)\"", "git commit -m \"$(date)\"", "x=$(ls \"$(pwd)\" | wc -l)", "echo $((1+2)) $(echo ')' \"(\")", "a=(1 2); echo \"${a[@]}\"",
		"for f in $(ls); do echo \"$f\"; done", "echo $(echo \"a $(echo \"b\") 'c\")",
	} {
		for _, f := range New().Read(Input{Text: text, Dialect: Bash, Dirs: []string{"/w"}, Old: true}).Findings {
			t.Errorf("%s asks: %s", text, f.Reason)
		}
	}
}
