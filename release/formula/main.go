// Command formula prints Homebrew's formula of a release: its archives for macOS and
// Linux, with their sums.
//
//	go run ./formula DIST > agents-hooks.rb
package main

import (
	_ "embed"
	"fmt"
	"io"
	"os"
	"text/template"

	"github.com/agents-hooks/agents-hooks/release/sums"
)

//go:embed formula.rb
var text string

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: formula DIST")
		os.Exit(64)
	}
	if err := run(os.Args[1], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "formula:", err)
		os.Exit(1)
	}
}

func run(dist string, w io.Writer) error {
	list, err := sums.Archives(dist, "agents-hooks")
	if err != nil {
		return err
	}
	of := map[string]sums.Archive{}
	for _, a := range list {
		of[a.OS+"_"+a.Arch] = a
	}
	return template.Must(template.New("formula").Parse(text)).Execute(w, of)
}
