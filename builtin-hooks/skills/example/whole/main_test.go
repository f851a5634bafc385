package main

import (
	"os"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// The page shows this program whole: what compiles here is what a reader copies.
func TestThePageShowsAllOfIt(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/skills.md")
	must.Do(t, err)
	source, err := os.ReadFile("main.go")
	must.Do(t, err)
	unix := func(b []byte) string { return strings.ReplaceAll(string(b), "\r\n", "\n") }
	_, program, _ := strings.Cut(unix(source), "package main\n")
	if !strings.Contains(unix(page), "```go\npackage main\n"+program+"```\n") {
		t.Error("docs/skills.md has another program than main.go")
	}
}

func Example() {
	if err := os.Chdir(".."); err != nil { // where skills lie
		panic(err)
	}
	main()
	// Output:
	// stored careful/language
	// --- planning sees 4 messages
	// --- round sees 5 messages
	// --- round sees 8 messages
	// user      Why does the build fail?
	// user      Answer in short sentences.
	// assistant I read main.go.
	// tool      what read_file says of main.go
	// assistant main.go:3 wants a package.
}
