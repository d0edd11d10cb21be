package main

import (
	"fmt"
	"time"

	"github.com/bashgate/bashgate/internal/spawn"
)

// price is what a call of a gate costs.
type price struct {
	name  string
	cpu   time.Duration
	ratio float64 // of its CPU time to that of a Go program that prints a line
}

// measure starts all gates, and what some of them need before they do anything,
// in the same rounds: about a command that all of them answer at once.
func (b *bed) measure(sites []*site, rounds int) ([]price, error) {
	names := []string{"a Go program that prints a line", "Node alone, `node -e 0`", "Python alone, `python3 -c pass`"}
	processes := []*spawn.Process{
		b.hello,
		{Args: []string{b.node, "-e", "0"}, Home: b.dir},
		{Args: []string{python, "-c", "pass"}, Home: b.dir},
	}
	for _, s := range sites {
		const id = "cost"
		if s.begins {
			if _, _, err := b.tell(s, event(s, "SessionStart", id, "")); err != nil {
				return nil, err
			}
		}
		names = append(names, s.name)
		processes = append(processes, &spawn.Process{
			Args: s.hook, Home: s.home, Dir: s.project, Env: b.env(s), Input: event(s, s.event, id, "git status"),
		})
	}
	if err := spawn.Rounds(3, rounds, processes); err != nil {
		return nil, err
	}
	var list []price
	for i, p := range processes {
		list = append(list, price{names[i], p.CPU(), float64(p.CPU()) / float64(b.hello.CPU())})
		fmt.Printf("%-35s %8.1f ms CPU, %6.1f x\n", names[i], float64(p.CPU())/1e6, list[i].ratio)
	}
	return list, nil
}
