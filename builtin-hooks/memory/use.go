package memory

import (
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Use says how often an agent was given a fact because it searched for it, or because it was
// about a prompt, and when last.
type Use struct {
	Count int
	Last  time.Time
}

// usesFile belongs to this machine: what one user's agents search for does not concern the
// team.
const usesFile = localDir + "/uses.json"

// Uses are the uses of the folder's facts.
func (p Place) Uses() map[string]Use {
	out := map[string]Use{}
	b, err := p.Read(usesFile)
	if err != nil {
		return out
	}
	o, err := protocol.ParseObject(b)
	if err != nil {
		return out
	}
	for _, m := range o {
		u := protocol.ObjectOf(m.Value)
		n, _ := strconv.Atoi(string(u.Get("n")))
		at, _ := time.Parse(time.RFC3339, u.Text("at"))
		out[m.Name] = Use{n, at}
	}
	return out
}

// Used counts one more use of some facts.
func (p Place) Used(ids []string, now time.Time) error {
	if len(ids) == 0 {
		return nil
	}
	if err := p.makeLocal(); err != nil {
		return err
	}
	return p.files().Update(p.Path(usesFile), lockWait, func(old []byte) ([]byte, error) {
		o, err := protocol.ParseObject(old)
		if err != nil {
			o = protocol.Object{}
		}
		for _, id := range ids {
			n, _ := strconv.Atoi(string(o.Sub(id).Get("n")))
			var u protocol.Object
			u.Set("n", strconv.AppendInt(nil, int64(n+1), 10))
			u.SetText("at", Stamp(now))
			o.Set(id, u.Raw())
		}
		return append(o.Append(nil), '\n'), nil
	})
}

// Everywhere appends a fact's line to the file of its day, where it no longer belongs to a
// branch.
func (p Place) Everywhere(o protocol.Object) error {
	f, ok := parseFact(o)
	if !ok {
		return nil
	}
	return p.append(p.Daily(f.Time), o.Append(nil))
}

// HasBranch reports whether the branch of a file exists, here or at the server: that one, and no
// other of its name.
func (p Place) HasBranch(file string) bool {
	c, name := p.Checkout(), BranchOf(file)
	if c.ref("refs/heads/"+name) == "" {
		return c.ref("refs/remotes/origin/"+name) != ""
	}
	begun, ok := p.begunAt(file)
	if strings.HasSuffix(file, goneMark+".jsonl") {
		return false
	}
	return !ok || !p.madeAgain(c, name, file, begun)
}
