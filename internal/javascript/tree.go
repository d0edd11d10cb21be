package javascript

// Program is what a text says. Places in it are offsets in bytes, which
// [Program.Line] makes lines of; that of a name that occurs more than once near
// by may be that of a mention before it, in a comment for example.
type Program struct {
	Body []Stmt

	// Module says that the text can be a module only: it imports, exports, or
	// awaits at its top.
	Module bool

	// Mentions is how often variables are named, where they are declared among that.
	Mentions map[string]int

	// Texts are what a text at run time may be made of: strings, what templates and
	// regular expressions say, keys that are given to objects and classes, and words
	// with an underscore. One may be there more than once.
	Texts []string

	lines []int // where lines begin
}

// Stmt is a statement, one of the types below.
type Stmt interface{ stmt() }

// Expr is an expression, one of the types below.
type Expr interface{ expr() }

// Pattern is what values are bound or assigned to: *Name, *Member,
// *ArrayPattern, *ObjectPattern.
type Pattern interface{ pattern() }

// Statements.
type (
	// Var declares: var a = 1, {b} = c
	Var struct {
		Kind string // var, let, const
		List []Declarator
	}
	// ExprStmt evaluates: f()
	ExprStmt struct{ X Expr }
	// Block is { ... }
	Block struct{ Body []Stmt }
	// If has a nil Else where there is none.
	If struct {
		Test Expr
		Then Stmt
		Else Stmt
	}
	// For is for (Init; Test; Step) Body; Init is a *Var, an *ExprStmt or nil.
	For struct {
		Init Stmt
		Test Expr
		Step Expr
		Body []Stmt
	}
	// ForEach is for (Kind Left of X) Body, or in instead of of; Kind is empty
	// where Left is assigned to and not declared.
	ForEach struct {
		Kind  string
		Left  Pattern
		Of    bool
		Await bool
		X     Expr
		Body  []Stmt
	}
	// While is while (Test) Body, and do Body while (Test).
	While struct {
		Test Expr
		Body Stmt
		Do   bool
	}
	// Switch is switch (X) { case Test: ... }
	Switch struct {
		X     Expr
		Cases []Case
	}
	// Return has a nil X where nothing is returned.
	Return struct{ X Expr }
	// Jump is break and continue, with a label or without.
	Jump struct {
		Continue bool
		Label    string
	}
	// Throw is throw X
	Throw struct{ X Expr }
	// Try has a nil Catch or Finally where there is none, and a nil Param
	// where what is caught has no name.
	Try struct {
		Body    []Stmt
		Param   Pattern
		Catch   *Block
		Finally *Block
	}
	// Label is Name: Body
	Label struct {
		Name string
		Body Stmt
	}
	// FunctionStmt declares a function.
	FunctionStmt struct{ F *Function }
	// ClassStmt declares a class.
	ClassStmt struct{ C *Class }
	// Import is import Default, * as All, {Names} from "Module"
	Import struct {
		At      int
		Module  string
		Default string // empty: none
		All     string // empty: none
		Names   []Alias
	}
	// Export is export with a declaration, an expression, names, or what
	// another module exports.
	Export struct {
		At      int
		Decl    Stmt    // nil: none
		Default Expr    // nil: none
		Names   []Alias // Name is what is exported; "*" stands for all
		Module  string  // empty: of this one
		From    bool    // of Module
	}
	// Debugger is the statement debugger.
	Debugger struct{}
)

// Declarator is one variable of a declaration; a nil Init leaves it undefined.
type Declarator struct {
	Target Pattern
	Init   Expr
}

// Case is a clause of a switch; a nil Test is default.
type Case struct {
	Test Expr
	Body []Stmt
}

// Alias is Name as Local; they are the same where nothing is renamed.
type Alias struct{ Name, Local string }

// Expressions.
type (
	// Name is an identifier; #name in `#name in x`.
	Name struct {
		At   int
		Name string
	}
	// String is a string literal's value.
	String struct {
		At    int
		Value string
	}
	// Number is a number's value.
	Number struct{ Value float64 }
	// BigInt is a big integer as it is written, with neither _ nor n.
	BigInt struct{ Digits string }
	// Bool is true or false.
	Bool struct{ Value bool }
	// Null is null.
	Null struct{}
	// Regexp is a regular expression.
	Regexp struct{ Pattern, Flags string }
	// Template is `text${X}text`: one text more than there are expressions.
	Template struct {
		At    int
		Tag   Expr // nil: none
		Texts []string
		Raw   []string // as they are written
		List  []Expr
	}
	// Array has nil items where nothing stands between commas.
	Array struct{ Items []Expr }
	// Object is an object literal.
	Object struct{ Props []Property }
	// Function is a function's expression or declaration, an arrow or a method.
	// The body of an arrow that is an expression is its return.
	Function struct {
		At        int
		Name      string // empty: none
		Params    []Param
		Body      []Stmt
		Arrow     bool
		Async     bool
		Generator bool
	}
	// Class is a class's expression or declaration.
	Class struct {
		Name    string // empty: none
		Extends Expr   // nil: nothing
		Members []ClassMember
	}
	// Unary is Op X: ! ~ + - typeof void delete
	Unary struct {
		Op string
		X  Expr
	}
	// Update is ++X, X--, ...
	Update struct {
		Op     string
		Target Pattern
		Prefix bool
	}
	// Binary is X Op Y, && || ?? among them.
	Binary struct {
		Op   string
		X, Y Expr
	}
	// Assign is Target Op Y: =, +=, ??=, ...
	Assign struct {
		Op     string
		Target Pattern
		Y      Expr
	}
	// Cond is Test ? Then : Else
	Cond struct{ Test, Then, Else Expr }
	// Call is F(Args); Optional is F?.(Args). F may be *Super.
	Call struct {
		At       int
		F        Expr
		Args     []Expr
		Optional bool
	}
	// New is new F(Args)
	New struct {
		At   int
		F    Expr
		Args []Expr
	}
	// Member is X.Name, or X[Index] where Index is not nil. Name begins with #
	// where it is private. X may be *Super.
	Member struct {
		At       int
		X        Expr
		Name     string
		Index    Expr
		Optional bool
	}
	// Spread is ...X, among arguments and items.
	Spread struct{ X Expr }
	// Sequence is (a, b)
	Sequence struct{ List []Expr }
	// Await is await X
	Await struct{ X Expr }
	// Yield is yield X, yield* X; a nil X gives undefined.
	Yield struct {
		X    Expr
		Each bool
	}
	// ImportCall is import(X)
	ImportCall struct {
		At   int
		Args []Expr
	}
	// This, Super, NewTarget and ImportMeta are this, super, new.target and
	// import.meta.
	This       struct{}
	Super      struct{}
	NewTarget  struct{}
	ImportMeta struct{}
)

// Property is one of an object literal: Key: Value, [Computed]: Value,
// ...Value, or a method, getter or setter.
type Property struct {
	Kind     string // "", get, set, method, spread
	Key      string
	Computed Expr // nil: Key
	Value    Expr
}

// ClassMember is a method, a field or a static block.
type ClassMember struct {
	Kind     string // method, get, set, field, block
	Static   bool
	Key      string // begins with # where it is private
	Computed Expr   // nil: Key
	Value    Expr   // *Function; a field's first value, nil if it has none
	Body     []Stmt // of a block
}

// Param is a parameter; a nil Default is none.
type Param struct {
	Target  Pattern
	Default Expr
	Rest    bool
}

// Patterns.
type (
	// ArrayPattern is [a, , b = 1, ...c]; an item that is left out has a nil Target.
	ArrayPattern struct{ Items []Param }
	// ObjectPattern is {a, b: c = 1, [d]: e, ...f}
	ObjectPattern struct{ Props []PatternProperty }
)

// PatternProperty is one property of a pattern; Computed is nil where it has a Key.
type PatternProperty struct {
	Key      string
	Computed Expr
	Param
}

func (*Var) stmt()          {}
func (*ExprStmt) stmt()     {}
func (*Block) stmt()        {}
func (*If) stmt()           {}
func (*For) stmt()          {}
func (*ForEach) stmt()      {}
func (*While) stmt()        {}
func (*Switch) stmt()       {}
func (*Return) stmt()       {}
func (*Jump) stmt()         {}
func (*Throw) stmt()        {}
func (*Try) stmt()          {}
func (*Label) stmt()        {}
func (*FunctionStmt) stmt() {}
func (*ClassStmt) stmt()    {}
func (*Import) stmt()       {}
func (*Export) stmt()       {}
func (*Debugger) stmt()     {}

func (*Name) expr()       {}
func (*String) expr()     {}
func (*Number) expr()     {}
func (*BigInt) expr()     {}
func (*Bool) expr()       {}
func (*Null) expr()       {}
func (*Regexp) expr()     {}
func (*Template) expr()   {}
func (*Array) expr()      {}
func (*Object) expr()     {}
func (*Function) expr()   {}
func (*Class) expr()      {}
func (*Unary) expr()      {}
func (*Update) expr()     {}
func (*Binary) expr()     {}
func (*Assign) expr()     {}
func (*Cond) expr()       {}
func (*Call) expr()       {}
func (*New) expr()        {}
func (*Member) expr()     {}
func (*Spread) expr()     {}
func (*Sequence) expr()   {}
func (*Await) expr()      {}
func (*Yield) expr()      {}
func (*ImportCall) expr() {}
func (*This) expr()       {}
func (*Super) expr()      {}
func (*NewTarget) expr()  {}
func (*ImportMeta) expr() {}

func (*Name) pattern()          {}
func (*Member) pattern()        {}
func (*ArrayPattern) pattern()  {}
func (*ObjectPattern) pattern() {}
