package pagecache

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// addressMax is the maximal length of a URL.
const addressMax = 2048

// An Address is the URL of a page, parsed.
type Address struct {
	Scheme string // http or https
	Host   string // lower case, without a final dot; IPv6 without brackets
	Port   string // "" if it is the default
	Rest   string // path and query, at least "/"
	IP     bool   // the host is an IP address, not a name
}

// String is the URL in the form for storing: without the fragment, and the same for all
// spellings of one scheme, host and port.
func (a Address) String() string {
	host := a.Host
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if a.Port != "" {
		host += ":" + a.Port
	}
	return a.Scheme + "://" + host + a.Rest
}

// Public parses a URL, and returns an error unless anybody on the Internet could read
// it. It checks the parsed host, never parts of the text: http and https only, no
// user-info, no host that is loopback, private, link-local, unique-local, a cloud's
// metadata service or otherwise not public, however the address is written (one
// decimal, octal, hexadecimal, IPv4 in IPv6); no name that only a private network
// knows.
//
// It refuses what URL parsers interpret in different ways: blanks, control characters,
// backslashes, percent signs in a host.
//
// A public name may still lead to a private host: package client resolves it.
func Public(text string) (Address, error) {
	var a Address
	if len(text) > addressMax {
		return a, fmt.Errorf("an address of %d bytes, at most %d are looked at", len(text), addressMax)
	}
	for _, c := range text {
		if c <= ' ' || c == 0x7f || c == '\\' || c == '\ufffd' || c >= 0x80 && c <= 0xa0 {
			return a, fmt.Errorf("the address has %q in it", c)
		}
	}
	scheme, rest, ok := strings.Cut(text, "://")
	a.Scheme = strings.ToLower(scheme)
	if !ok || a.Scheme != "http" && a.Scheme != "https" {
		return a, errors.New("no http or https address")
	}
	rest, _, _ = strings.Cut(rest, "#")
	end := strings.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	authority := rest[:end]
	if a.Rest = rest[end:]; !strings.HasPrefix(a.Rest, "/") {
		a.Rest = "/" + a.Rest
	}
	if strings.Contains(authority, "@") {
		return a, errors.New("the address names a user")
	}
	host, err := a.port(authority)
	if err != nil {
		return a, err
	}
	if strings.HasPrefix(host, "[") {
		a.Host, a.IP = lower(host[1:len(host)-1]), true
		n, err := parseIPv6(a.Host)
		if err != nil {
			return a, err
		}
		if what, not := special(n); not {
			return a, fmt.Errorf("the host %q is not public: %s", a.Host, what)
		}
		a.Host = n.String()
		return a, nil
	}
	a.Host = lower(strings.TrimSuffix(host, "."))
	if numeric(a.Host) {
		a.IP = true
		n, err := parseIPv4(a.Host)
		if err != nil {
			return a, err
		}
		a.Host = n.String()
		if what, not := special(n); not {
			return a, fmt.Errorf("the host is not public: %s", what)
		}
		return a, nil
	}
	return a, publicName(a.Host)
}

// port splits the port from the host.
func (a *Address) port(authority string) (host string, err error) {
	host = authority
	if strings.HasPrefix(authority, "[") {
		end := strings.IndexByte(authority, ']')
		if end < 0 {
			return "", errors.New("a [ without its ]")
		}
		host = authority[:end+1]
	} else if i := strings.IndexByte(authority, ':'); i >= 0 {
		host = authority[:i]
	}
	port, colon := strings.CutPrefix(authority[len(host):], ":")
	if !colon && port != "" {
		return "", fmt.Errorf("%q after the host", port)
	}
	if port == "" {
		return host, nil
	}
	for _, c := range port {
		if c < '0' || c > '9' {
			return "", fmt.Errorf("the port %q", port)
		}
	}
	n, err := strconv.Atoi(port)
	if err != nil || n < 1 || n > 65535 {
		return "", fmt.Errorf("the port %q", port)
	}
	if a.Scheme == "http" && n != 80 || a.Scheme == "https" && n != 443 {
		a.Port = strconv.Itoa(n)
	}
	return host, nil
}

// lower is for ASCII only: other letters have their own rules in host names.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// private are endings of names that only a private network knows, or that are reserved
// and lead nowhere; and public names known to lead to the reader's own machine or to
// whatever address is written in them.
var private = [...]string{
	"localhost", "local", "internal", "intranet", "lan", "home", "corp", "private", "localdomain", "arpa",
	"test", "example", "invalid", "onion", "alt", "svc", "cluster", "workgroup", "docker", "consul",
	"metadata.goog", "ts.net",
	"localtest.me", "lvh.me", "vcap.me", "lacolhost.com", "localho.st", "nip.io", "sslip.io", "xip.io", "traefik.me",
}

// publicName refuses host names that are not public.
func publicName(host string) error {
	if host == "" || len(host) > 253 {
		return fmt.Errorf("the host %q", host)
	}
	labels := strings.Split(host, ".")
	if len(labels) < 2 {
		return fmt.Errorf("the host %q is a name of a private network", host)
	}
	for _, l := range labels {
		if l == "" || len(l) > 63 {
			return fmt.Errorf("the host %q", host)
		}
		// Punycode without any letter that needs it: some parsers take it for the plain
		// name.
		if strings.HasPrefix(l, "xn--") && strings.HasSuffix(l, "-") {
			return fmt.Errorf("the host %q", host)
		}
		for _, c := range l {
			if !nameRune(c) {
				return fmt.Errorf("the host %q has %q in it", host, c)
			}
		}
	}
	for _, end := range private {
		if host == end || strings.HasSuffix(host, "."+end) {
			return fmt.Errorf("the host %q is of a private network", host)
		}
	}
	return nil
}

// nameRune allows letters, digits, - and _, and letters of scripts that no resolver
// turns into ASCII. Full-width and circled letters, other dots and the like become
// ASCII: ｌｏｃａｌ would be local.
func nameRune(c rune) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-', c == '_':
		return true
	case c >= 'à' && c <= 'ÿ' && c != '÷', // Latin
		c >= 'α' && c <= 'ω', c >= 'а' && c <= 'я', // Greek, Cyrillic
		c >= 'א' && c <= 'ת', c >= 'ء' && c <= 'ي', // Hebrew, Arabic
		c >= 'ก' && c <= 'ฮ', c >= 'अ' && c <= 'ह', // Thai, Devanagari
		c >= 'ぁ' && c <= 'ゖ', c >= 'ァ' && c <= 'ヺ', c == 'ー', // Japanese
		c >= 0x4e00 && c <= 0x9fff, c >= 0xac00 && c <= 0xd7a3: // Chinese, Korean
		return true
	}
	return false
}
