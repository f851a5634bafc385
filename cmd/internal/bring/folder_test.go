package bring

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// Whatever a command and a matcher consist of, the HOOK.md says the same, and knows
// that nobody has touched it.
func TestOddTextsStayWhatTheyAre(t *testing.T) {
	for i, text := range []string{
		"a", " a", "a ", "a\tb", "\ta", "a\n b\n\n  c", "a\n", "\n", "\na", "a\r\nb", "a \nb", "a\n---\nb", "---", "...", "# a", "a # b", "a: b", "- a", "| a", "> a", "%a", "@a", "`a`",
		"'", "''", `"`, `\`, `\n`, `a\`, "{{a}}", "[a", "null", "~", "true", "1e3", "0x1f", "!!str a", "&a", "*a",
		"a\u2028b", "a\u2029\nb", "a\u0085b", "a\u00a0b", "\ufeffa", "a\u202eb", "a\u200bb", "é🙂\nx", "\x1b[31m", "a\x7fb", "\ue000", "a\u0007b",
		"    written: \nx", "a\nwritten: \nb", "a\nwritten: '0'\nb", "  imported:\n    written: 'x'", strings.Repeat("x ", 4000), strings.Repeat("a\n", 50) + "b",
	} {
		if !slowtest.Part(i, 5) {
			continue
		}
		t.Run(fmt.Sprintf("%.80q", text), func(t *testing.T) {
			entry := "{" + string(protocol.Quote("command")) + ":" + string(protocol.Quote("true "+text)) + "}"
			row, hook := one(t, ".claude/settings.json", `{"hooks": {"Stop": [{"hooks": [`+entry+`]}]}}`)
			if row.Result == NotBrought {
				t.Errorf("%q: %s", text, row.Reason)
				return
			}
			h := discovery.ReadFolder(discovery.Sources{Tongues: agents.Tongues}, row.Folder, discovery.UserLayer)
			if h.Command.Line != "true "+text || h.Status == discovery.Broken {
				t.Errorf("%q came back as %q (%v)\n%s", text, h.Command.Line, h.Problems, hook)
			}
			if !untouched(hook) {
				t.Errorf("%q: touched", text)
			}
			words := []string{text, "a"}
			row, hook = one(t, ".claude/settings.json", `{"hooks": {"Stop": [{"hooks": [{"command": "true", "args": `+string(protocol.TextList(words))+`}]}]}}`)
			h = discovery.ReadFolder(discovery.Sources{Tongues: agents.Tongues}, row.Folder, discovery.UserLayer)
			if !slices.Equal(h.Command.Words, append([]string{"true"}, words...)) {
				t.Errorf("%q came back as %q\n%s", words, h.Command.Words, hook)
			}
			if filepath.Dir(row.Folder) == "" || len(h.Problems) > 0 {
				t.Errorf("%q: %v", text, h.Problems)
			}
		})
	}
}
