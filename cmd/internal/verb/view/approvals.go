package view

import (
	"context"

	"github.com/agents-hooks/agents-hooks/cmd/internal/approval"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/page"
)

// seeApprovals collects what needs the user's approval, as trust does.
func seeApprovals(_ context.Context, sh *shell.Shell, l lookOptions) (page.Part, error) {
	found, err := approval.Look(sh, l.dir, nil)
	if err == nil {
		err = found.Unread
	}
	return approvalsPart(sh, l, found), err
}

func approvalsPart(sh *shell.Shell, l lookOptions, found approval.Found) page.Part {
	doc := struct {
		Name  string          `json:"name"`
		Dir   string          `json:"dir"`
		Items []approval.Card `json:"items"`
		Live  bool            `json:"live"`
		May   bool            `json:"may"`
		Why   string          `json:"why"`
	}{"approvals", sh.Short(l.dir), found.Cards(sh), l.may.live, l.may.live && l.may.why == "", l.may.why}
	return page.Part{Name: "approvals", English: "Approvals", Chinese: "批准", Count: found.Waiting(), Style: activityStyle + approvalsStyle, Script: approvalsScript, Docs: []any{doc}}
}
