package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/internal/host"
)

// ancestors lists the processes above this one, the nearest first: agents do not
// tell everything, and how one was started says whether somebody is there. Where
// the system has no /proc, nothing is known.
func ancestors() []host.Ancestor {
	const most = 6 // a shell or two between the agent and its hook, and the agent may start itself anew
	var list []host.Ancestor
	for pid := os.Getppid(); pid > 1 && len(list) < most; {
		dir := filepath.Join("/proc", strconv.Itoa(pid))
		line, err := os.ReadFile(dir + "/cmdline")
		if err != nil {
			break
		}
		a := host.Ancestor{Args: strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00"), Terminal: true}
		for _, stream := range [...]string{"/fd/0", "/fd/1"} {
			file, err := os.Readlink(dir + stream)
			a.Terminal = a.Terminal && (err != nil || strings.HasPrefix(file, "/dev/pts/") || strings.HasPrefix(file, "/dev/tty") || file == "/dev/console")
		}
		list = append(list, a)
		stat, err := os.ReadFile(dir + "/stat")
		if err != nil {
			break
		}
		// 7 (a name (in brackets)) S 6 ...: proc_pid_stat(5)
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 2 {
			break
		}
		pid, _ = strconv.Atoi(string(fields[1]))
	}
	return list
}
