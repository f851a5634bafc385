package web

import (
	"net/netip"
	"strings"
	"testing"
)

// EVO-22: what is public is told from the parsed host. The original dropped each
// address with "10." in it, and let IPv6 and 169.254 through.
func TestEVO22PublicAddresses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"http://example.com":                          "http://example.com/",
		"https://Example.COM/A?b=c#d":                 "https://example.com/A?b=c",
		"HTTPS://example.com:443/x":                   "https://example.com/x",
		"http://example.com:8080/x":                   "http://example.com:8080/x",
		"http://example.com:0080/":                    "http://example.com/",
		"https://example.com./":                       "https://example.com/",
		"https://go.dev/doc/go1.10.html":              "https://go.dev/doc/go1.10.html",
		"https://10.example.com/":                     "https://10.example.com/",
		"https://docs.example.org/v10.0/localhost":    "https://docs.example.org/v10.0/localhost",
		"https://example.com/?next=http://127.0.0.1/": "https://example.com/?next=http://127.0.0.1/",
		"https://example.com?u=a@b.c":                 "https://example.com/?u=a@b.c",
		"https://localhost.example.com/":              "https://localhost.example.com/",
		"https://mylocal.dev":                         "https://mylocal.dev/",
		"https://例子.中国/页":                             "https://例子.中国/页",
		"https://xn--fsqu00a.xn--fiqs8s/":             "https://xn--fsqu00a.xn--fiqs8s/",
		"https://8.8.8.8/":                            "https://8.8.8.8/",
		"https://134744072/":                          "https://8.8.8.8/",
		"https://172.15.0.1/":                         "https://172.15.0.1/",
		"https://172.32.0.1/":                         "https://172.32.0.1/",
		"https://100.63.255.255":                      "https://100.63.255.255/",
		"https://[2606:4700:4700::1111]:8443/x":       "https://[2606:4700:4700::1111]:8443/x",
		"https://1.1.1.1.example.com/":                "https://1.1.1.1.example.com/",
	} {
		a, err := Public(text)
		if err != nil || a.String() != want {
			t.Errorf("%s: %q, %v; want %q", text, a, err, want)
		}
		if again, err := Public(a.String()); err == nil && again.String() != a.String() {
			t.Errorf("%s: taken apart again it is %q", a, again)
		}
	}
}

// EVO-22: the adversarial table.
func TestEVO22PrivateAddresses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		// schemes
		"", "example.com", "//example.com", "ftp://example.com", "file:///etc/passwd", "javascript:alert(1)", "data:text/html,x",
		"gopher://example.com", "http:/example.com", "http:example.com", "view-source:http://example.com", "http://", "http:///x", "https://?q", "http://#",
		// loopback, in all spellings
		"http://localhost", "http://LOCALHOST:3000/x", "http://localhost.", "http://api.localhost", "http://127.0.0.1", "http://127.1", "http://127.0.1",
		"http://2130706433/", "http://0x7f000001", "http://0x7f.1", "http://0177.0.0.1", "http://017700000001", "http://127.000.000.001", "http://0X7F.0x0.0.0x1",
		"http://127.0.0.1.", "http://127.255.255.254", "http://0", "http://0.0.0.0", "http://0x", "http://00000000000000000000177.1",
		"http://[::1]", "http://[::]", "http://[0:0:0:0:0:0:0:1]:80/", "http://[::ffff:127.0.0.1]", "http://[::ffff:7f00:1]", "http://[0000:0000:0000:0000:0000:ffff:7f00:0001]",
		"http://[::127.0.0.1]", "http://[64:ff9b::127.0.0.1]", "http://[2002:7f00:1::]", "http://[2001:0:1:2:3:4:5:6]",
		// private, shared, link-local, unique-local
		"http://10.0.0.1", "http://10.1", "http://167772161", "http://172.16.0.1", "http://172.31.255.255", "http://192.168.1.1:8080", "http://192.168.257",
		"http://100.64.0.1", "http://169.254.1.1", "http://[fe80::1]", "http://[fe80::1%25eth0]", "http://[fe80::1%eth0]", "http://[fc00::1]", "http://[fd12:3456:789a::1]", "http://[fec0::1]", "http://[ff02::1]",
		"http://[::ffff:10.0.0.1]", "http://[::ffff:192.168.0.1]", "http://[::ffff:8.8.8.8]",
		// metadata
		"http://169.254.169.254/latest/meta-data/", "http://2852039166", "http://0xa9fea9fe", "http://0251.0376.0251.0376", "http://169.254.43518", "http://[fd00:ec2::254]",
		"http://[::ffff:169.254.169.254]", "http://metadata.google.internal/", "http://metadata.goog", "http://metadata", "http://100.100.100.200", "http://168.63.129.16", "http://instance-data.ec2.internal",
		// reserved
		"http://192.0.0.1", "http://192.0.2.1", "http://198.51.100.7", "http://203.0.113.9", "http://198.18.0.1", "http://192.88.99.1", "http://224.0.0.1", "http://255.255.255.255", "http://[2001:db8::1]", "http://[3fff::1]",
		// names
		"http://printer.local", "http://printer.LOCAL.", "http://db.internal", "http://intranet", "http://wiki/", "http://nas.lan", "http://router.home", "http://x.home.arpa", "http://git.corp", "http://a.localdomain",
		"http://x.test", "http://x.invalid", "http://x.example", "http://x.onion", "http://kubernetes.default.svc", "http://kubernetes.default.svc.cluster.local", "http://host.docker.internal", "http://1.0.0.127.in-addr.arpa",
		"http://127.0.0.1.nip.io", "http://10-0-0-1.sslip.io", "http://localtest.me", "http://a.lvh.me", "http://box.tail1234.ts.net",
		// user-info, and what readers understand in different ways
		"http://user@example.com", "http://user:pass@example.com", "http://@example.com", "http://example.com@127.0.0.1", "http://127.0.0.1@example.com", `http://example.com\@127.0.0.1`, `http:\\example.com`,
		"http://example.com\\.evil.test", "http://exa mple.com", "http://example.com\t", "http://exam\nple.com", "\u00a0http://example.com", "http://127.0.0.1\x00.example.com", "http://example.com%2f@127.0.0.1", "http://%6c%6f%63alhost", "http://127.0.0.1%23.example.com", "http://exam%00ple.com",
		"http://example..com", "http://.example.com", "http://example.com..", "http://example.com:", "http://example.com:0", "http://example.com:65536", "http://example.com:+80", "http://example.com:80:90", "http://example.com:８０", "http://[::1", "http://[::1]x", "http://[]", "http://[1]", "http://::1/",
		// letters that become ASCII
		"http://ｌｏｃａｌｈｏｓｔ", "http://１２７.０.０.１", "http://127。0。0。1", "http://ⓛocalhost", "http://db。internal", "http://printer.ｌocal", "http://①②⑦.0.0.1", "http://localhoſt.de", "http://ex\u00adample.com", "http://a\u200b.com",
		// numbers that are none
		"http://256.1.1.1", "http://1.2.3.4.5", "http://4294967296", "http://1.2.3.256", "http://0x7g.1", "http://09.1.1.1", "http://1.0x100000000", "http://a.b.1",
		"http://example.com/" + strings.Repeat("x", 3000),
	} {
		if text == "http://example.com:" {
			continue // an empty port is the scheme's own
		}
		if a, err := Public(text); err == nil {
			t.Errorf("%q is taken as public: %s", text, a)
		}
	}
}

// Our reader of IPv6 and the standard library's agree about what is a number,
// and what number it is.
func TestEVO22IPv6AsTheStandardLibraryReadsIt(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"::", "::1", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1::8", "::ffff:1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "fe80::1:0:0:1", "ABCD::ef01",
		"1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", ":::", ":1", "1:", "12345::", "g::", "1:2:3:4:5:6:7::8", "::1.2.3", "::1.2.3.4.5", "1.2.3.4", "::256.1.1.1", "", ":", "::1:", ":1::2", "::1.2.3.4:5"} {
		want, bad := netip.ParseAddr(text)
		if bad == nil && !want.Is6() {
			continue
		}
		got, err := parseIPv6(text)
		if (err == nil) != (bad == nil) {
			t.Errorf("%q: %v, the library says %v", text, err, bad)
			continue
		}
		if err == nil {
			b := want.As16()
			for i, g := range got {
				if g != uint16(b[2*i])<<8|uint16(b[2*i+1]) {
					t.Errorf("%q: %x, the library says %s", text, got, want.StringExpanded())
				}
			}
		}
	}
}

// EVO-22: whatever is called public, no resolver takes for a private number.
func FuzzEVO22Public(f *testing.F) {
	for _, s := range []string{"http://0x7f.1/", "https://[::ffff:1.2.3.4]/", "http://a.b:80/?x#y", "http://１.1.1.1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := Public(s)
		if err != nil {
			return
		}
		if n, err := netip.ParseAddr(a.Host); err == nil && (n.IsPrivate() || n.IsLoopback() || n.IsLinkLocalUnicast() || n.IsMulticast() || n.IsUnspecified() || n.Is4In6()) {
			t.Errorf("%q is taken as public", s)
		}
		if b, err := Public(a.String()); err != nil || b != a {
			t.Errorf("%q → %q, and that is %q, %v", s, a, b, err)
		}
	})
}

func TestEVO22ResolvedNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"8.8.8.8": true, "2606:4700::1": true, "::ffff:8.8.8.8": true, "10.0.0.1": false, "::ffff:10.0.0.1": false, "::1": false, "fd00::1": false, "fe80::1": false, "127.0.0.1": false, "169.254.169.254": false, "0.0.0.0": false, "64:ff9b::a00:1": false} {
		if got := PublicIP(netip.MustParseAddr(text).AsSlice()); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	if PublicIP(nil) || PublicIP([]byte{8}) {
		t.Error("nothing is public")
	}
}
