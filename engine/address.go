package engine

import (
	"strconv"
	"strings"
)

// hostAddress returns the one spelling of an IP address under which the rules
// know it, and reports false if the text is no address: IPv4 in four decimal
// parts, IPv6 as RFC 5952 has it without its zone, and an IPv4 address inside
// IPv6 (::ffff:10.0.0.1) as the IPv4 address that it is. net/netip would do,
// but what it does before main costs a tenth of a hook's time.
func hostAddress(text string) (string, bool) {
	if strings.Contains(text, ":") {
		text, _, _ = strings.Cut(text, "%")
		if groups, ok := ipv6(text); ok {
			return groups.String(), true
		}
		return "", false
	}
	if addr, ok := looseIPv4(text); ok {
		return dotted(addr), true
	}
	return "", false
}

// address6 is an IPv6 address, eight groups of 16 bits.
type address6 [8]uint16

// ipv6 reads an address as RFC 4291, section 2.2, writes them.
func ipv6(text string) (a address6, ok bool) {
	gap := -1 // the group before which :: stands
	n := 0
	if rest, found := strings.CutPrefix(text, "::"); found {
		gap, text = 0, rest
	}
	for text != "" {
		part, rest, more := strings.Cut(text, ":")
		if !more && strings.Contains(part, ".") {
			v4, ok := strictIPv4(part)
			if !ok || n > 6 {
				return a, false
			}
			a[n], a[n+1] = uint16(v4>>16), uint16(v4)
			n, text = n+2, ""
			break
		}
		v, err := strconv.ParseUint(part, 16, 16)
		if err != nil || len(part) > 4 || n > 7 {
			return a, false
		}
		a[n] = uint16(v)
		n++
		text = rest
		switch {
		case !more:
		case text == "":
			return a, false // ends with one colon
		case text[0] == ':':
			if gap >= 0 {
				return a, false
			}
			gap, text = n, text[1:]
		}
	}
	if gap < 0 {
		return a, n == 8
	}
	if n == 8 {
		return a, false
	}
	copy(a[8-n+gap:], a[gap:n])
	clear(a[gap : 8-n+gap])
	return a, true
}

// String writes the longest run of two and more zero groups, the first of
// equals, as "::".
func (a address6) String() string {
	if a[0]|a[1]|a[2]|a[3]|a[4] == 0 && a[5] == 0xffff {
		return dotted(uint32(a[6])<<16 | uint32(a[7]))
	}
	start, length := -1, 1
	for i := 0; i < len(a); i++ {
		j := i
		for j < len(a) && a[j] == 0 {
			j++
		}
		if j-i > length {
			start, length = i, j-i
		}
		i = max(i, j-1)
	}
	var b []byte
	for i := 0; i < len(a); i++ {
		if i == start {
			b = append(b, "::"...)
			i += length - 1
			continue
		}
		if i > 0 && i != start+length {
			b = append(b, ':')
		}
		b = strconv.AppendUint(b, uint64(a[i]), 16)
	}
	return string(b)
}

// strictIPv4 reads four decimal parts without leading zeros, the only form
// inside an IPv6 address.
func strictIPv4(text string) (addr uint32, ok bool) {
	if !startsWithDigit(text) {
		return 0, false
	}
	parts := strings.Split(text, ".")
	for _, part := range parts {
		v, err := strconv.ParseUint(part, 10, 8)
		if err != nil || len(part) > 1 && part[0] == '0' {
			return 0, false
		}
		addr = addr<<8 | uint32(v)
	}
	return addr, len(parts) == 4
}

// looseIPv4 reads the forms that inet_aton(3) takes: one to four parts,
// decimal, octal or hexadecimal, the last one filling what is left.
func looseIPv4(text string) (addr uint32, ok bool) {
	if !startsWithDigit(text) {
		return 0, false // most words, for which no list and no error is made
	}
	parts := strings.Split(text, ".")
	if len(parts) > 4 {
		return 0, false
	}
	for i, part := range parts {
		if part == "0x" {
			part = "0" // to browsers
		}
		v, err := strconv.ParseUint(part, 0, 64)
		if err != nil || strings.ContainsAny(part, "_bBoO") && !strings.HasPrefix(part, "0x") {
			return 0, false
		}
		if i < len(parts)-1 {
			if v > 255 {
				return 0, false
			}
			addr |= uint32(v) << (24 - 8*i)
			continue
		}
		if v >= 1<<(8*(4-i)) {
			return 0, false
		}
		addr |= uint32(v)
	}
	return addr, true
}

func startsWithDigit(text string) bool { return text != "" && '0' <= text[0] && text[0] <= '9' }

// dotted writes an IPv4 address in four decimal parts.
func dotted(addr uint32) string {
	var b []byte
	for shift := 24; shift >= 0; shift -= 8 {
		b = strconv.AppendUint(b, uint64(addr>>shift&255), 10)
		if shift > 0 {
			b = append(b, '.')
		}
	}
	return string(b)
}
