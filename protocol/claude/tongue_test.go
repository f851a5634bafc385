package claude

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

var held = dialecttest.Mirror{Dialect: Dialect, Env: env, Kind: "captured", Events: 60}

func TestPayloadsComeBack(t *testing.T) { held.ComesBack(t) }

// AGENTS_HOOKS_UPDATE=1 go test ./protocol/claude -run TestPayloadsArePutTogether
func TestPayloadsArePutTogether(t *testing.T) { held.PutTogether(t) }
