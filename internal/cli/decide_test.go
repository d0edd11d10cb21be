package cli

import (
	"testing"
	"time"

	"github.com/bashgate/bashgate/internal/approval"
)

// The question of somebody who went away expires.
func TestAwaitGone(t *testing.T) {
	queue := approval.Queue{Store: approval.Store{Dir: t.TempDir() + "/requests"}}
	asked, _, err := queue.Ask(approval.Request{Bound: approval.Bound{Host: "runtime", Session: "s", Command: "git push", Cwd: "/p"}})
	if err != nil {
		t.Fatal(err)
	}
	gone := make(chan struct{})
	time.AfterFunc(20*time.Millisecond, func() { close(gone) })
	start := time.Now()
	now, err := await(gone, queue, asked, time.Minute)
	if err != nil || now.State != approval.Expired || time.Since(start) > 30*time.Second {
		t.Errorf("%+v, %v", now, err)
	}
}
