package memory

import (
	"time"

	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// UnsentName is the member of an earlier version of a fact that the room never had: when another
// machine's version took its place.
const UnsentName = "unsent"

// Overridden is what a fact said here until the person's later edit on another machine took its place,
// nil if there is none or somebody settled it since: edited the fact here, or confirmed it.
func Overridden(o protocol.Object) (was protocol.Object) {
	list := protocol.ElementsOf(o.Get("earlier"))
	if len(list) == 0 || o.Has("deleted_at") {
		return nil
	}
	was = protocol.ObjectOf(list[len(list)-1])
	at, err := time.Parse(time.RFC3339Nano, was.Text(UnsentName))
	confirmed, _ := time.Parse(time.RFC3339Nano, o.Text("confirmed_at"))
	if err != nil || was.Text("content") == o.Text("content") || !confirmed.Before(at) {
		return nil
	}
	return was
}

// Overridden are the ids of the facts of which that is so.
func (p Place) Overridden() (ids []string) {
	p.Waiting = false
	for _, file := range p.SharedFiles() {
		_ = p.linesWith(p.Path(file), func(line []byte) bool { return len(linesWith(line, unsentName)) > 0 }, func(o protocol.Object, _ ledger.Whose) {
			if Overridden(o) != nil {
				ids = append(ids, IDOf(o))
			}
		})
	}
	return ids
}

var unsentName = []byte(`"` + UnsentName + `"`)
