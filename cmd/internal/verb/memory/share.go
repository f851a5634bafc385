package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/room"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/team"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/takeover"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

func shareCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "share", Usage: "share this project's memory through a server of your team",
		Description: "For a team without a repository. Facts go (W and B), and others' come; your\n" +
			"preferences, prompts, summaries and pages stay. Nothing in a project switches\n" +
			"it on: you do, once, in a terminal of your own. Whoever runs\n" +
			"agents-hooks-server gives you a key and lets you into a room.",
		Subcommands: []*cli.Command{shareOnCommand(sh), shareOffCommand(sh), shareStatusCommand(sh)},
	}
}

type shareOptions struct {
	placeOptions
	room                    string
	preferences, fresh, yes bool
}

func shareOnCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "on", Usage: "start sharing: says what would go where, and asks",
		Description: "The server is builtin.memory.team_url of your own hooks.toml, and team_key your\n" +
			"key there; AGENTS_HOOKS_TEAM_URL and AGENTS_HOOKS_TEAM_KEY are taken over into it.",
		Flags: ofProject(
			&cli.StringFlag{Name: "room", Usage: "`NAME` of the room; not needed if you are in only one"},
			&cli.BoolFlag{Name: "preferences", Usage: "your preferences (O) too"},
			&cli.BoolFlag{Name: "new", Usage: "only what is saved from now on"},
			takeover.Flag(), &cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "do not ask"},
		),
		Action: func(c *cli.Context) error {
			o, err := readShare(sh, c)
			if err != nil {
				return err
			}
			if err := sh.OnlyPerson("memory share on"); err != nil {
				return err
			}
			if err := takeover.Ask(sh, []string{"memory"}, c.Bool(takeover.FlagName)); err != nil {
				return err
			}
			m, err := o.memory(sh)
			if err != nil {
				return err
			}
			r, err := shareOn(c.Context, sh, m, o)
			if err != nil {
				return sharing("share on", "ROOM", err)
			}
			if !o.json {
				printSync(sh, r)
			}
			return printShare(sh, m, o.json)
		},
	}
}

func readShare(sh *shell.Shell, c *cli.Context) (o shareOptions, err error) {
	o.room, o.preferences, o.fresh, o.yes = c.String("room"), c.Bool("preferences"), c.Bool("new"), c.Bool("yes")
	o.placeOptions, err = readPlace(sh, c)
	return o, err
}

// shareOn asks, saves the user's decision, and syncs for the first time.
func shareOn(ctx context.Context, sh *shell.Shell, m ops.Memory, o shareOptions) (*team.Result, error) {
	c, origin, err := m.Caller()
	if err != nil {
		return nil, err
	}
	rooms, err := c.Rooms(ctx)
	if err != nil {
		return nil, err
	}
	in, err := choose(rooms, o.room)
	if err != nil {
		return nil, err
	}
	choice := team.Choice{Server: origin, Room: in.Name, Preferences: o.preferences}
	if o.fresh {
		choice.From = memory.Stamp(sh.Host.Now())
	}
	share := m.Team()
	goes, err := share.Goes(choice)
	if err != nil {
		return nil, err
	}
	what := "facts"
	if o.preferences {
		what = "facts and your preferences"
	}
	if in.Role != room.Reader {
		sh.Say("%s: %s of %s would go to %s, room %s, and so would what you save later; everybody in the room can read them", what, text.Count(len(goes), "entry"), m.Name(), origin, in.Name)
		sh.Say("%s", "prompts, summaries, pages and your own memory for all projects stay here; secrets are taken out")
	}
	if err := sh.Confirm(o.yes, fmt.Sprintf("share the memory of %s with the room %s (%s there, you are a %s)?", m.Name(), in.Name, text.Count(in.Facts, "fact"), in.Role), "memory share on"); err != nil {
		return nil, err
	}
	if err := share.On(choice, in.Role); err != nil {
		return nil, err
	}
	return m.SyncTeam(ctx, syncWait)
}

// choose is the room with a name, or the only one.
func choose(rooms []room.Room, name string) (room.Room, error) {
	var names []string
	for _, r := range rooms {
		if room.ValidRoom(r.Name) && slices.Contains(room.Roles(), r.Role) {
			names = append(names, r.Name)
			if r.Name == name || name == "" && len(rooms) == 1 {
				return r, nil
			}
		}
	}
	switch {
	case len(names) == 0:
		return room.Room{}, shell.WithHint(errors.New("you are in no room of this server"), "whoever runs it: agents-hooks-server room add ROOM --person YOU")
	case name == "":
		return room.Room{}, shell.WithHint(errors.New("you are in several rooms: want --room"), "--room "+strings.Join(names, ", --room "))
	}
	return room.Room{}, shell.WithHint(fmt.Errorf("you are in no room %q of this server", name), "--room "+strings.Join(names, ", --room "))
}

func shareOffCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "off", Usage: "stop sharing: others' facts are removed here, yours stay there",
		Description: "With --withdraw what you shared is deleted in the room first, and so for everybody.",
		Flags:       ofProject(&cli.BoolFlag{Name: "withdraw", Usage: "also delete there what you shared from here"}),
		Action: func(c *cli.Context) error {
			o, err := readPlace(sh, c)
			if err != nil {
				return err
			}
			if err := sh.OnlyPerson("memory share off"); err != nil {
				return err
			}
			m, err := o.memory(sh)
			if err != nil {
				return err
			}
			if c.Bool("withdraw") {
				ended, err := withdraw(c.Context, m)
				if err != nil {
					return sharing("share off", "ROOM", err)
				}
				sh.Say("%s of yours deleted in the room", text.Count(ended, "fact"))
			}
			if err := m.Team().Off(); err != nil {
				return failed("share off", err)
			}
			return printShare(sh, m, o.json)
		},
	}
}

// withdraw deletes what was shared from here in the room, and counts it.
func withdraw(ctx context.Context, m ops.Memory) (int, error) {
	if err := m.Team().Withdraw(); err != nil {
		return 0, err
	}
	r, err := m.SyncTeam(ctx, syncWait)
	if err == nil && r.Waiting > 0 {
		err = fmt.Errorf("%s could not be deleted there: %s", text.Count(r.Waiting, "fact"), strings.Join(r.Refused, "; "))
	}
	if err != nil {
		return 0, err
	}
	return r.Ended, nil
}

func shareStatusCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "status", Usage: "say whether it is shared, with whom, and what waits", Flags: ofProject(),
		Action: func(c *cli.Context) error {
			o, m, err := readMemory(sh, c)
			if err != nil {
				return err
			}
			return printShare(sh, m, o.json)
		},
	}
}

func printShare(sh *shell.Shell, m ops.Memory, asJSON bool) error {
	share := m.Team()
	st, on, err := share.State()
	if err != nil {
		return failed("share", err)
	}
	waits, err := share.Waits()
	if err != nil {
		return failed("share", err)
	}
	notes, err := share.Hidden(st)
	if err != nil {
		return failed("share", err)
	}
	strays, err := share.Strays(st)
	if err != nil {
		return failed("share", err)
	}
	shared, refused := 0, 0
	for _, sent := range st.Sent {
		switch {
		case sent.Refused != "":
			refused++
		case !sent.Ended && !sent.Gone:
			shared++
		}
	}
	if asJSON {
		return document(sh, map[string]any{"schema": 1, "on": on, "server": st.Server, "room": st.Room, "role": st.Role, "preferences": st.Preferences, "from": st.From,
			"shared": shared, "waiting": waits, "refused": refused, "synced": st.Synced, "tried": st.Tried, "wrong": st.Wrong, "fetched": st.Fetched, "strays": append([]string{}, strays...), "hidden": append([]team.Note{}, notes...)})
	}
	if !on {
		sh.Printf("the memory of %s is not shared\n", m.Name())
		return nil
	}
	as := ", as " + text.Fit(shell.Plain(st.Role), 20)
	if st.Role == "" {
		as = ", in which you are not any more"
	}
	sh.Printf("shared with the room %s of %s%s\n", st.Room, st.Server, as)
	if st.Role == "" {
		sh.Printf("  nothing goes and nothing comes: what others shared was removed here, what you wrote stays\n")
	} else if st.Role == room.Reader {
		sh.Printf("  a reader shares nothing: what you save stays here\n")
	} else {
		sh.Printf("  %s of yours there, %d to be sent, %d refused\n", text.Count(shared, "fact"), waits, refused)
	}
	if len(strays) > 0 {
		sh.Printf("  %s of yours there and not here any more; memory delete --team %s\n", text.Count(len(strays), "fact"), strings.Join(strays, " "))
	}
	for _, n := range notes {
		sh.Printf("  at %s: %s\n", n.At, hidden(n))
	}
	if st.Fetched != "" {
		sh.Printf("  what others shared was missing here, or damaged: all of it was fetched again at %s\n", st.Fetched)
	}
	if st.Wrong != "" {
		sh.Printf("  the last time, at %s: %s\n", st.Tried, shell.Plain(st.Wrong))
	}
	return nil
}

// How long a sync may take if somebody waits for it, and if not; and how long to wait for
// another sync of the project.
const (
	syncLimit       = 5 * time.Minute
	backgroundLimit = 30 * time.Second
	syncWait        = 10 * time.Second
)

func syncCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "sync", Usage: "send what you share, and fetch what others shared",
		Description: "Only where you said: agents-hooks memory share on. The hooks do it as a session\n" +
			"begins and ends, and what could not be sent waits.",
		Flags: ofProject(&cli.BoolFlag{Name: "background", Hidden: true}),
		Action: func(c *cli.Context) error {
			o, m, err := readMemory(sh, c)
			if err != nil {
				return err
			}
			limit, wait := syncLimit, syncWait
			if c.Bool("background") {
				limit, wait = backgroundLimit, 0
			}
			ctx, cancel := context.WithTimeout(c.Context, limit)
			defer cancel()
			r, err := m.SyncTeam(ctx, wait)
			off := errors.Is(err, team.ErrOff)
			switch {
			case o.json:
				if bad := document(sh, synced(r, err)); bad != nil || off {
					return bad
				}
			case off:
				sh.Printf("%v\n", err)
				return nil
			case err == nil:
				printSync(sh, r)
			}
			return sharing("sync", roomOf(m), err)
		},
	}
}

// synced is the result of a sync as JSON.
func synced(r *team.Result, err error) map[string]any {
	status, wrong := "ok", ""
	switch {
	case errors.Is(err, team.ErrOff):
		status = "off"
	case err != nil:
		status, wrong = "failed", err.Error()
	}
	conflicts := r.Conflicts
	if conflicts == nil {
		conflicts = []team.Conflict{}
	}
	return map[string]any{"schema": 1, "status": status, "wrong": wrong, "pushed": r.Pushed, "ended": r.Ended, "waiting": r.Waiting, "added": r.Added, "changed": r.Changed, "removed": r.Removed,
		"skipped": r.Skipped, "withdrawn": append([]string{}, r.Withdrawn...), "hidden": append([]team.Note{}, r.Hidden...), "refused": append([]string{}, r.Refused...), "conflicts": conflicts, "fetched": r.Fetched, "over": r.Over, "out": r.Out}
}

func printSync(sh *shell.Shell, r *team.Result) {
	if r.Over {
		sh.Printf("%s\n", "the server had been set back to an earlier state, or the room is another one: all was sent and fetched again")
	}
	if r.Fetched {
		sh.Printf("%s\n", "what others shared was missing here, or damaged: all of it was fetched again")
	}
	sh.Printf("sent %s, %d deleted; %d came, %d changed, %d gone\n", text.Count(r.Pushed, "fact"), r.Ended, r.Added, r.Changed, r.Removed)
	for _, n := range r.Hidden {
		sh.Printf("  %s\n", hidden(n))
	}
	for _, why := range r.Refused {
		sh.Printf("  not taken: %s\n", shell.Plain(why))
	}
	for _, c := range r.Conflicts {
		sh.Printf("  %s says: %s  (%s)\n", shell.Plain(c.Author), sh.Tidy(c.Content), c.ID)
		for _, b := range c.Against {
			sh.Printf("    and here is: %s  (%s)\n", sh.Tidy(b.Content), b.ID)
		}
	}
	if len(r.Conflicts) > 0 {
		sh.Hints([]string{"agents-hooks memory review: what settles each of them"})
	}
	if r.Skipped > 0 {
		sh.Say("memory sync: skipped %d received entries that are not facts", r.Skipped)
	}
}

// hidden says what became of a fact of the user's because of the room, and how it holds again.
func hidden(n team.Note) string {
	switch {
	case n.Elsewhere && n.What == team.DeletedElsewhere:
		return n.ID + ", yours from another machine, was deleted in the room as yours, and is gone here"
	case n.Elsewhere:
		return n.ID + ", yours from another machine, was taken out of the room by a reviewer, and is gone here; that machine keeps it"
	case n.What == team.EditedLater:
		return n.ID + " was edited later on another machine of yours, so that holds; what you wrote here is kept: memory restore " + n.ID + " --edit lets it hold, memory confirm " + n.ID + " leaves it so"
	case n.What == team.KeptElsewhere:
		return n.ID + " was changed on another machine of yours after it was deleted here, so it holds; memory delete deletes it as it is now"
	case n.What == team.DeletedElsewhere:
		return n.ID + " was deleted in the room as yours, on another machine or by whoever runs the server, and is hidden here; memory restore " + n.ID + " brings it back for everybody"
	case n.What == team.ReplacedElsewhere:
		return n.ID + " is replaced by what you said on another machine, " + n.By + "; memory restore " + n.ID + " lets it hold again beside that"
	}
	return n.ID + " was taken out of the room by a reviewer, and is hidden; memory restore " + n.ID + " keeps it for you"
}

// roomOf is the room that a project's memory is shared with.
func roomOf(m ops.Memory) string {
	st, _, _ := m.Team().State()
	return cmp.Or(st.Room, "ROOM")
}

// sharing is an error about the team's server, in whose room somebody is, with hints.
func sharing(command, in string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ops.ErrNoTeam):
		return shell.WithHint(fmt.Errorf("memory %s: %w", command, err), "AGENTS_HOOKS_TEAM_URL=https://… AGENTS_HOOKS_TEAM_KEY=… agents-hooks memory share on --take-over, with the key that whoever runs the server gives you")
	case team.Away(err):
		return shell.WithHint(failed(command, err), "nothing is lost: what you saved is here, and is sent by the next agents-hooks memory sync or session", "the server is set by AGENTS_HOOKS_TEAM_URL, or team_url in your hooks.toml: agents-hooks memory share status")
	}
	if fix := team.Fix(err, in); fix != "" {
		return shell.WithHint(failed(command, err), fix)
	}
	return failed(command, err)
}
