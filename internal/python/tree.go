package python

import "fmt"

// Position is where a node begins. A binary operation, a call, an attribute
// and the like begin where their left operand does; what is only put in
// parentheses begins inside them, and a tuple in parentheses with them.
type Position struct {
	Offset int32 // in bytes from the start of the text
	Line   int32 // from 1
	Col    int32 // in bytes, from 1
}

// Pos returns the position itself, so that a node has one.
func (p Position) Pos() Position { return p }

// SyntaxError says where a text cannot be read, and why. It is the only error
// of Parse. Python itself may be able to read the text: what its versions
// understand differently is refused too.
type SyntaxError struct {
	Position
	Msg string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Col, e.Msg) }

// Node is anything in the tree that has a position.
type Node interface{ Pos() Position }

// Stmt is a statement: a pointer to one of the structs of this file that
// embed statement.
type Stmt interface {
	Node
	stmt()
}

// Expr is an expression: a pointer to one of the structs of this file that
// embed expression.
type Expr interface {
	Node
	expr()
}

// Pattern is what stands behind case: a pointer to one of the Match* structs.
type Pattern interface {
	Node
	pattern()
}

type (
	statement  struct{ Position }
	expression struct{ Position }
	casing     struct{ Position }
)

func (*statement) stmt()  {}
func (*expression) expr() {}
func (*casing) pattern()  {}

// Module is a whole text.
type Module struct {
	Body  []Stmt
	Calls int32 // how many stand in it
}

// Statements. As in CPython's ast, but async def, async for and async with are
// their plain forms with Async set, except* is Try with Star, and an
// expression that stands alone is an ExprStmt.
type (
	FunctionDef struct {
		statement
		Async      bool
		Decorators []Expr
		Name       string
		TypeParams []TypeParam
		Args       Arguments
		Returns    Expr // nil if not given
		Body       []Stmt
	}

	ClassDef struct {
		statement
		Decorators []Expr
		Name       string
		TypeParams []TypeParam
		Bases      []Expr // some may be *Starred
		Keywords   []Keyword
		Body       []Stmt
	}

	// Return has a nil Value if it has none.
	Return struct {
		statement
		Value Expr
	}

	Delete struct {
		statement
		Targets []Expr
	}

	// a = b = value
	Assign struct {
		statement
		Targets []Expr
		Value   Expr
	}

	// target += value
	AugAssign struct {
		statement
		Target Expr
		Op     Operator
		Value  Expr
	}

	// target: annotation = value, whose Value may be nil. Simple is a name
	// that stands in no parentheses.
	AnnAssign struct {
		statement
		Target     Expr
		Annotation Expr
		Value      Expr
		Simple     bool
	}

	// type X[T] = value
	TypeAlias struct {
		statement
		Name       *Name
		TypeParams []TypeParam
		Value      Expr
	}

	For struct {
		statement
		Async  bool
		Target Expr
		Iter   Expr
		Body   []Stmt
		Orelse []Stmt
	}

	While struct {
		statement
		Test   Expr
		Body   []Stmt
		Orelse []Stmt
	}

	// If has an elif as the only statement of Orelse.
	If struct {
		statement
		Test   Expr
		Body   []Stmt
		Orelse []Stmt
	}

	With struct {
		statement
		Async bool
		Items []WithItem
		Body  []Stmt
	}

	Match struct {
		statement
		Subject Expr
		Cases   []MatchCase
	}

	// raise exc from cause; either may be nil.
	Raise struct {
		statement
		Exc   Expr
		Cause Expr
	}

	// Try is a try statement; with Star its handlers are except*.
	Try struct {
		statement
		Star      bool
		Body      []Stmt
		Handlers  []ExceptHandler
		Orelse    []Stmt
		Finalbody []Stmt
	}

	// Assert has a nil Msg if it has none.
	Assert struct {
		statement
		Test Expr
		Msg  Expr
	}

	Import struct {
		statement
		Names []Alias
	}

	// from ..module import names. Level counts the dots, Module may be empty
	// then, and * is a name.
	ImportFrom struct {
		statement
		Module string
		Names  []Alias
		Level  int
	}

	Global struct {
		statement
		Names []string
	}

	Nonlocal struct {
		statement
		Names []string
	}

	ExprStmt struct {
		statement
		Value Expr
	}

	Pass     struct{ statement }
	Break    struct{ statement }
	Continue struct{ statement }
)

// Expressions, as in CPython's ast. Whether a name is read, assigned or
// deleted is said by its place and not by a context of its own.
type (
	// BoolOp is And or Or, of two values and more.
	BoolOp struct {
		expression
		Op     Operator
		Values []Expr
	}

	// (target := value)
	NamedExpr struct {
		expression
		Target *Name
		Value  Expr
	}

	BinOp struct {
		expression
		Left  Expr
		Op    Operator
		Right Expr
	}

	// UnaryOp is Not, Invert, UAdd or USub.
	UnaryOp struct {
		expression
		Op      Operator
		Operand Expr
	}

	Lambda struct {
		expression
		Args Arguments
		Body Expr
	}

	// body if test else orelse
	IfExp struct {
		expression
		Test   Expr
		Body   Expr
		Orelse Expr
	}

	// Dict has a nil key where its value is unpacked: {**value}.
	Dict struct {
		expression
		Keys   []Expr
		Values []Expr
	}

	Set struct {
		expression
		Elts []Expr
	}

	ListComp struct {
		expression
		Elt        Expr
		Generators []Comprehension
	}

	SetComp struct {
		expression
		Elt        Expr
		Generators []Comprehension
	}

	DictComp struct {
		expression
		Key        Expr
		Value      Expr
		Generators []Comprehension
	}

	GeneratorExp struct {
		expression
		Elt        Expr
		Generators []Comprehension
	}

	Await struct {
		expression
		Value Expr
	}

	// Yield has a nil Value if it has none.
	Yield struct {
		expression
		Value Expr
	}

	YieldFrom struct {
		expression
		Value Expr
	}

	// left op comparator op comparator, as many of Ops as of Comparators.
	Compare struct {
		expression
		Left        Expr
		Ops         []Operator
		Comparators []Expr
	}

	// Call has arguments of the form *a as *Starred.
	Call struct {
		expression
		Index    int32 // from 0: another one for each call of the text
		Func     Expr
		Args     []Expr
		Keywords []Keyword
	}

	// JoinedStr is an f-string, or several strings side by side with an
	// f-string among them: each of Values is a *Constant of kind Str or a
	// *FormattedValue.
	JoinedStr struct {
		expression
		Values []Expr
	}

	// {value!conversion:spec} of an f-string. The text of {value=} is in the
	// constant before, and Conversion is what it then means.
	FormattedValue struct {
		expression
		Value      Expr
		Conversion byte       // 's', 'r', 'a', or 0
		FormatSpec *JoinedStr // nil if there is none
	}

	// TemplateStr is a t-string: each of Values is a *Constant of kind Str or
	// an *Interpolation.
	TemplateStr struct {
		expression
		Values []Expr
	}

	// {value!conversion:spec} of a t-string, and the text of value.
	Interpolation struct {
		expression
		Value      Expr
		Str        string
		Conversion byte       // 's', 'r', 'a', or 0
		FormatSpec *JoinedStr // nil if there is none
	}

	// Constant is a literal, and the strings that stand side by side are one.
	Constant struct {
		expression
		Kind ConstantKind
		// Text is the value.
		//
		// Str: the characters in UTF-8, a lone surrogate as the three bytes
		// that the error handler surrogatepass makes of it.
		// Bytes: the bytes.
		// Int: digits, perhaps behind 0x, 0o or 0b, as strconv.ParseInt and
		// big.Int read them with base 0; they may be very many.
		// Float: digits, as strconv.ParseFloat reads them.
		// Complex: the same, of its imaginary part.
		// Other kinds: empty.
		Text string
		// Unknown is a string in which characters are given by their names,
		// as in "\N{BULLET}": Text is not its value.
		Unknown bool
	}

	Attribute struct {
		expression
		Value Expr
		Attr  string
	}

	// Subscript has a *Slice, or a *Tuple with some among its elements, if it
	// is not an element but a part.
	Subscript struct {
		expression
		Value Expr
		Slice Expr
	}

	Starred struct {
		expression
		Value Expr
	}

	// Name is an identifier, in the form NFKC.
	Name struct {
		expression
		ID string
	}

	List struct {
		expression
		Elts []Expr
	}

	Tuple struct {
		expression
		Elts []Expr
	}

	// lower:upper:step, each of which may be nil.
	Slice struct {
		expression
		Lower Expr
		Upper Expr
		Step  Expr
	}
)

// Patterns, as in CPython's ast.
type (
	// case 1: or case a.b:
	MatchValue struct {
		casing
		Value Expr
	}

	// case None: or True or False.
	MatchSingleton struct {
		casing
		Value ConstantKind
	}

	MatchSequence struct {
		casing
		Patterns []Pattern
	}

	// case {key: pattern, **rest}: whose Rest may be empty.
	MatchMapping struct {
		casing
		Keys     []Expr
		Patterns []Pattern
		Rest     string
	}

	MatchClass struct {
		casing
		Cls         Expr
		Patterns    []Pattern
		KwdAttrs    []string
		KwdPatterns []Pattern
	}

	// MatchStar has an empty Name for *_.
	MatchStar struct {
		casing
		Name string
	}

	// pattern as name. Without Pattern it is a name alone, and without Name
	// it is _.
	MatchAs struct {
		casing
		Pattern Pattern
		Name    string
	}

	MatchOr struct {
		casing
		Patterns []Pattern
	}
)

// Parts of statements and expressions.
type (
	// Arguments are the parameters of a function.
	Arguments struct {
		PosOnly []Arg
		Args    []Arg
		Vararg  *Arg // nil if there is none
		KwOnly  []Arg
		Kwarg   *Arg // nil if there is none
	}

	// Arg is a parameter. Annotation and Default are nil if not given; the
	// annotation of a Vararg may be a *Starred.
	Arg struct {
		Position
		Name       string
		Annotation Expr
		Default    Expr
	}

	// name=value of a call, or **value with an empty Name.
	Keyword struct {
		Position
		Name  string
		Value Expr
	}

	// Alias is an imported name, with dots in Import, and AsName is empty if
	// it is known by its own.
	Alias struct {
		Position
		Name   string
		AsName string
	}

	// WithItem has nil Vars if it has no as.
	WithItem struct {
		Context Expr
		Vars    Expr
	}

	// ExceptHandler has a nil Type if it handles all, and an empty Name if it
	// has no as.
	ExceptHandler struct {
		Position
		Type Expr
		Name string
		Body []Stmt
	}

	// MatchCase has a nil Guard if it has no if.
	MatchCase struct {
		Pattern Pattern
		Guard   Expr
		Body    []Stmt
	}

	// for target in iter if a if b
	Comprehension struct {
		Async  bool
		Target Expr
		Iter   Expr
		Ifs    []Expr
	}

	// TypeParam is T: bound = default, *T or **T, by Kind.
	TypeParam struct {
		Position
		Kind    TypeParamKind
		Name    string
		Bound   Expr // nil if not given
		Default Expr // nil if not given
	}
)

// ConstantKind says what a constant is.
type ConstantKind uint8

const (
	None ConstantKind = iota
	True
	False
	Ellipsis
	Str
	Bytes
	Int
	Float
	Complex
)

// TypeParamKind says what a parameter of a type stands for.
type TypeParamKind uint8

const (
	TypeVar      TypeParamKind = iota // T
	TypeVarTuple                      // *T
	ParamSpec                         // **T
)
