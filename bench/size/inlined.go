package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
)

var inlining = regexp.MustCompile(`(?m): inlining call to (\S+)`)

// showInlined lists the functions that the compiler inlines into ours, the most
// frequent first.
func showInlined(w io.Writer, name string, top int) error {
	cmd := exec.Command("go", "build", "-tags", "nethttpomithttp2", "-gcflags", ours+"...=-m", "-o", os.DevNull, ours+"cmd/"+name)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("building %s: %w", name, err)
	}
	times := map[string]int{}
	for _, m := range inlining.FindAllSubmatch(out, -1) {
		times[string(m[1])]++
	}
	var names []string
	for f := range times {
		names = append(names, f)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(a, b)) })
	fmt.Fprintf(w, "%s\n%9s\n", name, "copies")
	for _, f := range names[:min(top, len(names))] {
		fmt.Fprintf(w, "%9d  %s\n", times[f], f)
	}
	return nil
}
