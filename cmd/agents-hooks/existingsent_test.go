//go:build unix

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/e2e/existing"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A sending is how an agent tells of a kind of situation: a payload of its own from
// the testdata of its dialect, and where in it what differs stands. A value is JSON
// with $names of the situation in it, each a JSON text; without quotes around it
// it is what the name stands for.
type sending struct {
	native, file string
	set          [][2]string
}

// at is one place of a payload.
func at(pairs ...string) (list [][2]string) {
	for i := 0; i+1 < len(pairs); i += 2 {
		list = append(list, [2]string{pairs[i], pairs[i+1]})
	}
	return list
}

// existingAgents are those of the table, in its order.
var existingAgents = []string{"claude-code", "codex", "gemini-cli", "cursor", "copilot-cli", "opencode", "qwen-code", "kimi-code"}

var (
	claudeWrite = at("tool_input.file_path", "$path", "tool_input.content", "$content")
	claudeEdit  = at("tool_input.file_path", "$path", "tool_input.old_string", "$old", "tool_input.new_string", "$new")
	claudeStop  = at("last_assistant_message", "$text", "stop_hook_active", "$active")
	command     = at("tool_input.command", "$command")
)

var sendings = map[string]map[string]sending{
	"claude-code": {
		"pre-shell":  {"PreToolUse", "captured/PreToolUse", command},
		"post-shell": {"PostToolUse", "captured/PostToolUse", at("tool_input.command", "$command", "tool_response.stdout", "$output")},
		"pre-write":  {"PreToolUse", "made/PreToolUse.write", claudeWrite},
		"post-write": {"PostToolUse", "made/PostToolUse.write", claudeWrite},
		"pre-edit":   {"PreToolUse", "own/PreToolUse.Edit", claudeEdit},
		"pre-mcp":    {"PreToolUse", "made/PreToolUse.mcp", at("tool_name", `"mcp__$server__$tool"`, "tool_input", "$input", "mcp_server.name", "$server")},
		"failure":    {"PostToolUseFailure", "made/PostToolUseFailure", command},
		"permission": {"PermissionRequest", "captured/PermissionRequest", command},
		"prompt":     {"UserPromptSubmit", "captured/UserPromptSubmit", at("prompt", "$text")},
		"start":      {"SessionStart", "captured/SessionStart", nil},
		"end":        {"SessionEnd", "captured/SessionEnd", nil},
		"stop":       {"Stop", "captured/Stop", claudeStop},
		"subagent":   {"SubagentStop", "made/SubagentStop", claudeStop},
		"compact":    {"PreCompact", "made/PreCompact.manual", nil},
		"notice":     {"Notification", "captured/Notification", nil},
	},
	"codex": {
		"pre-shell":  {"PreToolUse", "captured/PreToolUse", command},
		"post-shell": {"PostToolUse", "captured/PostToolUse", at("tool_input.command", "$command", "tool_response", "$output")},
		"pre-write":  {"PreToolUse", "own/PreToolUse.deed-apply_patch", at("tool_input.command", "$patch")},
		"post-write": {"PostToolUse", "captured/PostToolUse", at("tool_name", `"apply_patch"`, "tool_input.command", "$patch", "tool_response", `"Success."`)},
		"pre-edit":   {"PreToolUse", "own/PreToolUse.deed-apply_patch", at("tool_input.command", "$patch")},
		"pre-mcp":    {"PreToolUse", "made/PreToolUse.mcp", at("tool_name", `"mcp__$server__$tool"`, "tool_input", "$input")},
		"permission": {"PermissionRequest", "captured/PermissionRequest", command},
		"prompt":     {"UserPromptSubmit", "captured/UserPromptSubmit", at("prompt", "$text")},
		"start":      {"SessionStart", "captured/SessionStart", nil},
		"end":        {"SessionEnd", "captured/SessionEnd", nil},
		"stop":       {"Stop", "captured/Stop", claudeStop},
		"subagent":   {"SubagentStop", "captured/SubagentStop", claudeStop},
		"compact":    {"PreCompact", "captured/PreCompact", at("trigger", "$trigger")},
	},
	"gemini-cli": {
		"pre-shell":  {"BeforeTool", "captured/BeforeTool", command},
		"post-shell": {"AfterTool", "captured/AfterTool", at("tool_input.command", "$command", "tool_response.llmContent", `"Output: $output"`, "tool_response.returnDisplay", "$output")},
		"pre-write":  {"BeforeTool", "own/BeforeTool.write", claudeWrite},
		"post-write": {"AfterTool", "captured/AfterTool", at("tool_name", `"write_file"`, "tool_input", `{"file_path": $path, "content": $content}`)},
		"pre-edit":   {"BeforeTool", "own/BeforeTool.replace", claudeEdit},
		"pre-mcp":    {"BeforeTool", "made/BeforeTool.mcp", at("tool_name", `"mcp_$server_$tool"`, "tool_input", "$input", "mcp_context.server_name", "$server", "mcp_context.tool_name", "$tool")},
		"failure":    {"AfterTool", "made/AfterTool.error", command},
		"prompt":     {"BeforeAgent", "captured/BeforeAgent", at("prompt", "$text")},
		"start":      {"SessionStart", "captured/SessionStart", nil},
		"end":        {"SessionEnd", "captured/SessionEnd", nil},
		"stop":       {"AfterAgent", "captured/AfterAgent", at("prompt_response", "$text", "stop_hook_active", "$active")},
		"compact":    {"PreCompress", "captured/PreCompress", at("trigger", "$trigger")},
		"notice":     {"Notification", "captured/Notification", nil},
	},
	"cursor": {
		"pre-shell":  {"preToolUse", "made/preToolUse", command},
		"post-shell": {"postToolUse", "made/postToolUse", at("tool_input.command", "$command", "tool_output", "$result")},
		"pre-write":  {"preToolUse", "own/preToolUse.Write", at("tool_input.path", "$path", "tool_input.contents", "$content")},
		"post-write": {"postToolUse", "made/postToolUse", at("tool_name", `"Write"`, "tool_input", `{"path": $path, "contents": $content}`)},
		"pre-edit":   {"preToolUse", "own/preToolUse.deed-StrReplace", at("tool_input.path", "$path", "tool_input.old_string", "$old", "tool_input.new_string", "$new")},
		"pre-mcp":    {"preToolUse", "made/preToolUse.mcp", at("tool_name", `"MCP:$tool"`, "tool_input", "$input")},
		"failure":    {"postToolUseFailure", "made/postToolUseFailure", command},
		"prompt":     {"beforeSubmitPrompt", "made/beforeSubmitPrompt", at("prompt", "$text")},
		"start":      {"sessionStart", "made/sessionStart", nil},
		"end":        {"sessionEnd", "made/sessionEnd", nil},
		"stop":       {"stop", "made/stop", at("loop_count", "$count")},
		"subagent":   {"subagentStop", "made/subagentStop", at("summary", "$text", "loop_count", "$count")},
		"compact":    {"preCompact", "made/preCompact", at("trigger", "$trigger")},
	},
	"copilot-cli": {
		"pre-shell":  {"PreToolUse", "captured/PreToolUse.pascal", command},
		"post-shell": {"PostToolUse", "captured/PostToolUse.pascal", at("tool_input.command", "$command", "tool_result.text_result_for_llm", `"$output<shellId: 0 completed with exit code 0>"`)},
		"pre-write":  {"PreToolUse", "captured/PreToolUse.pascal.Write", at("tool_input.path", "$path", "tool_input.file_text", "$content")},
		"post-write": {"PostToolUse", "captured/PostToolUse.pascal", at("tool_name", `"Write"`, "tool_input", `{"path": $path, "file_text": $content}`)},
		"pre-edit":   {"PreToolUse", "captured/PreToolUse.pascal.Edit", at("tool_input.path", "$path", "tool_input.old_str", "$old", "tool_input.new_str", "$new")},
		"pre-mcp":    {"PreToolUse", "own/PreToolUse.mcp", at("tool_name", `"$server-$tool"`, "tool_input", "$input")},
		"failure":    {"PostToolUse", "captured/PostToolUse.pascal.exit3", command},
		"permission": {"PermissionRequest", "captured/PermissionRequest.pascal", at("toolInput.command", "$command")},
		"prompt":     {"UserPromptSubmit", "captured/UserPromptSubmit.pascal", at("prompt", "$text")},
		"start":      {"SessionStart", "captured/SessionStart.pascal", nil},
		"end":        {"SessionEnd", "captured/SessionEnd.pascal", nil},
		"stop":       {"Stop", "captured/Stop.pascal", at("stop_hook_active", "$active")},
		"subagent":   {"SubagentStop", "captured/SubagentStop.pascal", claudeStop},
		"compact":    {"PreCompact", "made/PreCompact.pascal", at("trigger", "$trigger")},
		"notice":     {"Notification", "captured/notification", nil},
	},
	"opencode": {
		"pre-shell":  {"tool.execute.before", "own/tool.execute.before.bash", at("output.args.command", "$command")},
		"post-shell": {"tool.execute.after", "own/tool.execute.after.exit", at("input.args.command", "$command", "output.metadata.exit", "0", "output.metadata.output", "$output", "output.output", "$output")},
		"pre-write":  {"tool.execute.before", "own/tool.execute.before.write", at("output.args.filePath", "$path", "output.args.content", "$content")},
		"post-write": {"tool.execute.after", "own/tool.execute.after.exit", at("input.tool", `"write"`, "input.args", `{"filePath": $path, "content": $content}`, "output", `{"title": "", "metadata": {}, "output": ""}`)},
		"pre-edit":   {"tool.execute.before", "own/tool.execute.before.edit", at("output.args.filePath", "$path", "output.args.oldString", "$old", "output.args.newString", "$new")},
		"pre-mcp":    {"tool.execute.before", "own/tool.execute.before.mcp", at("mcp", "[$server]", "input.tool", `"$server_$tool"`, "output.args", "$input")},
		"failure":    {"tool.execute.after", "own/tool.execute.after.exit", at("input.args.command", "$command", "output.metadata.exit", "3")},
		"permission": {"event.permission.asked", "captured/event.permission.asked", at("directory", "$project", "input.properties.patterns", "[$command]", "input.properties.metadata.command", "$command")},
		"prompt":     {"chat.message", "own/chat.message", at("output.parts", `[{"type": "text", "text": $text}]`)},
		"start":      {"event.session.created", "own/event.session.created.startup", nil},
		"end":        {"dispose", "own/dispose", nil},
		"stop":       {"event.session.idle", "own/event.session.idle", at("state.text", "$text", "state.stop_active", "$active")},
		"subagent":   {"event.session.idle", "own/event.session.idle.child", at("state.text", "$text", "state.stop_active", "$active")},
		"compact":    {"experimental.session.compacting", "own/experimental.session.compacting", nil},
	},
	"qwen-code": {
		"pre-shell":  {"PreToolUse", "captured/PreToolUse", command},
		"post-shell": {"PostToolUse", "captured/PostToolUse", at("tool_input.command", "$command", "tool_response.llmContent", `"Output: $output"`, "tool_response.returnDisplay", "$output")},
		"pre-write":  {"PreToolUse", "own/PreToolUse.Write", claudeWrite},
		"post-write": {"PostToolUse", "captured/PostToolUse", at("tool_name", `"write_file"`, "tool_input", `{"file_path": $path, "content": $content}`)},
		"pre-edit":   {"PreToolUse", "own/PreToolUse.Edit", claudeEdit},
		"pre-mcp":    {"PreToolUse", "captured/PreToolUse-2", at("tool_name", `"mcp__$server__$tool"`, "tool_input", "$input")},
		"failure":    {"PostToolUseFailure", "made/PostToolUseFailure", command},
		"permission": {"PermissionRequest", "made/PermissionRequest", command},
		"prompt":     {"UserPromptSubmit", "captured/UserPromptSubmit", at("prompt", "$text", "submitted_prompt", "$text")},
		"start":      {"SessionStart", "captured/SessionStart", nil},
		"end":        {"SessionEnd", "captured/SessionEnd", nil},
		"stop":       {"Stop", "captured/Stop", claudeStop},
		"subagent":   {"SubagentStop", "captured/SubagentStop", claudeStop},
		"compact":    {"PreCompact", "captured/PreCompact-2", at("trigger", "$trigger")},
		"notice":     {"Notification", "captured/Notification", nil},
	},
	"kimi-code": {
		"pre-shell":  {"PreToolUse", "captured/PreToolUse", command},
		"post-shell": {"PostToolUse", "captured/PostToolUse", at("tool_input.command", "$command", "tool_output", "$output")},
		"pre-write":  {"PreToolUse", "own/PreToolUse.Write", at("tool_input.path", "$path", "tool_input.content", "$content")},
		"post-write": {"PostToolUse", "captured/PostToolUse", at("tool_name", `"Write"`, "tool_input", `{"path": $path, "content": $content}`)},
		"pre-edit":   {"PreToolUse", "own/PreToolUse.Edit", at("tool_input.path", "$path", "tool_input.old_string", "$old", "tool_input.new_string", "$new")},
		"pre-mcp":    {"PreToolUse", "own/PreToolUse.mcp", at("tool_name", `"mcp__$server__$tool"`, "tool_input", "$input")},
		"failure":    {"PostToolUseFailure", "captured/PostToolUseFailure", command},
		"permission": {"PermissionRequest", "own/PermissionRequest", nil},
		"prompt":     {"UserPromptSubmit", "captured/UserPromptSubmit", at("prompt", `[{"type": "text", "text": $text}]`)},
		"start":      {"SessionStart", "captured/SessionStart", nil},
		"end":        {"SessionEnd", "made/SessionEnd", nil},
		"stop":       {"Stop", "captured/Stop", at("stop_hook_active", "$active")},
		"subagent":   {"SubagentStop", "captured/SubagentStop", at("response", "$text")},
		"compact":    {"PreCompact", "captured/PreCompact", at("trigger", "$trigger")},
		"notice":     {"Notification", "captured/Notification", nil},
	},
}

// kindOf is the kind of sending that a situation is for a hook.
func kindOf(h existing.Hook, s existing.Situation) string {
	switch h.Event {
	case "PreToolUse":
		return "pre-" + s.Kind
	case "PostToolUse":
		return "post-" + s.Kind
	}
	return s.Kind
}

// payload is what an agent sends of a situation, from below home. A file that the
// call has written is there.
func (s sending) payload(t *testing.T, d *protocol.Dialect, w *existingWorld, h existing.Hook, about existing.Situation) []byte {
	t.Helper()
	pkg, _, _ := strings.Cut(strings.TrimPrefix(runtime.FuncForPC(reflect.ValueOf(d.Decode).Pointer()).Name(), module+"/"), ".")
	b := must.Read(t, filepath.Join("..", "..", filepath.FromSlash(pkg), "testdata", "payloads", filepath.FromSlash(s.file)+".json"))
	text := strings.ReplaceAll(b, "/home/dev/project", w.project)
	o, err := protocol.ParseObject([]byte(strings.ReplaceAll(text, "/home/dev", w.home)))
	must.Do(t, err)
	values := situationValues(w, about)
	for _, pair := range s.set {
		setAt(&o, strings.Split(pair[0], "."), protocol.Raw(filled(t, pair[1], values)))
	}
	return o.Raw()
}

// situationValues are what $names stand for.
func situationValues(w *existingWorld, s existing.Situation) map[string]any {
	path := ""
	if s.Path != "" {
		path = filepath.Join(w.project, s.Path)
	}
	output := ""
	if file, ok := strings.CutPrefix(s.Command, "cat "); ok {
		b, _ := os.ReadFile(filepath.Join(w.project, file))
		output = string(b)
	}
	patch := "*** Begin Patch\n*** Add File: " + s.Path + "\n+" + strings.ReplaceAll(strings.TrimSuffix(s.Content, "\n"), "\n", "\n+") + "\n*** End Patch"
	if s.Old != "" {
		patch = "*** Begin Patch\n*** Update File: " + s.Path + "\n@@\n-" + s.Old + "\n+" + s.New + "\n*** End Patch"
	}
	result, _ := json.Marshal(map[string]any{"exitCode": 0, "stdout": output})
	count := 0
	if s.Active {
		count = 1
	}
	return map[string]any{
		"command": strings.ReplaceAll(s.Command, "{mark}", filepath.Join(w.home, "called")),
		"content": s.Content, "path": path, "patch": patch, "output": output, "result": string(result), "project": w.project,
		"old": s.Old, "new": s.New, "server": s.Server, "tool": s.Tool, "input": s.Input,
		"text": s.Text, "trigger": s.Trigger, "active": s.Active, "count": count,
	}
}

// filled puts values into a template: a $name inside of a text as a part of it, any
// other as JSON.
func filled(t *testing.T, template string, values map[string]any) string {
	t.Helper()
	inText := strings.HasPrefix(template, `"`)
	for _, name := range []string{"command", "content", "output", "project", "server", "trigger", "active", "result", "input", "count", "patch", "path", "text", "tool", "old", "new"} {
		b, err := json.Marshal(values[name])
		must.Do(t, err)
		value := string(b)
		if inText {
			value = strings.TrimSuffix(strings.TrimPrefix(value, `"`), `"`)
		}
		template = strings.ReplaceAll(template, "$"+name, value)
	}
	return template
}

// setAt sets a member of a member.
func setAt(o *protocol.Object, path []string, value protocol.Raw) {
	if len(path) == 1 {
		o.Set(path[0], value)
		return
	}
	below := o.Sub(path[0]).Clone()
	setAt(&below, path[1:], value)
	o.Set(path[0], below.Raw())
}
