package gene

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// named are seeds whose steps have a destructive command by its name, and say when.
var named = map[string]bool{"seed_repair_database_in_use": true}

// Nothing else that comes with the program would be held, in any language.
func TestSeedsAreNotHeld(t *testing.T) {
	t.Parallel()
	list, err := Seeds()
	must.Do(t, err)
	for i := range list {
		if named[list[i].ID] || !slowtest.Part(i, 15) {
			continue
		}
		for _, f := range Screen(&list[i]) {
			t.Errorf("%s: %s", list[i].ID, f)
		}
	}
}
