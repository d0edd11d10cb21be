//go:build linux

package trap

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_AARCH64

// legacy are the calls that newer processors do not have.
func legacy() []row { return nil }
