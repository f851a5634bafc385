package skills

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	"github.com/agents-hooks/agents-hooks/cmd/internal/eventarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/skillset"
	"github.com/agents-hooks/agents-hooks/discovery"
)

// What inject and its siblings have in common.
const injectWords = "Reads messages from stdin, an array or an object with messages, and prints\n" +
	"{\"schema\": 1, \"messages\": […], …}; what else stood in the object stays. What\n" +
	"was put in is marked with a member _hook: keep it in what you store, and take\n" +
	"it out of what you send.\n"

func timingWords() string {
	var words []string
	for _, t := range skills.Timings() {
		words = append(words, string(t))
	}
	return strings.Join(words, ", ")
}

func skillsInject(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "inject", Usage: "put the prompts of a timing into messages",
		Description: injectWords + "stored lists the persistent prompts, to be kept in the history.",
		Flags: []cli.Flag{
			shell.Offer(&cli.StringFlag{Name: "timing", Usage: "`T`: after_user_input, before_planning,\nbefore_each_agent, before_first_agent, after_tool_call"}, shell.Fixed(strings.Split(timingWords(), ", ")...)),
			shell.Offer(&cli.GenericFlag{Name: "tool", Value: &shell.List{}, Usage: "`NAME` of the tool that has run; repeats for\nfurther names of it"}, eventarg.ToolWords),
			shell.Offer(&cli.StringSliceFlag{Name: "skills", Usage: "the enabled skills (`NAMES`), in this order;\ndefault all"}, skillset.Names(sh)),
			shell.Offer(&cli.GenericFlag{Name: "skills-dir", Value: &shell.List{}, Usage: "`DIR` in which skills lie; repeats. Default:\nwhere skills list looks"}, shell.Folders),
			&cli.StringFlag{Name: "input", Usage: "`TEXT` that the person wrote, for prompts with\na match; default the last user message"},
			shell.Offer(&cli.StringSliceFlag{Name: "invoked", Usage: "skills that were invoked (`NAMES`); default all"}, skillset.Names(sh)),
			&cli.StringFlag{Name: "system-as", Value: "system", Usage: "`ROLE` of system prompts in these messages"},
			hookset.DirFlag(),
		},
		Action: func(c *cli.Context) error { return injectSkills(sh, c) },
	}
}

func injectSkills(sh *shell.Shell, c *cli.Context) error {
	timing := skills.Timing(c.String("timing"))
	if !timing.Known() {
		return shell.WithHint(shell.Usagef("skills inject: %q is no timing", timing), "--timing "+strings.ReplaceAll(timingWords(), ", ", " | "))
	}
	hooks, err := hooksToInject(sh, c)
	if err != nil {
		return err
	}
	return changeMessages(sh, c, func(b *board) (any, error) {
		b.systemAs = c.String("system-as")
		m := b.manager(hooks)
		m.Input = b.input()
		if c.IsSet("input") {
			m.Input = c.String("input")
		}
		if c.IsSet("invoked") {
			names := shell.SplitCommas(c.StringSlice("invoked"))
			m.Invoked = func(skill string) bool { return slices.Contains(names, skill) }
		}
		stored := m.Inject(timing, c.Generic("tool").(*shell.List).List...)
		if stored == nil {
			stored = []skills.Stored{}
		}
		return stored, nil
	})
}

// hooksToInject are the prompts of the enabled skills. What is wrong with them is
// told, and no reason to stop.
func hooksToInject(sh *shell.Shell, c *cli.Context) (hooks []skills.Hook, err error) {
	var names []string
	if c.IsSet("skills") {
		names = append([]string{}, shell.SplitCommas(c.StringSlice("skills"))...)
	}
	var problems []skills.Problem
	if c.IsSet("skills-dir") {
		var dirs []string
		for _, word := range c.Generic("skills-dir").(*shell.List).List {
			dir, err := sh.Abs(word)
			if err != nil {
				return nil, err
			}
			if !shell.IsFolder(dir) {
				return nil, fmt.Errorf("skills inject: --skills-dir: %s is no folder", sh.Short(dir))
			}
			dirs = append(dirs, dir)
		}
		hooks, problems = skills.Scan(names, dirs...)
	} else {
		from, err := hookset.LookFrom(sh, c)
		if err != nil {
			return nil, err
		}
		var list []skills.Skill
		for _, s := range skillset.SkillsFrom(sh, from).Skills {
			if s.Status == discovery.Ready {
				list = append(list, skills.Skill{Name: s.Name, Dir: s.Dir})
			}
		}
		if names != nil {
			list, problems = skills.Enabled(list, names)
		}
		for _, s := range list {
			more, wrong := s.Hooks(nil)
			hooks, problems = append(hooks, more...), append(problems, wrong...)
		}
	}
	for _, p := range problems {
		sh.Say("%s: %s", p.Severity, p)
	}
	return hooks, nil
}

func skillsRemove(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "remove", Usage: "take the prompts of a timing out of messages",
		Description: injectWords + "Persistent prompts stay.",
		Flags: []cli.Flag{
			shell.Offer(&cli.StringFlag{Name: "timing", Usage: "`T` as of inject; all for every timing and for\nwhat inject-prompt put in, as a request ends"}, shell.Fixed(strings.Split(timingWords(), ", ")...)),
		},
		Action: func(c *cli.Context) error {
			timing := skills.Timing(c.String("timing"))
			if !timing.Known() && timing != "all" {
				return shell.WithHint(shell.Usagef("skills remove: %q is no timing", timing), "--timing "+strings.ReplaceAll(timingWords(), ", ", " | ")+" | all")
			}
			return changeMessages(sh, c, func(b *board) (any, error) {
				m := b.manager(nil)
				if timing == "all" {
					m.Close()
				} else {
					m.Remove(timing)
				}
				return nil, nil
			})
		},
	}
}

func skillsInjectPrompt(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "inject-prompt", Usage: "put a prompt of your own into messages", ArgsUsage: "TEXT",
		Description: injectWords + "ref is what remove-prompt takes it out by.",
		Flags:       []cli.Flag{&cli.StringFlag{Name: "role", Value: "system", Usage: "`ROLE` of the message"}},
		Action: func(c *cli.Context) error {
			words, err := shell.Args(c, 1, 1, "the text of the prompt")
			if err != nil {
				return err
			}
			return changeMessages(sh, c, func(b *board) (any, error) {
				b.prompt = fmt.Sprintf("%016x", rand.Uint64())
				b.manager(nil).InjectPrompt(words[0], skills.Role(c.String("role")))
				return b.prompt, nil
			})
		},
	}
}

func skillsRemovePrompt(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "remove-prompt", Usage: "take a prompt of your own out of messages", ArgsUsage: "REF",
		Description: injectWords + "A ref that is not there, or was used already, changes nothing.",
		Action: func(c *cli.Context) error {
			words, err := shell.Args(c, 1, 1, "the ref that inject-prompt gave")
			if err != nil {
				return err
			}
			return changeMessages(sh, c, func(b *board) (any, error) {
				m := b.manager(nil)
				for _, message := range slices.Clone(b.list) {
					if message.promptRef() == words[0] {
						m.RemovePrompt(message)
					}
				}
				return nil, nil
			})
		},
	}
}
