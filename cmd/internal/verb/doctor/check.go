package doctor

import (
	"fmt"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A verdict is the result of a check.
type verdict string

const (
	checkOK    verdict = "ok"
	checkWarn  verdict = "warn"  // it works, but perhaps not as expected
	checkError verdict = "error" // it does not work
	checkOff   verdict = "off"   // it is absent, perhaps deliberately
)

// A check is one line of doctor. Its JSON form is stable.
type check struct {
	ID      string  `json:"id"`
	Agent   string  `json:"agent"` // "" if it is about no agent
	Status  verdict `json:"status"`
	Message string  `json:"message"`
	Fix     string  `json:"fix"` // "" if there is nothing to do
}

// row is a check that is about no agent. The texts may come from strangers, so they are made
// safe to show.
func row(id string, status verdict, fix, format string, args ...any) check {
	return check{ID: id, Status: status, Message: shell.Plain(fmt.Sprintf(format, args...)), Fix: shell.Plain(fix)}
}

// rows is a list of one row.
func rows(id string, status verdict, fix, format string, args ...any) []check {
	return []check{row(id, status, fix, format, args...)}
}

// about sets the agent of rows.
func about(a *protocol.Dialect, list []check) []check {
	for i := range list {
		list[i].Agent = a.ID
	}
	return list
}
