package match

import "slices"

// What follows names the fields of each type for a coder. A field that is missing
// here is lost in packed tables: the compiler of rule files tells, for it reads
// back what it has written.

func (x *coder) program(p *Program) {
	f := x.open()
	x.str(&p.Name)
	x.strs(&p.Aliases)
	x.str(&p.File)
	x.int(&p.Line)
	num(x, &p.Unknown)
	num(x, &p.Reach)
	x.flag(&p.Unsteered)
	x.flag(&p.Repository)
	x.strs(&p.Daemon)
	x.flag(&p.Project)
	x.flag(&p.ArgFiles)
	x.flag(&p.Abbreviate)
	x.flag(&p.Inherits)
	x.flag(&p.Own)
	num(x, &p.Refs)
	num(x, &p.Makes)
	x.flag(&p.Open)
	each(x, &p.Levels, (*coder).level)
	x.int(&p.Fixed)
	x.runs(&p.Runs)
	num(x, &p.Dashes)
	x.str(&p.Handler)
	x.rules(&p.Rules)
	each(x, &p.Facts, (*coder).rule)
	x.close(f)
}

func (x *coder) runs(r *Runs) {
	f := x.open()
	num(x, &r.Where)
	num(x, &r.Adds)
	x.strs(&r.Exact)
	x.strs(&r.Places)
	x.str(&r.Stdin)
	x.strs(&r.Instead)
	x.close(f)
}

func (x *coder) level(l *Level) {
	f := x.open()
	x.str(&l.Path)
	x.sharedTable(l)
	x.flag(&l.Risky)
	x.flag(&l.PathOnly)
	x.close(f)
}

func (x *coder) table(t *Table) {
	f := x.open()
	num(x, &t.Style)
	num(x, &t.Traits)
	x.flag(&t.Bare)
	x.strs(&t.Until)
	num(x, &t.Dashes)
	each(x, &t.Options, (*coder).option)
	each(x, &t.Operands, (*coder).operand)
	x.places(&t.Index)
	x.places(&t.Globs)
	x.close(f)
}

func (x *coder) option(o *Option) {
	f := x.open()
	x.str(&o.Spellings)
	pointer(x, &o.More, (*coder).more)
	num(x, &o.Arity)
	num(x, &o.Kind)
	x.close(f)
}

func (x *coder) more(m *More) {
	f := x.open()
	x.str(&m.Lang)
	each(x, &m.Cases, (*coder).valueKind)
	each(x, &m.Multi, (*coder).operand)
	x.close(f)
}

func (x *coder) valueKind(v *ValueKind) {
	f := x.open()
	x.strs(&v.Values)
	num(x, &v.Kind)
	x.str(&v.Lang)
	x.close(f)
}

func (x *coder) operand(o *Operand) {
	f := x.open()
	num(x, &o.Kind)
	x.str(&o.Lang)
	x.int(&o.Min)
	x.int(&o.Max)
	x.strs(&o.Values)
	x.str(&o.Default)
	x.flag(&o.Input)
	each(x, &o.With, (*coder).flagTest)
	x.close(f)
}

func (x *coder) flagTest(t *FlagTest) {
	f := x.open()
	x.str(&t.Spelling)
	x.strs(&t.Values)
	num(x, &t.Kind)
	x.str(&t.Lang)
	x.close(f)
}

func (x *coder) rule(r *Rule) {
	f := x.open()
	x.str(&r.ID)
	x.str(&r.Reason)
	x.origin(&r.Origin)
	x.conditions(&r.Conditions)
	x.strs(&r.Paths)
	each(x, &r.Operands, (*coder).operand)
	x.int(&r.Line)
	num(x, &r.Effects)
	num(x, &r.Decision)
	num(x, &r.Reach)
	x.flag(&r.HasOnly)
	x.flag(&r.HasOperands)
	x.flag(&r.AnyFlags)
	x.flag(&r.Acts)
	x.flag(&r.Otherwise)
	x.flag(&r.AcceptEdits)
	x.flag(&r.Irreversible)
	x.flag(&r.Unrecoverable)
	x.flag(&r.ByPlace)
	x.strs(&r.SecretIf)
	num(x, &r.Into)
	x.flag(&r.Named)
	num(x, &r.Prints)
	x.close(f)
}

// origin is one of those of the program, by its number.
func (x *coder) origin(p **Origin) {
	n := uint64(len(x.origins))
	if x.writing {
		n = uint64(slices.IndexFunc(x.origins, func(o *Origin) bool { return *o == **p }))
	}
	if x.number(&n); n < uint64(len(x.origins)) {
		*p = x.origins[n]
	} else {
		x.bad = true
	}
}

func (x *coder) conditions(p **Conditions) {
	if !x.has(*p != nil && !(*p).none()) {
		*p = &NoConditions
		return
	}
	if !x.writing {
		*p = new(Conditions)
	}
	c, f := *p, x.open()
	each(x, &c.Any, (*coder).flagTest)
	each(x, &c.All, (*coder).flagTest)
	each(x, &c.Unless, (*coder).flagTest)
	each(x, &c.Only, (*coder).flagTest)
	x.strs(&c.Args)
	x.strs(&c.Writes)
	x.str(&c.Task)
	pointer(x, &c.Bounds, (*coder).bounds)
	pointer(x, &c.Fact, (*coder).fact)
	x.close(f)
}

// none reports whether there are no conditions.
func (c *Conditions) none() bool {
	return c.Any == nil && c.All == nil && c.Unless == nil && c.Only == nil && c.Args == nil && c.Writes == nil && c.Task == "" && c.Bounds == nil && c.Fact == nil
}

func (x *coder) bounds(b *Bounds) {
	f := x.open()
	x.strs(&b.Lifts)
	x.strs(&b.Workspace)
	x.strs(&b.Remote)
	x.strs(&b.Branch)
	x.strs(&b.Wrappers)
	x.flag(&b.Unfed)
	x.flag(&b.Fed)
	x.strs(&b.Directory)
	x.close(f)
}

func (x *coder) fact(t *Fact) {
	f := x.open()
	x.strs(&t.Programs)
	num(x, &t.Ends)
	num(x, &t.Walks)
	x.flag(&t.Hushed)
	x.flag(&t.Named)
	x.flag(&t.Words)
	x.flag(&t.Alters)
	x.int(&t.Corruption)
	x.int(&t.Secret)
	x.strs(&t.Files)
	x.close(f)
}

// gate is all but the programs.
func (x *coder) gate(g *Gate) {
	f := x.open()
	x.str(&g.Name)
	x.str(&g.File)
	x.strs(&g.Copies)
	x.strs(&g.Workspaces)
	x.strs(&g.Origins)
	each(x, &g.Paths, (*coder).pathRule)
	each(x, &g.Hosts, (*coder).hostRule)
	each(x, &g.Env, (*coder).envRule)
	each(x, &g.Pipes, (*coder).pipeRule)
	each(x, &g.Tools, (*coder).toolRule)
	each(x, &g.Servers, (*coder).serverRule)
	each(x, &g.Sources, (*coder).sourceRule)
	each(x, &g.Shells, (*coder).shellRule)
	each(x, &g.Overrides, (*coder).override)
	x.str(&g.Code)
	pointer(x, &g.Profile, (*coder).profile)
	x.close(f)
}

func (x *coder) pathRule(r *PathRule) {
	f := x.open()
	x.str(&r.ID)
	x.str(&r.Place)
	x.strs(&r.Globs)
	num(x, &r.Read)
	num(x, &r.Write)
	num(x, &r.Delete)
	x.flag(&r.Tree)
	x.flag(&r.Own)
	x.flag(&r.Fixed)
	num(x, &r.Effects)
	x.int(&r.Corruption)
	x.int(&r.Secret)
	x.strs(&r.Lifts)
	x.str(&r.Reason)
	x.str(&r.File)
	x.int(&r.Line)
	x.close(f)
}

func (x *coder) hostRule(r *HostRule) {
	f := x.open()
	x.strs(&r.NotPorts)
	x.str(&r.ID)
	x.strs(&r.Globs)
	num(x, &r.Decision)
	x.flag(&r.Trusted)
	x.flag(&r.Known)
	x.flag(&r.Local)
	x.strs(&r.Lifts)
	num(x, &r.Effects)
	x.str(&r.Reason)
	x.str(&r.File)
	x.int(&r.Line)
	x.close(f)
}

func (x *coder) envRule(r *EnvRule) {
	f := x.open()
	each(x, &r.Names, (*coder).envName)
	num(x, &r.Set)
	num(x, &r.Unset)
	x.strs(&r.Steers)
	num(x, &r.Read)
	x.strs(&r.Untold)
	x.flag(&r.Project)
	x.flag(&r.Writes)
	x.strs(&r.Lifts)
	num(x, &r.Effects)
	x.str(&r.Reason)
	x.str(&r.File)
	x.int(&r.Line)
	x.close(f)
}

func (x *coder) envName(n *EnvName) {
	f := x.open()
	x.str(&n.Glob)
	x.strs(&n.Values)
	x.flag(&n.Places)
	x.close(f)
}

func (x *coder) override(o *Override) {
	f := x.open()
	x.strs(&o.IDs)
	x.strs(&o.Programs)
	x.str(&o.Reason)
	x.str(&o.File)
	x.int(&o.Line)
	x.close(f)
}

func (x *coder) pipeRule(r *PipeRule) {
	f := x.open()
	x.str(&r.ID)
	x.pipeEnd(&r.From)
	x.pipeEnd(&r.To)
	num(x, &r.Decision)
	num(x, &r.Effects)
	x.str(&r.Reason)
	x.str(&r.File)
	x.int(&r.Line)
	x.close(f)
}

func (x *coder) pipeEnd(e *PipeEnd) {
	f := x.open()
	x.strs(&e.Programs)
	num(x, &e.Effects)
	x.str(&e.Stdin)
	x.close(f)
}

func (x *coder) toolRule(r *ToolRule) {
	f := x.open()
	x.str(&r.ID)
	x.strs(&r.Names)
	x.strs(&r.Servers)
	x.strs(&r.Tools)
	each(x, &r.Args, (*coder).toolArg)
	x.flag(&r.Unknown)
	x.strs(&r.Own)
	num(x, &r.Decision)
	num(x, &r.Effects)
	num(x, &r.Reach)
	x.int(&r.Corruption)
	x.int(&r.Secret)
	num(x, &r.Walks)
	x.strs(&r.WalksWith)
	x.flag(&r.Sink)
	x.flag(&r.Dangerous)
	x.str(&r.Reason)
	x.str(&r.File)
	x.int(&r.Line)
	x.close(f)
}

func (x *coder) toolArg(a *ToolArg) {
	f := x.open()
	x.str(&a.Name)
	num(x, &a.Kind)
	x.str(&a.Lang)
	x.flag(&a.Optional)
	x.close(f)
}

func (x *coder) serverRule(r *ServerRule) {
	f := x.open()
	x.strs(&r.Names)
	x.flag(&r.PublicSource)
	x.flag(&r.SecretData)
	x.flag(&r.PublicSink)
	x.flag(&r.DangerousWrites)
	x.str(&r.File)
	x.int(&r.Line)
	x.close(f)
}

func (x *coder) sourceRule(r *SourceRule) {
	f := x.open()
	x.strs(&r.Rules)
	x.int(&r.Corruption)
	x.str(&r.File)
	x.int(&r.Line)
	x.close(f)
}

func (x *coder) shellRule(r *ShellRule) {
	f := x.open()
	x.str(&r.Agent)
	x.strs(&r.Names)
	x.strs(&r.Commands)
	x.strs(&r.Lines)
	x.strs(&r.Code)
	x.strs(&r.Words)
	x.strs(&r.Dirs)
	x.str(&r.Other)
	x.flag(&r.Typed)
	x.str(&r.File)
	x.int(&r.Line)
	x.close(f)
}

func (x *coder) profile(p *Profile) {
	f := x.open()
	x.str(&p.Name)
	x.str(&p.Extends)
	x.flag(&p.GrammarOnly)
	num(x, &p.Unlisted)
	num(x, &p.NotUnderstood)
	num(x, &p.StillAsks)
	num(x, &p.OutsideRead)
	num(x, &p.OutsideWrite)
	each(x, &p.Effects, (*coder).effectDecision)
	x.strs(&p.Lifts)
	x.strs(&p.Blocks)
	x.strs(&p.Families)
	x.str(&p.File)
	x.int(&p.Line)
	x.close(f)
}

func (x *coder) effectDecision(e *EffectDecision) {
	f := x.open()
	num(x, &e.Effect)
	num(x, &e.Decision)
	x.close(f)
}
