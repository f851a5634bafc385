package trust

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A No is a user's refusal of an item in one state. It does not change what runs: an
// unapproved state does not run anyway, and earlier approvals stay valid. It is
// recorded so that the user is not asked again about the same bytes.
type No struct {
	Project, Name, Hash string
	Time                string // RFC 3339
}

// Nos are the recorded refusals.
type Nos []No

// maxNos bounds how many are kept; the oldest go.
const maxNos = 500

func refusedPath(state string) string { return filepath.Join(state, "refused.json") }

// ReadNos reads the refusals; an unreadable file has none.
func ReadNos(state string) Nos {
	b, err := statefile.Read(refusedPath(state))
	if err != nil {
		return nil
	}
	return parseNos(b)
}

func parseNos(b []byte) (list Nos) {
	if protocol.ValidValue(b) != nil {
		return nil
	}
	for _, raw := range protocol.ElementsOf(b) {
		o := protocol.ObjectOf(raw)
		list = append(list, No{o.Text("project"), o.Text("name"), o.Text("hash"), o.Text("time")})
	}
	return list
}

// When returns when the user refused an item of a project in that state, "" if never.
func (list Nos) When(project, name, hash string) string {
	for _, n := range list {
		if n.Project == project && n.Name == name && n.Hash == hash {
			return n.Time
		}
	}
	return ""
}

// WhenOf is When for the current state of a thing. A thing that was never refused is
// not read.
func (list Nos) WhenOf(ctx context.Context, project string, t Thing) string {
	about := func(n No) bool { return n.Project == project && n.Name == t.Name() }
	if !slices.ContainsFunc(list, about) {
		return ""
	}
	files, err := t.files(ctx, project, false)
	if err != nil {
		return ""
	}
	return list.When(project, t.Name(), treeHash(files))
}

// WhenOfSettings is WhenOf for the bytes of a project's hooks.toml.
func (list Nos) WhenOfSettings(project string, content []byte) string {
	return list.When(project, SettingsID, treeHash([]treeFile{settingsTree(content)}))
}

// Refuse records that the user refused items in the given states. An unreadable record
// is replaced by a new one.
func Refuse(state string, items Nos) error {
	return statefile.Update(refusedPath(state), wait, func(old []byte) ([]byte, error) {
		list := parseNos(old)
		for _, i := range items {
			list = slices.DeleteFunc(list, func(n No) bool { return n.Project == i.Project && n.Name == i.Name })
			list = append(list, i)
		}
		return list[max(0, len(list)-maxNos):].format(), nil
	})
}

func (list Nos) format() []byte {
	out := []byte{'['}
	for i, n := range list {
		if i > 0 {
			out = append(out, ",\n"...)
		}
		var o protocol.Object
		o.SetText("project", n.Project)
		o.SetText("name", n.Name)
		o.SetText("hash", n.Hash)
		o.SetText("time", n.Time)
		out = o.Append(out)
	}
	return append(out, "]\n"...)
}
