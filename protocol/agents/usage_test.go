package agents

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// HM-ACT-19: what the end of a transcript tells, whose first line may be half of one.
func TestUsage(t *testing.T) {
	for _, tt := range []struct {
		agent, tail string
		want        protocol.Usage
	}{
		{"claude-code", `half"}` + "\n" + `{"type":"assistant","message":{"usage":{"input_tokens":3,"cache_creation_input_tokens":20,"cache_read_input_tokens":100,"output_tokens":7}}}` + "\n" +
			`{"isSidechain":true,"message":{"usage":{"input_tokens":9}}}` + "\n" + `{"type":"user","message":{"content":"\"usage\""}}` + "\n", protocol.Usage{ContextTokens: 130, InputTokens: 123, OutputTokens: 7}},
		{"claude-code", `{"message":{"usage":{"input_tok`, protocol.Usage{}},
		{"codex", `{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"total_tokens":900},"last_token_usage":{"input_tokens":50,"cached_input_tokens":10,"output_tokens":5,"total_tokens":55},"model_context_window":272000}}}` + "\n" +
			`{"type":"event_msg","payload":{"type":"token_count","info":null}}` + "\n", protocol.Usage{ContextTokens: 55, ContextWindow: 272000, InputTokens: 50, OutputTokens: 5}},
	} {
		d, _ := Lookup(tt.agent)
		if got := d.Usage([]byte(tt.tail)); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.agent, got, tt.want)
		}
		ev := &protocol.Event{}
		if tt.want.Put(ev); ev.Fields.Has("usage") != (tt.want != protocol.Usage{}) {
			t.Error(ev.Fields)
		}
	}
}
