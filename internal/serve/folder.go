package serve

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/approval"
	"github.com/bashgate/bashgate/internal/cli"
	"github.com/bashgate/bashgate/internal/folder"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/policy"
)

// What a container may cost. A person answers few questions at a time, and an agent
// asks few a second.
const (
	mostWaiting = 64                     // questions that are being decided about, of one folder
	mostASecond = 100                    // questions that are begun
	mostListed  = 4096                   // names that one look at the directory reads
	mostKnown   = 1 << 16                // ids that are remembered as answered
	kept        = 5 * time.Minute        // how long answers lie there, and what is no question
	forgotten   = 24 * time.Hour         // how long an id counts as answered
	checkTime   = 250 * time.Millisecond // how often it is looked whether a question is still there
)

// slack is how exactly a machine tells how long it runs, and when a file was written.
const slack = 100 * time.Millisecond

// container is what the agents in containers are called where others have a name.
const container = "container"

// folder answers the questions that containers put into a directory: "DIR", or
// "DIR=WORKSPACE" where that directory is the container's too, at the same path.
func (s *Server) folder(ctx context.Context, arg string) error {
	f, err := s.openFolder(arg)
	if err != nil {
		return err
	}
	defer f.close()
	return f.serve(ctx)
}

// shared is a directory that containers share with the server.
type shared struct {
	server    *Server
	process   *cli.Process
	dir       string
	workspace string // the same directory here and there; "" = there is none
	name      string // what its sessions end with: two containers may have the same one
	life      time.Duration
	files     *drop

	lock     sync.Mutex
	busy     map[string]bool      // ids that are being decided about
	answered map[string]time.Time // ids that were answered, and when
	tokens   float64              // questions that may be begun at once
	filled   time.Time            // when tokens was right
	told     map[string]time.Time // complaints, so that none is made all the time

	working sync.WaitGroup
	again   chan struct{} // there may be questions that were left
}

func (s *Server) openFolder(arg string) (*shared, error) {
	dir, workspace, named := strings.Cut(arg, "=")
	if dir == "" || named && (!filepath.IsAbs(workspace) || filepath.Clean(workspace) != workspace) {
		return nil, fmt.Errorf("--folder takes DIR or DIR=WORKSPACE, an absolute path without . and ..; found %q", arg)
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	files, err := openDrop(dir)
	if err != nil {
		return nil, err
	}
	p := *s.Process
	p.Away, p.Disk = true, nil
	f := &shared{
		server: s, process: &p, dir: dir, workspace: workspace, files: files, life: cmp.Or(s.Life, approval.RequestLife),
		busy: map[string]bool{}, answered: map[string]time.Time{}, told: map[string]time.Time{},
		tokens: mostASecond, filled: time.Now(), again: make(chan struct{}, 1),
	}
	sum := sha256.Sum256([]byte(files.path))
	f.name = hex.EncodeToString(sum[:6])
	p.Asker = f.name // a container calls its sessions and directories as it likes
	if workspace != "" {
		disk, err := openBelow(workspace)
		if err != nil {
			files.close()
			return nil, err
		}
		p.Disk = disk
	}
	for _, id := range files.answers() {
		f.answered[id] = time.Now()
	}
	return f, nil
}

func (f *shared) deciding(gone <-chan struct{}, q *host.Question, wait time.Duration) cli.Reply {
	if f.server.deciding != nil {
		return f.server.deciding(gone, q, wait)
	}
	return f.process.DecideFor(gone, q, wait)
}

func (f *shared) close() { f.files.close() }

// serve answers until the context ends.
func (f *shared) serve(ctx context.Context) error {
	defer f.working.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// Some systems have no watches left, and some file systems tell nothing: the
	// look every two seconds is enough then.
	var events <-chan fsnotify.Event
	var failures <-chan error
	if watcher, err := fsnotify.NewWatcher(); err == nil {
		defer watcher.Close()
		if err := watcher.Add(filepath.Join(f.dir, folder.Requests)); err == nil {
			events, failures = watcher.Events, watcher.Errors
		}
	}
	f.beat()
	f.look(ctx)
	tick := time.NewTicker(folder.Beat)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			f.files.remove(folder.Alive)
			return nil
		case event := <-events:
			if event.Has(fsnotify.Create) {
				f.take(ctx, filepath.Base(event.Name))
			}
		case <-failures: // there were more than could be told
			f.look(ctx)
		case <-f.again:
			f.look(ctx)
		case <-tick.C:
			f.beat()
			f.look(ctx)
			f.sweep()
		}
	}
}

// beat says that the server is there, for containers.
func (f *shared) beat() {
	if err := f.files.whole(); err != nil {
		f.complain(err)
		return
	}
	pulse := folder.Pulse{At: time.Now(), Life: f.life}
	if err := f.files.write(f.files.root, folder.Alive, pulse.Append(nil)); err != nil {
		f.complain(err)
	}
}

// look takes all questions that lie there.
func (f *shared) look(ctx context.Context) {
	names, err := f.files.list(f.files.requests)
	if err != nil {
		f.complain(err)
	}
	for _, name := range names {
		if !f.take(ctx, name) {
			return
		}
	}
}

// take begins to answer the question in a file, if it is one. It reports false where
// no more can be begun now.
func (f *shared) take(ctx context.Context, name string) bool {
	id, ok := strings.CutSuffix(name, ".json")
	if !ok || !folder.ValidID(id) || ctx.Err() != nil {
		return true // sweep takes it away
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	if f.busy[id] {
		return true
	}
	if _, was := f.answered[id]; was { // the answer that lies there is the other one's
		f.files.removeIn(f.files.requests, name)
		return true
	}
	now := time.Now()
	f.tokens = min(mostASecond, f.tokens+now.Sub(f.filled).Seconds()*mostASecond)
	f.filled = now
	if len(f.busy) >= mostWaiting || f.tokens < 1 {
		if f.tokens < 1 {
			time.AfterFunc(50*time.Millisecond, f.wake)
		}
		return false
	}
	f.tokens--
	f.busy[id] = true
	end := f.server.idle.begin()
	f.working.Go(func() {
		defer end()
		f.answer(ctx, id, name)
		f.lock.Lock()
		delete(f.busy, id)
		f.lock.Unlock()
		f.wake()
	})
	return true
}

// wake makes the server look for questions that were left.
func (f *shared) wake() {
	select {
	case f.again <- struct{}{}:
	default:
	}
}

// answer decides about a question and writes the answer.
func (f *shared) answer(ctx context.Context, id, name string) {
	data, made, err := f.files.read(name)
	if errors.Is(err, os.ErrNotExist) {
		return // whoever asked has taken it back
	}
	a := folder.Answer{ID: id}
	if data != nil {
		a.Sum = folder.Sum(data)
	}
	var q folder.Question
	if err == nil {
		q, err = folder.ParseQuestion(data, id)
	}
	if err != nil {
		a.Reason = "error: " + policy.Visible(err.Error())
	} else {
		a.Allow, a.Reason = f.decide(ctx, &q, name, made)
	}
	f.lock.Lock()
	f.answered[id] = time.Now()
	f.lock.Unlock()
	err = f.files.write(f.files.responses, name, a.Append(nil))
	if err != nil {
		f.complain(fmt.Errorf("an answer: %w", err)) // the container denies once its time is over
	}
	f.files.removeIn(f.files.requests, name)
}

// decide answers a question that was understood. Whatever goes wrong denies.
func (f *shared) decide(ctx context.Context, q *folder.Question, name string, made time.Time) (allow bool, reason string) {
	defer func() {
		if cause := recover(); cause != nil {
			f.complain(fmt.Errorf("internal error: %v", cause))
			allow, reason = false, "error: internal error"
		}
	}()
	if strings.Trim(q.Command, " \t\n") == "" {
		return true, "bashgate: nothing runs"
	}
	left := f.life - max(0, time.Since(made))
	if left <= 0 {
		return false, "error: the question is older than " + f.life.String()
	}
	r := engine.Request{
		Command: q.Command, Cwd: cmp.Or(q.Cwd, q.Workspace), Workspace: cmp.Or(q.Workspace, q.Cwd), Shell: q.Shell,
		Host: container, Session: cmp.Or(q.Session, "folder") + "-" + f.name, Mode: "default", Unattended: true,
	}
	if f.workspace != "" {
		if q.Workspace != "" && q.Workspace != f.workspace {
			return false, "error: the workspace of this folder is " + policy.Visible(f.workspace)
		}
		r.Workspace, r.Cwd = f.workspace, cmp.Or(q.Cwd, f.workspace)
	}
	question := host.Question{
		Event: host.BeforeToolUse, Name: folder.Type, Request: r, Shell: true, Tool: engine.Tool{Name: "Bash"},
		Asks: q.Asks, Seen: engine.Taint{Corruption: q.Corruption, Secret: q.Secret, Damaged: q.Damaged},
	}
	gone := make(chan struct{})
	decided, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		f.watch(ctx, name, gone, decided)
	}()
	reply := f.deciding(gone, &question, left)
	close(decided)
	<-watched
	switch {
	case reply.Decision == policy.Allow:
		return true, reply.Reason
	case ctx.Err() != nil:
		return false, "bashgate: the server has ended; " + reply.Reason
	case reply.Code != "" && time.Since(made) > f.life-slack:
		return false, fmt.Sprintf("bashgate: nobody has answered %s within %v; %s", reply.Code, f.life, strings.TrimPrefix(reply.Reason, "bashgate: "))
	}
	return false, cmp.Or(reply.Reason, "bashgate: not allowed")
}

// watch closes gone once nobody waits for an answer any more, unless it is there
// before.
func (f *shared) watch(ctx context.Context, name string, gone, decided chan struct{}) {
	tick := time.NewTicker(checkTime)
	defer tick.Stop()
	for {
		select {
		case <-decided:
			return
		case <-ctx.Done():
			close(gone)
			return
		case <-tick.C:
			if !f.files.has(name) {
				close(gone)
				return
			}
		}
	}
}

// sweep takes away what is old: answers, and files that are no questions.
func (f *shared) sweep() {
	now := time.Now()
	f.files.sweep(now.Add(-kept), func(name string) bool {
		id, ok := strings.CutSuffix(name, ".json")
		return ok && folder.ValidID(id)
	})
	f.lock.Lock()
	defer f.lock.Unlock()
	for id, at := range f.answered {
		if now.Sub(at) > forgotten || len(f.answered) > mostKnown && now.Sub(at) > kept {
			delete(f.answered, id)
		}
	}
	for what, at := range f.told {
		if now.Sub(at) > time.Minute {
			delete(f.told, what)
		}
	}
}

// complain tells on standard error what goes wrong, once a minute.
func (f *shared) complain(err error) {
	f.lock.Lock()
	defer f.lock.Unlock()
	text := policy.Visible(err.Error())
	if _, told := f.told[text]; told || len(f.told) > 100 {
		return
	}
	f.told[text] = time.Now()
	fmt.Fprintf(f.process.Stderr, "bashgate: warning: %s: %s\n", f.dir, text)
}
