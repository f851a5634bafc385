package hooks

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/lang"
	"github.com/agents-hooks/agents-hooks/internal/callname"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// recall says in one line, once a session and gene, what was proven here with such a
// command, before it has failed. It reads one small file, if that is there.
func recall(c *behaviour.Call, command string) error {
	if !c.Settings.Of("passive").Bool {
		return nil
	}
	b, err := statefile.Read(filepath.Join(evolution.Dir(c.World.Data), evolution.ProvenFile))
	if err != nil || b == nil {
		return err
	}
	all, err := protocol.ParseObject(b)
	if err != nil {
		return nil // it is made anew with the next outcome
	}
	families := signal.Read(command).Families
	if len(families) == 0 {
		return nil
	}
	for _, raw := range protocol.ElementsOf(all.Get(scopeOf(c))) {
		g := protocol.ObjectOf(raw)
		id := line(g.Text("id"), 120)
		if id == "" || !slices.ContainsFunc(protocol.ElementsOf(g.Get("on")), func(on protocol.Raw) bool { return about(families, protocol.TextOf(on)) }) {
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
			if zh := g.Text("title_zh"); zh != "" && langOf(c) == lang.Chinese {
				title = zh
			}
			c.Say(proven(langOf(c), families[0], inert(title, 160), integer(g.Get("helped")), integer(g.Get("runs")), c.Names().Call("evolve_show", "evolution show", callname.Word("gene_id", id))), "")
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

// proven is the line.
func proven(in lang.Language, family, title string, helped, runs int, show string) string {
	if in == lang.Chinese {
		return mark + " 此处运行 " + family + " 失败时有效的做法：“" + title + "”（" + strconv.Itoa(runs) + " 次中有 " + strconv.Itoa(helped) + " 次）。步骤：" + show
	}
	return mark + " If " + family + " fails: here \"" + title + "\" helped " + strconv.Itoa(helped) + " of " + strconv.Itoa(runs) + " times. Its steps: " + show
}
