// Package takeover copies what the user has in shell variables, such as a key, a URL or
// a proxy, to where hooks find it: in agent form these variables are not read, since a
// repository can set an agent's environment.
//
//	err := takeover.Ask(sh, []string{"evolution"}, false)
//
// It asks once for all variables, and never copies silently: without a terminal a flag
// is required, and if an agent may be typing nothing is copied. The values go into the
// user's hooks.toml, which then has mode 0600. A key is bound to its server (package
// keyring): if another server is configured later, the key is not sent until the user
// confirms it.
package takeover

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/keyring"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// FlagName is the flag that answers yes.
const FlagName = "take-over"

// Flag is that flag.
func Flag() cli.Flag {
	return &cli.BoolFlag{Name: FlagName, Usage: "write what your variables say into your hooks.toml unasked"}
}

// A personal variable is one in the user's own shell that stands for a behaviour's
// setting, and that is not read when an agent calls.
type personal struct {
	name           string
	behaviour, key string
	value          any
	secret         bool
}

// Ask copies what the user's own variables say about some behaviours into their
// hooks.toml, after asking, or without asking if yes is set; and records for which
// server each of their keys is. What is not copied is reported, and is not an error.
func Ask(sh *shell.Shell, behaviours []string, yes bool) error {
	set := hookset.All(sh.Host, sh.Host.WorkDir)
	found, odd := personalOf(sh.Host, set, behaviours)
	for _, o := range odd {
		sh.Say("%s", o)
	}
	if len(found) > 0 {
		if err := takeOver(sh, found, yes); err != nil {
			return err
		}
	}
	return bindKeys(sh, hookset.All(sh.Host, sh.Host.WorkDir), behaviours, yes)
}

// takeOver asks, and writes what was found.
func takeOver(sh *shell.Shell, found []personal, yes bool) error {
	file := setup.SettingsFile(sh.Host, nil, false)
	var names []string
	for _, p := range found {
		names = append(names, p.name)
	}
	list := strings.Join(names, ", ")
	if !yes && !mayAsk(sh) {
		sh.Say("%s: set here, and not read where an agent calls", list)
		sh.Hints([]string{"--take-over, in a terminal of your own, writes that into " + sh.Short(file)})
		return nil
	}
	for _, p := range found {
		sh.Say("%s", p)
	}
	question := fmt.Sprintf("agents do not read these variables. Write what they say into %s, which nobody but you may read then?", sh.Short(file))
	if err := sh.Confirm(yes, question, "--take-over"); err != nil {
		sh.Say("%s: left where it is: %v", list, err)
		return nil
	}
	f, err := setup.OpenConfig(file, "")
	if err != nil {
		return err
	}
	content := f.Content
	for _, p := range found {
		if content, err = discovery.SetBuiltin(content, p.behaviour, p.key, p.value); err != nil {
			return fmt.Errorf("%s: %w", sh.Short(f.Real), err)
		}
	}
	if info, err := os.Stat(f.Real); err == nil && info.Mode().Perm()&0o077 != 0 {
		// Before it holds a key. A new file has 0600.
		if err := os.Chmod(f.Real, info.Mode().Perm()&^0o077); err != nil {
			return err
		}
	}
	if _, err := f.Write(content); err != nil {
		return err
	}
	sh.Say("%s: taken over into %s", list, sh.Short(f.Real))
	return nil
}

// String is a variable's value and where it goes; of a key only its beginning.
func (p personal) String() string {
	said := shell.Plain(fmt.Sprint(p.value))
	if p.secret {
		said = text.Head(said, min(len(said)/4, 12)) + "…"
	}
	return fmt.Sprintf("%s: %s is to be builtin.%s.%s", p.name, said, p.behaviour, p.key)
}

// mayAsk reports whether there is a user who can answer.
func mayAsk(sh *shell.Shell) bool { return shell.IsTerminal(sh.In) && agents.Marker(sh.Host.Env) == "" }

// bindKeys records which server each key is for, by its current settings. If that was
// another server, it asks.
func bindKeys(sh *shell.Shell, set *discovery.Set, behaviours []string, yes bool) error {
	ring := keyring.Ring{State: sh.Host.State}
	world := &builtinhooks.Runtime{Settings: func(behaviour, _ string) map[string]any { return set.Settings.Builtin[behaviour] }}
	for _, b := range sh.Host.Behaviours() {
		if b.Keys == nil || !slices.Contains(behaviours, b.Name) {
			continue
		}
		// Files only: the environment was asked about above.
		for _, k := range b.Keys(b.Reader(world).For(sh.Host.WorkDir, nil), sh.Host.Home) {
			if err := bindKey(sh, ring, b.Name, k.Key, k.Server, yes); err != nil {
				return err
			}
		}
	}
	return nil
}

func bindKey(sh *shell.Shell, ring keyring.Ring, behaviour, key, server string, yes bool) error {
	known, err := ring.Server(key)
	if err != nil {
		return err
	}
	asked, err := keyring.Origin(server)
	if err != nil {
		sh.Say("%s: %v", behaviour, err)
		return nil
	}
	if known == asked {
		return nil
	}
	if known != "" {
		what := fmt.Sprintf("%s: the key was given for %s, and the settings name %s now", behaviour, known, asked)
		if !yes && !mayAsk(sh) {
			sh.Say("%s: it is not sent there", what)
			sh.Hints([]string{"--take-over, in a terminal of your own, if it is for that server"})
			return nil
		}
		if err := sh.Confirm(yes, what+". Send it there?", "--take-over"); err != nil {
			sh.Say("%s: the key is not sent to %s: %v", behaviour, asked, err)
			return nil
		}
	}
	return ring.Give(key, server)
}

// personalOf are the user's variables that stand for behaviours' settings and differ
// from their files. odd are those that cannot be intended: a place inside the project
// belongs to the repository, and moves with it.
func personalOf(h host.Host, set *discovery.Set, behaviours []string) (found []personal, odd []string) {
	for _, b := range h.Behaviours() {
		if !slices.Contains(behaviours, b.Name) {
			continue
		}
		have := set.Settings.Builtin[b.Name]
		add := func(name, key string, s *builtinhooks.Setting) {
			said := strings.TrimSpace(h.Getenv(name))
			if said == "" || host.CountsForAgent(name) {
				return
			}
			v, ok := s.Parse(said)
			switch why := setup.Unfit(h, said); {
			case !ok:
				odd = append(odd, fmt.Sprintf("%s: %q cannot be builtin.%s.%s: want %s", name, shell.Plain(said), b.Name, key, s.Want()))
			case discovery.SameValue(have[key], v.Raw()):
			case why != "":
				odd = append(odd, fmt.Sprintf("%s: %s %s: not taken over", name, shell.Plain(said), why))
			default:
				found = append(found, personal{name, b.Name, key, v.Raw(), strings.HasSuffix(key, "_key")})
			}
		}
		byKey := map[string]*builtinhooks.Setting{}
		table := b.Settings()
		for i := range table {
			byKey[table[i].Key] = &table[i]
			if s := &table[i]; s.Env != "" {
				add(s.Env, s.Key, s)
			}
		}
		if name, ok := have["embedding_key_env"].(string); ok && byKey["embedding_key"] != nil {
			add(name, "embedding_key", byKey["embedding_key"])
		}
		if byKey["proxy"] != nil && goesOut(b, have, found) {
			add(firstSet(h, "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"), "proxy", byKey["proxy"])
			add("SSL_CERT_FILE", "ca_file", byKey["ca_file"])
		}
	}
	return found, odd
}

// goesOut reports whether a behaviour has, or is about to get, a key or a server.
func goesOut(b builtinhooks.Behaviour, have map[string]any, found []personal) bool {
	for _, key := range []string{"api_key", "base_url", "embedding_url", "team_url"} {
		if text, ok := have[key].(string); ok && text != "" {
			return true
		}
		for _, p := range found {
			if p.behaviour == b.Name && p.key == key {
				return true
			}
		}
	}
	return false
}

func firstSet(h host.Host, names ...string) string {
	for _, n := range names {
		if h.Getenv(n) != "" {
			return n
		}
	}
	return names[0]
}
