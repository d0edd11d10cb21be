// Package spawn starts programs, and says what they cost.
//
//   - A process costs its CPU time, user and system, as the kernel tells at its
//     end: time on the clock has the waits for other processes in it.
//   - Programs are copied before they are started. As the linker has written
//     it, a program lies in small pages of the page cache, and starts more
//     slowly than the same one after an install. Copies and homes lie on a
//     disk, for a hook writes files.
//   - Processes that are to be compared are started in rounds, in each of them
//     once and in an order of its own: whatever else the machine does, and what
//     a process leaves in the caches, meets all of them alike. The figure is a
//     median: a few rounds in which something else happened don't count.
package spawn

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// Cost is what one process took.
type Cost struct {
	CPU, Wall time.Duration
	Memory    int64 // at its largest, in bytes
}

// A Process is a program that is started again and again.
type Process struct {
	Args   []string // the program first
	Home   string
	Dir    string   // where it is started; "" is here
	Env    []string // beside HOME and PATH
	Input  []byte
	Before func(run int) error // what comes before each run and is not measured; nil: nothing
	Answer string              // what it must print

	Costs []Cost
}

// Run starts the process and waits for its end.
func (p *Process) Run() (Cost, []byte, error) {
	var out bytes.Buffer
	c, err := p.Start(bytes.NewReader(p.Input), &out)
	if err == nil && !bytes.Contains(out.Bytes(), []byte(p.Answer)) {
		err = fmt.Errorf("%q printed %.300q, and it should be %q", p.Args, out.Bytes(), p.Answer)
	}
	return c, out.Bytes(), err
}

// Start runs the process with other input than its own, and looks at nothing
// that it prints. It waits for the end; a status other than 0 is an error.
func (p *Process) Start(in io.Reader, out io.Writer) (Cost, error) {
	c := exec.Command(p.Args[0], p.Args[1:]...)
	c.Env = append([]string{"HOME=" + p.Home, "PATH=" + os.Getenv("PATH")}, p.Env...)
	c.Dir = p.Dir
	c.Stdin, c.Stdout, c.Stderr = in, out, os.Stderr
	start := time.Now()
	if err := c.Run(); err != nil {
		return Cost{}, fmt.Errorf("%q: %w", p.Args, err)
	}
	s := c.ProcessState
	took := Cost{CPU: s.UserTime() + s.SystemTime(), Wall: time.Since(start)}
	if usage, ok := s.SysUsage().(*syscall.Rusage); ok {
		took.Memory = ResidentBytes(usage)
	}
	return took, nil
}

// Rounds starts all processes n times, each round in another order, after
// warm rounds that fill caches and don't count.
func Rounds(warm, n int, processes []*Process) error {
	order := rand.New(rand.NewPCG(1, 1))
	for run := range warm + n {
		for _, i := range order.Perm(len(processes)) {
			p := processes[i]
			if p.Before != nil {
				if err := p.Before(run); err != nil {
					return err
				}
			}
			c, _, err := p.Run()
			if err != nil {
				return err
			}
			if run >= warm {
				p.Costs = append(p.Costs, c)
			}
		}
	}
	return nil
}

// CPU is the median of what the runs took of the processors.
func (p *Process) CPU() time.Duration {
	return Middle(p.Costs, func(c Cost) time.Duration { return c.CPU })
}

// Wall is the median of the runs' times on the clock.
func (p *Process) Wall() time.Duration {
	return Middle(p.Costs, func(c Cost) time.Duration { return c.Wall })
}

// Memory is the median of the most that the runs had.
func (p *Process) Memory() int64 { return Middle(p.Costs, func(c Cost) int64 { return c.Memory }) }

// Middle is the median of what is told of each.
func Middle[T any, N cmp.Ordered](list []T, of func(T) N) N {
	var all []N
	for _, x := range list {
		all = append(all, of(x))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// Build compiles a package as it is released and copies the program.
func Build(program, source string) error {
	linked := program + ".linked"
	c := exec.Command("go", "run", "./internal/release", "-o", linked, source)
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", source, err, out)
	}
	return Copy(program, linked)
}

// Hello builds a Go program in dir that prints a line, to compare others with.
func Hello(dir string) (*Process, error) {
	const text = "package main\n\nimport \"os\"\n\nfunc main() { os.Stdout.WriteString(\"hello, world\\n\") }\n"
	source := filepath.Join(dir, "hello/main.go")
	if err := os.MkdirAll(filepath.Dir(source), 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		return nil, err
	}
	p := &Process{Args: []string{filepath.Join(dir, "hello-world")}, Home: dir, Answer: "hello, world\n"}
	return p, Build(p.Args[0], source)
}

// Copy writes a program anew, down to the disk.
func Copy(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	defer out.Close()
	if _, err := io.Copy(out, in); err != nil {
		return err
	}
	if err := out.Sync(); err != nil {
		return err
	}
	return out.Close()
}
