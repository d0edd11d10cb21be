//go:build !race

package race

const On = false
