package deed

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// PowerShell has a grammar of its own, which this package does not read. What looks
// as in sh also means the same: matchers are tried on it, and files that plain
// commands name are changes.

// alike reads a line of PowerShell as far as it is valid sh too. A backslash is part
// of a path there.
func (r *reader) alike(line string) {
	as := &reader{changes: r.changes, until: r.until, since: r.since}
	as.line(strings.ReplaceAll(line, `\`, "/"), 0)
	for _, c := range as.out {
		r.piece(c.Text)
	}
	r.piece(as.pieces...)
	if r.unread == "" {
		r.unread = as.unread
	}
}

// cmdlet is the cmdlet that changes files, in its usual spelling; "" for all others.
func cmdlet(name string) string {
	switch name = strings.ToLower(name); name {
	case "remove-item", "set-content", "add-content", "clear-content", "out-file", "tee-object", "new-item", "copy-item", "move-item", "rename-item":
		return name
	}
	return ""
}

// cmdlet adds what a cmdlet changes: the files in its parameters or its first words.
func (r *reader) cmdlet(name string, args []string) {
	var plain []string
	params := map[string]string{}
	for i := 0; i < len(args); i++ {
		param, ok := strings.CutPrefix(strings.ToLower(args[i]), "-")
		switch {
		case !ok:
			plain = append(plain, args[i])
		case takesValue(param) && i+1 < len(args):
			i++
			params[param] = args[i]
		}
	}
	take := func(names ...string) string {
		for _, n := range names {
			if params[n] != "" {
				return params[n]
			}
		}
		if len(plain) == 0 {
			return ""
		}
		first := plain[0]
		plain = plain[1:]
		return first
	}
	file := take("path", "literalpath", "filepath")
	if !known(file) {
		return
	}
	c := protocol.Change{Action: protocol.Update, Path: file}
	switch cmdlet(name) {
	case "remove-item":
		c.Action = protocol.Delete
	case "set-content", "add-content", "new-item":
		c.New = take("value")
		c.HasNew = c.New != ""
	case "copy-item":
		c = protocol.Change{Action: protocol.Create, Path: take("destination")}
	case "move-item", "rename-item":
		c.Action, c.To = protocol.Move, take("destination", "newname")
	}
	if c.Path != "" {
		r.changes.add(c)
	}
}

func takesValue(param string) bool {
	switch param {
	case "path", "literalpath", "filepath", "value", "destination", "newname", "itemtype", "encoding", "include", "exclude", "filter", "name":
		return true
	}
	return false
}
