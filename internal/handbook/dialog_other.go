//go:build !linux

package handbook

import "errors"

// Dialog is only there on Linux.
func (s *Stage) Dialog(string, func(string) string) (string, error) {
	return "", errors.ErrUnsupported
}
