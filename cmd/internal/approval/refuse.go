package approval

import (
	"fmt"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/trust"
)

// Refuse records that the user refused the pending items as they were shown: they are
// not asked again about the same bytes, not even by an event.
func Refuse(sh *shell.Shell, f Found) (names []string, err error) {
	if err := sh.OnlyPerson("trust"); err != nil {
		return nil, err
	}
	var list trust.Nos
	for _, i := range f.Pending() {
		list = append(list, trust.No{Project: i.Project, Name: i.Name, Hash: i.Hash, Time: sh.Host.Now().UTC().Format(time.RFC3339)})
		names = append(names, i.Name)
	}
	if err := trust.Refuse(sh.Host.State, list); err != nil {
		return nil, fmt.Errorf("trust: recording that it was refused: %w", err)
	}
	return names, nil
}
