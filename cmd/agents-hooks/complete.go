package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/spec"
)

// A suggestion is a word that a command line may go on with, and what it means.
type suggestion struct{ word, text string }

// What a shell completes by itself.
const (
	nothing = ""
	files   = "files"
	folders = "folders"
)

// complete finds what the last of words may become.
func (t *tool) complete(commands []*cli.Command, words []string) ([]suggestion, string) {
	words = joinEquals(words)
	before, current := words[:len(words)-1], words[len(words)-1]
	line := typed(commands, before)
	var list []suggestion
	kind := nothing
	name, _, inline := strings.Cut(current, "=")
	switch {
	case line.pending != "":
		list, kind = t.flagValues(line, line.pending)
	case line.command == nil && len(line.args) == 0:
		list = commandWords(commands)
	case line.command == nil:
	case inline && strings.HasPrefix(current, "-") && !line.ended:
		list, kind = t.flagValues(line, strings.TrimLeft(name, "-"))
		for i := range list {
			list[i].word = name + "=" + list[i].word
		}
	case strings.HasPrefix(current, "-") && !line.ended:
		list = flagWords(line.command)
	case len(line.command.Subcommands) > 0 && len(line.args) == 0:
		list = commandWords(line.command.Subcommands)
	default:
		list, kind = t.argumentWords(line)
	}
	list = slices.DeleteFunc(list, func(s suggestion) bool { return !strings.HasPrefix(s.word, current) })
	return list, kind
}

// joinEquals undoes that bash breaks "--agent=x" into three words: only the
// last of them is the one to be completed.
func joinEquals(words []string) []string {
	n := len(words)
	switch {
	case n >= 2 && words[n-1] == "=" && strings.HasPrefix(words[n-2], "--"):
		return append(words[:n-1:n-1], "")
	case n >= 3 && words[n-2] == "=" && strings.HasPrefix(words[n-3], "--"):
		return append(words[:n-2:n-2], words[n-1])
	}
	return words
}

// A commandLine is what was typed before the word that is completed.
type commandLine struct {
	path    string // "install", "builtin list"
	command *cli.Command
	args    []string
	flags   map[string]string
	pending string // the flag that the next word is the value of
	ended   bool   // "--" was typed
}

func typed(commands []*cli.Command, words []string) commandLine {
	line := commandLine{flags: map[string]string{}}
	for _, w := range words {
		switch {
		case line.pending != "" && w == "=": // bash again
		case line.pending != "":
			line.flags[line.pending], line.pending = w, ""
		case w == "--":
			line.ended = true
		case strings.HasPrefix(w, "-") && !line.ended:
			name, value, _ := strings.Cut(strings.TrimLeft(w, "-"), "=")
			line.flags[name] = value
			if line.command != nil && wantsValue(line.command.Flags, w) {
				line.pending = name
			}
		default:
			if i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(w) }); i >= 0 && len(line.args) == 0 {
				line.command, commands = commands[i], commands[i].Subcommands
				line.path = strings.TrimSpace(line.path + " " + line.command.Name)
				continue
			}
			line.args = append(line.args, w)
		}
	}
	return line
}

func commandWords(commands []*cli.Command) []suggestion {
	var list []suggestion
	for _, c := range commands {
		if !c.Hidden {
			list = append(list, suggestion{c.Name, c.Usage})
		}
	}
	return list
}

func flagWords(c *cli.Command) []suggestion {
	list := []suggestion{}
	for _, f := range c.Flags {
		text := ""
		if d, ok := f.(cli.DocGenerationFlag); ok {
			text = d.GetUsage()
		}
		if v, ok := f.(cli.VisibleFlag); ok && !v.IsVisible() {
			continue
		}
		list = append(list, suggestion{"--" + f.Names()[0], text})
	}
	return append(list, suggestion{"--help", "show help"})
}

// flagValues are the values that a flag may have. A flag means the same on
// every command that has it.
func (t *tool) flagValues(line commandLine, flag string) ([]suggestion, string) {
	if list, ok := t.workspaceFlagWords(line, flag); ok {
		return list, nothing
	}
	if list := evolutionWords(line.path, flag); list != nil {
		return plainWords(list), nothing
	}
	switch flag {
	case "agent":
		return agentWords(), nothing
	case "event":
		return eventWords(line.flags["agent"]), nothing
	case "trigger":
		return eventWords(""), nothing
	case "tool":
		return plainWords(portableTools()), nothing
	case "lang":
		return plainWords(langWords()), nothing
	case "hook":
		return t.hookWords(), nothing
	case "trust":
		return plainWords([]string{"always"}), nothing
	case "timing":
		return plainWords(strings.Split(timingWords(), ", ")), nothing
	case "skills", "invoked":
		return t.skillWords(), nothing
	case "input":
		return nil, files
	case "from":
		return agentWords(), nothing
	case "skills-dir", "dir", "C", "config", "state", "project":
		return nil, folders
	}
	return nil, nothing
}

// argumentWords are what the arguments of a command may be.
func (t *tool) argumentWords(line commandLine) ([]suggestion, string) {
	first := len(line.args) == 0
	if list := t.workspaceArgumentWords(line); list != nil {
		return list, nothing
	}
	switch line.path {
	case "evolution analyze", "evolution strategies", "evolution distill":
		return plainWords(signalWords()), nothing
	case "evolution import":
		return nil, files
	case "explain":
		if first {
			return eventWords(""), nothing
		}
	case "install", "uninstall", "agents", "doctor":
		return without(agentWords(), line.args), nothing
	case "enable", "disable":
		return without(append(t.hookWords(), behaviourWords()...), line.args), nothing
	case "completion":
		if first {
			return plainWords(shells()), nothing
		}
	case "spec":
		if first {
			return specWords(), nothing
		}
	case "test":
		if first {
			return nil, folders
		}
	case "replay":
		return without(t.recordedFiles(), line.args), files
	case "skills explain":
		return without(t.skillWords(), line.args), nothing
	case "list", "validate", "trust", "untrust", "skills validate":
		return nil, folders
	}
	return nil, nothing
}

func plainWords(words []string) []suggestion {
	var list []suggestion
	for _, w := range words {
		list = append(list, suggestion{word: w})
	}
	return list
}

func without(list []suggestion, words []string) []suggestion {
	return slices.DeleteFunc(list, func(s suggestion) bool { return slices.Contains(words, s.word) })
}

func agentWords() []suggestion {
	var list []suggestion
	for _, d := range installable() {
		list = append(list, suggestion{d.ID, d.Name})
	}
	return list
}

// eventWords are the events of the format, or those of one agent.
func eventWords(agent string) []suggestion {
	var list []suggestion
	if d, ok := agents.Lookup(agent); ok && agent != "" {
		for _, n := range d.Natives {
			list = append(list, suggestion{n.Name, string(n.Feeds[0])})
		}
		return list
	}
	for _, e := range protocol.EventTypes() {
		list = append(list, suggestion{word: string(e)})
	}
	return list
}

func (t *tool) hookWords() []suggestion {
	var list []suggestion
	seen := map[string]bool{}
	for _, h := range t.set(t.host.WorkDir).Hooks {
		if h.Status != discovery.Foreign && protocol.ValidName(h.Name) && !seen[h.Name] {
			seen[h.Name] = true
			list = append(list, suggestion{h.Name, h.Description})
		}
	}
	return list
}

// skillWords are the skills that have prompts here.
func (t *tool) skillWords() []suggestion {
	var list []suggestion
	for _, s := range t.skillsFrom(t.host.WorkDir).skills {
		list = append(list, suggestion{s.Name, plural(len(s.Hooks), "prompt")})
	}
	return list
}

func specWords() []suggestion {
	var list []suggestion
	for _, d := range append(spec.Pages(), spec.Schemas()...) {
		list = append(list, suggestion{d.Name, d.Title})
	}
	return list
}

func portableTools() []string {
	return []string{
		protocol.Shell, protocol.ReadFile, protocol.WriteFile, protocol.EditFile,
		protocol.Search, protocol.Fetch, protocol.WebSearch, protocol.Task,
	}
}

func langWords() []string {
	var names []string
	for _, l := range langs() {
		names = append(names, string(l))
	}
	return names
}

func behaviourWords() []suggestion {
	var list []suggestion
	for _, b := range builtinhooks.Behaviours() {
		list = append(list, suggestion{b.Name, b.Purpose})
	}
	return list
}
