package claude

import (
	"bytes"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// usage reads the end of a transcript: the last answer of the model in it, which
// is no subagent's, tells what it took.
func usage(tail []byte) (u protocol.Usage) {
	for len(tail) > 0 {
		i := bytes.LastIndexByte(bytes.TrimRight(tail, "\n"), '\n')
		line := tail[i+1:]
		tail = tail[:i+1]
		if !bytes.Contains(line, []byte(`"usage"`)) {
			continue
		}
		o, err := protocol.ParseObject(line)
		if err != nil || o.Bool("isSidechain") {
			continue // the first line of a tail may be half of one
		}
		used := o.Sub("message").Sub("usage")
		if used == nil {
			continue
		}
		u.InputTokens = used.Int("input_tokens") + used.Int("cache_creation_input_tokens") + used.Int("cache_read_input_tokens")
		u.OutputTokens = used.Int("output_tokens")
		u.ContextTokens = u.InputTokens + u.OutputTokens
		return u
	}
	return u
}
