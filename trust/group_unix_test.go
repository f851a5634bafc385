//go:build unix

package trust

import (
	"strings"
	"testing"
)

// A folder that a group may write to is a user's own where the group holds nobody else.
func TestGroupsThatHoldAUserAlone(t *testing.T) {
	t.Parallel()
	const accounts = "root:x:0:0:root:/root:/bin/sh\nada:x:1000:1000::/home/ada:/bin/sh\nada2:x:1000:1000::/:/bin/sh\nbob:x:1001:1001::/home/bob:/bin/sh\neve:x:1002:50::/:/bin/sh\nbroken\n"
	const group = "root:x:0:\nada:x:1000:\nbob:x:1001:ada\nstaff:x:50:\nboth:x:60:ada,ada2\nmany:x:61:ada,bob\nshort:x:62\n"
	for _, c := range []struct {
		name, gid string
		alone     bool
	}{
		{"their own, without members", "1000", true},
		{"one in which both names are theirs", "60", true},
		{"one with somebody else", "61", false},
		{"the first group of somebody else", "50", false},
		{"the first group of somebody else, with them in it", "1001", false},
		{"one that the lists do not have", "999", false},
		{"one that is no line of the list", "62", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := holdsAlone("1000", c.gid, strings.Split(accounts, "\n"), strings.Split(group, "\n")); got != c.alone {
				t.Errorf("alone: %v", got)
			}
		})
	}
}
