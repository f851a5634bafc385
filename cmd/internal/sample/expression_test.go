package sample

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func TestExamplesMatchTheirExpression(t *testing.T) {
	for _, expression := range []string{
		`git push`, `^Shell$`, `rm\s+-rf\s+/`, `\.py$`, `(?i)drop table`, `a|b|c`, `^(npm|pnpm) (install|i)\b`,
		`[0-9]{4}-[0-9]{2}`, `x+y*z?`, `(?<!no-)verify`, `--force(?!-with-lease)`, `\bsudo\b`, `^[^ ]+@[^ ]+$`,
		`mcp__github__.*`, `(?<verb>push|pull)\s`, `日本`, `a{3}`,
	} {
		t.Run(fmt.Sprintf("expression %q", expression), func(t *testing.T) {
			found := false
			for _, s := range examples(expression) {
				ev := &protocol.Event{Type: protocol.PreToolCall, Call: &protocol.Call{Name: "Shell", Input: protocol.Object{{Name: "command", Value: protocol.Quote(s)}}}}
				found = found || matches(discovery.Matcher{Pattern: expression}, ev)
			}
			if !found {
				t.Errorf("%s: none of %q matches", expression, examples(expression))
			}
		})
	}
}

func TestExamplesGiveUp(t *testing.T) {
	for _, expression := range []string{`(a)\1`, `(`, `a{1000}{1000}{1000}`, `[^\x00-\x{10FFFF}]`} {
		t.Run(fmt.Sprintf("%q", expression), func(t *testing.T) {
			for _, s := range examples(expression) {
				if len(s) > 2*maxExample {
					t.Errorf("%s: an example of %d bytes", expression, len(s))
				}
			}
		})
	}
}

func TestWithoutLooks(t *testing.T) {
	for in, want := range map[string]string{
		`a(?=b)c`: `ac, b`, `(?!x(y)[)])z`: `z`, `\(?=`: `\(?=`, `(?<=a)(?<!b)c`: `(?:a)c`, `(?:a)`: `(?:a)`, `(?=`: ``, `(?>a|b)c`: `(?:a|b)c`,
	} {
		t.Run(fmt.Sprintf("%q", in), func(t *testing.T) {
			got, ahead := withoutLooks(in)
			if got = strings.Join(append([]string{got}, ahead...), ", "); got != want {
				t.Errorf("%s: %s, want %s", in, got, want)
			}
		})
	}
}
