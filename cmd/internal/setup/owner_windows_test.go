package setup

import "testing"

func ownerOf(*testing.T, string) (uid, gid int) { return 0, 0 }
