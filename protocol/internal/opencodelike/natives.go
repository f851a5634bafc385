package opencodelike

import (
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

const (
	most     = protocol.MaxLimit
	feedback = protocol.CanContext | protocol.CanMessage
)

// NativeEvents are the plugin's hooks and the agent's bus events that concern us.
// Their time limits are the plugin's own: the agents have none.
var NativeEvents = []protocol.Native{
	{Name: "session.created", MapsTo: []protocol.EventType{protocol.PreSession}, Instead: []protocol.EventType{protocol.PreSubagent},
		Can: feedback, Limit: most, Source: "observed"},
	{Name: "dispose", MapsTo: []protocol.EventType{protocol.PostSession}, Limit: 10 * time.Second, Source: "observed"},
	{Name: "server.instance.disposed", MapsTo: []protocol.EventType{protocol.PostSession}, Limit: 10 * time.Second, Source: "observed"},
	{Name: "chat.message", MapsTo: []protocol.EventType{protocol.PreAgentTurn}, Can: protocol.CanBlock | feedback, Limit: most, Source: "observed"},
	{Name: "session.idle", MapsTo: []protocol.EventType{protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn},
		Instead: []protocol.EventType{protocol.PostSubagent},
		Can:     protocol.CanBlock | protocol.CanContinue | protocol.CanMessage,
		Lacks:   protocol.CanBlock | protocol.CanContinue, // whatever started a subagent has its result by then
		Limit:   most, Source: "observed"},
	{Name: "session.error", MapsTo: []protocol.EventType{protocol.PostAgentTurn}, Instead: []protocol.EventType{protocol.PostSubagent},
		Can: protocol.CanMessage, Limit: most, Source: "observed"},
	{Name: "tool.execute.before", MapsTo: []protocol.EventType{protocol.PreToolCall},
		Can: protocol.CanBlock | protocol.CanModify | protocol.CanMessage, Limit: most, Source: "observed"},
	{Name: "permission.asked", MapsTo: []protocol.EventType{protocol.PermissionRequest},
		Can: protocol.CanBlock | protocol.CanAllow | protocol.CanMessage, Limit: most, Source: "observed"},
	{Name: "tool.execute.after", Outcome: protocol.Ending{Sure: true}, MapsTo: []protocol.EventType{protocol.PostToolCall}, Instead: []protocol.EventType{protocol.PostToolCallFailure},
		Can: protocol.CanOutput | feedback, Limit: most, Source: "observed"},
	{Name: "message.part.updated", MapsTo: []protocol.EventType{protocol.PostToolCallFailure}, Can: protocol.CanMessage, Limit: most, Source: "observed"},
	{Name: "experimental.session.compacting", MapsTo: []protocol.EventType{protocol.PreContextCompact}, Can: feedback, Limit: most, Source: "observed"},
	{Name: "session.compacted", MapsTo: []protocol.EventType{protocol.PostContextCompact}, Can: protocol.CanMessage, Limit: most, Source: "observed"},
}

// fileKeys belong to the tools for files, editKeys to the one that edits.
var (
	fileKeys = []protocol.Key{{Portable: "file_path", Native: "filePath"}}
	editKeys = []protocol.Key{
		{Portable: "file_path", Native: "filePath"}, {Portable: "old_string", Native: "oldString"}, {Portable: "new_string", Native: "newString"}}
)

// Tools is completed from the captures and the programs' own list of tools. Keys are
// the portable ones unless stated otherwise.
var Tools = protocol.Tools{
	{Native: "bash", Name: protocol.Shell, Source: "observed"},
	{Native: "read", Name: protocol.ReadFile, Keys: fileKeys},
	{Native: "write", Name: protocol.WriteFile, Keys: fileKeys},
	{Native: "edit", Name: protocol.EditFile, Keys: editKeys},
	{Native: "multiedit", Name: protocol.EditFile, Keys: fileKeys},
	{Native: "patch", Name: protocol.EditFile, Also: patchNames},
	{Native: "apply_patch", Name: protocol.EditFile, Also: patchNames},
	{Native: "grep", Name: protocol.Search},
	{Native: "glob", Name: protocol.Search},
	{Native: "list", Name: protocol.Search},
	{Native: "codesearch", Name: protocol.Search, Keys: []protocol.Key{{Portable: "pattern", Native: "query"}}},
	{Native: "webfetch", Name: protocol.Fetch},
	{Native: "websearch", Name: protocol.WebSearch},
	{Native: "task", Name: protocol.Task, Source: "observed"},
	{Native: "todowrite", Name: "todowrite", Does: protocol.Nothing},
	{Native: "lsp", Name: "lsp", Does: protocol.Nothing},
	{Native: "skill", Name: "skill", Does: protocol.Nothing},
}

// patchNames are further names by which a matcher may mean a patch, which can write
// files too.
var patchNames = []string{protocol.WriteFile}

// Others are the other plugin hooks and bus events that the programs were seen to
// have.
var Others = []string{
	"auth", "provider", "tool", "plugin.init", "config", "chat.headers", "chat.params", "command.execute.before", "permission.ask",
	"shell.env", "tool.definition",
	"experimental.chat.messages.transform", "experimental.chat.system.transform", "experimental.compaction.autocontinue",
	"experimental.provider.small_model", "experimental.text.complete", "catalog.updated", "command.executed", "file.edited", "integration.updated",
	"message.part.delta", "message.part.removed", "message.removed", "message.updated", "permission.replied", "plugin.added", "reference.updated",
	"session.deleted", "session.diff", "session.drained", "session.drain.interrupted", "session.next.moved",
	"session.next.prompted", "session.next.retried", "session.next.synthetic", "session.status", "session.updated", "session.wakeup", "todo.updated",
}

// EventName is the event that a frame names, in the agent's spelling.
func EventName(p protocol.Object) string { return strings.TrimPrefix(p.Text("hook"), "event.") }
