package server

import (
	"fmt"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A name that was pointed at the service by somebody else is not answered; the
// ways to write one's own all are.
func TestOnlyOwnNamesAreAnswered(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		listen      string
		names       []string
		yes, no     []string
		description string
	}{
		{"127.0.0.1:8787", nil,
			[]string{"127.0.0.1:8787", "127.0.0.1", "localhost", "LocalHost:8787", "localhost.", "[::1]:8787", "[::1]", "127.0.0.2:1", "[::ffff:127.0.0.1]:8787"},
			[]string{"", "evil.example", "evil.example:8787", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1", "localhost@evil.example", "[::]", "0.0.0.0:8787", "[fe80::1]", "127.1"},
			"of this machine only"},
		{":8787", []string{"Genes.Example.Com"},
			[]string{"genes.example.com", "genes.example.com.:8787", "10.0.0.1:8787", "[fd00::1]", "localhost:8787"},
			[]string{"evil.example", "genes.example.com.evil.example", "xgenes.example.com", ""},
			"of every address, and a name"},
		{"[::]:8787", nil, []string{"192.168.1.2", "[::1]"}, []string{"evil.example"}, "of every address, as IPv6 has it"},
		{"genes.lan:8787", nil, []string{"genes.lan:8787", "localhost"}, []string{"10.0.0.1", "lan"}, "of one name"},
		{"10.0.0.7:8787", []string{"fd00::7"}, []string{"10.0.0.7", "[FD00::7]:8787"}, []string{"10.0.0.8", "genes"}, "of one address and another"},
	} {
		t.Run(fmt.Sprintf("listen %q", tc.listen), func(t *testing.T) {
			h, err := HostsOf(tc.listen, tc.names)
			must.Do(t, err)
			for _, host := range tc.yes {
				if !h.answers(host) {
					t.Errorf("%s: %q is not answered", tc.description, host)
				}
			}
			for _, host := range tc.no {
				if h.answers(host) {
					t.Errorf("%s: %q is answered", tc.description, host)
				}
			}
		})
	}
	for _, name := range []string{"", "*.example.com", "https://genes.example.com", "genes.example.com:8787", "a b"} {
		t.Run(fmt.Sprintf("%q", name), func(t *testing.T) {
			if _, err := HostsOf(":8787", []string{name}); err == nil {
				t.Errorf("%q is taken for a name", name)
			}
		})
	}
}
