package codex

import (
	"bytes"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// usage reads the end of a rollout file: the last token_count in it.
func usage(tail []byte) (u protocol.Usage) {
	for len(tail) > 0 {
		i := bytes.LastIndexByte(bytes.TrimRight(tail, "\n"), '\n')
		line := tail[i+1:]
		tail = tail[:i+1]
		if !bytes.Contains(line, []byte(`"token_count"`)) {
			continue
		}
		o, err := protocol.ParseObject(line)
		if err != nil {
			continue // the first line of a tail may be half of one
		}
		info := o.Sub("payload").Sub("info")
		last := info.Sub("last_token_usage")
		if last == nil {
			continue
		}
		return protocol.Usage{
			ContextTokens: last.Int("total_tokens"), ContextWindow: info.Int("model_context_window"),
			InputTokens: last.Int("input_tokens"), OutputTokens: last.Int("output_tokens"),
		}
	}
	return u
}
