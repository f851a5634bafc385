package dispatch

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/discovery"
)

// options are the arguments of run. Nothing in them is an error: an argument
// that cannot be understood is a warning, because an agent must not be stopped
// by a stale entry in its configuration.
type options struct {
	agent     string
	event     string
	deadline  time.Duration
	config    string
	state     string
	trust     bool
	noProject bool
	warnings  []string
}

func parseArgs(args []string) options {
	var o options
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if !strings.HasPrefix(arg, "-") || arg == "-" {
			o.warn("argument %q is not understood, ignored", arg)
			continue
		}
		name, value, inline := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if name == "no-project" {
			o.noProject = true
			continue
		}
		if !takesValue(name) {
			o.warn("flag %q is not known, ignored", arg)
			continue
		}
		if !inline {
			if len(args) == 0 {
				o.warn("flag %q wants a value, ignored", arg)
				continue
			}
			value, args = args[0], args[1:]
		}
		o.set(name, value)
	}
	return o
}

func takesValue(name string) bool {
	switch name {
	case "agent", "event", "deadline", "config", "state", "trust":
		return true
	}
	return false
}

func (o *options) set(name, value string) {
	switch name {
	case "agent":
		o.agent = value
	case "event":
		o.event = value
	case "deadline":
		d, err := time.ParseDuration(value)
		if err != nil || d <= 0 {
			o.warn("--deadline %q is not a duration such as 5s, ignored", value)
			return
		}
		o.deadline = d
	case "config":
		o.config = o.dir(name, value)
	case "state":
		o.state = o.dir(name, value)
	case "trust":
		if value != "always" {
			o.warn("--trust %q is not \"always\", ignored", value)
			return
		}
		o.trust = true
	}
}

func (o *options) dir(name, value string) string {
	if !filepath.IsAbs(value) {
		o.warn("--%s %q is not an absolute path, ignored", name, value)
		return ""
	}
	return filepath.Clean(value)
}

func (o *options) warn(format string, args ...any) {
	o.warnings = append(o.warnings, sprintf(format, args...))
}

// sources are the places that hooks come from for this call. In agent form,
// whether the agent was named or told by its payload, the environment cannot
// grant trust, because a repository can set an agent's environment (RULINGS 2); a
// flag of the entry, or the user's file, can.
func (o *options) sources(h host.Host, specForm bool) discovery.Sources {
	src := h.Sources()
	if !specForm {
		src.TrustAlways = false
	}
	if o.trust {
		src.TrustAlways = true
	}
	if o.config != "" {
		src.User = o.config
	}
	if o.state != "" {
		src.State = o.state
	}
	src.NoProject = src.NoProject || o.noProject
	return src
}
