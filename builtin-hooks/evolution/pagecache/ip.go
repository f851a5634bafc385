package pagecache

import (
	"cmp"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// numeric reports whether URL parsers take a host for an IPv4 address: its last part is
// a number, decimal, octal or hexadecimal.
func numeric(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	if last == "" {
		return false
	}
	if strings.HasPrefix(last, "0x") {
		return true
	}
	for i := range len(last) {
		if last[i] < '0' || last[i] > '9' {
			return false
		}
	}
	return true
}

// parseIPv4 reads one to four numbers, the last of which fills the remaining bytes,
// like inet_aton and all browsers: 2130706433, 0x7f.1 and 0177.0.0.1 are all 127.0.0.1.
// The standard library reads none of these.
func parseIPv4(host string) (netip.Addr, error) {
	parts := strings.Split(host, ".")
	bad := fmt.Errorf("the host %q is no IPv4 number", host)
	if len(parts) > 4 {
		return netip.Addr{}, bad
	}
	var n uint64
	for i, p := range parts {
		base := 10
		switch {
		case strings.HasPrefix(p, "0x"):
			p, base = p[2:], 16
			p = cmp.Or(p, "0")
		case len(p) > 1 && p[0] == '0':
			base = 8
		}
		v, err := strconv.ParseUint(p, base, 64)
		if err != nil {
			return netip.Addr{}, bad
		}
		if i < len(parts)-1 {
			if v > 255 {
				return netip.Addr{}, bad
			}
			n |= v << (8 * (3 - i))
			continue
		}
		if v >= 1<<(8*(5-len(parts))) {
			return netip.Addr{}, bad
		}
		n |= v
	}
	return netip.AddrFrom4([4]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}), nil
}

// parseIPv6 reads an address in brackets. One with a zone (%eth0) is meaningless to
// others.
func parseIPv6(host string) (netip.Addr, error) {
	a, err := netip.ParseAddr(host)
	if err != nil || !a.Is6() || a.Zone() != "" {
		return netip.Addr{}, fmt.Errorf("the host %q is no IPv6 number", host)
	}
	return a, nil
}

// notPublic are the networks that are not public, after the registries of special
// addresses (RFC 6890 and its successors), and two metadata services that these do not
// list. They are text, parsed when an address has to be judged: a table of prefixes
// would be built at the start of every event.
var notPublic = [...]struct{ network, what string }{
	{"0.0.0.0/8", "this network"}, {"10.0.0.0/8", "private"}, {"100.64.0.0/10", "shared"}, {"127.0.0.0/8", "loopback"},
	{"169.254.0.0/16", "link-local"}, {"172.16.0.0/12", "private"}, {"192.0.0.0/24", "special"},
	{"192.0.2.0/24", "documentation"}, {"192.88.99.0/24", "relay"}, {"192.168.0.0/16", "private"},
	{"198.18.0.0/15", "benchmarks"}, {"198.51.100.0/24", "documentation"}, {"203.0.113.0/24", "documentation"},
	{"224.0.0.0/4", "multicast"}, {"240.0.0.0/4", "reserved"}, {"168.63.129.16/32", "metadata"},
	{"2001::/23", tunnel}, {"2001:db8::/32", tunnel}, {"2002::/16", tunnel}, {"3fff::/20", tunnel},
	// All of IPv6 but 2000::/3. IPv4 addresses inside IPv6 are here: they may stand for
	// anything.
	{"::/3", notGlobal}, {"4000::/2", notGlobal}, {"8000::/1", notGlobal},
}

const (
	tunnel    = "a tunnel or a special address"
	notGlobal = "no global unicast address"
)

// special says what kind of address it is, if it is not public.
func special(a netip.Addr) (what string, ok bool) {
	for _, n := range notPublic {
		if netip.MustParsePrefix(n.network).Contains(a) {
			return n.what, true
		}
	}
	return "", false
}

// PublicIP reports whether a resolved address of four or sixteen bytes is public.
func PublicIP(ip []byte) bool {
	a, ok := netip.AddrFromSlice(ip)
	if !ok {
		return false
	}
	_, not := special(a.Unmap())
	return !not
}
