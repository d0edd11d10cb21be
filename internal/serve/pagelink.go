package serve

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/bashgate/bashgate/internal/system"
)

// invite prints a link for a browser and opens one.
func (s *Server) invite(p *page) {
	link := p.link(p.door.token())
	opened := openBrowser(link, s.Process.Getenv)
	out := s.Process.Stdout
	if s.Stdio { // there are the answers
		out = s.Process.Stderr
	}
	fmt.Fprintln(out, link)
	what := "open it in a browser"
	if opened {
		what = "a browser opens it"
	}
	fmt.Fprintf(s.Process.Stderr, "bashgate: %s within a minute; it works once\n", what)
}

// inviteAgain makes another link whenever somebody presses Enter at the terminal
// where the server runs. In the background nobody does, and nothing stops for it.
func (s *Server) inviteAgain(p *page, terminal *os.File) {
	system.StayInBackground()
	for in := bufio.NewReader(terminal); ; {
		if _, err := in.ReadString('\n'); err != nil {
			return
		}
		s.invite(p)
	}
}

// openBrowser has the desktop open a link, and reports whether there is one that
// does. No shell reads the link.
func openBrowser(link string, getenv func(string) string) bool {
	program := ""
	switch {
	case runtime.GOOS == "darwin":
		program = "/usr/bin/open"
	case getenv("DISPLAY") != "" || getenv("WAYLAND_DISPLAY") != "": // otherwise it opens one in the terminal
		for _, dir := range filepath.SplitList(getenv("PATH")) {
			file := filepath.Join(dir, "xdg-open")
			if info, err := os.Stat(file); filepath.IsAbs(dir) && err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
				program = file
				break
			}
		}
	}
	if program == "" {
		return false
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer null.Close()
	process, err := os.StartProcess(program, []string{program, link}, &os.ProcAttr{
		Dir: "/", Files: []*os.File{null, null, null}, Sys: system.Detached(),
	})
	if err != nil {
		return false
	}
	go process.Wait()
	return true
}
