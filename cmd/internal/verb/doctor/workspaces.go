package doctor

import (
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/care"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// workspaces examines the files of workspaces, those of dir's project, and repairs them if
// requested.
func workspaces(h host.Host, dir string, fix bool) (list []check) {
	call := builtin.Call(h, dir)
	d := ops.At(builtin.Standalone(h), call)
	here := 0
	for _, e := range d.Place.At(call.Project) {
		if e.ProjectRoot == call.Project {
			here++
		}
	}
	for _, f := range care.Look(d.Place, call.Project, h.Now()) {
		list = append(list, cared(h, f, fix))
	}
	if list == nil && here > 0 {
		return rows("workspace", checkOK, "", "%s here, whole", text.Count(here, "workspace"))
	}
	return list
}

// cared is the row for a finding, which is repaired if requested.
func cared(h host.Host, f care.Finding, fix bool) check {
	status := checkWarn
	if f.Bad {
		status = checkError
	}
	switch {
	case !f.Mends():
		return row("workspace", status, f.Fix, "%s: %s", h.Short(f.Path), f.What)
	case !fix:
		return row("workspace", status, "agents-hooks doctor --fix", "%s: %s", h.Short(f.Path), f.What)
	}
	said, err := f.Mend()
	if err != nil {
		return row("workspace", checkError, "fix it by hand", "%s: %s; repairing it: %v", h.Short(f.Path), f.What, err)
	}
	return row("workspace", checkOK, "", "%s: %s", h.Short(f.Path), said)
}
