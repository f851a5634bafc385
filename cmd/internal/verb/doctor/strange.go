package doctor

import (
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/strange"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// shareWay is what to do about something strange that a newer version of ours does not know
// either.
const shareWay = "agents-hooks upgrade; if it is still so then, agents-hooks record --share FILE makes a file without paths and prompts, for an issue"

// strangeOf reports what an agent sent recently that we do not know, once for each kind.
func strangeOf(h host.Host, a *protocol.Dialect) (list []check) {
	_ = strange.Settle(h.State, []*protocol.Dialect{a}, h.Now()) // what cannot be counted now is counted later
	since := h.Now().AddDate(0, 0, -droppedDays)
	for _, r := range strange.Rows(h.State, a.ID) {
		n := r.Count(since)
		if n == 0 {
			continue
		}
		version := ""
		if r.Version != "" {
			version = " of version " + r.Version
		}
		list = append(list, row("strange", checkWarn, shareWay, "%s%s (%s since %s)", r.Sentence(), version, text.Count(n, "time"), r.First.Local().Format(time.DateOnly)))
	}
	return list
}
