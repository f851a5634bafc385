package web

import (
	"fmt"
	"strconv"
	"strings"
)

// numeric reports that readers of addresses take a host for an IPv4 number: its
// last part is one, decimal, octal or hexadecimal.
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

// parseIPv4 reads one to four numbers, of which the last one fills what the
// others leave, as inet_aton and all browsers do: 2130706433, 0x7f.1 and
// 0177.0.0.1 are all 127.0.0.1.
func parseIPv4(host string) (uint32, error) {
	parts := strings.Split(host, ".")
	bad := fmt.Errorf("the host %q is no IPv4 number", host)
	if len(parts) > 4 {
		return 0, bad
	}
	var n uint64
	for i, p := range parts {
		base := 10
		switch {
		case strings.HasPrefix(p, "0x"):
			p, base = p[2:], 16
			if p == "" {
				p = "0"
			}
		case len(p) > 1 && p[0] == '0':
			base = 8
		}
		v, err := strconv.ParseUint(p, base, 64)
		if err != nil {
			return 0, bad
		}
		if i < len(parts)-1 {
			if v > 255 {
				return 0, bad
			}
			n |= v << (8 * (3 - i))
			continue
		}
		if v >= 1<<(8*(5-len(parts))) {
			return 0, bad
		}
		n |= v
	}
	return uint32(n), nil
}

// notPublic are the IPv4 networks that are not of the public one, after the
// register of special addresses (RFC 6890 and its successors), and two metadata
// services that stand in none of them.
var notPublic = [...]struct {
	net  uint32
	bits int
	what string
}{
	{0, 8, "this network"}, {10 << 24, 8, "private"}, {100<<24 | 64<<16, 10, "shared"}, {127 << 24, 8, "loopback"},
	{169<<24 | 254<<16, 16, "link-local"}, {172<<24 | 16<<16, 12, "private"}, {192 << 24, 24, "special"},
	{192<<24 | 2<<8, 24, "documentation"}, {192<<24 | 88<<16 | 99<<8, 24, "relay"}, {192<<24 | 168<<16, 16, "private"},
	{198<<24 | 18<<16, 15, "benchmarks"}, {198<<24 | 51<<16 | 100<<8, 24, "documentation"}, {203<<24 | 113<<8, 24, "documentation"},
	{224 << 24, 4, "multicast"}, {240 << 24, 4, "reserved"}, {168<<24 | 63<<16 | 129<<8 | 16, 32, "metadata"},
}

func publicIPv4(n uint32) error {
	for _, p := range notPublic {
		if n>>(32-p.bits) == p.net>>(32-p.bits) {
			return fmt.Errorf("the host is not public: %s", p.what)
		}
	}
	return nil
}

// publicIPv6 allows global unicast addresses (2000::/3) that carry no IPv4
// number: what is inside of those may be anything.
func publicIPv6(host string) error {
	a, err := parseIPv6(host)
	switch {
	case err != nil:
		return err
	case a[0]>>13 != 1:
		return fmt.Errorf("the host %q is not public: no global unicast address", host)
	case a[0] == 0x2002, a[0] == 0x2001 && a[1] < 0x200, a[0] == 0x2001 && a[1] == 0xdb8, a[0] == 0x3fff && a[1] < 0x1000:
		return fmt.Errorf("the host %q is not public: a tunnel or a special address", host)
	}
	return nil
}

// parseIPv6 reads eight groups, a part of them left out once as "::", the last
// two perhaps as IPv4. A zone (%eth0) is an error.
func parseIPv6(host string) (a [8]uint16, err error) {
	bad := fmt.Errorf("the host %q is no IPv6 number", host)
	head, tail, short := strings.Cut(host, "::")
	front, ok1 := groups(head)
	back, ok2 := groups(tail)
	n := len(front) + len(back)
	if !ok1 || !ok2 || strings.Contains(tail, "::") || short && n > 7 || !short && n != 8 {
		return a, bad
	}
	copy(a[:], front)
	copy(a[8-len(back):], back)
	return a, nil
}

func groups(text string) (out []uint16, ok bool) {
	if text == "" {
		return nil, true
	}
	parts := strings.Split(text, ":")
	for i, p := range parts {
		if i == len(parts)-1 && strings.Contains(p, ".") {
			n, err := parseIPv4(p)
			if err != nil || strings.Count(p, ".") != 3 {
				return nil, false
			}
			return append(out, uint16(n>>16), uint16(n)), true
		}
		if len(p) > 4 || p == "" || p[0] == '+' || p[0] == '-' {
			return nil, false
		}
		v, err := strconv.ParseUint(p, 16, 16)
		if err != nil {
			return nil, false
		}
		out = append(out, uint16(v))
	}
	return out, true
}

// PublicIP reports whether a resolved number is one of the public network: four
// bytes or sixteen.
func PublicIP(ip []byte) bool {
	switch len(ip) {
	case 4:
		return publicIPv4(uint32(ip[0])<<24|uint32(ip[1])<<16|uint32(ip[2])<<8|uint32(ip[3])) == nil
	case 16:
		mapped := ip[10] == 0xff && ip[11] == 0xff
		for _, b := range ip[:10] {
			mapped = mapped && b == 0
		}
		if mapped {
			return PublicIP(ip[12:])
		}
		var text strings.Builder
		for i := 0; i < 16; i += 2 {
			if i > 0 {
				text.WriteByte(':')
			}
			text.WriteString(strconv.FormatUint(uint64(ip[i])<<8|uint64(ip[i+1]), 16))
		}
		return publicIPv6(text.String()) == nil
	}
	return false
}
