// Package examples has the example lines at the end of each command's help. Users copy
// them, so a test runs each one, in a home that has what it needs. They are in
// examples.txt, below the words of their command.
package examples

import (
	_ "embed"
	"strings"
)

//go:embed examples.txt
var file string

// Of are the examples of a command, by all of its words ("agents-hooks record on").
// An example that is too long for a line continues on the next, as in a shell.
func Of(command string) (lines []string) {
	for section := range strings.SplitSeq(file, "\n\n") {
		head, body, _ := strings.Cut(section, "\n")
		if head == "# "+command {
			body = strings.ReplaceAll(strings.TrimRight(body, "\n"), "\\\n", "\\\x00")
			for l := range strings.SplitSeq(body, "\n") {
				lines = append(lines, strings.ReplaceAll(l, "\x00", "\n"))
			}
			return lines
		}
	}
	return nil
}

// Commands are the commands that have examples.
func Commands() (list []string) {
	for line := range strings.Lines(file) {
		if command, ok := strings.CutPrefix(line, "# "); ok {
			list = append(list, strings.TrimSpace(command))
		}
	}
	return list
}
