package shell

import "mvdan.cc/sh/v3/syntax"

// surroundings are what stands around the command at hand.
type surroundings struct {
	src        source
	via        []string         // the shell's own commands that led to it
	exits      []*exits         // of the constructs around it, outermost first
	calls      []*activation    // those being interpreted, outermost first
	uncalled   string           // the function being read that nothing called
	reads      *syntax.Stmt     // all that the substitution at hand holds, where that is one statement
	piped      *syntax.Redirect // the first redirect of a command behind a pipe
	spawning   int              // pipelines and background jobs
	background int              // background jobs
	looping    int              // loops
	unrolled   int              // product of the iterations being unrolled
	depth      int              // statements
	scouting   bool             // a trial run of a loop's body
	erring     bool             // in a text that the line evaluates, and that an error of zsh's ends
	probing    bool             // a trial of what a handler may read
}

// inside interprets something in other surroundings.
func (r *run) inside(s surroundings, body func()) {
	saved := r.surroundings
	r.surroundings = s
	body()
	r.surroundings = saved
}

// through is inside for what one of the shell's own commands leads to.
func (s surroundings) through(via string) surroundings {
	s.via = append(s.via[:len(s.via):len(s.via)], via)
	return s
}
