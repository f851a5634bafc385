package opcli

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Print prints a value for people, and for agents that read: names and values on
// lines; objects and lists on several, indented.
func Print(sh *shell.Shell, name string, raw op.Raw, indent string) {
	head := indent
	if name != "" {
		head += name + ": "
	}
	if o := protocol.ObjectOf(raw); o != nil {
		if name != "" {
			sh.Printf("%s\n", strings.TrimRight(head, " "))
			indent += "  "
		}
		for _, m := range o {
			Print(sh, m.Name, m.Value, indent)
		}
		return
	}
	list := protocol.ElementsOf(raw)
	if list == nil {
		sh.Printf("%s%s\n", head, shown(raw, indent+"  "))
		return
	}
	sh.Printf("%s\n", strings.TrimRight(head, " "))
	for _, e := range list {
		if protocol.ObjectOf(e) != nil {
			sh.Printf("%s-\n", indent+"  ")
			Print(sh, "", e, indent+"    ")
			continue
		}
		sh.Printf("%s- %s\n", indent+"  ", shown(e, indent+"    "))
	}
}

// shown is a text or a number; the lines of a long text are aligned.
func shown(raw op.Raw, indent string) string {
	if len(raw) == 0 || raw[0] != '"' {
		return string(raw)
	}
	return strings.ReplaceAll(protocol.Plain(protocol.TextOf(raw)), "\n", "\n"+indent)
}
