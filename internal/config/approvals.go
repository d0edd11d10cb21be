package config

import (
	"time"

	"github.com/bashgate/bashgate/internal/ruleset"
)

// Approvals is what becomes of questions where nobody can be asked. The zero value
// is what holds without a table.
type Approvals struct {
	Off  bool          // they are denied, and wait for nobody
	Life time.Duration // how long they wait; 0 = approval.RequestLife
}

// How long a question may be told to wait.
const (
	shortestLife = 10 * time.Second
	longestLife  = 24 * time.Hour
)

type approvals struct {
	ruleset.Table
	Requests ruleset.Text `toml:"requests" takes:"on,off" default:"\"on\"" doc:"whether a question that reaches nobody waits for a person; off: it is a denial, and waits for nobody"`
	Life     ruleset.Text `toml:"life" default:"\"5m\"" doc:"how long it waits, from 10s to 24h"`
}

func (w *approvals) meaning(r reader) Approvals {
	r.check(w)
	a := Approvals{Off: w.Requests.Value == "off"}
	if w.Life.Value == "" {
		return a
	}
	life, err := time.ParseDuration(w.Life.Value)
	if err != nil || life < shortestLife || life > longestLife {
		r.fail(w.Life, "life is a time from 10s to 24h", `write it like "5m"`)
		return a
	}
	a.Life = life
	return a
}
