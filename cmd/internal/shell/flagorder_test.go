package shell

import (
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

func TestFlagsFirst(t *testing.T) {
	t.Parallel()
	commands := []*cli.Command{
		{Name: "install", Flags: []cli.Flag{&cli.BoolFlag{Name: "dry-run"}, &cli.StringFlag{Name: "trust"}}},
		{Name: "memory", Aliases: []string{"mem"}, Subcommands: []*cli.Command{
			{Name: "save", Flags: []cli.Flag{&cli.IntFlag{Name: "last", Aliases: []string{"n"}}}},
		}},
	}
	for _, tc := range []struct{ name, args, want string }{
		{"nothing", "", ""},
		{"unknown command stays", "x a --b", "x a --b"},
		{"flag after an argument", "install codex --dry-run", "install --dry-run codex"},
		{"value of its own", "install codex --trust always gemini-cli", "install --trust always codex gemini-cli"},
		{"value inline", "install codex --trust=always", "install --trust=always codex"},
		{"value missing", "install codex --trust", "install --trust codex"},
		{"unknown flag", "install codex --nope", "install --nope codex"},
		{"help after arguments", "install codex --help", "install --help"},
		{"help of a subcommand", "mem save text -h", "mem save -h"},
		{"after -- nothing is a flag", "install a -- --dry-run", "install a -- --dry-run"},
		{"a lone dash is an argument", "install - --dry-run", "install --dry-run -"},
		{"subcommand, by alias, short flag", "mem save text -n 3", "mem save -n 3 text"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := strings.Join(flagsFirst(commands, strings.Fields(tc.args)), " "); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestPeopleTypeAsElsewhere(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{"help": "--help", "help list": "list --help", "help mem save": "mem save --help", "list help": "list help", "--version": "version", "-v --json": "version --json", "list -v": "list -v"} {
		if got := strings.Join(new(Shell).read(strings.Fields(args)), " "); got != want {
			t.Errorf("%s: got %q, want %q", args, got, want)
		}
	}
}
