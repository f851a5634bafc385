package shell

import (
	"strings"
	"testing"
)

func TestPeopleTypeAsElsewhere(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{"help": "--help", "help list": "list --help", "help mem save": "mem save --help", "list help": "list help", "help help": "--help", "--help list": "list --help", "-h mem save": "mem save --help", "-h": "-h", "--version": "version", "-v --json": "version --json", "list -v": "list -v"} {
		t.Run(args, func(t *testing.T) {
			if got := strings.Join(new(Shell).read(strings.Fields(args)), " "); got != want {
				t.Errorf("%s: got %q, want %q", args, got, want)
			}
		})
	}
}
