package doctor

import (
	"fmt"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A verdict is how a check came out.
type verdict string

const (
	checkOK    verdict = "ok"
	checkWarn  verdict = "warn"  // it works, but not as somebody may think
	checkError verdict = "error" // it does not work
	checkOff   verdict = "off"   // it is not there, which may be meant
)

// A check is one line of doctor. Its JSON form is pinned.
type check struct {
	ID      string  `json:"id"`
	Agent   string  `json:"agent"` // "" if it is about none
	Status  verdict `json:"status"`
	Message string  `json:"message"`
	Fix     string  `json:"fix"` // "" if there is nothing to do
}

// row is a check about no agent. It may contain texts of strangers, so it is made safe
// to show.
func row(id string, status verdict, fix, format string, args ...any) check {
	return check{ID: id, Status: status, Message: shell.Plain(fmt.Sprintf(format, args...)), Fix: shell.Plain(fix)}
}

// rows is a list of one such check.
func rows(id string, status verdict, fix, format string, args ...any) []check {
	return []check{row(id, status, fix, format, args...)}
}

// about says of rows which agent they are about.
func about(a *protocol.Dialect, list []check) []check {
	for i := range list {
		list[i].Agent = a.ID
	}
	return list
}
