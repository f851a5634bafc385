package outside

import "testing"

// What a command in a HOOK.md runs outside its folder is reported, through other
// programs' variables too.
func TestCommandsOfAHOOKmd(t *testing.T) {
	dir := t.TempDir()
	vars := []string{"CLAUDE_PROJECT_DIR=$AGENTS_HOOKS_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT=$AGENTS_HOOKS_HOOK_DIR", "CLAUDE_ENV_FILE"}
	for line, outside := range map[string]bool{
		`"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh`: true,
		`sh $CLAUDE_PROJECT_DIR/x.sh`:                  true,
		`python3 "${CLAUDE_PROJECT_DIR}/x.py"`:         true,
		`sh "$CLAUDE_PLUGIN_ROOT"/x.sh`:                false,
		`"${CLAUDE_PLUGIN_ROOT}"/../x.sh`:              true,
		`sh "$AGENTS_HOOKS_HOOK_DIR"/x.sh`:             false,
		`jq -e .tool_name`:                             false,
		`./x.sh`:                                       true,
		`make check`:                                   true,
		`. "$CLAUDE_PROJECT_DIR"/env; exit 0`:          true,
	} {
		t.Run(line, func(t *testing.T) {
			refs := OfCommand(line, nil, dir, vars)
			if (len(refs) > 0) != outside {
				t.Errorf("%s: %+v", line, refs)
			}
		})
	}
	for _, line := range []string{`sh "$CLAUDE_PLUGIN_ROOT"/x.sh`, `"${CLAUDE_PLUGIN_ROOT}/x"`} {
		if refs := OfCommand(line, nil, dir, []string{"CLAUDE_PLUGIN_ROOT=/plugins/p"}); len(refs) == 0 {
			t.Errorf("%s of a plugin elsewhere: nothing is named", line)
		}
	}
	if refs := OfCommand("", []string{"python3", "${CLAUDE_PROJECT_DIR}/x.py"}, dir, vars); len(refs) == 0 {
		t.Error("words: nothing is named")
	}
}
