package internal_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/eventlog"
	"github.com/agents-hooks/agents-hooks/runner"
)

// Of a hook its reason and its warning are shown, once; its output only if it gave neither.
func TestWhatAHookSaidIsShownOnce(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		hook runner.LogHook
		want []string
	}{
		{runner.LogHook{}, nil},
		{runner.LogHook{Reason: "no pushing", Stderr: "no pushing"}, []string{"no pushing"}},
		{runner.LogHook{Reason: "no pushing", Warning: "too slow", Stdout: "x"}, []string{"no pushing", "too slow"}},
		{runner.LogHook{Reason: "no pushing: too slow", Warning: "too slow"}, []string{"no pushing: too slow"}},
		{runner.LogHook{Warning: "too slow", Stdout: "x"}, []string{"too slow"}},
		{runner.LogHook{Stdout: "x", Stderr: "y\nz"}, []string{"y"}},
		{runner.LogHook{Stdout: "x"}, []string{"x"}},
	} {
		t.Run(fmt.Sprintf("%q", tc.want), func(t *testing.T) {
			if got := eventlog.Said(tc.hook); !slices.Equal(got, tc.want) {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}
