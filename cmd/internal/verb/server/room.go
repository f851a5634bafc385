package server

import (
	"context"
	"errors"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/server"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/room"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

func roomCommand(sh *shell.Shell) *cli.Command {
	person := &cli.StringFlag{Name: "person", Usage: "`NAME`, as for key create"}
	return &cli.Command{
		Name: "room", Usage: "who shares memory with whom",
		Description: "A room is the memory of a team about one project. A reader reads; a member also\n" +
			"shares, and deletes what is their own; a reviewer also deletes what others shared.",
		Subcommands: []*cli.Command{
			aRoom(sh, &cli.Command{Name: "create", Usage: "make an empty room"}, createRoom),
			{
				Name: "list", Usage: "the rooms there are, and who is in them", Flags: []cli.Flag{storeFlag(), shell.JSONFlag()},
				Action: func(c *cli.Context) error {
					list, err := ask(c.Context, existing(sh, c.String("store")), (*server.Store).Rooms)
					if err != nil {
						return err
					}
					return printRooms(sh, list, c.Bool("json"))
				},
			},
			aRoom(sh, &cli.Command{Name: "add", Usage: "add a person to a room, or change their role",
				Flags: []cli.Flag{person, cli.Offer(&cli.StringFlag{Name: "role", Value: room.Member, Usage: "`ROLE`: reader, member, reviewer"}, shell.Fixed(room.Roles()...))}}, addPerson),
			aRoom(sh, &cli.Command{Name: "remove", Usage: "remove a person from a room, at once",
				Flags: []cli.Flag{person, &cli.BoolFlag{Name: "erase", Usage: "also delete what they shared"}}}, removePerson),
			aRoom(sh, &cli.Command{Name: "delete", Usage: "remove a room, with everything shared in it",
				Flags: []cli.Flag{&cli.BoolFlag{Name: "confirm", Usage: "do it, not only list it"}}}, deleteRoom),
		},
	}
}

// roomOptions say what to do with a room.
type roomOptions struct {
	room, person, role     string
	erase, confirmed, json bool
}

func readRoom(c *cli.Context) (o roomOptions, err error) {
	words, err := shell.Args(c, 1, 1, "the name of a room")
	if err != nil {
		return o, err
	}
	return roomOptions{words[0], c.String("person"), c.String("role"), c.Bool("erase"), c.Bool("confirm"), c.Bool("json")}, nil
}

// aRoom completes a command about one room, which then shows the rooms.
func aRoom(sh *shell.Shell, c *cli.Command, do func(context.Context, *server.Store, roomOptions) error) *cli.Command {
	c.ArgsUsage, c.Flags = "ROOM", append(c.Flags, storeFlag(), shell.JSONFlag())
	c.Action = func(c *cli.Context) error {
		o, err := readRoom(c)
		if err != nil {
			return err
		}
		list, err := ask(c.Context, place(sh, c.String("store")), func(st *server.Store, ctx context.Context) ([]server.Room, error) {
			if err := do(ctx, st, o); err != nil {
				return nil, err
			}
			return st.Rooms(ctx)
		})
		if errors.Is(err, server.ErrNoPerson) {
			err = shell.WithHint(err, Name+" key create --person NAME; key list shows who has one")
		}
		if err != nil {
			return err
		}
		return printRooms(sh, list, o.json)
	}
	return c
}

func createRoom(ctx context.Context, st *server.Store, o roomOptions) error {
	return st.NewRoom(ctx, o.room)
}

func addPerson(ctx context.Context, st *server.Store, o roomOptions) error {
	return st.Admit(ctx, o.room, o.person, o.role)
}

func removePerson(ctx context.Context, st *server.Store, o roomOptions) error {
	return st.Dismiss(ctx, o.room, o.person, o.erase)
}

func deleteRoom(ctx context.Context, st *server.Store, o roomOptions) error {
	if !o.confirmed {
		return shell.Usagef("room delete: everything shared there is deleted for good: want --confirm")
	}
	return st.DropRoom(ctx, o.room)
}

func printRooms(sh *shell.Shell, list []server.Room, asJSON bool) error {
	return printList(sh, asJSON, "rooms", "there is no room yet", list, func(r server.Room) {
		sh.Printf("%s  %s, made %s\n", r.Name, text.Count(r.Facts, "fact"), dayOf(r.Created))
		for _, m := range r.Members {
			sh.Printf("  %-20s %s, since %s\n", shell.Plain(m.Person), m.Role, dayOf(m.Since))
		}
	})
}
