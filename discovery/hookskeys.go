package discovery

import (
	"strconv"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// The following reads the tables of a hooks.toml, key by key.

func (r *settingsReader) root(t map[string]any) {
	for name, v := range t {
		switch name {
		case "hooks":
			r.hooks(r.tableAt(name, v))
		case "trust":
			r.trust(r.tableAt(name, v))
		case "builtin":
			r.builtins(r.tableAt(name, v))
		case "export":
			r.exports(r.tableAt(name, v))
		default:
			r.unknown(name, "hooks", "trust", "builtin", "export")
		}
	}
}

func (r *settingsReader) hooks(t map[string]any) {
	for name, v := range t {
		path := "hooks." + name
		switch name {
		case "enabled":
			if !r.notHere(path, SystemLayer, UserLayer) {
				r.enabled = r.boolean(path, v)
			}
		case "debug":
			if !r.notHere(path, SystemLayer, UserLayer) {
				r.debug = r.boolean(path, v)
			}
		case "log_changes":
			if !r.notHere(path, SystemLayer, UserLayer) {
				r.logChanges = r.boolean(path, v)
			}
		case "on_error":
			r.onError = typed[OnError](r.policy(path, v, "allow"))
		case "deny_json":
			s := r.policy(path, v, "warn")
			r.denyJSON = setting[bool]{s.ok, s.value == "block", s.at}
		case "on_unsupported":
			r.onUnsupported = typed[protocol.Unsupported](r.policy(path, v, "drop"))
		case "blocked_command":
			if !r.notHere(path, SystemLayer, UserLayer) {
				s := r.word(path, v, "replace", "block")
				r.plainBlock = setting[bool]{s.ok, s.value == "block", s.at}
			}
		case "shell":
			if !r.notHere(path, SystemLayer, UserLayer) {
				s := r.word(path, v, "own", "none")
				r.noShell = setting[bool]{s.ok, s.value == "none", s.at}
			}
		case "order":
			if !r.notHere(path, SystemLayer, UserLayer) {
				r.order = typed[Order](r.word(path, v, string(OrderPriority), string(OrderLayer)))
			}
		case "stop_limit":
			if !r.notHere(path, UserLayer) {
				r.stopLimit(path, v)
			}
		case "defaults":
			r.defaults(r.tableAt(path, v))
		case "disable":
			r.disable = r.names(path, v)
		case "except":
			r.excepts(path, v)
		case "lock":
			if !r.notHere(path, SystemLayer, UserLayer) {
				r.locks(path, v)
			}
		case "override":
			r.override(path, v)
		case "source":
			r.sources(path, v)
		default:
			r.unknown(path, "enabled", "debug", "log_changes", "on_error", "order", "deny_json", "on_unsupported", "blocked_command", "stop_limit",
				"shell", "defaults", "disable", "except", "override", "lock", "source")
		}
	}
}

// stopLimit reads a number, the most continuations in a row, or a table with row and
// total.
func (r *settingsReader) stopLimit(path string, v any) {
	t, ok := v.(map[string]any)
	if !ok {
		r.stopRow = r.number(path, v, 0, 1000)
		return
	}
	for name, v := range t {
		sub := path + "." + name
		switch name {
		case "row":
			r.stopRow = r.number(sub, v, 0, 1000)
		case "total":
			r.stopTotal = r.number(sub, v, 0, 1000)
		default:
			r.unknown(sub, "row", "total")
		}
	}
}

func (r *settingsReader) defaults(t map[string]any) {
	for name, v := range t {
		path := "hooks.defaults." + name
		switch name {
		case "timeout":
			r.timeout = r.milliseconds(path, v)
		case "async":
			r.async = r.boolean(path, v)
		default:
			r.unknown(path, "timeout", "async")
		}
	}
}

// locks reads [[hooks.lock]]. If a name occurs twice, the stricter entry applies.
func (r *settingsReader) locks(path string, v any) {
	r.lock = map[string]lock{}
	for i, t := range r.tablesAt(path, v) {
		if t == nil {
			continue
		}
		entry := path + "[" + strconv.Itoa(i) + "]"
		k := lock{rank: r.layer.rank(), at: r.at(entry)}
		for key, v := range t {
			switch key {
			case "name":
			case "on_error":
				k.allow = r.policy(entry+"."+key, v, "allow").value == "allow"
			default:
				r.unknown(entry+"."+key, "name", "on_error")
			}
		}
		if name, ok := r.name(entry, t); ok {
			if have, twice := r.lock[name]; !twice || have.allow {
				r.lock[name] = k
			}
		}
	}
}

// names reads [[hooks.disable]].
func (r *settingsReader) names(path string, v any) map[string]string {
	out := map[string]string{}
	for i, t := range r.tablesAt(path, v) {
		if t == nil {
			continue
		}
		entry := path + "[" + strconv.Itoa(i) + "]"
		for key := range t {
			if key != "name" {
				r.unknown(entry+"."+key, "name")
			}
		}
		if name, ok := r.name(entry, t); ok {
			out[name] = r.at(entry)
		}
	}
	return out
}

// name is the name of a hook in an entry of one of the arrays.
func (r *settingsReader) name(entry string, t map[string]any) (string, bool) {
	v, ok := t["name"]
	if !ok {
		r.problem(Error, entry, "", `write name = "…"`, "names no hook")
		return "", false
	}
	name, ok := v.(string)
	if !ok || name == "" {
		r.want(entry+".name", v, "the name of a hook")
		return "", false
	}
	return name, true
}

func (r *settingsReader) override(path string, v any) {
	r.overrides = map[string]override{}
	for i, t := range r.tablesAt(path, v) {
		if t == nil {
			continue
		}
		entry := path + "[" + strconv.Itoa(i) + "]"
		var o override
		for key, v := range t {
			sub := entry + "." + key
			switch key {
			case "name":
			case "priority":
				o.priority = r.number(sub, v, 0, MaxPriority)
			case "timeout":
				o.timeout = r.milliseconds(sub, v)
			case "async":
				o.async = r.boolean(sub, v)
			case "on_error":
				o.onError = typed[OnError](r.policy(sub, v, "allow"))
			case "sandbox":
				o.sandbox = r.confined(sub, v)
			default:
				r.unknown(sub, "name", "priority", "timeout", "async", "on_error", "sandbox")
			}
		}
		if name, ok := r.name(entry, t); ok {
			last := r.overrides[name]
			r.overrides[name] = override{o.priority.or(last.priority), o.timeout.or(last.timeout), o.async.or(last.async), o.onError.or(last.onError), o.sandbox.or(last.sandbox)}
		}
	}
}

func (r *settingsReader) trust(t map[string]any) {
	for name, v := range t {
		path := "trust." + name
		switch {
		case name == "sandbox" || name == "sandbox_read" || name == "sandbox_write" || name == "sandbox_network" || name == "sandbox_env" || name == "sandbox_required":
			r.sandboxKey(name, path, v)
		case name != "project":
			r.unknown(path, "project", "sandbox", "sandbox_read", "sandbox_write", "sandbox_network", "sandbox_env", "sandbox_required")
		case !r.notHere(path, UserLayer):
			s := r.word(path, v, "ask", "always")
			r.trustAlways = setting[bool]{s.ok, s.value == "always", s.at}
		}
	}
}
