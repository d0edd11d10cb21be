package cli

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/system"
)

// ancestors are the processes nearest above this one, the nearest first: agents do
// not tell everything, and how one was started says whether somebody is there. Where
// the system has no /proc, nothing is known.
func ancestors(yield func(host.Ancestor) bool) {
	most := 4 // a shell or two between the agent and its hook, and the agent may start itself anew
	for a := range lineage {
		if most--; !yield(a) || most == 0 {
			return
		}
	}
}

// lineage are all processes above this one, the nearest first.
func lineage(yield func(host.Ancestor) bool) {
	const most = 1000 // while processes end, others may get their numbers
	pid := os.Getppid()
	for range most {
		dir := "/proc/" + strconv.Itoa(pid)
		line, err := told(dir + "/cmdline")
		if err != nil || pid <= 1 {
			return
		}
		args := strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00")
		if !yield(host.Ancestor{Args: args, Terminal: func() bool { return leadsToTerminal(dir+"/fd/0") && leadsToTerminal(dir+"/fd/1") }}) {
			return
		}
		stat, err := told(dir + "/stat")
		if err != nil {
			return
		}
		// 7 (a name (in brackets)) S 6 ...: proc_pid_stat(5)
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 2 {
			return
		}
		pid, _ = strconv.Atoi(string(fields[1]))
	}
}

// told is what the system tells in a file below /proc: these have no size to ask for,
// and are nothing that could be waited for.
func told(name string) ([]byte, error) {
	f, err := system.OpenFile(name, os.O_RDONLY|system.NoWait, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text := make([]byte, 0, 1<<10)
	for {
		n, err := f.Read(text[len(text):cap(text)])
		switch text = text[:len(text)+n]; {
		case err == io.EOF:
			return text, nil
		case err != nil:
			return nil, err
		}
		text = slices.Grow(text, 1)
	}
}

// leadsToTerminal reports whether a link of /proc leads to a terminal, or can't be
// read.
func leadsToTerminal(link string) bool {
	file, err := os.Readlink(link)
	return err != nil || strings.HasPrefix(file, "/dev/pts/") || strings.HasPrefix(file, "/dev/tty") || file == "/dev/console"
}
