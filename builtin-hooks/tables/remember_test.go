package tables

import (
	"errors"
	"testing"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
)

// What went well is noted in memory only where the user has it on.
func TestNothingIsNotedWhereMemoryIsOff(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, on := range map[string]func(behaviour, dir string) bool{"nobody says": nil, "it is off": func(name, at string) bool { return name != "memory" || at != dir }} {
		t.Run(name, func(t *testing.T) {
			w := &builtinhooks.Runtime{Home: dir, Data: dir, Cache: dir, State: dir, On: on, Settings: func(string, string) map[string]any { return nil }}
			if err := Evolution(t.Context(), w, op.Call{Dir: dir}).Remember("x"); !errors.Is(err, errNoMemory) {
				t.Errorf("%v", err)
			}
		})
	}
}
