package protocol

// Sample is a made-up but realistic event of a type, in spec form: what new
// writes beside a hook, and test runs it with.
func Sample(t EventType) Object {
	o := Object{
		{"event_type", Quote(string(t))},
		{"timestamp", Raw(`"2026-02-14T09:26:53.589Z"`)},
		{"session_id", Raw(`"sample-session"`)},
		{"work_dir", Raw(`"/home/dev/project"`)},
		{"context", Object{{"agent", Raw(`"sample"`)}, {"can", CanAll.Raw()}}.Raw()},
	}
	add := func(name, raw string) { o = append(o, Member{name, Raw(raw)}) }
	switch t {
	case PreSession:
		add("source", `"startup"`)
		add("model", `"sample-model"`)
		add("args", `{"resume": false}`)
	case PostSession:
		add("exit_reason", `"user_close"`)
		add("duration_seconds", `742`)
		add("total_steps", `31`)
	case PreAgentTurn:
		add("prompt", `"Add pagination to the list of users, and run the tests."`)
		add("source", `"user"`)
	case PostAgentTurn, PostAgentTurnStop:
		add("status", `"completed"`)
		add("stop_reason", `"no_tool_calls"`)
		add("step_count", `9`)
		add("final_message", `{"role": "assistant", "content": "The list has pages now; all 214 tests pass."}`)
	case PreAgentTurnStop:
		add("status", `"completed"`)
		add("stop_reason", `"no_tool_calls"`)
		add("step_count", `9`)
		add("final_message", `{"role": "assistant", "content": "The list has pages now; all 214 tests pass."}`)
		add("stop_active", `false`)
		add("loop_count", `0`)
	case PreToolCall, PostToolCall, PostToolCallFailure, PermissionRequest:
		add("tool_name", `"Shell"`)
		add("tool_input", `{"command": "npm test -- --coverage", "description": "Run the tests"}`)
		add("tool_use_id", `"sample-call-1"`)
		switch t {
		case PostToolCall:
			add("tool_response", `{"stdout": "214 passed\n", "stderr": "", "interrupted": false}`)
			add("duration_ms", `5320`)
		case PostToolCallFailure:
			add("error", `"exit status 1\n3 failed, 211 passed\n"`)
			add("duration_ms", `4870`)
		}
	case PreSubagent, PostSubagent:
		add("subagent_name", `"find the pager"`)
		add("subagent_type", `"explore"`)
		add("task_description", `"Find out where the list of users is cut into pages."`)
		add("agent_id", `"sample-agent-1"`)
		if t == PostSubagent {
			add("status", `"completed"`)
			add("final_message", `{"role": "assistant", "content": "It is not; internal/users/list.go returns all rows."}`)
		}
	case PreContextCompact:
		add("trigger", `"auto"`)
		add("usage_percent", `92`)
		add("context_tokens", `184000`)
		add("message_count", `118`)
		add("is_first_compaction", `true`)
	case PostContextCompact:
		add("trigger", `"auto"`)
		add("context_tokens", `21000`)
		add("message_count", `3`)
	case Notification:
		add("kind", `"permission_prompt"`)
		add("title", `"Permission needed"`)
		add("message", `"The agent waits for your permission to run a command."`)
	}
	return o
}
