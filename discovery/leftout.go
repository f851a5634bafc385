package discovery

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A LeftOut lists the agents in which a hook does not run.
type LeftOut struct {
	Agents []string `json:"agents"`
	Others bool     `json:"others"` // it runs only in these, instead of in all but these
	By     string   `json:"by"`     // a file:line, or a lock and its pack
	Name   string   `json:"-"`      // the name in the file: the hook's own, or PLUGIN/*; "" for a pack
}

// In reports whether the hook does not run in an agent.
func (o LeftOut) In(agent string) bool { return slices.Contains(o.Agents, agent) != o.Others }

// Text describes it in words.
func (o LeftOut) Text() string {
	if o.Others {
		return "only in " + strings.Join(o.Agents, ", ") + ": " + o.By
	}
	return "not in " + strings.Join(o.Agents, ", ") + ": " + o.By
}

// leftOut lists where a hook does not run: by settings that may touch it and name it or
// its plugin, and by the agents of its pack.
func (l *loader) leftOut(h *Hook, files []*settingsFile) (list []LeftOut) {
	for _, f := range files {
		for _, e := range f.except {
			if e.Name == h.Name || h.Plugin != "" && e.Name == h.Plugin+allOf {
				list = append(list, e)
			}
		}
	}
	if h.Layer == UserLayer && h.Plugin == "" && l.hasPins() {
		if u := l.lockOfUser(); u.err == nil {
			if p := u.lock.Folder(h.folder); p != nil && len(p.Agents) > 0 {
				list = append(list, LeftOut{Agents: p.Agents, Others: true, By: u.path + " (the pack " + p.Name + ")"})
			}
		}
	}
	return list
}

// allOf after the name of a plugin means all its hooks.
const allOf = "/*"

// excepts reads [[hooks.except]].
func (r *settingsReader) excepts(path string, v any) {
	for i, t := range r.tablesAt(path, v) {
		if t == nil {
			continue
		}
		entry := path + "[" + strconv.Itoa(i) + "]"
		for key := range t {
			if key != "name" && key != "agents" {
				r.unknown(entry+"."+key, "name", "agents")
			}
		}
		name, ok := r.name(entry, t)
		e := LeftOut{By: r.at(entry), Name: name}
		list, _ := t["agents"].([]any)
		for _, a := range list {
			if id, is := a.(string); is && protocol.ValidName(id) {
				e.Agents = append(e.Agents, id)
			}
		}
		switch {
		case t["agents"] == nil:
			r.problem(Error, entry, "", `write agents = ["…"]`, "names no agents and leaves the hook out of none")
		case len(e.Agents) == 0 || len(e.Agents) < len(list):
			r.want(entry+".agents", t["agents"], "a list of the ids of agents")
		case ok:
			r.except = append(r.except, e)
		}
	}
}
