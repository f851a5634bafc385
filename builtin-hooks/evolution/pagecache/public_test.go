package pagecache

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
)

// What is public is told from the parsed host. The original dropped each
// address with "10." in it, and let IPv6 and 169.254 through.
func TestPublicAddresses(t *testing.T) {
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
		"https://example.com/\u00a1":                  "https://example.com/\u00a1",
		"https://8.8.8.8/":                            "https://8.8.8.8/",
		"https://134744072/":                          "https://8.8.8.8/",
		"https://172.15.0.1/":                         "https://172.15.0.1/",
		"https://172.32.0.1/":                         "https://172.32.0.1/",
		"https://100.63.255.255":                      "https://100.63.255.255/",
		"https://[2606:4700:4700::1111]:8443/x":       "https://[2606:4700:4700::1111]:8443/x",
		"https://1.1.1.1.example.com/":                "https://1.1.1.1.example.com/",
		"https://[2606:4700:0:0::0:1]/":               "https://[2606:4700::1]/",
		"https://[2606:4700::102:304]/":               "https://[2606:4700::102:304]/",
		"https://example.com#@127.0.0.1@":             "https://example.com/",
		"https://xn--bcher-kva.example.org/":          "https://xn--bcher-kva.example.org/",
	} {
		t.Run(text, func(t *testing.T) {
			a, err := Public(text)
			if err != nil || a.String() != want {
				t.Errorf("%s: %q, %v; want %q", text, a, err, want)
			}
			if again, err := Public(a.String()); err == nil && again.String() != a.String() {
				t.Errorf("%s: taken apart again it is %q", a, again)
			}
		})
	}
}

// The adversarial table. EV-SHR-06.
func TestPrivateAddresses(t *testing.T) {
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
		"http://user@example.com", "http://user:pass@example.com", "http://@example.com", "http://example.com@127.0.0.1", "http://127.0.0.1@example.com", `http://example.com\@127.0.0.1`, `http:\\example.com`, `http://example.com/a\b`, "http://example.com/a\x7f", "http://example.com/\u0080", "http://example.com/\u00a0", "http://example.com/a b",
		"http://example.com\\.evil.test", "http://exa mple.com", "http://example.com\t", "http://exam\nple.com", "\u00a0http://example.com", "http://127.0.0.1\x00.example.com", "http://example.com%2f@127.0.0.1", "http://%6c%6f%63alhost", "http://127.0.0.1%23.example.com", "http://exam%00ple.com",
		"http://example..com", "http://.example.com", "http://example.com..", "http://example.com:", "http://example.com:0", "http://example.com:65536", "http://example.com:+80", "http://example.com:80:90", "http://example.com:８０", "http://[::1", "http://[::1]x", "http://[]", "http://[1]", "http://::1/",
		// letters that become ASCII
		"http://ｌｏｃａｌｈｏｓｔ", "http://１２７.０.０.１", "http://127。0。0。1", "http://ⓛocalhost", "http://db。internal", "http://printer.ｌocal", "http://①②⑦.0.0.1", "http://localhoſt.de", "http://ex\u00adample.com", "http://a\u200b.com",
		// numbers that are none
		"http://256.1.1.1", "http://1.2.3.4.5", "http://4294967296", "http://1.2.3.256", "http://0x7g.1", "http://09.1.1.1", "http://1.0x100000000", "http://a.b.1",
		"http://example.com/" + strings.Repeat("x", 3000),
	} {
		t.Run(fmt.Sprintf("%.80q", text), func(t *testing.T) {
			if text == "http://example.com:" {
				return // an empty port is the scheme's own
			}
			if a, err := Public(text); err == nil {
				t.Errorf("%q is taken as public: %s", text, a)
			}
		})
	}
}

// What stands in brackets is an IPv6 number as everybody reads it, and has one
// spelling afterwards.
func TestIPv6IsReadAsAll(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"::": "::", "::1": "::1", "1::": "1::", "1:2:3:4:5:6:7:8": "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::": "1:2:3:4:5:6:7:0", "::2:3:4:5:6:7:8": "0:2:3:4:5:6:7:8", "1::8": "1::8",
		"::ffff:1.2.3.4": "::ffff:1.2.3.4", "1:2:3:4:5:6:1.2.3.4": "1:2:3:4:5:6:102:304", "fe80::1:0:0:1": "fe80::1:0:0:1", "ABCD::ef01": "abcd::ef01", "2606:4700:0000::0001": "2606:4700::1",
		"1:2:3:4:5:6:7": "", "1:2:3:4:5:6:7:8:9": "", "1::2::3": "", ":::": "", ":1": "", "1:": "", "12345::": "", "g::": "", "1:2:3:4:5:6:7::8": "",
		"::1.2.3": "", "::1.2.3.4.5": "", "1.2.3.4": "", "::256.1.1.1": "", "": "", ":": "", "::1:": "", ":1::2": "", "::1.2.3.4:5": "", "::1.2.3.010": "", "::0x1.2.3.4": "", "fe80::1%eth0": "", "::1%": "", "+1::": "", "::-1": "", "1_0::": "",
	} {
		t.Run(fmt.Sprintf("text %q", text), func(t *testing.T) {
			a, err := parseIPv6(text)
			if (err == nil) != (want != "") || err == nil && a.String() != want {
				t.Errorf("%q: %q, %v; want %q", text, a, err, want)
			}
		})
	}
}

// More spellings of hosts that are nobody's business, and of hosts that two
// readers understand in two ways.
func TestSpellingsOfPrivateAddresses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		// octal, hexadecimal, short and mixed forms of one number
		"http://0x7F000001", "http://0x7f.0.0.1", "http://0x7f.0x1", "http://127.0x1", "http://0177.1", "http://0177.0x0.1", "http://00177.00.00.01", "http://127.00000000000000000000000000001", "http://0x0000000000000000000007f000001",
		"http://0300.0250.0.1", "http://0xc0.0xa8.0x1.0x1", "http://0xc0a80101", "http://3232235777", "http://030052000401", "http://192.168.0x101", "http://192.11010305", "http://012.1", "http://0xa.1", "http://012.0.0.1", "http://0x0a000001", "http://0xac.0x10.1", "http://2886729729", "http://0254.020.0.1", "http://0xa9.0xfe.0xa9.0xfe", "http://0251.254.169.0376", "http://0x64.0x40.1", "http://1681915905", "http://0x0", "http://00", "http://0.0", "http://000.000.000.000", "http://0xffffffff", "http://037777777777", "http://0xe0000001", "http://168.63.0x8110",
		// a dot, a port or nothing after it
		"http://10.0.0.1.", "http://0x7f.1.", "http://2130706433.", "http://192.168.1.1.:80", "http://localhost.:80", "http://127.0.0.1..", "http://127..1", "http://.127.0.0.1", "http://[::1].", "http://[::1]:", "http://[::1]:80", "http://[::1]:80.", "http://db.internal.:5432", "http://127.0.0.1:00080",
		// IPv6: zones, and IPv4 in it in every way there is
		"http://[2606:4700::1%25eth0]", "http://[2606:4700::1%eth0]", "http://[2606:4700::1%1]", "http://[2606:4700::1%25]", "http://[::1%25lo]", "http://[8.8.8.8]", "http://[127.0.0.1]", "http://[0x7f000001]", "http://[::ffff:0x7f.0.0.1]", "http://[::ffff:0177.0.0.1]", "http://[2606:4700::1.2.3.010]", "http://[2606:4700::0x1.2.3.4]",
		"http://[0:0:0:0:0:ffff:127.0.0.1]", "http://[::FFFF:A9FE:A9FE]", "http://[::ffff:0:127.0.0.1]", "http://[::ffff:0:7f00:1]", "http://[0::1]", "http://[::0001]", "http://[::0.0.0.1]", "http://[::a00:1]", "http://[64:ff9b::7f00:1]", "http://[64:ff9b::a9fe:a9fe]", "http://[64:ff9b:1::10.0.0.1]", "http://[64:ff9b:1:ffff::1]", "http://[2002:a00:1::1]", "http://[2002:c0a8:101::c0a8:101]", "http://[2002:a9fe:a9fe::]", "http://[2001::7f00:1]", "http://[2001:0:4136:e378:8000:63bf:80ff:fffe]", "http://[2001:1ff:ffff::]", "http://[2001:10::1]", "http://[2001:20::1]", "http://[2001:db8:ffff:ffff::1]", "http://[3fff:fff:ffff::1]", "http://[100::1]", "http://[5f00::1]", "http://[febf::1]", "http://[fdff::1]", "http://[fe80::5efe:10.0.0.1]", "http://[ff0e::1]", "http://[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]", "http://[4000::1]", "http://[1fff::1]",
		"http://[::1", "http://::1]", "http://[[::1]]", "http://[::1]]", "http://[::1]@example.com", "http://[:: 1]", "http://[::1]/[2606:4700::1]@", "http://[v1.fe80::a]", "http://[::1]evil.example.com",
		// letters and digits of other scripts, dots of other scripts
		"http://١٢٧.0.0.1", "http://१२७.०.०.१", "http://127.0.0.𝟏", "http://𝟭𝟮𝟳.0.0.1", "http://¹27.0.0.1", "http://②①⑥.1", "http://0ｘ7f.1", "http://127．0．0．1", "http://127｡0｡0｡1", "http://169。254。169。254", "http://ⅼocalhost", "http://ℓocalhost", "http://𝓁ocalhost.dev", "http://printer.ⓛⓞⓒⓐⓛ", "http://x.ｉｎｔｅｒｎａｌ", "http://metadata.ɢoog", "http://lo\u2060calhost", "http://a.lo\u034fcal", "http://x.xn--local-", "http://xn--localhost-.xn--local-", "http://xn--.com", "http://x.xn--internal-",
		// users, and what looks like one
		"http://:@127.0.0.1", "http://example.com:80@10.0.0.1", "http://example.com%40127.0.0.1", "http://a@b@example.com", "http://example.com@", "http://example.com:@127.0.0.1:80", "http://10.0.0.1#@example.com", "http://10.0.0.1?@example.com", "http://10.0.0.1/@example.com", "http://127.0.0.1;@example.com", "http://127.0.0.1,example.com", "http://127.0.0.1&example.com", "http://example.com%00.internal", "http://example.com%2einternal", "http://localhost%2e", "http://%31%32%37.0.0.1", "http://$HOME.example.com", "http://*.example.com", "http://exam_ple!.com",
		// schemes, as some read them
		"http:///127.0.0.1", "http:////127.0.0.1", "http:\\\\127.0.0.1", "https:127.0.0.1", "http//127.0.0.1", "hTTp://[::1]", "HTTPS://LOCALHOST", "jar:http://example.com!/", "blob:http://example.com/x", "ws://example.com", "http+unix://%2Fvar%2Frun/x", "dict://example.com", "http\u200b://example.com", " http://example.com", "http://example.com\u2028", "http://\ufeffexample.com", "http://\u202eexample.com",
		// names that lead to the reader's own network
		"http://app.127.0.0.1.nip.io", "http://7f000001.nip.io", "http://0a000001.sslip.io", "http://x.traefik.me", "http://LOCALTEST.ME.", "http://b.f.8.e.f.ip6.arpa", "http://host.containers.internal", "http://gateway.docker.internal", "http://consul.service.consul", "http://db.default.svc.cluster.local.", "http://metadata.goog.", "http://x.metadata.goog", "http://localhost.localdomain",
	} {
		t.Run(text, func(t *testing.T) {
			if a, err := Public(text); err == nil {
				t.Errorf("%q is taken as public: %s", text, a)
			}
		})
	}
}

// Every network in the table is refused from its first address to its last, and
// so is each address that the standard library calls special.
func TestNetworksThatAreNotPublic(t *testing.T) {
	t.Parallel()
	for _, n := range notPublic {
		t.Run(fmt.Sprintf("network %q", n.network), func(t *testing.T) {
			p := netip.MustParsePrefix(n.network)
			if p != p.Masked() {
				t.Errorf("%s is no network", n.network)
			}
			last := p.Addr().AsSlice()
			for i := p.Bits(); i < 8*len(last); i++ {
				last[i/8] |= 0x80 >> (i % 8)
			}
			if PublicIP(p.Addr().AsSlice()) || PublicIP(last) {
				t.Errorf("%s: the first or the last address is public", n.network)
			}
		})
	}
	for _, public := range []string{"1.0.0.0", "9.255.255.255", "11.0.0.0", "100.128.0.0", "126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255", "168.63.129.15", "168.63.129.17", "2000::", "2001:200::", "2001:db7:ffff::", "2001:db9::", "2001:ffff::", "2003::", "3ffe:ffff::", "3fff:1000::", "2606:4700:4700::1111"} {
		t.Run(fmt.Sprintf("public %q", public), func(t *testing.T) {
			if !PublicIP(netip.MustParseAddr(public).AsSlice()) {
				t.Errorf("%s is of the public network", public)
			}
		})
	}
}

// Whatever is called public, no resolver takes for a private number.
func FuzzPublic(f *testing.F) {
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

// EV-SHR-06.
func TestResolvedNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"8.8.8.8": true, "2606:4700::1": true, "::ffff:8.8.8.8": true, "10.0.0.1": false, "::ffff:10.0.0.1": false, "::1": false, "fd00::1": false, "fe80::1": false, "127.0.0.1": false, "169.254.169.254": false, "0.0.0.0": false, "64:ff9b::a00:1": false} {
		t.Run(fmt.Sprintf("text %q", text), func(t *testing.T) {
			if got := PublicIP(netip.MustParseAddr(text).AsSlice()); got != want {
				t.Errorf("%s: %v", text, got)
			}
		})
	}
	if PublicIP(nil) || PublicIP([]byte{8}) {
		t.Error("nothing is public")
	}
}
