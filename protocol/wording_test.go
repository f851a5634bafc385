package protocol

import "testing"

// A hook's command goes into a tool in the tool's own shape, and what is no command
// stays as it was given.
func TestCommandTakesTheShapeOfTheTool(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, own, given, want string }{
		{"a line for a line", `"ls"`, `"ls -a"`, `"ls -a"`},
		{"a line for a list", `["ls"]`, `"ls -a"`, `["sh", "-c", "ls -a"]`},
		{"a line for a shell and its line", `["/bin/bash", "-lc", "ls"]`, `"ls -a"`, `["/bin/bash", "-lc", "ls -a"]`},
		{"a line for a shell with another option", `["bash", "-xc", "ls"]`, `"ls -a"`, `["sh", "-c", "ls -a"]`},
		{"a line for a shell without an option", `["bash", "c", "ls"]`, `"ls -a"`, `["sh", "-c", "ls -a"]`},
		{"a line for a shell that reads a file", `["bash", "-l", "ls"]`, `"ls -a"`, `["sh", "-c", "ls -a"]`},
		{"a line for a shell with arguments", `["bash", "-c", "ls", "x"]`, `"ls -a"`, `["sh", "-c", "ls -a"]`},
		{"a line for a program with -c", `["grep", "-c", "x"]`, `"ls -a"`, `["sh", "-c", "ls -a"]`},
		{"a list for a line", `"ls"`, `["ls", "a b", "it's", ""]`, `"ls 'a b' 'it'\\''s' ''"`},
		{"a shell and its line for a line", `"ls"`, `["sh", "-c", "ls | wc"]`, `"ls | wc"`},
		{"a list for a list", `["ls"]`, `["ls", "-a"]`, `["ls", "-a"]`},
		{"an empty list for a line", `"ls"`, `[]`, `[]`},
		{"a list of other things for a line", `"ls"`, `["ls", 1]`, `["ls", 1]`},
		{"a number", `["ls"]`, `1`, `1`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(inShape(Raw(c.own), Raw(c.given))); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
