package approval

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

// A no is one that a person said to an item as it was then. It changes nothing about
// what runs: what nobody approved does not, and what was approved before stays so.
// It is kept so that nobody is asked again about the same bytes.
type no struct {
	Project string `json:"project"`
	Name    string `json:"name"`
	Hash    string `json:"hash"`
	Time    string `json:"time"`
}

// maxNos bounds how many are kept; the oldest go.
const maxNos = 500

// refusedWait is how long another process that writes the file is waited for.
const refusedWait = 5 * time.Second

func refusedFile(h host.Host) string { return filepath.Join(h.State, "refused.json") }

// nos are those that were said; of a file that cannot be read none.
func nos(h host.Host) (list []no) {
	b, err := statefile.Read(refusedFile(h))
	if err != nil || json.Unmarshal(b, &list) != nil {
		return nil
	}
	return list
}

// declined is when a person said no to an item as it is, "" if never.
func declined(list []no, i item) string {
	for _, n := range list {
		if n.Project == i.Project && n.Name == i.Name && n.Hash == i.Hash {
			return n.Time
		}
	}
	return ""
}

// Refuse keeps that a person said no to what is pending, as it was shown.
func Refuse(sh *shell.Shell, f Found) (names []string, err error) {
	if err := sh.OnlyPerson("trust"); err != nil {
		return nil, err
	}
	err = statefile.Update(refusedFile(sh.Host), refusedWait, func(old []byte) ([]byte, error) {
		var list []no
		_ = json.Unmarshal(old, &list) // one that cannot be read is begun anew
		names = nil
		for _, i := range f.Pending() {
			list = slices.DeleteFunc(list, func(n no) bool { return n.Project == i.Project && n.Name == i.Name })
			list = append(list, no{i.Project, i.Name, i.Hash, sh.Host.Now().UTC().Format(time.RFC3339)})
			names = append(names, i.Name)
		}
		if len(list) > maxNos {
			list = list[len(list)-maxNos:]
		}
		return json.Marshal(list)
	})
	if err != nil {
		return nil, fmt.Errorf("trust: keeping that it was refused: %w", err)
	}
	return names, nil
}
