package desk

// Arguments that many tools have.

func argWorkspace() Arg {
	return Arg{Name: "workspaceId", Required: true, English: "id of the workspace", Chinese: "工作区 ID"}
}

func argNode() Arg {
	return Arg{Name: "nodeId", Required: true, English: "id of the node", Chinese: "节点 ID"}
}

func optional(a Arg, en, zh string) Arg {
	a.Required = false
	if en != "" {
		a.English, a.Chinese = en, zh
	}
	return a
}

func argSession(required bool) Arg {
	return Arg{Name: "sessionId", Required: required, English: "id of the agent's session, as the hook told it", Chinese: "会话 ID（由 Hook 注入）"}
}

// argWindow is the session whose focus moves with a change: of several windows on
// one workspace only its own.
func argWindow() Arg {
	return Arg{Name: "sessionId", English: "id of the agent's session: its focus moves along; needed if several windows work here", Chinese: "会话 ID：其焦点随之移动；多个窗口绑定同一工作区时应提供"}
}

func argDocs(en, zh string) Arg { return Arg{Name: "docs", Kind: Docs, English: en, Chinese: zh} }

func argConfirm() Arg {
	return Arg{Name: "confirmation", Kind: Confirm, English: "the token of actionRequired, and what the person really answered", Chinese: "actionRequired 给出的 token 与用户的真实输入"}
}
