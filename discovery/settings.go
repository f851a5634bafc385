package discovery

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// Order is the order of the hooks of one event.
type Order string

const (
	OrderPriority Order = "priority" // priority over all layers
	OrderLayer    Order = "layer"    // system, user, project, built-in; priority inside each
)

// Settings are what hooks.toml files and the environment say, merged.
type Settings struct {
	Enabled       bool
	Debug         bool
	OnError       OnError
	Order         Order
	DenyJSON      bool // deny_json = "block"
	OnUnsupported protocol.Unsupported
	StopRow       int // most continuations in a row, stop_limit
	StopTotal     int // most continuations a session

	DefaultTimeout time.Duration // 0: the format's default
	DefaultAsync   bool

	// Builtin holds the [builtin.NAME] tables, merged key by key: values as
	// strings, int64, float64, bool or []any, as TOML gives them.
	Builtin map[string]map[string]any
}
