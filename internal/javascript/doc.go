// Package javascript reads JavaScript: a text becomes a tree of what it says.
//
// The parser is github.com/tdewolff/parse/v2/js, which is made for minifying
// and takes more than there is: it does not ask whether a text is a script or
// a module, and accepts some that no engine does. The tree here is closed and
// is what Node 18 to 24 run. A text that means one thing as a script and
// another as a module, that hides a name behind an escape, or uses with, is an
// error. A text that no engine accepts may have a tree: nothing of it would
// ever run.
//
// Types (TypeScript) and JSX are errors, and so is what means something else
// where there are types.
//
// It knows nothing of what names mean.
package javascript
