package agents

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// HM-ACT-19: agents whose payloads report it.
func TestUsageOfPayloads(t *testing.T) {
	for agent, tt := range map[string][2]string{
		"qwen-code": {`{"hook_event_name": "Stop", "session_id": "s", "cwd": "/p", "context_limit": 200000, "input_tokens": 100}`, `{"context_tokens": 100, "context_window": 200000, "input_tokens": 100}`},
		"kimi-code": {`{"hook_event_name": "PreCompact", "session_id": "s", "cwd": "/p", "token_count": 20283}`, `{"context_tokens": 20283}`},
	} {
		t.Run(agent, func(t *testing.T) {
			d, _ := Lookup(agent)
			o, err := protocol.ParseObject([]byte(tt[0]))
			must.Do(t, err)
			events, err := d.Decode(protocol.Input{Payload: o})
			if err != nil || len(events) == 0 {
				t.Fatal(agent, err)
			}
			for _, ev := range events {
				if got := string(ev.Fields.Get("usage")); got != tt[1] {
					t.Errorf("%s: %s, want %s", agent, got, tt[1])
				}
			}
		})
	}
}

// HM-ACT-19: what the end of a transcript shows, whose first line may be cut.
func TestUsage(t *testing.T) {
	for _, tt := range []struct {
		agent, tail string
		want        protocol.Usage
	}{
		{"claude-code", `half"}` + "\n" + `{"type":"assistant","message":{"usage":{"input_tokens":3,"cache_creation_input_tokens":20,"cache_read_input_tokens":100,"output_tokens":7}}}` + "\n" +
			`{"isSidechain":true,"message":{"usage":{"input_tokens":9}}}` + "\n" + `{"type":"user","message":{"content":"\"usage\""}}` + "\n", protocol.Usage{ContextTokens: 130, InputTokens: 123, OutputTokens: 7}},
		{"claude-code", `{"message":{"usage":{"input_tok`, protocol.Usage{}},
		{"claude-code", `{"message":{"usage":{"input_tokens":40,"output_tokens":7}}}` + "\n" + `{"type":"assistant","isApiErrorMessage":true,"message":{"model":"<synthetic>","usage":{"input_tokens":0,"output_tokens":0,"cache_read_input_tokens":0}}}` + "\n",
			protocol.Usage{ContextTokens: 47, InputTokens: 40, OutputTokens: 7}},
		{"codex", `{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"total_tokens":900},"last_token_usage":{"input_tokens":50,"cached_input_tokens":10,"output_tokens":5,"total_tokens":55},"model_context_window":272000}}}` + "\n" +
			`{"type":"event_msg","payload":{"type":"token_count","info":null}}` + "\n", protocol.Usage{ContextTokens: 55, ContextWindow: 272000, InputTokens: 50, OutputTokens: 5}},
		{"codex", `{"type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":{"input_tokens":50,"output_tokens":5,"total_tokens":55},"model_context_window":272000}}}` + "\n" +
			`{"type":"token_usage_record","payload":{"usage":{"input_tokens":70,"output_tokens":6,"total_tokens":76}}}` + "\n", protocol.Usage{ContextTokens: 76, ContextWindow: 272000, InputTokens: 70, OutputTokens: 6}},
		{"gemini-cli", `{"id":"1","type":"gemini","content":"","thoughts":[],"tokens":{"input":12,"output":5,"cached":3,"thoughts":2,"tool":0,"total":19},"model":"gemini-2.5-pro"}` + "\n" +
			`{"type":"user","content":[{"functionResponse":{"response":{"output":"\"tokens\""}}}]}` + "\n" + `{"$set":{"lastUpdated":"2026-11-22T20:01:41.635Z"}}` + "\n", protocol.Usage{ContextTokens: 19, InputTokens: 12, OutputTokens: 7}},
		{"qwen-code", `{"type":"assistant","message":{"role":"model","parts":[{"text":"all is well"}]},"usageMetadata":{"promptTokenCount":12,"candidatesTokenCount":5,"thoughtsTokenCount":0,"totalTokenCount":17,"cachedContentTokenCount":0}}` + "\n" +
			`{"type":"system","subtype":"ui_telemetry","systemPayload":{"uiEvent":{"input_token_count":900}}}` + "\n", protocol.Usage{ContextTokens: 17, InputTokens: 12, OutputTokens: 5}},
		{"copilot-cli", `{"type":"session.usage_record","data":{"usage":{"inputTokens":12,"outputTokens":5,"cacheReadTokens":4,"interactionType":"conversation-agent","maxPromptTokens":128000}}}` + "\n" +
			`{"type":"session.usage_record","data":{"usage":{"inputTokens":900,"interactionType":"title"}}}` + "\n", protocol.Usage{ContextTokens: 17, ContextWindow: 128000, InputTokens: 12, OutputTokens: 5}},
	} {
		t.Run(fmt.Sprintf("%s, %d tokens", tt.agent, tt.want.ContextTokens), func(t *testing.T) {
			d, _ := Lookup(tt.agent)
			if got := d.Usage([]byte(tt.tail)); got != tt.want {
				t.Errorf("%s: %+v, want %+v", tt.agent, got, tt.want)
			}
			ev := &protocol.Event{}
			if tt.want.Put(ev); ev.Fields.Has("usage") != (tt.want != protocol.Usage{}) {
				t.Error(ev.Fields)
			}
		})
	}
}

// Whether a session runs without a user: what its last turn shows, and nothing if its
// transcript does not say. A way to start one that is not known to have a user has none.
// BM-SAV-16.
func TestHeadless(t *testing.T) {
	claude := func(from string) string { return `{"type":"user","entrypoint":"` + from + `","sessionId":"s"}` + "\n" }
	turn := func(by string) string {
		return `{"type":"event_msg","payload":{"type":"task_started","turn_attribution":{"turn_id":"t","turn_trigger":"` + by + `"}}}` + "\n"
	}
	const (
		untold = `{"type":"event_msg","payload":{"type":"task_started","turn_attribution":{"turn_id":"t","turn_trigger":null}}}` + "\n" // by a client of the app server
		older  = `{"type":"event_msg","payload":{"type":"task_started","turn_id":"t"}}` + "\n"
	)
	asked := func(approval string) string {
		return `{"type":"turn_context","payload":{"turn_id":"t","approval_policy":"` + approval + `"}}` + "\n"
	}
	began := func(source, by string) string {
		return `{"timestamp":"2026-11-30T10:44:15.305Z","type":"session_meta","payload":{"originator":"` + by + `","cli_version":"0.130.0","source":` + source + `,"base_instructions":{"text":"You"}}}` + "\n"
	}
	for _, tt := range []struct {
		agent, head, tail string
		is, known         bool
		env               string
	}{
		{"claude-code", "", claude("cli"), true, true, "CLAUDE_CODE_SESSION_ATTENDED=0"},
		{"claude-code", "", "", false, true, "CLAUDE_CODE_SESSION_ATTENDED=1"},
		{"claude-code", "", "", true, true, "CLAUDE_CODE_ENTRYPOINT=sdk-py"},
		{"claude-code", "", "", false, true, "CLAUDE_CODE_ENTRYPOINT=cli"},
		{"claude-code", "", claude("cli") + claude("sdk-cli") + `{"type":"queue-operation"}` + "\n", true, true, ""},
		{"claude-code", "", claude("sdk-cli") + claude("cli"), false, true, ""},
		{"claude-code", "", claude("claude-vscode"), false, true, ""},
		{"claude-code", "", claude("claude-desktop"), false, true, ""},
		{"claude-code", "", "", true, true, "CLAUDE_CODE_ENTRYPOINT=claude-code-github-action"},
		{"claude-code", "", claude("mcp"), true, true, ""},
		{"claude-code", "", "", true, true, "CLAUDE_CODE_ENTRYPOINT=one-that-comes-later"},
		{"claude-code", "", `{"type":"summary"}` + "\n", false, false, ""},
		{"codex", began(`"cli"`, "codex-tui"), turn("exec"), true, true, ""},
		{"codex", began(`"vscode"`, "codex-tui"), turn("user"), false, true, ""},
		{"codex", began(`"exec"`, "codex_exec"), turn("user"), false, true, ""},
		{"codex", began(`"exec"`, "codex_exec"), turn("exec"), true, true, ""},
		{"codex", began(`"vscode"`, "Codex Desktop"), turn("user"), false, true, ""},
		{"codex", began(`"vscode"`, "codex-tui"), turn("one-that-comes-later"), true, true, ""},
		{"codex", began(`"vscode"`, "codex_vscode"), untold + asked("never"), false, true, ""},
		{"codex", began(`"vscode"`, "my-bot"), untold + asked("on-request"), true, true, ""},
		// as older versions write it
		{"codex", began(`"cli"`, "codex-tui"), older + asked("on-request"), false, true, ""},
		{"codex", began(`"cli"`, "codex_cli_rs"), older + asked("on-request"), false, true, ""},
		{"codex", began(`"vscode"`, "codex_vscode"), older + asked("untrusted"), false, true, ""},
		{"codex", began(`"cli"`, "codex-tui"), began(`"cli"`, "codex-tui"), false, true, ""},
		{"codex", began(`"cli"`, "codex-tui"), older + asked("never"), false, false, ""}, // exec resume, perhaps
		{"codex", began(`"cli"`, "codex-tui"), `{"type":"response_item"}` + "\n", false, false, ""},
		{"codex", began(`"vscode"`, "codex-tui"), turn("user") + older + asked("never"), false, false, ""}, // a newer one's, then exec resume of an older
		{"codex", began(`"vscode"`, "Codex Desktop"), older + asked("on-request"), true, true, ""},         // it runs what was scheduled, too
		{"codex", began(`"cli"`, "codex_sdk_ts"), older + asked("on-request"), true, true, ""},
		{"codex", began(`"exec"`, "codex_sdk_ts"), older + asked("never"), true, true, ""},
		{"codex", began(`"mcp"`, "codex_mcp"), older + asked("on-request"), true, true, ""},
		{"codex", began(`"mcp"`, "codex-tui"), "", true, true, ""},
		{"codex", began(`{"subagent":"review"}`, "codex-tui"), older + asked("on-request"), true, true, ""},
		{"codex", began(`{"custom":"atlas"}`, "codex-tui"), older + asked("on-request"), true, true, ""},
		{"codex", began(`"one-that-comes-later"`, "codex-tui"), older + asked("on-request"), true, true, ""},
		{"codex", strings.ReplaceAll(began(`"exec"`, "codex_exec"), `":`, `" : `), "", true, true, ""},
		{"codex", `{"type":"session_meta","payload":{"originator":"codex_exec","source":"exec","base_instructions":{"text":"You`, "", true, true, ""},
		{"codex", `{"type": "session_meta", "payload": {"originator": "codex-tui", "source": "cli", "base_instructions": {"text": "You`, asked("on-request"), false, true, ""},
		{"codex", `{"type":"session_meta","payload":{"source":"cli"}}` + "\n", asked("on-request"), false, false, ""},
		{"codex", `{"type":"session_meta","payload":{"source":"exec"}}` + "\n", "", true, true, ""},
		{"codex", "", `{"type":"compacted"}` + "\n", false, false, ""},
	} {
		t.Run(fmt.Sprintf("%s, head %q, tail %q, is %v, known %v, env %q", tt.agent, tt.head, tt.tail, tt.is, tt.known, tt.env), func(t *testing.T) {
			d, _ := Lookup(tt.agent)
			env := func(name string) string {
				value, _ := strings.CutPrefix(tt.env, name+"=")
				if value == tt.env {
					return ""
				}
				return value
			}
			if is, known := d.Headless(env, []byte(tt.head), []byte(tt.tail)); is != tt.is || known != tt.known {
				t.Errorf("%s: %s%s: %v, %v", tt.agent, tt.head, tt.tail, is, known)
			}
		})
	}
}
