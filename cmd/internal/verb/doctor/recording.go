package doctor

import (
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/record"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// recording tells where events are being recorded.
func (d *doctor) recording() {
	all, err := record.Store{State: d.Host.State}.Projects()
	if err != nil {
		d.add("record", checkWarn, "", "recordings cannot be read: %v", err)
		return
	}
	kept, size := 0, int64(0)
	for _, p := range all {
		kept += len(p.Sessions)
		size += p.Bytes()
		if p.On {
			d.add("record", checkWarn, "agents-hooks record off --project "+d.Shown(p.Root), "what agents send in %s is being recorded, since %s: %s, %s",
				d.Short(p.Root), p.Since.Local().Format(time.DateTime), shell.Count(len(p.Sessions), "session"), shell.Size(p.Bytes()))
		}
	}
	if kept > 0 {
		d.add("record", checkOK, "", "recordings kept: %s, %s", shell.Count(kept, "session"), shell.Size(size))
	}
}
