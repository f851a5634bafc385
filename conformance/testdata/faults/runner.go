package runner

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// fault reports whether this program is to be wrong in the way of that name.
func fault(name string) bool { return os.Getenv("AGENTS_HOOKS_FAULT") == name }

// faultDue puts the hooks of an event into another order.
func faultDue(set *discovery.Set, t protocol.EventType) iter.Seq[*discovery.Hook] {
	orders := []string{"name-order-only", "priority-reversed", "ties-reversed", "ties-ignore-layers", "ties-by-folder", "unknown-trigger-is-silent"}
	if !slices.ContainsFunc(orders, fault) {
		return set.Due(t)
	}
	out := slices.Collect(set.Due(t))
	out = slices.DeleteFunc(out, func(h *discovery.Hook) bool { return h.Trigger == "" && fault("unknown-trigger-is-silent") })
	slices.SortStableFunc(out, func(a, b *discovery.Hook) int {
		name, tie := strings.Compare(a.Name, b.Name), a.Priority == b.Priority
		switch {
		case fault("name-order-only"):
			return name
		case fault("priority-reversed"):
			return cmp.Compare(a.Priority, b.Priority)
		case fault("ties-reversed") && tie && a.Layer == b.Layer:
			return -name
		case fault("ties-ignore-layers") && tie:
			return name
		case fault("ties-by-folder") && tie && a.Layer == b.Layer:
			return strings.Compare(a.Dir, b.Dir)
		}
		return 0
	})
	return slices.Values(out)
}

func faultAsync(async []Launch, ready []*discovery.Hook, ev *protocol.Event, blocked bool) []Launch {
	if blocked && fault("async-dropped-on-block") {
		return nil
	}
	for _, h := range ready {
		started := slices.ContainsFunc(async, func(l Launch) bool { return l.Hook == h })
		if blocked && h.Async && !started && fault("async-after-block") && h.Match(ev, &discovery.Budget{}, false).OK {
			async = append(async, Launch{Hook: h, Event: ev})
		}
	}
	if fault("async-sees-the-last-event") {
		for i := range async {
			async[i].Event = ev
		}
	}
	return async
}

// faultStdin spells an event in another way.
func faultStdin(b []byte) []byte {
	switch {
	case fault("compact-json"):
		return bytes.ReplaceAll(bytes.ReplaceAll(b, []byte(`": `), []byte(`":`)), []byte(`, "`), []byte(`,"`))
	case fault("html-escapes"):
		return []byte(strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`).Replace(string(b)))
	case fault("ascii-only"):
		var out []byte
		for _, r := range string(b) {
			if r > 0xffff {
				out = append(out, `\ud83d\ude00`...)
			} else if r > 0x7f {
				out = fmt.Appendf(out, `\u%04x`, r)
			} else {
				out = append(out, byte(r))
			}
		}
		return out
	case fault("no-final-newline"):
		return bytes.TrimSuffix(b, []byte("\n"))
	case fault("many-lines"):
		return bytes.ReplaceAll(b, []byte(`, "`), []byte(",\n \""))
	case fault("base-fields-last"):
		o, _ := protocol.ParseObject(b)
		o = append(o[min(5, len(o)):len(o):len(o)], o[:min(5, len(o))]...)
		return o.Append(nil)
	case fault("loses-unknown-fields"):
		o, _ := protocol.ParseObject(b)
		o = slices.DeleteFunc(o, func(m protocol.Member) bool { return m.Name == "novel" })
		return append(o.Append(nil), '\n')
	case fault("respells-numbers"):
		return bytes.ReplaceAll(bytes.ReplaceAll(b, []byte("1.50"), []byte("1.5")), []byte("1E5"), []byte("100000"))
	case fault("stdin-cut"):
		return b[:min(len(b), 64<<10)]
	}
	return b
}

func faultSource(h *discovery.Hook) string {
	if fault("source-is-the-project") {
		return filepath.Dir(h.Dir)
	}
	return h.Dir
}

func faultName(h *discovery.Hook) string {
	if fault("folder-is-the-name") {
		return filepath.Base(h.Dir)
	}
	return h.Name
}

func faultLimits(l Limits) Limits {
	switch {
	case fault("no-limit-a-session"):
		l.Total = 1000
	case fault("agent-limit-ignored"):
		l.Agent = 0
	case fault("stop-limit-ignored"):
		l.Row = 5
	}
	return l
}

// faultBroken are the broken hooks that an event is told of.
func faultBroken(set *discovery.Set, t protocol.EventType) []*discovery.Hook {
	var out []*discovery.Hook
	for _, h := range set.Broken(t) {
		if h.Trigger.Known() || !fault("unknown-trigger-is-silent") {
			out = append(out, h)
		}
	}
	return out
}
