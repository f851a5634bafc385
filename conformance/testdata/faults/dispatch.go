package dispatch

import (
	"bytes"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// fault reports whether this program is to be wrong in the way of that name.
func fault(name string) bool { return os.Getenv("AGENTS_HOOKS_FAULT") == name }

func faultWait(d time.Duration) time.Duration {
	if fault("waits-for-the-end-of-stdin") {
		d = time.Hour
	}
	return d
}

// faultIgnorePipes keeps a closed pipe from ending the program.
func faultIgnorePipes() {
	if fault("own-fault-blocks") {
		signal.Ignore(syscall.SIGPIPE)
	}
}

// faultLate is an answer that was not given yet.
var faultLate bytes.Buffer

// faultKept is what this process found before.
var faultKept = map[protocol.EventType]loaded{}

// faultKeep keeps what was found for an event, for the next one of its type.
func faultKeep(l loaded) loaded {
	if kept, ok := faultKept[l.event.Type]; ok && fault("stream-keeps-what-it-found") {
		kept.event = l.event
		return kept
	}
	faultKept[l.event.Type] = l
	return l
}

// faultBroken tells of every broken hook, whatever the event.
func (c call) faultBroken(ev *protocol.Event) []runner.Warning {
	if !fault("broken-told-everywhere") {
		return nil
	}
	var list []runner.Warning
	for _, h := range discovery.Load(c.host.Sources(), ev.WorkDir).Hooks {
		if h.Status == discovery.Broken {
			list = append(list, runner.Warning{Hook: h.Name, Kind: "broken", Text: "is broken"})
		}
	}
	return list
}
