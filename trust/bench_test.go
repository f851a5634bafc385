package trust

import (
	"fmt"
	"strings"
	"testing"
)

// What an event reads of a record with many approvals: which folders they are of.
func BenchmarkFolders(b *testing.B) {
	all := approvals{"/p": {}}
	for i := range 500 {
		name := fmt.Sprintf("hook-%04d", i)
		all["/p"][HookID(name)] = []approval{{hash: strings.Repeat("0a", hashLen/2), time: "2026-11-28T17:16:27Z", place: "/p", as: name}}
	}
	text := all.format()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		states, err := statesOf(text)
		r := Record{all: states}
		if len(r.Folders("/p", "")) != 500 {
			b.Fatal(err)
		}
	}
}
