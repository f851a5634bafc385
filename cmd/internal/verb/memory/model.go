package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/chosen"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/endpoint"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/model2vec"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/models"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

func modelCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "model", Usage: "choose what compares memories: built in, a file, a local server",
		Description: "Vectors that know what words mean are built in. A static model in the form of\n" +
			"Model2Vec, or a model that answers on this machine, may know more. What is\n" +
			"remembered gets its vectors at once here, elsewhere as its sessions end; the\n" +
			"way back is: agents-hooks memory model use built-in",
		Subcommands: []*cli.Command{modelAddCommand(sh), modelListCommand(sh), modelUseCommand(sh), modelRemoveCommand(sh)},
	}
}

// modelNames completes the added models.
func modelNames(sh *shell.Shell, more ...string) cli.Words {
	return shell.Listed(func() (list []cli.Suggestion) {
		shelf := models.Store{Data: sh.Host.Data, Now: sh.Host.Now}
		found, _ := shelf.List()
		for _, m := range found {
			list = append(list, cli.Suggestion{Word: m.Name, Text: fmt.Sprintf("%s, %d numbers", m.Kind, m.Dims)})
		}
		for _, m := range more {
			list = append(list, cli.Suggestion{Word: m})
		}
		return list
	})
}

func modelAddCommand(sh *shell.Shell) *cli.Command {
	var known []string
	for _, k := range models.KnownModels() {
		known = append(known, k.Name)
	}
	return &cli.Command{
		Name: "add", Usage: "add a static model, and use it", ArgsUsage: "PATH|NAME",
		Description: "PATH is a folder with model.safetensors, tokenizer.json and config.json. NAME is\n" +
			"one that is downloaded, and checked by its SHA-256:\n  " + strings.Join(known, "\n  "),
		Flags: ofProject(
			&cli.StringFlag{Name: "name", Usage: "call it `NAME`; default: its folder's name"},
			&cli.StringFlag{Name: "sha256", Usage: "`SUM` that its model.safetensors has to have"},
			&cli.StringFlag{Name: "from", Usage: "download from a mirror: the `URL` above its files"},
		),
		Complete: shell.First(func(l cli.Line) ([]cli.Suggestion, cli.Kind) {
			list, _ := shell.Fixed(known...)(l)
			return list, cli.FileNames
		}),
		Action: func(c *cli.Context) error {
			words, err := shell.Args(c, 1, 1, "a folder with a model, or a name")
			if err != nil {
				return err
			}
			if err := sh.OnlyPerson("memory model add"); err != nil {
				return err
			}
			o, m, err := readMemory(sh, c)
			if err != nil {
				return err
			}
			i, err := added(c.Context, m, newModel{words[0], c.String("name"), strings.ToLower(c.String("sha256")), c.String("from")})
			if err != nil {
				return err
			}
			return usedModel(c.Context, sh, m, chosen.Choice{Name: i.Name}, o.json, i)
		},
	}
}

// A newModel says which model to add: its path or name, what to call it here, its SHA-256, and
// the mirror to get it from.
type newModel struct{ word, name, sum, from string }

// added adds a model from a path, or downloads it.
func added(ctx context.Context, m ops.Memory, o newModel) (models.Info, error) {
	word, name, sum, from := o.word, o.name, o.sum, o.from
	if sum != "" && (len(sum) != 64 || strings.Trim(sum, "0123456789abcdef") != "") {
		return models.Info{}, shell.Usagef("memory model add: --sha256 %q: want 64 digits, as sha256sum prints them", sum)
	}
	all := models.KnownModels()
	at := slices.IndexFunc(all, func(k models.Known) bool { return k.Name == word })
	if _, err := os.Stat(word); err == nil && from == "" {
		i, err := m.Models().Add(word, cmp.Or(name, models.NameOf(word)), sum, word)
		return i, wrapped("add", err)
	} else if at < 0 {
		if strings.ContainsAny(word, `/\`) {
			return models.Info{}, fmt.Errorf("memory model add: %w", err)
		}
		bad := shell.Usagef("memory model add: %q is neither a folder nor the name of a known model", word)
		if near := text.Nearest(word, knownNames(), 3); near != "" {
			return models.Info{}, shell.WithHint(bad, "agents-hooks memory model add "+near)
		}
		return models.Info{}, shell.WithHint(bad, "known are "+strings.Join(knownNames(), ", "))
	}
	client, err := m.Client()
	if err != nil {
		return models.Info{}, wrapped("add", err)
	}
	i, err := m.Models().Download(ctx, all[at], cmp.Or(name, word), sum, from, client)
	if errors.Is(err, models.ErrUnpinned) {
		return i, shell.WithHint(wrapped("add", err), fmt.Sprintf("agents-hooks memory model add %s --sha256 SUM, with the sum that its author names; or download %s, %s and %s from %s into a folder: agents-hooks memory model add FOLDER",
			word, model2vec.Tensors, model2vec.Tokenizer, model2vec.Config, all[at].From))
	}
	return i, wrapped("add", err)
}

func wrapped(verb string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("memory model %s: %w", verb, err)
}

func knownNames() (out []string) {
	for _, k := range models.KnownModels() {
		out = append(out, k.Name)
	}
	return out
}

func modelListCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "list", Usage: "list the models, and which one is used", Flags: ofProject(),
		Action: func(c *cli.Context) error {
			o, m, err := readMemory(sh, c)
			if err != nil {
				return err
			}
			list, err := m.Models().List()
			if err != nil {
				return wrapped("list", err)
			}
			vectors, wrong := m.Vectors(c.Context)
			if o.json {
				return document(sh, map[string]any{"schema": 1, "dir": chosen.Dir(sh.Host.Data), "used": vectors, "setting": m.Settings.Of("embedding").Text, "models": list, "known": models.KnownModels()})
			}
			for _, i := range list {
				mark := " "
				if i.Used {
					mark = "*"
				}
				sh.Printf("%s %-28s %s, %d tokens of %d numbers, %d MB\n", mark, i.Name, i.Kind, i.Tokens, i.Dims, (i.Bytes+1<<19)>>20)
				if i.Wrong != "" {
					sh.Printf("    it cannot be used: %s\n", i.Wrong)
				}
			}
			sh.Printf("used: %s\n", vectors)
			tellVectors(sh, vectors, wrong)
			return nil
		},
	}
}

// tellVectors says what is wrong with the model that was chosen, and whether it is used all the same.
func tellVectors(sh *shell.Shell, used string, wrong error) {
	if wrong == nil {
		return
	}
	if used == ops.BuiltIn {
		wrong = fmt.Errorf("%w: the built-in vectors are used", wrong)
	}
	sh.Say("%v: agents-hooks memory model list", wrong)
}

func modelUseCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "use", Usage: "compare with an added model, one on this machine, or the built-in one", ArgsUsage: "NAME|built-in|local|URL",
		Description: "local looks for Ollama, LM Studio and llama.cpp on this machine and, if you say\n" +
			"yes, sends them what is remembered and searched for; URL is such a server at\n" +
			"another port. A server elsewhere is named in hooks.toml: embedding = \"http\".",
		Flags: ofProject(
			&cli.StringFlag{Name: "model", Usage: "`MODEL` of the server; default: the first one that makes vectors"},
			&cli.BoolFlag{Name: "yes", Usage: "do not ask before texts go to a server on this machine"},
		),
		Complete: shell.First(modelNames(sh, models.BuiltIn, models.Local)),
		Action: func(c *cli.Context) error {
			words, err := shell.Args(c, 1, 1, "a model, built-in, local, or an address of this machine")
			if err != nil {
				return err
			}
			if err := sh.OnlyPerson("memory model use"); err != nil {
				return err
			}
			o, m, err := readMemory(sh, c)
			if err != nil {
				return err
			}
			switch word := words[0]; {
			case word == models.BuiltIn:
				return usedModel(c.Context, sh, m, chosen.Choice{}, o.json, models.Info{Name: word})
			case word == models.Local || strings.Contains(word, "://"):
				choice, err := localModel(c.Context, sh, localOptions{strings.TrimPrefix(word, models.Local), c.String("model"), c.Bool("yes")})
				if err != nil {
					return err
				}
				return usedModel(c.Context, sh, m, choice, o.json, models.Info{Name: choice.Model, From: choice.URL})
			default:
				i, err := m.Models().Get(word)
				if err == nil && i.Wrong != "" {
					err = fmt.Errorf("the model %q: %s", word, i.Wrong)
				}
				if err != nil {
					return shell.WithHint(wrapped("use", err), "agents-hooks memory model list")
				}
				return usedModel(c.Context, sh, m, chosen.Choice{Name: word}, o.json, i)
			}
		},
	}
}

// localOptions say which server on this machine is meant, and which of its models; by default
// the first.
type localOptions struct {
	address, model string
	yes            bool
}

// localModel finds a server on this machine, and asks whether texts may be sent to it.
func localModel(ctx context.Context, sh *shell.Shell, o localOptions) (chosen.Choice, error) {
	none, address := chosen.Choice{}, o.address
	if address != "" && !endpoint.IsLocal(address) {
		return none, shell.WithHint(shell.Usagef("memory model use: %q is not an address of this machine", address),
			"a server elsewhere: [builtin.memory] embedding = \"http\" and embedding_url in ~/.config/agents/hooks.toml")
	}
	servers, err := endpoint.Local(ctx, address)
	if err != nil {
		return none, wrapped("use", err)
	}
	if len(servers) == 0 {
		return none, shell.WithHint(fmt.Errorf("memory model use: no server with an embedding model answers on this machine: tried Ollama (11434), LM Studio (1234), llama.cpp (8080)"),
			"with Ollama: ollama pull nomic-embed-text; at another port: agents-hooks memory model use http://127.0.0.1:PORT/v1")
	}
	choice := chosen.Choice{URL: servers[0].URL, Model: servers[0].Models[0]}
	if want := o.model; want != "" {
		at := slices.IndexFunc(servers, func(s endpoint.Server) bool { return slices.Contains(s.Models, want) })
		if at < 0 && address == "" {
			return none, shell.WithHint(fmt.Errorf("memory model use: no server on this machine has the model %q", want), "it has "+strings.Join(servers[0].Models, ", "))
		}
		choice = chosen.Choice{URL: servers[max(at, 0)].URL, Model: want}
	}
	if err := sh.Confirm(o.yes, fmt.Sprintf("what is remembered, each search, and of each prompt up to 400 characters, without secrets and <private> parts, go to %s (%s at %s) on this machine; go on?", choice.Model, servers[0].Name, choice.URL), "memory model use local"); err != nil {
		return none, err
	}
	dims, took, err := endpoint.Endpoint{URL: choice.URL, Model: choice.Model, Client: endpoint.Direct()}.Try(ctx, endpoint.StoreWait)
	if err != nil {
		return none, wrapped("use", err)
	}
	fmt.Fprintf(sh.Err, "%s: vectors of %d numbers in %s\n", choice.Model, dims, took.Round(time.Millisecond))
	return choice, nil
}

// usedModel selects a model, and computes this project's vectors with it.
func usedModel(ctx context.Context, sh *shell.Shell, m ops.Memory, choice chosen.Choice, asJSON bool, i models.Info) error {
	if err := m.Use(ctx, choice); err != nil {
		return wrapped("use", err)
	}
	if set := m.Settings.Of("embedding"); set.Text != "auto" {
		sh.Say("the setting embedding is %q (%s): your choice takes effect once it is \"auto\"", set.Text, set.From)
	}
	if i.Used = choice != (chosen.Choice{}); asJSON {
		return document(sh, map[string]any{"schema": 1, "model": i})
	}
	sh.Printf("used from now on: %s\n", i.Name)
	return nil
}

func modelRemoveCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "remove", Usage: "remove a model; the built-in one is used then", ArgsUsage: "NAME", Flags: ofProject(),
		Complete: shell.First(modelNames(sh)),
		Action: func(c *cli.Context) error {
			words, err := shell.Args(c, 1, 1, "the name of a model")
			if err != nil {
				return err
			}
			if err := sh.OnlyPerson("memory model remove"); err != nil {
				return err
			}
			o, m, err := readMemory(sh, c)
			if err != nil {
				return err
			}
			if err := m.Models().Remove(words[0], sh.Host.Cache); err != nil {
				return shell.WithHint(wrapped("remove", err), "agents-hooks memory model list")
			}
			return sh.Answer(o.json, map[string]any{"schema": 1, "removed": words[0]}, func() { sh.Printf("removed: %s\n", words[0]) })
		},
	}
}
