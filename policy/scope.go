package policy

// Scope is what a text that could not be read may have had an opinion about.
// The zero value is nothing.
type Scope struct {
	All      bool     // it can't be told: everything
	Programs []string // names, which may be globs
	About    Subjects
}

// Subjects is a set of what opinions can be about besides programs.
type Subjects uint8

// The subjects.
const (
	Places    Subjects = 1 << iota // any file that a command touches
	Variables                      // any variable that is set, or told
	Machines                       // whatever talks to the network
	Pipes                          // any output that becomes another command's input
	Tools                          // any of the agent's tools other than its shell
)

// None reports whether the scope is nothing.
func (s *Scope) None() bool { return !s.All && len(s.Programs) == 0 && s.About == 0 }

// Join adds another scope.
func (s *Scope) Join(o Scope) {
	s.All = s.All || o.All
	s.About |= o.About
	s.Name(o.Programs...)
}

// Name adds programs, each once.
func (s *Scope) Name(programs ...string) {
	for _, name := range programs {
		known := false
		for _, p := range s.Programs {
			known = known || p == name
		}
		if !known {
			s.Programs = append(s.Programs[:len(s.Programs):len(s.Programs)], name)
		}
	}
}
