package policy_test

import (
	"fmt"

	"github.com/bashgate/bashgate/policy"
)

// The strictest of two decisions is the larger one.
func ExampleDecision() {
	fmt.Println(max(policy.Allow, policy.Ask), max(policy.Block, policy.Ask))
	d, ok := policy.ParseDecision("block")
	fmt.Println(d == policy.Block, ok)
	// Output:
	// ask block
	// true true
}

// Of "src/$f" the start is known, and that it stays one word.
func ExampleWord() {
	w := policy.Word{Parts: []policy.Part{{Text: "src/"}, {Kind: policy.Hole, Text: "$f"}}}
	_, known := w.Const()
	fmt.Println(w, known, w.Prefix(), w.MayBeOption(), w.MaySplit())
	// Output: src/"$f" false src/ false false
}

// What others wrote is shown so that a terminal draws it as it is.
func ExampleVisible() {
	fmt.Println(policy.Visible("rm\u202e gnp.exe\x1b[2K"))
	// Output: rm\u202e gnp.exe\x1b[2K
}

func ExampleQuote() {
	fmt.Println(policy.Quote("it's"), policy.Quote("*.go"), policy.Quote("main.go"))
	// Output: 'it'\''s' '*.go' main.go
}
