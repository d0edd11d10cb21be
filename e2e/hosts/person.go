//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/approval"
)

// requests are the questions of this run's home that wait for a person.
func (r *run) requests() approval.Queue {
	return approval.Queue{Store: approval.Store{Dir: filepath.Join(r.home, ".local/state/bashgate/requests")}}
}

// approve answers a request as a person does who is elsewhere.
func (r *run) approve(code string) error {
	_, err := r.requests().Answer(code, approval.Answer{State: approval.Approved, By: "a person", Channel: "terminal"})
	return err
}

// approveTold approves the request that a denial names.
func (r *run) approveTold(denial string) error {
	code := told(denial)
	if code == "" {
		return fmt.Errorf("the denial names no code: %q", denial)
	}
	return r.approve(code)
}

// told is the code that a denial names, "KXRT"; "" if it names none.
func told(denial string) string {
	_, rest, _ := strings.Cut(denial, "bashgate approve ")
	code, _, _ := strings.Cut(rest, ",")
	return code
}

// ranOnce reports whether of three times that the model wanted the command the
// second ran, which was approved, and the others were denied, each with a code of
// its own.
func (r *run) ranOnce() bool {
	trace, err := os.ReadFile(filepath.Join(r.project, "trace"))
	all, complaint := r.requests().Requests()
	if err != nil || complaint != nil || string(trace) != "ran\n" || len(r.model.results) != 3 {
		return false
	}
	var codes [3]string
	for i, result := range r.model.results {
		codes[i] = told(result)
	}
	states := map[string]approval.State{}
	for _, request := range all {
		states[request.Code] = request.State
	}
	return len(all) == 2 && codes[1] == "" && slices.Equal(
		[]approval.State{states[codes[0]], states[codes[2]]}, []approval.State{approval.Used, approval.Pending})
}
