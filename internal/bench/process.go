//go:build unix

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"
)

// cost is what one process took.
type cost struct {
	cpu, wall time.Duration
	memory    int64 // at its largest, in bytes
}

// A process is a program that is started again and again.
type process struct {
	args   []string // the program first
	home   string
	env    []string // beside HOME and PATH
	input  []byte
	before func(run int) error // what comes before each run and is not measured; nil: nothing
	answer string              // what it must print

	costs []cost
}

// run starts the process and waits for its end.
func (p *process) run() (cost, []byte, error) {
	var out bytes.Buffer
	c, err := p.start(bytes.NewReader(p.input), &out)
	if err == nil && !bytes.Contains(out.Bytes(), []byte(p.answer)) {
		err = fmt.Errorf("%q printed %.300q, and it should be %q", p.args, out.Bytes(), p.answer)
	}
	return c, out.Bytes(), err
}

func (p *process) start(in io.Reader, out io.Writer) (cost, error) {
	c := exec.Command(p.args[0], p.args[1:]...)
	c.Env = append([]string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH")}, p.env...)
	c.Stdin, c.Stdout, c.Stderr = in, out, os.Stderr
	start := time.Now()
	if err := c.Run(); err != nil {
		return cost{}, fmt.Errorf("%q: %w", p.args, err)
	}
	s := c.ProcessState
	took := cost{cpu: s.UserTime() + s.SystemTime(), wall: time.Since(start)}
	if usage, ok := s.SysUsage().(*syscall.Rusage); ok {
		took.memory = residentBytes(usage)
	}
	return took, nil
}

// residentBytes is the largest resident set that usage tells of.
func residentBytes(usage *syscall.Rusage) int64 {
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss) // all others count in kilobytes
	}
	return int64(usage.Maxrss) << 10
}

// runRounds starts all processes n times, each round in another order, after
// warm rounds that fill caches and don't count.
func runRounds(warm, n int, processes []*process) error {
	order := rand.New(rand.NewPCG(1, 1))
	for run := range warm + n {
		for _, i := range order.Perm(len(processes)) {
			p := processes[i]
			if p.before != nil {
				if err := p.before(run); err != nil {
					return err
				}
			}
			c, _, err := p.run()
			if err != nil {
				return err
			}
			if run >= warm {
				p.costs = append(p.costs, c)
			}
		}
	}
	return nil
}

// cpu is the median of what the runs took of the processors.
func (p *process) cpu() time.Duration {
	return middle(p.costs, func(c cost) time.Duration { return c.cpu })
}

// wall is the median of the runs' times on the clock.
func (p *process) wall() time.Duration {
	return middle(p.costs, func(c cost) time.Duration { return c.wall })
}

// memory is the median of the most that the runs had.
func (p *process) memory() int64 { return middle(p.costs, func(c cost) int64 { return c.memory }) }

// times is for the last column of the table.
func (p *process) times() string {
	return fmt.Sprintf("%.2f ms CPU, %.2f ms on the clock", ms(p.cpu()), ms(p.wall()))
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }

func median(list []time.Duration) time.Duration {
	return middle(list, func(d time.Duration) time.Duration { return d })
}

// middle is the median of what is told of each.
func middle[T any, N cmp.Ordered](list []T, of func(T) N) N {
	var all []N
	for _, x := range list {
		all = append(all, of(x))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

// build compiles bashgate as it is released, and the program to compare with,
// and copies both.
func (b *bench) build() error {
	const text = "package main\n\nimport \"os\"\n\nfunc main() { os.Stdout.WriteString(\"hello, world\\n\") }\n"
	if err := write(b.dir, "hello/main.go", text); err != nil {
		return err
	}
	b.gate = filepath.Join(b.dir, "bashgate")
	b.hello = &process{args: []string{filepath.Join(b.dir, "hello-world")}, home: b.dir, answer: "hello, world\n"}
	for program, source := range map[string]string{b.gate: "./cmd/bashgate", b.hello.args[0]: filepath.Join(b.dir, "hello/main.go")} {
		linked := program + ".linked"
		c := exec.Command("go", "run", "./internal/release", "-o", linked, source)
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("building %s: %w\n%s", source, err, out)
		}
		if err := copyProgram(program, linked); err != nil {
			return err
		}
	}
	info, err := os.Stat(b.gate)
	if err != nil {
		return err
	}
	b.table.atMost(7, float64(info.Size())/1e6, "MB", "binary", "")
	return nil
}

// copyProgram writes a program anew, down to the disk.
func copyProgram(to, from string) error {
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
