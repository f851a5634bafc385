package evolution

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/opcli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// verb is an operation as a command.
func verb(sh *shell.Shell, o op.Op) *cli.Command {
	var more []cli.Flag
	switch o.Name {
	case "evolve_analyze":
		more = append(more, &cli.Int64Flag{Name: "seed", Usage: "make the same choice as with this `NUMBER`"},
			&cli.BoolFlag{Name: "remote", Usage: "with a key: ask the server if nothing here fits"})
	case "evolve_export_skill":
		more = append(more, &cli.BoolFlag{Name: "text", Usage: "only the SKILL.md, as without --json"})
	}
	more = append(more, hookset.DirFlag(), shell.JSONFlag())
	c := opcli.Command(sh, o, o.Command, more, func(c *cli.Context, given op.Object) error {
		v, err := readVerb(sh, c)
		if err != nil {
			return err
		}
		answer, err := do(c.Context, sh, v, o, given)
		if err != nil {
			return failed(o.Command, err)
		}
		return tell(sh, answer, v.json)
	})
	if o.Name == "evolve_import" { // its genes come from a file here
		c.Complete = shell.First(shell.Files)
		c.Action = func(c *cli.Context) error {
			v, err := readImport(sh, c, o)
			if err != nil {
				return err
			}
			answer, err := do(c.Context, sh, v.verbOptions, o, v.given)
			if err != nil {
				return failed(o.Command, err)
			}
			return tell(sh, answer, v.json)
		}
	}
	return c
}

type importOptions struct {
	verbOptions
	given op.Object
}

func readImport(sh *shell.Shell, c *cli.Context, o op.Op) (v importOptions, err error) {
	if v.given, err = opcli.Given(sh, c, o); err != nil {
		return v, err
	}
	if c.Bool("fork") {
		_, err = shell.Args(c, 0, 0, "flags only with --fork")
	} else {
		var text []byte
		var genes op.Raw
		if text, err = sh.FileOrStdin(c, "evolution", 64<<20); err == nil {
			genes, err = genesIn(text)
			v.given.Set("genes", genes)
		}
	}
	if err != nil {
		return v, err
	}
	v.verbOptions, err = readVerb(sh, c)
	return v, err
}

type verbOptions struct {
	placeOptions
	seed   *int64 // nil: random
	remote bool   // ask the server too
}

func readVerb(sh *shell.Shell, c *cli.Context) (o verbOptions, err error) {
	if seed := c.Int64("seed"); c.IsSet("seed") {
		o.seed = &seed
	}
	o.remote = c.Bool("remote")
	o.placeOptions, err = readPlace(sh, c)
	return o, err
}

// do calls an operation.
func do(ctx context.Context, sh *shell.Shell, v verbOptions, o op.Op, given op.Object) (any, error) {
	d := v.operator(ctx, sh)
	if v.seed != nil {
		d.Random = rand.New(rand.NewPCG(uint64(*v.seed), 0))
	}
	answer, err := d.Call(ctx, o.Name, given)
	if a, ok := answer.(*ops.Analysis); ok && err == nil && v.remote {
		askServer(ctx, sh, v.placeOptions, a, given)
	}
	return answer, err
}

// tell prints an answer. If the answer is that nothing was done, the command exits with 1.
func tell(sh *shell.Shell, answer any, asJSON bool) error {
	var err error
	if asJSON {
		err = sh.JSON(answer)
	} else {
		err = printAnswer(sh, answer)
	}
	if err == nil && refused(answer) {
		return shell.ErrReported
	}
	return err
}

// refused reports whether an answer says that nothing was done.
func refused(answer any) bool {
	switch a := answer.(type) {
	case *ops.Created:
		return a.Status == "refused" || a.Status == "similar"
	case *ops.Imported:
		return a.Added+a.Updated == 0 && len(a.Refused) > 0
	}
	return false
}

// genesIn are the genes in a file: a document of export, a list of genes, or one gene.
func genesIn(text []byte) (op.Raw, error) {
	var file struct {
		Genes []json.RawMessage `json:"genes"`
	}
	var list []json.RawMessage
	switch {
	case json.Unmarshal(text, &list) == nil:
	case json.Unmarshal(text, &file) == nil && file.Genes != nil:
		list = file.Genes
	case json.Valid(text):
		list = []json.RawMessage{text}
	default:
		return nil, errors.New("evolution import: want JSON: what evolution export prints, a list of genes, or one gene")
	}
	raw, err := json.Marshal(list)
	if err == nil {
		err = protocol.ValidValue(raw)
	}
	return raw, err
}
