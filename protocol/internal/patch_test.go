package internal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol/internal/patch"
)

func TestFilesOfAPatch(t *testing.T) {
	for text, want := range map[string]string{
		"": "",
		"*** Begin Patch\n*** Add File: a b.txt\n+x\n*** Update File: c\n*** Move to: d\n@@\n-*** Add File: no\n*** Delete File: e\n*** End Patch": "a b.txt|c|d|e",
		"  *** Update File:x  \r\n*** Update File: x\n*** Add File:\n*** Other File: y":                                                            "x",
	} {
		t.Run(fmt.Sprintf("%.80q", text), func(t *testing.T) {
			if got := strings.Join(patch.Files(text), "|"); got != want {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		})
	}
}
