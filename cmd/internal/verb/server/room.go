package server

import (
	"context"
	"errors"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/serve"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/room"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

func roomCommand(sh *shell.Shell) *cli.Command {
	person := &cli.StringFlag{Name: "person", Usage: "`NAME` as key create has it"}
	return &cli.Command{
		Name: "room", Usage: "who shares memory with whom",
		Description: "A room is the memory of a team about one project. A reader reads; a member also\n" +
			"shares, and deletes what is their own; a reviewer also deletes what others shared.",
		Subcommands: []*cli.Command{
			{
				Name: "create", Usage: "make a room, in which nobody is yet", ArgsUsage: "ROOM", Flags: []cli.Flag{storeFlag(), shell.JSONFlag()},
				Action: inRoom(sh, func(ctx context.Context, st *serve.Store, name string, _ *cli.Context) error {
					return st.NewRoom(ctx, name)
				}),
			},
			{
				Name: "list", Usage: "the rooms there are, and who is in them", Flags: []cli.Flag{storeFlag(), shell.JSONFlag()},
				Action: func(c *cli.Context) error {
					if _, err := shell.Args(c, 0, 0, "flags only"); err != nil {
						return err
					}
					return listRooms(sh, c)
				},
			},
			{
				Name: "add", Usage: "let a person into a room, or give them another role", ArgsUsage: "ROOM",
				Flags: []cli.Flag{person, cli.Offer(&cli.StringFlag{Name: "role", Value: room.Member, Usage: "`ROLE`: reader, member, reviewer"}, shell.Fixed(room.Roles()...)), storeFlag(), shell.JSONFlag()},
				Action: inRoom(sh, func(ctx context.Context, st *serve.Store, name string, c *cli.Context) error {
					return st.Admit(ctx, name, c.String("person"), c.String("role"))
				}),
			},
			{
				Name: "remove", Usage: "take a person out of a room, at once", ArgsUsage: "ROOM",
				Flags: []cli.Flag{person, &cli.BoolFlag{Name: "erase", Usage: "delete there what they shared, too"}, storeFlag(), shell.JSONFlag()},
				Action: inRoom(sh, func(ctx context.Context, st *serve.Store, name string, c *cli.Context) error {
					n, err := st.Dismiss(ctx, name, c.String("person"), c.Bool("erase"))
					if err == nil && c.Bool("erase") {
						sh.Say("%s deleted", text.Count(n, "fact"))
					}
					return err
				}),
			},
			{
				Name: "delete", Usage: "remove a room, and all that was shared in it", ArgsUsage: "ROOM",
				Flags: []cli.Flag{&cli.BoolFlag{Name: "confirm", Usage: "really do it"}, storeFlag(), shell.JSONFlag()},
				Action: inRoom(sh, func(ctx context.Context, st *serve.Store, name string, c *cli.Context) error {
					if !c.Bool("confirm") {
						return shell.Usagef("room delete: all that was shared there goes for good: want --confirm")
					}
					return st.DropRoom(ctx, name)
				}),
			},
		},
	}
}

// inRoom is a command about one room, after which the room is shown.
func inRoom(sh *shell.Shell, do func(ctx context.Context, st *serve.Store, name string, c *cli.Context) error) func(*cli.Context) error {
	return func(c *cli.Context) error {
		words, err := shell.Args(c, 1, 1, "the name of a room")
		if err != nil {
			return err
		}
		err = place(sh, c.String("store")).with(c.Context, func(st *serve.Store) error { return do(c.Context, st, words[0], c) })
		if errors.Is(err, serve.ErrNoPerson) {
			err = shell.WithHint(err, Name+" key create --person NAME; key list shows who has one")
		}
		if err != nil {
			return err
		}
		return listRooms(sh, c)
	}
}

func listRooms(sh *shell.Shell, c *cli.Context) (err error) {
	var list []serve.Room
	err = place(sh, c.String("store")).with(c.Context, func(st *serve.Store) error {
		list, err = st.Rooms(c.Context)
		return err
	})
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return sh.JSON(map[string]any{"schema": 1, "rooms": list})
	}
	if len(list) == 0 {
		sh.Printf("there is no room yet\n")
	}
	for _, r := range list {
		sh.Printf("%s  %s, made %s\n", r.Name, text.Count(r.Facts, "fact"), dayOf(r.Created))
		for _, m := range r.Members {
			sh.Printf("  %-20s %s, since %s\n", shell.Plain(m.Person), m.Role, dayOf(m.Since))
		}
	}
	return nil
}
