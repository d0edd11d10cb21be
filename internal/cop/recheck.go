package cop

import (
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/policy"
)

// recheck judges each target of a cleared answer by the rules: a model that
// calls a harmless effect on something that the rules guard is wrong about one
// of both.
func recheck(a *Answer, r *engine.Request, step Step, judge func(engine.Request) engine.Verdict) Outcome {
	for _, target := range a.Targets {
		command := probe(a.Effect, target, r.Home)
		if command == "" {
			continue
		}
		about := like(r, command)
		if step == Paths {
			about.Profile = r.Profile
		}
		v := judge(about)
		const grave = policy.Secret | policy.Persistence | policy.Privilege
		switch {
		case step == Paths && target.Kind == "path" && v.Decision > policy.Allow:
			return Failed.because("target", "it names a path outside the allowed directories")
		case step == Paths:
		case v.Decision == policy.Block:
			return Flag.because("target", "the rules block what it says is touched")
		case v.Decision == policy.Ask && v.Effects&grave != 0:
			return Failed.because("target", "what it says is touched is more than it says")
		}
	}
	return Outcome{Kind: Clear}
}

// probe is a command that does to a target what an effect says, in the plainest
// way; "" for a target that the rules have no table for.
func probe(effect string, t Target, home string) string {
	switch t.Kind {
	case "path":
		program := "cat -- "
		switch effect {
		case "write_workspace", "write_outside", "exec_downloaded":
			program = "tee -- "
		case "delete":
			program = "rm -- "
		}
		value := t.Value
		if rest, ok := strings.CutPrefix(value, "~/"); ok && home != "" {
			value = home + "/" + rest // as the shell would have it
		}
		return program + policy.Quote(value)
	case "host":
		if strings.ContainsAny(t.Value, " \t") {
			return ""
		}
		address := t.Value
		if !strings.Contains(address, "://") {
			address = "https://" + address + "/"
		}
		return "curl -- " + policy.Quote(address)
	}
	return ""
}
