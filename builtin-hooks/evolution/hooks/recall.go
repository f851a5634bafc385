package hooks

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/internal/toolref"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// recall says in one line, once per session and gene, what was proven here for such a
// command, before the command fails. It reads one small file, if there is one.
func recall(c *behaviour.Call, command string) error {
	families := signal.Read(command).Families
	if len(families) == 0 {
		return nil
	}
	return nameOne(c, func(g protocol.Object) string {
		if slices.ContainsFunc(protocol.ElementsOf(g.Get("on")), func(on protocol.Raw) bool { return about(families, protocol.TextOf(on)) }) {
			return families[0]
		}
		return ""
	})
}

// atPrompt is evolution-prompt: the same for a prompt that names such a command, or the
// purpose of the gene.
func atPrompt(c *behaviour.Call) error {
	prompt := c.Event.Text("prompt")
	if prompt == "" || c.Session() == "" || !c.Can("context") {
		return nil
	}
	said := wordsOf(line(prompt, mostPrompt))
	return nameOne(c, func(g protocol.Object) string {
		ons := protocol.ElementsOf(g.Get("on"))
		for _, raw := range ons {
			if on := protocol.TextOf(raw); namesCommand(said, on) {
				return on
			}
		}
		if len(ons) > 0 && isFor(said, g.Text("title")+" "+g.Text("title_zh")) {
			return protocol.TextOf(ons[0])
		}
		return ""
	})
}

const mostPrompt = 4000 // characters that are read

// wordsOf are the words of a text in lower case, without surrounding punctuation.
func wordsOf(s string) (list []string) {
	for _, w := range strings.Fields(strings.ToLower(s)) {
		if w = strings.Trim(w, "\"'`.,;:!?()[]{}<>“”‘’，。；：！？（）"); w != "" {
			list = append(list, w)
		}
	}
	return list
}

// namesCommand reports whether words name a command: the program with its subcommand,
// or a program whose name is not an ordinary word.
func namesCommand(said []string, on string) bool {
	program, sub, two := strings.Cut(on, " ")
	if !two {
		return (len(program) > 4 || slices.Contains(shortPrograms, program)) && slices.Contains(said, program) && !slices.Contains(plainPrograms, program)
	}
	for i := range said[:max(len(said)-1, 0)] {
		if said[i] == program && said[i+1] == sub {
			return true
		}
	}
	return false
}

// shortPrograms are programs with short names that are not ordinary words.
var shortPrograms = []string{"gcc", "g++", "tsc", "pip", "mvn", "curl", "psql", "jest", "mypy", "ruff", "tox", "rspec", "scp", "sbt"}

// plainPrograms are programs whose names people use for other things.
var plainPrograms = []string{"command", "python", "docker", "install", "build", "module", "deploy", "service", "container", "database", "browser", "template", "commit", "cloud", "policy", "script", "scripts", "vendor", "external", "update", "migration", "migrations", "migrate", "workspace", "release", "revision", "detected"}

// isFor reports whether words are about the subject of a title: they include most of
// its telling words, and at least two.
func isFor(said []string, title string) bool {
	const telling = 5 // letters
	words, found := 0, 0
	for _, w := range wordsOf(title) {
		if len(w) < telling {
			continue
		}
		words++
		if slices.Contains(said, w) {
			found++
		}
	}
	return found >= 2 && 3*found >= 2*words
}

// nameOne names the first proven gene that fits and was not yet named in this session.
// fits returns the command for which a gene fits, "" if it does not.
func nameOne(c *behaviour.Call, fits func(g protocol.Object) string) error {
	if !c.Settings.Of("passive").Bool {
		return nil
	}
	b, err := statefile.Read(filepath.Join(evolution.Dir(c.Runtime.Data), evolution.ProvenFile))
	if err != nil || b == nil {
		return err
	}
	all, err := protocol.ParseObject(b)
	if err != nil {
		return nil // it is rewritten with the next outcome
	}
	for _, raw := range protocol.ElementsOf(all.Get(scopeOf(c))) {
		g := protocol.ObjectOf(raw)
		id := line(g.Text("id"), 120)
		if id == "" {
			continue
		}
		family := fits(g)
		if family == "" {
			continue
		}
		fresh := false
		if err := c.State.Update(stateName, func(o protocol.Object) protocol.Object {
			told := o.Sub("recalled").Clone()
			if fresh = !told.Has(id); !fresh {
				return nil
			}
			told.Set(id, protocol.Raw("true"))
			o.Set("recalled", told.Raw())
			return o
		}); err != nil {
			return err
		}
		if fresh {
			title := g.Text("title")
			if zh := g.Text("title_zh"); zh != "" && langOf(c) == locale.Chinese {
				title = zh
			}
			c.Say(proven(langOf(c), inert(family, 60), inert(title, 160), integer(g.Get("helped")), integer(g.Get("runs")), c.Names().Call("evolve_show", "evolution show", toolref.Word("gene_id", id))), "")
			return nil
		}
	}
	return nil
}

// about reports whether a gene's command is one of some families, or their program.
func about(families []string, on string) bool {
	return slices.ContainsFunc(families, func(f string) bool {
		program, _, _ := strings.Cut(f, " ")
		return f == on || program == on
	})
}

// proven is the text of that line.
func proven(in locale.Language, family, title string, helped, runs int, show string) string {
	if in == locale.Chinese {
		return mark + " 此处运行 " + family + " 失败时有效的做法：“" + title + "”（" + strconv.Itoa(runs) + " 次中有 " + strconv.Itoa(helped) + " 次）。步骤：" + show
	}
	return mark + " If " + family + " fails: here \"" + title + "\" helped " + strconv.Itoa(helped) + " of " + strconv.Itoa(runs) + " times. Its steps: " + show
}
