package serve

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bashgate/bashgate/internal/cli"
)

// The page is written by hand: a style, a document and a script for what waits, and
// a document and a script for the answer of a notice. They hold no data.
//
//go:embed page
var pageFiles embed.FS

// The limits of what a client may send, and of how long it may take.
const (
	pageBody    = 64 << 10 // bytes
	pageHeader  = 16 << 10 // bytes
	pageClients = 256      // connections at a time
	pageRead    = 10 * time.Second
	pageWrite   = 20 * time.Second
	pageRest    = 60 * time.Second // of a connection without a request
)

// pagePolicy is what a browser lets the page do: nothing but to ask this server.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

// page is what a person's browser talks to.
type page struct {
	process *cli.Process
	door    door
	feed    feed
	done    <-chan struct{} // closed when the server ends: what streams ends then
	busy    func() (end func())
	clients atomic.Int32
}

// page serves a person's browser on loopback.
func (s *Server) page(ctx context.Context) error {
	l, err := listenLocal(s.Page)
	if err != nil {
		return err
	}
	p, err := newPage(s.Process, l.Addr().String())
	if err != nil {
		l.Close()
		return err
	}
	p.busy = s.idle.begin
	if s.Open {
		s.invite(p)
	}
	if in, ok := s.Process.Stdin.(*os.File); ok && !s.Stdio && isCharacterDevice(in) {
		go s.inviteAgain(p, in)
	}
	return p.serve(ctx, l)
}

// serve answers until the context ends.
func (p *page) serve(ctx context.Context, l net.Listener) error {
	p.done = ctx.Done()
	server := &http.Server{
		Handler:           p,
		ReadHeaderTimeout: pageRead,
		ReadTimeout:       pageRead,
		WriteTimeout:      pageWrite,
		IdleTimeout:       pageRest,
		MaxHeaderBytes:    pageHeader,
		ConnState:         p.count,
		ConnContext:       withOwner,
		ErrorLog:          log.New(io.Discard, "", 0), // of what strangers send
	}
	ended := make(chan error, 1)
	go func() {
		<-ctx.Done()
		late, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		err := server.Shutdown(late) // answers that are on their way get there
		if err != nil {
			err = server.Close()
		}
		ended <- err
	}()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-ended
}

// count closes connections beyond those that may be.
func (p *page) count(c net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		if p.clients.Add(1) > pageClients {
			c.Close()
		}
	case http.StateClosed, http.StateHijacked:
		p.clients.Add(-1)
	}
}

// withOwner lets a connection's requests ask whose program is at its other end.
func withOwner(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, ownerKey{}, sync.OnceValues(func() (uid int, known bool) {
		return peerOwner(c.RemoteAddr().String(), c.LocalAddr().String())
	}))
}

// listenLocal listens where nobody but this machine gets.
func listenLocal(address string) (net.Listener, error) {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !at.Addr().IsLoopback() || at.Addr().Is4In6() || at.Addr().Zone() != "" {
		return nil, fmt.Errorf("--page %q is no address of this machine alone\nhint: --page 127.0.0.1:0 or --page [::1]:8080; port 0 is any that is free", address)
	}
	return net.Listen("tcp", at.String())
}

func newPage(process *cli.Process, host string) (*page, error) {
	queue, err := process.Requests()
	if err != nil {
		return nil, err
	}
	return &page{process: process, door: door{host: host, now: time.Now}, feed: feed{queue: queue, now: time.Now}, busy: func() func() { return func() {} }}, nil
}

// route is what is answered at a path.
type route struct {
	method string
	path   string
	open   bool // to whoever has no session: it tells nothing
	answer func(*page, http.ResponseWriter, *http.Request)
}

// routes lists all that there is.
func routes() []route {
	return []route{
		{"GET", "/", true, file("page.html", "text/html; charset=utf-8")},
		{"GET", "/page.css", true, file("page.css", "text/css; charset=utf-8")},
		{"GET", "/page.js", true, file("page.js", "text/javascript; charset=utf-8")},
		{"GET", "/request.js", true, file("request.js", "text/javascript; charset=utf-8")},
		{"GET", "/answer", true, file("answer.html", "text/html; charset=utf-8")},
		{"GET", "/answer.js", true, file("answer.js", "text/javascript; charset=utf-8")},
		{"POST", "/answer", true, (*page).answer},
		{"GET", "/icon.svg", true, file("icon.svg", "image/svg+xml")},
		{"POST", "/enter", true, (*page).enter},
		{"POST", "/leave", false, (*page).leave},
		{"GET", "/feed", false, (*page).stream},
		{"GET", "/request", false, (*page).whole},
		{"POST", "/resolve", false, (*page).resolve},
		{"GET", "/log", false, (*page).log},
		{"GET", "/ended", false, (*page).ended},
		{"GET", "/sessions", false, (*page).sessions},
	}
}

// ServeHTTP answers what comes from the page itself, in a browser that a person
// has let in.
func (p *page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	for _, pair := range [...][2]string{
		{"Content-Security-Policy", pagePolicy},
		{"X-Content-Type-Options", "nosniff"},
		{"X-Frame-Options", "DENY"},
		{"Referrer-Policy", "no-referrer"},
		{"Cache-Control", "no-store"},
		{"Cross-Origin-Opener-Policy", "same-origin"},
		{"Cross-Origin-Resource-Policy", "same-origin"},
		{"Permissions-Policy", "camera=(), geolocation=(), microphone=()"},
	} {
		h.Set(pair[0], pair[1])
	}
	if err := p.door.stranger(r); err != nil {
		decline(w, http.StatusForbidden, err.Error())
		return
	}
	var at *route
	var allowed []string
	for _, one := range routes() {
		if one.path == r.URL.Path {
			allowed = append(allowed, one.method)
			if one.method == r.Method {
				at = &one
			}
		}
	}
	switch {
	case allowed == nil:
		decline(w, http.StatusNotFound, "there is nothing here")
		return
	case at == nil:
		h.Set("Allow", strings.Join(allowed, ", "))
		decline(w, http.StatusMethodNotAllowed, "this takes "+strings.Join(allowed, " and ")+" alone")
		return
	case !at.open && !p.door.in(r):
		decline(w, http.StatusUnauthorized, "this browser is not let in")
		return
	}
	if at.method == "POST" {
		if r.Header.Get("Content-Type") != "application/json" {
			decline(w, http.StatusUnsupportedMediaType, "this takes JSON alone")
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, pageBody)
	}
	at.answer(p, w, r)
}

// file answers with one of the page's files.
func file(name, kind string) func(*page, http.ResponseWriter, *http.Request) {
	return func(_ *page, w http.ResponseWriter, _ *http.Request) {
		text, err := pageFiles.ReadFile("page/" + name)
		if err != nil {
			decline(w, http.StatusNotFound, "there is nothing here")
			return
		}
		w.Header().Set("Content-Type", kind)
		w.Write(text)
	}
}

// isCharacterDevice reports whether a file may be a terminal.
func isCharacterDevice(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// link is the page's address for a browser.
func (p *page) link(token string) string {
	return "http://" + p.door.host + "/#" + token
}
