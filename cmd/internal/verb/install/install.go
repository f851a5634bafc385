package install

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/tools"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

func installCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:         "install",
		Usage:        "write the one entry into the configuration of agents",
		ArgsUsage:    "AGENT...",
		BashComplete: shell.Arguments(shell.Each(agentarg.Words)),
		Description: "Adds our entries behind those of others and changes nothing else; doing it\n" +
			"again changes nothing. A backup goes into the state directory; uninstall gives\n" +
			"the bytes back. Where your hooks and the state lie stands in the entry, so\n" +
			"that a repository cannot move them.",
		Flags: append(setup.ScopeFlags(),
			&cli.BoolFlag{Name: "dry-run", Usage: "show what would change, and change nothing"},
			&cli.BoolFlag{Name: "lean", Usage: "only the events that a hook serves now"},
			&cli.StringFlag{Name: "with", Usage: "also switch on built-in `BEHAVIOURS` such as memory"},
			&cli.BoolFlag{Name: "guides", Usage: "tell the agent how to use what is on: a skill for each behaviour"},
			shell.Offer(&cli.StringFlag{Name: "trust", Usage: "run the hooks of any project unasked: `always`"}, shell.Fixed("always")),
			&cli.BoolFlag{Name: "yes", Usage: "do not ask before --trust always"},
			&cli.BoolFlag{Name: "mcp", Usage: "also register the MCP server: agents-hooks mcp"},
			&cli.StringSliceFlag{Name: "mcp-tools", Usage: "with --mcp: its `SETS`, such as memory,workspace:full"},
			shell.JSONFlag(),
		),
		Action: func(c *cli.Context) error { return installAgents(sh, c) },
	}
}

// An installing is one run of install or uninstall.
type installing struct {
	*shell.Shell
	scope    protocol.Scope
	project  string
	dry      bool
	trust    bool
	lean     bool
	mcp      bool // register the server too
	mcpTools []string
	hooks    []*discovery.Hook // for lean
	guides   []setup.Guide     // nil: none are asked for
}

// An installed agent is what the command answers about one. Its JSON form is
// stable.
type installed struct {
	Agent   string              `json:"agent"`
	Scope   string              `json:"scope"`
	Changed bool                `json:"changed"`
	Events  []string            `json:"events"` // native ones that are registered now
	Files   []setup.ChangedFile `json:"files"`
	Notes   []string            `json:"notes"`
	Error   string              `json:"error"` // why nothing was done, "" if it was
	Diff    string              `json:"diff"`  // of a dry run

	name    string
	hints   []string
	covered bool // another agent's entry serves it
}

func installAgents(sh *shell.Shell, c *cli.Context) error {
	in, err := newInstalling(sh, c)
	if err != nil {
		return err
	}
	list, err := agentarg.LookupAll(c.Args().Slice())
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return whichAgents(sh, "install", func(d *protocol.Dialect) bool { return setup.PresenceOf(sh, d).Found() })
	}
	if in.trust {
		if err := confirmTrustAlways(sh, c); err != nil {
			return err
		}
	}
	with := strings.FieldsFunc(c.String("with"), func(r rune) bool { return r == ',' || r == ' ' })
	if len(with) > 0 {
		file, err := setup.SwitchOn(sh, with, in.scope == protocol.ProjectScope, in.dry)
		if err != nil {
			return fmt.Errorf("install: --with: %w", err)
		}
		if !c.Bool("json") && !in.dry {
			sh.Printf("%s: switched on in %s\n", strings.Join(with, ", "), sh.Short(file))
		}
		if in.lean {
			in.hooks = hookset.Set(sh.Host, sh.Host.WorkDir).Hooks
		}
	}
	if c.Bool("guides") {
		in.guides = in.guidesNow(with)
	}
	var results []installed
	for _, d := range readFirst(list) {
		results = append(results, in.install(d))
	}
	return in.answer(c, results)
}

func newInstalling(sh *shell.Shell, c *cli.Context) (*installing, error) {
	scope, err := setup.ScopeOf(c)
	if err != nil {
		return nil, err
	}
	in := &installing{Shell: sh, scope: scope, dry: c.Bool("dry-run"), lean: c.Bool("lean"), mcp: c.Bool("mcp"), mcpTools: shell.SplitCommas(c.StringSlice("mcp-tools"))}
	if len(in.mcpTools) > 0 && !in.mcp {
		return nil, shell.Usagef("install: --mcp-tools goes with --mcp")
	}
	if _, _, err := tools.ChosenSets(tools.ToolSets(sh, "any"), in.mcpTools); err != nil {
		return nil, err
	}
	in.project = setup.Project(sh)
	if in.lean {
		in.hooks = hookset.Set(sh.Host, sh.Host.WorkDir).Hooks
	}
	switch c.String("trust") {
	case "":
	case "always":
		in.trust = true
	default:
		return nil, shell.Usagef("install: --trust %q is not \"always\"", c.String("trust"))
	}
	if scope == protocol.ProjectScope && in.project == "" {
		return nil, shell.WithHint(errors.New("install: there is no working directory, so no project"), "cd to the project")
	}
	return in, nil
}

// whichAgents answers a command that was given no agent with those that fit.
func whichAgents(sh *shell.Shell, command string, fits func(*protocol.Dialect) bool) error {
	var here, all []string
	for _, d := range agentarg.Installable() {
		all = append(all, d.ID)
		if fits(d) {
			here = append(here, d.ID)
		}
	}
	err := shell.Usagef("%s: want one or more agents: %s", command, strings.Join(all, ", "))
	if len(here) == 0 {
		return shell.WithHint(err, "none of them was found on this machine; agents-hooks agents tells where it looked")
	}
	return shell.WithHint(err, "found here: agents-hooks "+command+" "+strings.Join(here, " "))
}

// confirmTrustAlways asks before the hooks of every repository are run unasked.
func confirmTrustAlways(sh *shell.Shell, c *cli.Context) error {
	return sh.Confirm(c.Bool("yes"), "the hooks of every repository will run unasked in this agent; go on?",
		"--trust always")
}

// install puts the entry into one agent's configuration.
func (in *installing) install(d *protocol.Dialect) installed {
	res := installed{Agent: d.ID, Scope: string(in.scope), Events: []string{}, Files: []setup.ChangedFile{}, Notes: []string{}, name: d.Name}
	site := setup.Site(in.Shell, in.scope, in.project)
	if d.Config.File(site) == "" {
		res.fail(fmt.Errorf("%s has no configuration of a %s", d.Name, in.scope))
		return res
	}
	covered, notes, err := in.notTwice(d)
	if err != nil {
		res.fail(err)
		return res
	}
	res.Notes = append(res.Notes, notes...)
	if res.covered = covered; covered && !in.mcp {
		return res
	}
	edits, clean := []protocol.Edit(nil), true
	if !covered {
		if edits, clean, err = in.plan(d, site); err != nil {
			res.fail(err)
			return res
		}
	}
	entries := len(edits)
	edits, notes, mcpClean, err := in.planMCP(d, site, edits)
	if err != nil {
		res.fail(err)
		return res
	}
	res.Notes = append(res.Notes, notes...)
	clean = clean && mcpClean
	guides, err := in.putGuides(d, site)
	if err != nil {
		res.fail(err)
		return res
	}
	res.Notes = append(res.Notes, guides.Notes...)
	for i, e := range append(edits, guides.Edits...) {
		res.Files = append(res.Files, setup.ChangedFile{Path: e.Path, Action: actionOf(e), Edit: e, Guide: i >= len(edits)})
		if in.dry {
			res.Diff += shell.UnifiedDiff(in.Short(e.Path), e.Before, e.After)
		}
	}
	res.Changed = len(res.Files) > 0
	if (res.Changed || len(guides.Standing) > 0) && !in.dry {
		err := setup.WithReceipts(in.Host.State, func(r *setup.Receipts) error {
			err := r.ChangeAll(res.Files, setup.By(d, site), clean)
			for _, path := range guides.Standing {
				if err == nil {
					err = r.Share(path, setup.By(d, site))
				}
			}
			return err
		})
		if err != nil {
			res.fail(err)
			return res
		}
	}
	if in.mcp && d.MCP != nil && !in.dry {
		if err := in.noteMCP(d, site); err != nil {
			res.fail(fmt.Errorf("the MCP server is registered, but hooks could not be told: %w", err))
			return res
		}
	}
	now := site
	now.Read = readAfter(site.Read, edits)
	if found, err := install.Inspect(d, now); err == nil {
		for _, e := range found.Entries {
			res.Events = append(res.Events, e.Event)
		}
		res.Notes = append(res.Notes, found.Notes...)
	}
	if entries > 0 {
		res.Notes = append(res.Notes, d.Notes...)
	}
	if entries > 0 && d.Observed == "" {
		res.Notes = append(res.Notes, "made from its source and documentation, and not observed on the running program: look whether agents-hooks doctor "+d.ID+" hears from it")
	}
	if in.scope == protocol.ProjectScope && d.Config.Shared && entries > 0 {
		res.Notes = append(res.Notes, fmt.Sprintf("%s is shared through the repository, but the entry names a program of this machine: do not commit it", in.Short(d.Config.File(site))))
	}
	return res
}

// plan is what installing would change. clean says that nothing of ours stands
// in the agent's configuration yet.
func (in *installing) plan(d *protocol.Dialect, site protocol.Site) (edits []protocol.Edit, clean bool, err error) {
	entry := protocol.Entry{}
	if entry.Argv, err = setup.EntryArgv(in.Shell, d, in.trust); err != nil {
		return nil, false, err
	}
	if in.lean {
		if entry.Events = setup.ServedEvents(d, in.hooks); len(entry.Events) == 0 {
			return nil, false, shell.WithHint(errors.New("no hook here serves an event of this agent, so --lean would register nothing"), "agents-hooks new NAME", "agents-hooks install "+d.ID)
		}
	}
	removals, err := install.Remove(d, site)
	if err != nil {
		return nil, false, err
	}
	edits, err = install.Add(d, site, entry)
	return edits, len(removals) == 0, err
}

func (in *installing) otherScope() protocol.Scope {
	if in.scope == protocol.ProjectScope {
		return protocol.UserScope
	}
	return protocol.ProjectScope
}

// readAfter reads files as they are once edits were made.
func readAfter(read func(string) ([]byte, error), edits []protocol.Edit) func(string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		for _, e := range edits {
			if e.Path == path && e.After != nil {
				return e.After, nil
			}
		}
		return read(path)
	}
}

func actionOf(e protocol.Edit) string {
	switch {
	case e.Before == nil:
		return "create"
	case e.After == nil:
		return "remove"
	}
	return "change"
}

func (res *installed) fail(err error) {
	res.Error, res.Changed = err.Error(), false
	var h shell.Hinted
	if errors.As(err, &h) {
		res.hints = h.Hints
	}
}

// answer prints what became of each agent; one that failed makes the command
// fail.
func (in *installing) answer(c *cli.Context, results []installed) error {
	var failed bool
	for _, r := range results {
		failed = failed || r.Error != ""
	}
	if c.Bool("json") {
		if err := in.JSON(map[string]any{"schema": 1, "dry_run": in.dry, "agents": results}); err != nil {
			return err
		}
	} else {
		for _, r := range results {
			in.print(c.Command.Name, r)
		}
	}
	if failed {
		return shell.ErrReported
	}
	return nil
}

func (in *installing) print(command string, r installed) {
	switch {
	case r.Error != "":
		in.Say("%s %s: %s", command, r.Agent, r.Error)
		in.Hints(r.hints)
		return
	case r.covered && !r.Changed:
		in.Printf("%s: nothing written\n", r.name)
	case !r.Changed:
		in.Printf("%s: nothing to change\n", r.name)
	case in.dry:
		in.Printf("%s", r.Diff)
		return
	default:
		for _, f := range r.Files {
			in.Printf("%s: %s\n", r.name, in.sentence(command, f, len(r.Events)))
		}
	}
	for _, n := range r.Notes {
		in.Printf("  %s\n", shell.Wrap(n, 77, "  "))
	}
}

func (in *installing) sentence(command string, f setup.ChangedFile, events int) string {
	path := in.Short(f.Path)
	text := ""
	switch {
	case f.Action == "restore":
		text = path + " is what it was before, to the byte"
	case f.Action == "remove" && f.Restored:
		text = path + " removed, as it was not there before"
	case f.Action == "remove":
		text = path + " removed, since nothing else was in it"
	case command == "uninstall":
		text = "our entries taken out of " + path
	case f.Action == "create":
		text = path + " written"
	default:
		text = path + " changed"
	}
	if f.Backup != "" {
		text += "\n  backup: " + in.Short(filepath.Clean(f.Backup))
	}
	return text
}
