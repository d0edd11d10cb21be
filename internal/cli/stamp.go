package cli

// What internal/release says of the release it builds; "" in every other build,
// which Go itself tells the version of.
var (
	stampedVersion  string // "v0.1.0"
	stampedRevision string // the commit
)
