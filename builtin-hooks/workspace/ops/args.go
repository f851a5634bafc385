package ops

import "github.com/agents-hooks/agents-hooks/builtin-hooks/op"

// Where a list of what an argument may be is found; see [Operator.offer].
const (
	workspaces = "workspaces"
	nodes      = "nodes"
	Sessions   = "sessions"
)

// Arguments that many tools have.

func argWorkspace() op.Arg {
	return op.Arg{Name: "workspaceId", From: workspaces, Required: true, Plain: true, Model: op.Text{English: "id of the workspace", Chinese: "工作区 ID"}}
}

// argHere is the workspace of a tool that works where the session is bound, or where
// there is only one: then it need not be named.
func argHere() op.Arg { return optional(argWorkspace(), "", "") }

func argNode() op.Arg {
	return op.Arg{Name: "nodeId", From: nodes, Required: true, Plain: true, Model: op.Text{English: "id of the node", Chinese: "节点 ID"}}
}

func optional(a op.Arg, en, zh string) op.Arg {
	a.Required = false
	if en != "" {
		a.Model = op.Text{English: en, Chinese: zh}
	}
	return a
}

func argSession(required bool) op.Arg {
	return op.Arg{Name: "sessionId", From: Sessions, Required: required, Plain: true, Model: op.Text{English: "id of the agent's session, as the hook told it", Chinese: "会话 ID（由 Hook 注入）"}}
}

// argWindow is the session whose focus moves with a change: of several windows on
// one workspace only its own.
func argWindow() op.Arg {
	return op.Arg{Name: "sessionId", From: Sessions, Model: op.Text{English: "id of the agent's session: its focus moves along; needed if several windows work here", Chinese: "会话 ID：其焦点随之移动；多个窗口绑定同一工作区时应提供"}}
}

func argDocs(en, zh string) op.Arg {
	return op.Arg{Name: "docs", Kind: op.Docs, Model: op.Text{English: en, Chinese: zh}}
}

func argConfirm() op.Arg {
	return op.Arg{Name: "confirmation", Kind: op.Confirm, Model: op.Text{English: "the token of actionRequired, and what the user really answered", Chinese: "actionRequired 给出的 token 与用户的真实输入"}}
}
