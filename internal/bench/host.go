package main

import (
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/bashgate/bashgate/internal/host"
)

// measureHosts starts the hook of every agent in turn, about the same harmless
// command, and says what each takes of Claude Code's time.
func measureHosts(gate, home string, spawns int) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	type hook struct {
		name  string
		args  []string
		input []byte
		took  []time.Duration
	}
	var hooks []hook
	for _, h := range host.All() {
		event := h.EventName(host.BeforeToolUse)
		input, _, err := h.Sample(event, "git status", dir, func(string) string { return "" })
		if err != nil {
			return err
		}
		hooks = append(hooks, hook{h.Name, []string{"hook", h.Name, event}, input, nil})
	}
	for i := range spawns/2 + 3 {
		for k := range hooks {
			took, _, err := timed(home, hooks[k].input, gate, hooks[k].args...)
			if err != nil {
				return fmt.Errorf("%s: %w", hooks[k].name, err)
			}
			if i >= 3 { // the first ones fill caches
				hooks[k].took = append(hooks[k].took, took)
			}
		}
	}
	first := median(hooks[0].took)
	slices.SortFunc(hooks[1:], func(a, b hook) int { return int(median(b.took) - median(a.took)) })
	fmt.Printf("agents    at most %.2fx the hook of %s, which is %s's (of %d agents, median of %d; limit 1.05)\n",
		ratio(median(hooks[1].took), first), hooks[0].name, hooks[1].name, len(hooks), spawns/2)
	return nil
}
