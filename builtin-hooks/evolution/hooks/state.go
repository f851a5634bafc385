package hooks

import (
	"strconv"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/journal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// stateName is the name of a session's state:
//
//	pending  {gene, title, signals, failure, command, call, at}: the suggestion that was made last
//	last     {id, title, strategy}: the gene that was offered last
//	offered  {gene: at}     when a gene was offered last
//	asked    {failure: n}   at which count a strategy was last looked for
//	recalled {gene: true}   what was proven here and was named before anything failed
//	told     true           the agent was told once that there is none
//
// Times are milliseconds since 1970.
const stateName = "evolution"

func pendingOf(o protocol.Object) (p journal.Pending, ok bool) {
	m := o.Sub("pending")
	if m == nil {
		return p, false
	}
	p = journal.Pending{Gene: m.Text("gene"), Title: m.Text("title"), Failure: m.Text("failure"), Command: m.Text("command"), Call: m.Text("call"), At: moment(m.Get("at"))}
	for _, s := range protocol.ElementsOf(m.Get("signals")) {
		p.Signals = append(p.Signals, signal.Key(protocol.TextOf(s)))
	}
	return p, p.Gene != ""
}

func pendingRaw(p journal.Pending) protocol.Raw {
	var m protocol.Object
	m.SetText("gene", p.Gene)
	m.SetText("title", p.Title)
	m.Set("signals", protocol.TextList(texts(p.Signals)))
	m.SetText("failure", p.Failure)
	m.SetText("command", p.Command)
	m.SetText("call", p.Call)
	m.Set("at", milli(p.At))
	return m.Raw()
}

func milli(t time.Time) protocol.Raw { return strconv.AppendInt(nil, t.UnixMilli(), 10) }

func moment(raw protocol.Raw) time.Time {
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(n)
}

func texts(list []signal.Key) []string {
	out := make([]string, len(list))
	for i, k := range list {
		out[i] = string(k)
	}
	return out
}
