package discovery

import "testing"

func mkfifo(t testing.TB, _ string) { t.Fatal("there are no named pipes in folders here") }
