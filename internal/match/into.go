package match

// Into says what a command puts into the directories that it writes.
type Into uint8

// What a command puts there. A wider one stands behind a narrower one.
const (
	IntoNothing  Into = iota
	IntoFiles         // what its other operands name, each by the last element of its name: cp a b d/
	IntoTrees         // the same, and directories with all that is in them: cp -r src d/
	IntoAnything      // whatever a file or another machine says: tar -x
)
