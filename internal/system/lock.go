package system

import (
	"errors"
	"os"
	"time"
)

// Lock locks an open file against others who lock it, which hinders nobody from
// reading or writing it. Where somebody else holds it, it tries again until
// patience is over, and then returns ErrLocked; 0 tries once. Closing the file, or
// the end of the process, unlocks it.
func Lock(f *os.File, mode Mode, patience time.Duration) error {
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		err := lock(f, mode)
		if err == nil || !errors.Is(err, ErrLocked) || !time.Now().Before(end) {
			return err
		}
	}
}
