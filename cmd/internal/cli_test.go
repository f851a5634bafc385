package internal_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
)

// cliTold runs a command line, and says which command acted, with its flags and
// arguments; or what was wrong.
func cliTold(words ...string) (said string) {
	act := func(c *cli.Context) error {
		said = c.Command.FullName
		for _, f := range c.Command.Flags {
			name := f.Names()[0]
			if !c.IsSet(name) {
				continue
			}
			var v any
			switch f.(type) {
			case *cli.BoolFlag:
				v = c.Bool(name)
			case *cli.StringFlag:
				v = c.String(name)
			case *cli.IntFlag:
				v = c.Int(name)
			case *cli.Float64Flag:
				v = c.Float64(name)
			case *cli.DurationFlag:
				v = c.Duration(name)
			case *cli.StringSliceFlag:
				v = c.StringSlice(name)
			case *cli.ListFlag:
				v = c.List(name)
			}
			said += fmt.Sprintf(" %s=%v", name, v)
		}
		said += fmt.Sprintf(" %q", c.Args())
		return nil
	}
	root := &cli.Command{Name: "p", Action: act, Flags: []cli.Flag{&cli.StringFlag{Name: "store", Value: "here"}}, Subcommands: []*cli.Command{
		{Name: "install", Action: act, Flags: []cli.Flag{&cli.BoolFlag{Name: "dry-run"}, &cli.StringFlag{Name: "trust"}}},
		{Name: "run", Action: act, SkipFlagParsing: true},
		{Name: "memory", Aliases: []string{"mem"}, Action: act, Subcommands: []*cli.Command{
			{Name: "save", Action: act, Flags: []cli.Flag{
				&cli.IntFlag{Name: "last", Aliases: []string{"n"}, Value: 20}, &cli.Float64Flag{Name: "weight"}, &cli.DurationFlag{Name: "wait", Value: time.Second},
				&cli.StringSliceFlag{Name: "type"}, &cli.ListFlag{Name: "why", Aliases: []string{"because"}},
			}},
			{Name: "bare"},
		}},
	}}
	p := &cli.Program{
		Root: root, Starts: func(*cli.Context) {},
		Help: func(c *cli.Command) { said = "help of " + c.FullName },
		Misused: func(c *cli.Context, m *cli.Misuse) error {
			said = fmt.Sprintf("%s: %+v", c.Command.FullName, *m)
			return nil
		},
	}
	if err := p.Run(context.Background(), words); err != nil {
		return err.Error()
	}
	return said
}

func TestFlagsStandAnywhereBehindTheirCommand(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"":                                    `p []`,
		"--store x":                           `p store=x []`,
		"x a --b":                             `p ["x" "a" "--b"]`,
		"install codex --dry-run":             `p install dry-run=true ["codex"]`,
		"install -dry-run codex":              `p install dry-run=true ["codex"]`,
		"install --dry-run=false":             `p install dry-run=false []`,
		"install codex --trust always gemini": `p install trust=always ["codex" "gemini"]`,
		"install codex --trust=a=b":           `p install trust=a=b ["codex"]`,
		"install codex --trust= x":            `p install trust= ["codex" "x"]`,
		"install --trust --help":              `p install trust=--help []`,
		"install --trust -- codex":            `p install trust=-- ["codex"]`,
		"install -- --dry-run":                `p install ["--dry-run"]`,
		"install a -- --dry-run":              `p install ["a" "--" "--dry-run"]`,
		"install - --dry-run":                 `p install dry-run=true ["-"]`,
		"run a --help -- -x":                  `p run ["a" "--help" "--" "-x"]`,
		"mem save text -n 3":                  `p memory save last=3 ["text"]`,
		"memory save -n 0x10":                 `p memory save last=16 []`,
		"mem save --wait 2h --weight 1e3":     `p memory save weight=1000 wait=2h0m0s []`,
		"mem save --type a,b --type c":        `p memory save type=[a b c] []`,
		"mem save --why a,b --why c":          `p memory save why=[a,b c] []`,
		"mem nonsense --type x":               `p memory ["nonsense" "--type" "x"]`,
		"install codex --help":                `help of p install`,
		"install --bogus -h":                  `help of p install`,
		"install -- --help":                   `p install ["--help"]`,
		"mem bare":                            `help of p memory bare`,
		"mem --help":                          `help of p memory`,
		"-h":                                  `help of p`,
		"install codex --nope":                `p install: {Fault:0 Flag:nope Value: Other:}`,
		"--nope install":                      `p: {Fault:0 Flag:nope Value: Other:}`,
		"install codex --trust":               `p install: {Fault:1 Flag:trust Value: Other:}`,
		"mem save -n soon":                    `p memory save: {Fault:2 Flag:n Value:soon Other:}`,
		"mem save -n 99999999999999999999":    `p memory save: {Fault:2 Flag:n Value:99999999999999999999 Other:}`,
		"mem save --wait 5":                   `p memory save: {Fault:2 Flag:wait Value:5 Other:}`,
		"install --dry-run=perhaps":           `p install: {Fault:2 Flag:dry-run Value:perhaps Other:}`,
		"mem save -n 3 --last 4":              `p memory save: {Fault:3 Flag:last Value: Other:n}`,
		"mem save -n 3 -n 4":                  `p memory save last=4 []`,
		"install ---dry-run":                  `p install: {Fault:4 Flag:---dry-run Value: Other:}`,
		"install --=x":                        `p install: {Fault:4 Flag:--=x Value: Other:}`,
		"mem save --because a --because b,c":  `p memory save why=[a b,c] []`,
	} {
		t.Run(fmt.Sprintf("%q", line), func(t *testing.T) {
			if got := cliTold(strings.Fields(line)...); got != want {
				t.Errorf("%s:\n got %s\nwant %s", line, got, want)
			}
		})
	}
}

func TestAFlagThatIsNotGivenHasItsValue(t *testing.T) {
	t.Parallel()
	var said string
	sub := &cli.Command{Name: "sub", Action: func(c *cli.Context) error {
		said = fmt.Sprint(c.String("store"), " ", c.IsSet("store"), c.Bool("json"), c.IsSet("json"), c.Int("none"), c.IsSet("none"))
		return nil
	}, Flags: []cli.Flag{&cli.BoolFlag{Name: "json", Value: true}}}
	root := &cli.Command{Name: "p", Flags: []cli.Flag{&cli.StringFlag{Name: "store", Value: "here"}}, Subcommands: []*cli.Command{sub}}
	for line, want := range map[string]string{"sub": "here false true false 0 false", "--store there sub --json=false": "there true false true 0 false"} {
		t.Run(line, func(t *testing.T) {
			p := &cli.Program{Root: root, Starts: func(*cli.Context) {}, Misused: func(_ *cli.Context, m *cli.Misuse) error { return fmt.Errorf("%+v", *m) }}
			if err := p.Run(context.Background(), strings.Fields(line)); err != nil || said != want {
				t.Errorf("%s: %q, want %q: %v", line, said, want, err)
			}
		})
	}
}
