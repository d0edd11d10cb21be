// Package javascript reads programs in JavaScript: it follows a text from its
// constants, as Node, Bun or Deno would run it, and reports what it reads, writes,
// fetches and runs.
//
// A variable is all that it ever stands for, and a parameter all that is ever
// passed for it: the text is gone through again and again until nothing is new.
// So order, branches and loops need no thought, and every statement counts, one
// that is not reached too. A function that somebody else may call, and one that
// nobody calls, is followed with arguments of which nothing is known. What no fact
// speaks of makes the text one that is not understood.
//
// What it finds counts for what is blocked. A text is allowed only if its tree alone
// shows the same: see sight.
package javascript
