package approval

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// moment is when something happened: by the clock, which may be set, and by how
// long the machine runs, which can't be.
type moment struct {
	at   time.Time
	boot string        // of the machine; "" where it is not known
	up   time.Duration // since then
}

func (s Store) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

func (s Store) moment() moment {
	boot, up := s.up()
	return moment{s.now(), boot, up}
}

// up tells since when the machine runs, for clocks that are set back.
func (s Store) up() (string, time.Duration) {
	if s.Up != nil {
		return s.Up()
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	text, more := os.ReadFile("/proc/uptime")
	seconds, _, _ := strings.Cut(string(text), " ")
	up, wrong := strconv.ParseFloat(seconds, 64)
	if err != nil || more != nil || wrong != nil {
		return "", 0
	}
	return strings.TrimSpace(string(boot)), time.Duration(up * float64(time.Second))
}

// within reports whether something happened no longer than life ago. Where the
// machine tells how long it runs, its clock may be set as it likes. What is from a
// time that has not come yet was not.
func (s Store) within(m moment, life time.Duration) bool {
	now := s.moment()
	age := now.at.Sub(m.at)
	switch {
	case now.boot != m.boot:
		return false
	case m.boot != "":
		age = now.up - m.up
	}
	return age >= 0 && age <= life
}
