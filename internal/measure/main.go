// Command measure judges files of command lines and prints, for each file,
// how many of them are allowed, asked about and blocked, and how many answers
// differ from what the file wants.
//
//	go run ./internal/measure [-v WHAT] [-profile NAME] [-fixed] [-there] FILE.jsonl...
//
// A line of a file is {"cmd": "...", "want": "allow|ask|block|not_allow|not_block",
// "note": "...", "shell": "...", "reach": "...", "profile": "...", "pack": "..."}; all
// but cmd are optional. Rows with "verified": false or "debatable": true are
// counted apart. Nothing is ever run.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/policy"
)

type row struct {
	Cmd       string   `json:"cmd"`
	Want      string   `json:"want"`
	Reach     string   `json:"reach"`
	Note      string   `json:"note"`
	Shell     string   `json:"shell"`
	Profile   string   `json:"profile"`
	Pack      string   `json:"pack"`
	Cwd       string   `json:"cwd"`
	Denied    []string `json:"denied_commands"`
	Allowed   []string `json:"allowed_dirs"`
	Verified  *bool    `json:"verified"`
	Debatable bool     `json:"debatable"`
}

const workspace = "/home/user/project"

func main() {
	verbose := flag.String("v", "", "print rows: `WHAT` is wrong, allow, ask, block or all")
	mode := flag.String("mode", "default", "permission mode")
	shellName := flag.String("shell", "bash", "the host's shell where a row does not say")
	profile := flag.String("profile", "", "the profile where a row does not say")
	words := flag.Bool("words", false, "count the asked rows by their first reason's id")
	fixed := flag.Bool("fixed", false, "count the asked rows with a question that no rule of a user's can answer, by its id")
	there := flag.Bool("there", false, "the workspace holds the programs and scripts that the rows run, as ./run or x.py")
	flag.Parse()
	files := project()
	if *there {
		for _, name := range flag.Args() {
			if err := hold(files, name); err != nil {
				fmt.Fprintln(os.Stderr, "measure:", err)
				os.Exit(1)
			}
		}
	}
	e := engine.New(engine.Options{Files: files})
	fmt.Printf("%-34s %7s %7s %7s %7s %7s %7s %9s\n", "file", "rows", "allow", "ask", "block", "allow%", "wrong", "slowest")
	for _, name := range flag.Args() {
		if err := measure(e, name, *mode, *shellName, *profile, *verbose, *words, *fixed); err != nil {
			fmt.Fprintln(os.Stderr, "measure:", err)
			os.Exit(1)
		}
	}
}

func measure(e *engine.Engine, name, mode, shellName, profile, verbose string, words, fixed bool) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	var count [4]int
	rows, wrong, apart := 0, 0, 0
	var slowest time.Duration
	ids, unanswered, some := map[string]int{}, map[string]int{}, 0
	in := bufio.NewScanner(f)
	in.Buffer(nil, 64<<20)
	for in.Scan() {
		var r row
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if r.Verified != nil && !*r.Verified || r.Debatable {
			apart++
			continue
		}
		req := engine.Request{
			Command: r.Cmd, Cwd: cmp.Or(r.Cwd, workspace), Workspace: cmp.Or(r.Cwd, workspace), Home: "/home/user",
			Mode: mode, Shell: cmp.Or(r.Shell, shellName), Profile: cmp.Or(r.Profile, profile),
			DeniedCommands: r.Denied, AllowedDirs: r.Allowed,
		}
		if r.Pack != "" {
			req.Packs = []string{r.Pack}
		}
		start := time.Now()
		v := e.Evaluate(req)
		slowest = max(slowest, time.Since(start))
		rows++
		count[v.Decision]++
		bad := !meets(r, v)
		if bad {
			wrong++
		}
		if v.Decision > policy.Allow && len(v.Reasons) > 0 {
			id := v.Reasons[0].ID
			if id == "unknown-command" || id == "unknown-use" {
				id += " " + strings.Fields(v.Reasons[0].Command() + " ?")[0]
			}
			ids[id]++
		}
		if open := openQuestions(v.Tree, nil); v.Decision == policy.Ask && len(open) > 0 {
			some++
			for id := range open {
				unanswered[id]++
			}
		}
		if verbose == "all" || verbose == v.Decision.String() || verbose == "wrong" && bad {
			id := ""
			if len(v.Reasons) > 0 {
				id = v.Reasons[0].ID
			}
			fmt.Printf("%-5s %-7s want=%s%s %q  [%s: %s] %s\n", v.Decision, v.Reach, r.Want, r.Reach, r.Cmd, id, v.Reason, r.Note)
		}
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	share := 0.0
	if rows > 0 {
		share = 100 * float64(count[policy.Allow]) / float64(rows)
	}
	base := strings.TrimSuffix(filepath.Base(name), ".jsonl")
	fmt.Printf("%-34s %7d %7d %7d %7d %6.2f%% %7d %9s", base, rows, count[policy.Allow], count[policy.Ask], count[policy.Block], share, wrong, slowest.Round(time.Microsecond))
	if apart > 0 {
		fmt.Printf("  (%d set apart)", apart)
	}
	fmt.Println()
	if words {
		printCounts(ids)
	}
	if fixed {
		fmt.Printf("    %d of %d asked rows (%.1f %%) hold a question that no rule can answer\n", some, count[policy.Ask], 100*float64(some)/float64(max(1, count[policy.Ask])))
		printCounts(unanswered)
	}
	return nil
}

// printCounts prints the most frequent ids.
func printCounts(ids map[string]int) {
	keys := slices.Collect(maps.Keys(ids))
	slices.SortFunc(keys, func(a, b string) int { return cmp.Or(ids[b]-ids[a], strings.Compare(a, b)) })
	for _, k := range keys[:min(len(keys), 60)] {
		fmt.Printf("    %6d  %s\n", ids[k], k)
	}
}

// openQuestions adds the ids of a tree's questions that no rule of a user's can
// answer: nothing lifts them, or they are about no command.
func openQuestions(nodes []engine.Node, ids map[string]bool) map[string]bool {
	for i := range nodes {
		n := &nodes[i]
		for k := range n.Reasons {
			r := &n.Reasons[k]
			o := catalogue.Described(r.ID)
			if r.Counts() == policy.Ask && (o != nil && o.Fixed || len(n.Words())+len(n.Redirects()) == 0) {
				if ids == nil {
					ids = map[string]bool{}
				}
				ids[r.ID] = true
			}
		}
		ids = openQuestions(n.Children, ids)
	}
	return ids
}

func meets(r row, v engine.Verdict) bool {
	if r.Reach != "" && v.Reach.String() != r.Reach {
		return false
	}
	switch r.Want {
	case "", "rules":
		return true
	case "not_allow":
		return v.Decision != policy.Allow
	case "not_block":
		return v.Decision != policy.Block
	}
	return v.Decision.String() == r.Want
}

// project is the workspace that the rows speak of.
func project() *disk.Memory {
	files := new(disk.Memory)
	for _, name := range []string{"README.md", "main.go", "a.txt", "b.txt", "file.txt", ".git/HEAD"} {
		files.WriteFile(workspace+"/"+name, "")
	}
	files.Mkdir(workspace + "/src")
	return files
}

// hold writes the programs and scripts that the rows of a file name by a path of
// the workspace. What they hold is no shell script.
func hold(files *disk.Memory, name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(data)) {
		var r row
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, word := range strings.FieldsFunc(r.Cmd, func(c rune) bool { return strings.ContainsRune(" \t\n;&|<>()'\"`=", c) }) {
			file, dotted := strings.CutPrefix(word, "./")
			if file == "" || strings.ContainsAny(file, "*?[{$~\\:") || file[0] == '/' || strings.Contains(file, "..") || strings.HasSuffix(file, "/") {
				continue
			}
			if dotted || slices.Contains([]string{".py", ".js", ".mjs", ".ts", ".rb", ".pl", ".php", ".jar", ".lua", ".R"}, filepath.Ext(file)) {
				if _, err := files.Lstat(workspace + "/" + file); err != nil {
					files.WriteFile(workspace+"/"+file, "\x00")
				}
			}
		}
	}
	return nil
}
