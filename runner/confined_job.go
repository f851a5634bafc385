package runner

import (
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// appendSandbox writes what a hook is held to, for the supervisor.
func appendSandbox(s *discovery.Sandbox) protocol.Raw {
	var o protocol.Object
	set := func(name string, on bool) {
		if on {
			o.Set(name, protocol.Raw("true"))
		}
	}
	set("network", s.Network)
	set("required", s.Required)
	set("no_state", s.NoState)
	set("no_temp", s.NoTemp)
	if s.Only != nil {
		o.Set("only", protocol.TextList(s.Only))
	}
	o.Set("read", protocol.TextList(s.Read))
	o.Set("write", protocol.TextList(s.Write))
	return o.Raw()
}

func parseSandbox(o protocol.Object) *discovery.Sandbox {
	s := &discovery.Sandbox{
		Network: o.Bool("network"), Required: o.Bool("required"), NoState: o.Bool("no_state"), NoTemp: o.Bool("no_temp"),
		Read: protocol.TextsOf(o.Get("read")), Write: protocol.TextsOf(o.Get("write")),
	}
	if o.Has("only") {
		s.Only = append([]string{}, protocol.TextsOf(o.Get("only"))...)
	}
	return s
}
