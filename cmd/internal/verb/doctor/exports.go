package doctor

import (
	"fmt"
	"os"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/otlp"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// exports says where the run log is sent, and whether that works.
func exports(h host.Host, set *discovery.Set) (list []check) {
	e := set.Settings.Export
	if e == nil {
		return nil
	}
	address := otlp.Target{Address: e.OTLP}.Shown()
	to := shell.Plain(address)
	s, err := otlp.Look(h.State, address, h.Now())
	switch {
	case err != nil:
		list = rows("export", checkWarn, "", "to %s: how far it was sent cannot be read: %v", to, err)
	case s.Error != "":
		since := ""
		if s.FailingSince != nil {
			since = fmt.Sprintf(" (first %s)", ago(h.Now(), *s.FailingSince))
		}
		list = rows("export", checkWarn, "agents-hooks export --once tries now", "to %s, fails%s: %s; %s of the log wait", to, since, shell.Plain(s.Error), text.Count(s.Waiting, "line"))
	case s.LastOK == nil:
		list = rows("export", checkOK, "", "to %s, nothing sent yet", to)
	case s.Waiting > 0 && h.Now().Sub(*s.LastOK) > time.Hour:
		list = rows("export", checkWarn, "agents-hooks export --once", "to %s, the last time %s; %s of the log wait", to, ago(h.Now(), *s.LastOK), text.Count(s.Waiting, "line"))
	default:
		list = rows("export", checkOK, "", "to %s, the last time %s", to, ago(h.Now(), *s.LastOK))
	}
	if info, err := os.Stat(e.File); err == nil && len(e.Headers) > 0 && h.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		list = append(list, row("export", checkWarn, "chmod 600 "+h.Short(e.File), "%s has headers for the collector, and others can read it (%o)", h.Short(e.File), info.Mode().Perm()))
	}
	return list
}
