package engine

import (
	"net/netip"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/policy"
)

// host judges a machine or an address that a command talks to.
func (j *judge) host(n *Node, u *match.Use) {
	n.Effects |= policy.Network
	n.Reach = max(n.Reach, policy.ReachNetwork)
	j.heard(n, u.Word)
	text, ok := u.Word.Const()
	if !ok {
		n.reason("shell.hole", policy.Ask, "Sends what is not known over the network: "+u.Word.String(), policy.Network, policy.ReachNetwork)
		text = u.Word.Prefix()
	}
	name := hostName(text)
	if name == "" {
		return
	}
	for g := range j.allGates() {
		for i := range g.Hosts {
			rule := &g.Hosts[i]
			if rule.Decision > policy.Allow && match.AnyGlob(rule.Globs, name) {
				n.ruled(rule.ID, rule.Decision, rule.Reason+": "+name, rule.File, rule.Line, rule.Effects, policy.ReachNetwork)
			}
		}
	}
}

// hostName is the machine that a URL or an address names, in lower case, with
// numeric spellings of an address written out: http://0xA9FEA9FE/ is
// 169.254.169.254.
func hostName(text string) string {
	if _, rest, ok := strings.Cut(text, "://"); ok {
		text = rest
	}
	text = strings.TrimPrefix(text, "//")
	if i := strings.IndexAny(text, "/?#\\"); i >= 0 {
		text = text[:i]
	}
	if i := strings.LastIndexByte(text, '@'); i >= 0 {
		text = text[i+1:]
	}
	text = strings.ToLower(text)
	if strings.HasPrefix(text, "[") {
		text, _, _ = strings.Cut(text[1:], "]")
		if addr, err := netip.ParseAddr(text); err == nil {
			return addr.Unmap().WithZone("").String()
		}
		return text
	}
	if strings.Count(text, ":") == 1 {
		text, _, _ = strings.Cut(text, ":")
	}
	text = strings.TrimSuffix(text, ".")
	if addr, err := netip.ParseAddr(text); err == nil {
		return addr.Unmap().WithZone("").String()
	}
	if addr, ok := looseIPv4(text); ok {
		return addr
	}
	return text
}

// looseIPv4 reads the forms that inet_aton(3) takes: one to four parts,
// decimal, octal or hexadecimal, the last one filling what is left.
func looseIPv4(text string) (string, bool) {
	parts := strings.Split(text, ".")
	if len(parts) > 4 {
		return "", false
	}
	var addr uint64
	for i, part := range parts {
		v, err := strconv.ParseUint(part, 0, 64)
		if err != nil || strings.ContainsAny(part, "_bBoO") && !strings.HasPrefix(part, "0x") {
			return "", false
		}
		if i < len(parts)-1 {
			if v > 255 {
				return "", false
			}
			addr |= v << (24 - 8*i)
			continue
		}
		if v >= 1<<(8*(4-i)) {
			return "", false
		}
		addr |= v
	}
	return netip.AddrFrom4([4]byte{byte(addr >> 24), byte(addr >> 16), byte(addr >> 8), byte(addr)}).String(), true
}
