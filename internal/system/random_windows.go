package system

import "crypto/rand"

// Random fills b with random bytes.
func Random(b []byte) error {
	_, err := rand.Read(b)
	return err
}
