package skills

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/eventarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// injectWords describe inject and its siblings.
const injectWords = "Reads messages from stdin, an array or an object with messages, and prints\n" +
	"{\"schema\": 1, \"messages\": […], …}; what else stood in the object stays. What\n" +
	"was put in is marked with a member _hook: keep it in what you store, and take\n" +
	"it out of what you send.\n"

func timings() []string {
	var words []string
	for _, t := range skills.Timings() {
		words = append(words, string(t))
	}
	return words
}

// noTiming is the error for a word that is not a timing.
func noTiming(command string, word skills.Timing, more ...string) error {
	return shell.WithHint(shell.Usagef("skills %s: %q is not a timing", command, word), "--timing "+strings.Join(append(timings(), more...), " | "))
}

func injectCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "inject", Usage: "insert the prompts of a timing into messages",
		Description: injectWords + "stored lists the persistent prompts, to be kept in the history.",
		Flags: []cli.Flag{
			cli.Offer(&cli.StringFlag{Name: "timing", Usage: "`T`: after_user_input, before_planning,\nbefore_each_agent, before_first_agent, after_tool_call"}, shell.Fixed(timings()...)),
			cli.Offer(&cli.ListFlag{Name: "tool", Usage: "`NAME` of the tool that has run; repeats for\nits other names"}, eventarg.ToolWords),
			cli.Offer(&cli.StringSliceFlag{Name: "skills", Usage: "the enabled skills (`NAMES`), in this order;\ndefault: all"}, names(sh)),
			cli.Offer(&cli.ListFlag{Name: "skills-dir", Usage: "`DIR` with skills; repeats. Default: where\nskills list looks"}, shell.Folders),
			&cli.StringFlag{Name: "input", Usage: "`TEXT` that the user wrote, for prompts with\na match; default: the last user message"},
			cli.Offer(&cli.StringSliceFlag{Name: "invoked", Usage: "skills that were invoked (`NAMES`); default: all"}, names(sh)),
			&cli.StringFlag{Name: "system-as", Value: "system", Usage: "`ROLE` of system prompts in these messages"},
			hookset.DirFlag(),
		},
		Action: func(c *cli.Context) error {
			o, err := readInject(sh, c)
			if err != nil {
				return err
			}
			hooks, problems := prompts(sh, o.source)
			for _, p := range problems {
				sh.Say("%s: %s", p.Severity, p)
			}
			return change(sh, "inject", func(b *ops.Board) any { return inject(b, o, hooks) })
		},
	}
}

type injectOptions struct {
	timing   skills.Timing
	tools    []string
	source   sourceOptions
	input    *string  // what the user wrote; nil: the user's last message
	invoked  []string // nil: all
	systemAs string
}

func readInject(sh *shell.Shell, c *cli.Context) (o injectOptions, err error) {
	if o.timing = skills.Timing(c.String("timing")); !o.timing.Known() {
		return o, noTiming("inject", o.timing)
	}
	o.tools, o.systemAs = c.List("tool"), c.String("system-as")
	if c.IsSet("skills") {
		o.source.enabled = append([]string{}, shell.SplitCommas(c.StringSlice("skills"))...)
	}
	if c.IsSet("invoked") {
		o.invoked = append([]string{}, shell.SplitCommas(c.StringSlice("invoked"))...)
	}
	if text := c.String("input"); c.IsSet("input") {
		o.input = &text
	}
	enabled := o.source.enabled
	o.source, err = readSource(sh, c, "inject")
	o.source.enabled = enabled
	return o, err
}

// readSource reads where to find skills.
func readSource(sh *shell.Shell, c *cli.Context, command string) (from sourceOptions, err error) {
	if !c.IsSet("skills-dir") {
		from.dir, err = hookset.LookFrom(sh, c)
		return from, err
	}
	for _, word := range c.List("skills-dir") {
		dir, err := sh.Folder("skills "+command+": --skills-dir", word)
		if err != nil {
			return from, err
		}
		from.folders = append(from.folders, dir)
	}
	return from, nil
}

// inject inserts prompts into messages; it returns those to be stored.
func inject(b *ops.Board, o injectOptions, hooks []skills.Hook) []skills.Stored {
	b.SystemAs = o.systemAs
	m := b.Manager(hooks)
	m.Input = b.Input()
	if o.input != nil {
		m.Input = *o.input
	}
	if o.invoked != nil {
		m.Invoked = func(skill string) bool { return slices.Contains(o.invoked, skill) }
	}
	return append([]skills.Stored{}, m.Inject(o.timing, o.tools...)...)
}

// change reads messages, changes them, and prints them, together with what do returns: the
// stored prompts, or a prompt's ref.
func change(sh *shell.Shell, command string, do func(*ops.Board) any) error {
	text, err := shell.ReadAll(sh.In, ops.MaxMessages)
	if err != nil {
		return fmt.Errorf("skills %s: stdin: %w", command, err)
	}
	b, err := ops.ReadBoard(text)
	if err != nil {
		return fmt.Errorf("skills %s: stdin: %w", command, err)
	}
	out, err := b.Encode(do(b))
	if err == nil {
		sh.Printf("%s", out)
	}
	return err
}

func removeCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "remove", Usage: "remove the prompts of a timing from messages",
		Description: injectWords + "Persistent prompts stay.",
		Flags: []cli.Flag{
			cli.Offer(&cli.StringFlag{Name: "timing", Usage: "`T` as for inject; all, when a request ends: every\ntiming, and prompts of inject-prompt"}, shell.Fixed(append(timings(), "all")...)),
		},
		Action: func(c *cli.Context) error {
			timing := skills.Timing(c.String("timing"))
			if !timing.Known() && timing != "all" {
				return noTiming("remove", timing, "all")
			}
			return change(sh, "remove", func(b *ops.Board) any {
				if m := b.Manager(nil); timing == "all" {
					m.Close()
				} else {
					m.Remove(timing)
				}
				return nil
			})
		},
	}
}

func injectPromptCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "inject-prompt", Usage: "insert a prompt of your own into messages", ArgsUsage: "TEXT",
		Description: injectWords + "ref is what remove-prompt takes it out by.",
		Flags:       []cli.Flag{&cli.StringFlag{Name: "role", Value: "system", Usage: "`ROLE` of the message"}},
		Action: func(c *cli.Context) error {
			words, err := shell.Args(c, 1, 1, "the text of the prompt")
			if err != nil {
				return err
			}
			role := skills.Role(c.String("role"))
			return change(sh, "inject-prompt", func(b *ops.Board) any {
				b.Prompt = fmt.Sprintf("%016x", rand.Uint64())
				b.Manager(nil).InjectPrompt(words[0], role)
				return b.Prompt
			})
		},
	}
}

func removePromptCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "remove-prompt", Usage: "remove a prompt of your own from messages", ArgsUsage: "REF",
		Description: injectWords + "A ref that is not there, or was used already, changes nothing.",
		Action: func(c *cli.Context) error {
			words, err := shell.Args(c, 1, 1, "the ref that inject-prompt gave")
			if err != nil {
				return err
			}
			return change(sh, "remove-prompt", func(b *ops.Board) any {
				b.Remove(words[0])
				return nil
			})
		},
	}
}
