//go:build unix

package system

import (
	"io"
	"os"
)

// Random fills b with random bytes. They are read from the system's device, for the
// library's way there would be part of every hook's start.
func Random(b []byte) error {
	f, err := os.Open("/dev/urandom")
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.ReadFull(f, b)
	return err
}
