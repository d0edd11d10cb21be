package engine

import (
	"runtime"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/policy"
)

// TestLongPaths: what no system takes is asked about, in a line and in what a
// tool is given, and is not followed name by name.
func TestLongPaths(t *testing.T) {
	e := New(Options{Files: toolDisk()})
	deep := strings.Repeat("/a", 60_000)
	few := strings.Repeat("/a", maxNames)
	relative := strings.Repeat("x", maxPath-len("/w/")-1)
	for _, row := range []struct {
		command string
		want    policy.Decision
		id      string // of a reason; "": none is about the length
	}{
		{"cat " + deep, policy.Ask, "path.long"},
		{"cat ." + deep, policy.Ask, "path.long"},
		{"cat " + deep + "/*", policy.Ask, "path.long"},
		{"cat <" + deep, policy.Ask, "path.long"},
		{"ls " + deep, policy.Ask, "path.long"},
		{"cd " + deep + "; cat x", policy.Ask, "path.long"},
		{deep + "/x -v", policy.Ask, "path.long"},
		{"git -C " + deep + " status", policy.Ask, "path.long"},
		{"touch " + deep, policy.Ask, "path.long"},
		{"cat " + few + "/a", policy.Ask, "path.long"},
		{"cat /" + strings.Repeat("x", maxPath), policy.Ask, "path.long"},
		{"cat " + relative + "x", policy.Ask, "path.long"}, // with what it is joined to
		// The blocks stand.
		{"rm -rf ~; ls " + deep, policy.Block, "path.long"},
		{"rm -rf /" + strings.Repeat("../", 2*maxNames), policy.Block, "path.long"},
		// What is allowed still is.
		{"cat " + few, policy.Allow, ""},
		{"cat " + relative, policy.Allow, ""},
		{"echo '" + deep + "'", policy.Allow, ""},
	} {
		v := e.Evaluate(Request{Command: row.command, Home: "/home/u", Cwd: "/w", Workspace: "/w"})
		checkLong(t, policy.Clip(row.command, maxShown), v, row.want, row.id)
	}
	for _, row := range []struct {
		use  string
		want policy.Decision
		id   string
	}{
		{"Read file_path=" + strings.Repeat("/a", 200_000), policy.Ask, "path.long"},
		{"Write file_path=" + strings.Repeat("/a", 200_000), policy.Ask, "path.long"},
		{"Write file_path=" + strings.Repeat("a/", 200_000) + "x", policy.Ask, "path.long"},
		{"Grep output_mode=content pattern=x path=" + deep + " glob=*.go", policy.Ask, "path.long"},
		{"mcp__x__run command=ls cwd=" + deep, policy.Ask, "path.long"},
		{"Read file_path=" + few, policy.Skip, ""},
	} {
		v := e.EvaluateTool(Request{Home: "/home/u", Cwd: "/w", Workspace: "/w"}, use(row.use))
		checkLong(t, policy.Clip(row.use, maxShown), v, row.want, row.id)
	}
}

func checkLong(t *testing.T, what string, v Verdict, want policy.Decision, id string) {
	t.Helper()
	long := ""
	for i := range v.Reasons {
		if v.Reasons[i].ID == "path.long" {
			long = "path.long"
		}
	}
	if v.Decision != want || long != id {
		t.Errorf("%s: %v, %q (%s), want %v, %q", what, v.Decision, long, v.Reason, want, id)
	}
}

// TestManyNames: a pattern that stands for more names than can be looked at is
// asked about, whatever is among them.
func TestManyNames(t *testing.T) {
	e := New(Options{Files: toolDisk()})
	for _, row := range []struct {
		use  string
		want policy.Decision
	}{
		{"read_many_files include={" + strings.Repeat("a,", 5000) + "../.ssh/id_rsa}", policy.Ask},
		{"Grep output_mode=content pattern=x glob=.env" + strings.Repeat("{,}", 14), policy.Ask},
		{"Grep output_mode=content pattern=x glob={.env,{a,b}}", policy.Ask},
		{"Grep output_mode=content pattern=x glob={a,{b,c}}.go", policy.Skip},
		{"Grep output_mode=content pattern=x glob={src,test}/**/*.{ts,tsx,js,jsx,mjs,cjs}", policy.Skip},
		{"Read file_path={" + strings.Repeat("a,", 500) + "b}", policy.Skip}, // no pattern
	} {
		v := e.EvaluateTool(Request{Home: "/home/u", Cwd: "/w", Workspace: "/w"}, use(row.use))
		if v.Decision != row.want {
			t.Errorf("%s: %v (%s), want %v", policy.Clip(row.use, maxShown), v.Decision, v.Reason, row.want)
		}
	}
}

// TestManyPaths: the memory of a request does not grow with the square of its
// length, however it is divided among paths.
func TestManyPaths(t *testing.T) {
	e := New(Options{Files: new(disk.Memory)})
	read := Tool{Name: "Read"}
	for i := range 1000 {
		read.Args = append(read.Args, ToolArg{"file_path", "/" + string(rune('a'+i%26)) + string(rune('a'+i/26)) + strings.Repeat("/ab", maxNames-2)})
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	v := e.EvaluateTool(Request{Cwd: "/w", Workspace: "/w"}, read)
	runtime.ReadMemStats(&after)
	checkLong(t, "1,000 deep paths", v, policy.Ask, "path.long")
	if used := after.TotalAlloc - before.TotalAlloc; used > 512<<20 {
		t.Errorf("judging 1,000 paths of %d names took %d MB", maxNames, used>>20)
	}
}
