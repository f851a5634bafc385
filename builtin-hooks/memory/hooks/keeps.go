package hooks

import (
	"errors"
	"io/fs"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// keeps reports whether something can be saved now. If not, it makes no sense to ask the agent to,
// and the user is told, once a session (BM-STO-19).
func keeps(c *behaviour.Call, place memory.Place) bool {
	err := place.Writable(c.Runtime.Random())
	if errors.Is(err, fs.ErrNotExist) { // the folder, which the first save makes
		err = nil
	}
	tellUnkept(c, place, err)
	return err == nil
}

// tellUnkept tells the user why nothing can be kept, once a session. That another process holds a
// file at the moment is no such reason.
func tellUnkept(c *behaviour.Call, place memory.Place, err error) {
	if err == nil || errors.Is(err, statefile.ErrLocked) || !c.Can("message") || c.State.Read(stateName).Bool("unkept") {
		return
	}
	_ = c.State.Update(stateName, func(o protocol.Object) protocol.Object {
		o.Set("unkept", protocol.Raw("true"))
		return o
	})
	why := beneath.Why(err)
	if c.Answer.UserMessage != "" {
		c.Answer.UserMessage += "\n\n"
	}
	c.Answer.UserMessage += requestOf(c).lang.Pick(
		"memory: nothing can be kept in "+place.Folder()+" ("+why+"), so what this session decides and does is not remembered until it can. What is there is read. Look: agents-hooks memory doctor",
		"记忆："+place.Folder()+" 无法写入（"+why+"），在能写入之前，这次会话的决定和所做的事都记不下来；已有的仍可读取。查看：agents-hooks memory doctor")
}
