package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// What the runtime prints is read as it is; what a program prints beside it is
// left out.
func TestInitTraceIsRead(t *testing.T) {
	t.Parallel()
	run := func(yaml string) []start {
		list, err := readTrace("init runtime @0.1 ms, 0.002 ms clock, 0 bytes, 0 allocs\n" +
			"init said a program, not the runtime\nagents-hooks: hint\n" +
			"init gopkg.in/yaml%2ev3 @0.63 ms, " + yaml + " ms clock, 25736 bytes, 276 allocs\n")
		must.Do(t, err)
		return list
	}
	list, total := medians([][]start{run("0.09"), run("0.01"), run("0.05")})
	var out strings.Builder
	printInit(&out, list, total, run("0.01")[:1], start{"total", 2, 0, 0})
	want := []string{"gopkg.in/yaml.v3 50 25736 276 -", "runtime 2 0 0 2", "total 52 25736 276 2"}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")[1:]
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	if fmt.Sprint(lines) != fmt.Sprint(want) {
		t.Errorf("%q, want %q", lines, want)
	}
	if _, err := readTrace("init x @0.63 ms, much ms clock, 1 bytes, 1 allocs\n"); err == nil {
		t.Error("a line that cannot be read is passed over")
	}
}
