package claude

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

var held = dialecttest.Mirror{Dialect: Dialect, Env: env, Kind: "captured", Events: 60,
	Renamed: map[string]string{"PreSkillShellCommand": "PreToolUse"}} // claude-code/17

func TestPayloadsComeBack(t *testing.T) { held.ComesBack(t) }

// go test ./protocol/claude -run TestPayloadsArePutTogether -update
func TestPayloadsArePutTogether(t *testing.T) { held.PutTogether(t) }
