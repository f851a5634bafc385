package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// longestLine bounds one message of a client, in bytes: what the library takes,
// and a little less.
const longestLine = 15 << 20

// wholeLines is the input of a client, a message a line, without the lines that
// are none: each of those is answered with the error of JSON-RPC for it. The
// library ends the session at the first of them, and an agent without its tools
// for the rest of its session is a high price for one stray line.
func wholeLines(in io.ReadCloser, out io.Writer) io.ReadCloser {
	r, w := io.Pipe()
	go func() {
		lines := bufio.NewReaderSize(in, 64<<10)
		for {
			line, err := readLine(lines)
			for _, m := range messages(line, out) {
				if _, err := w.Write(append(m, '\n')); err != nil {
					return // nobody reads on
				}
			}
			if err != nil {
				w.CloseWithError(err)
				return
			}
		}
	}()
	return closing{r, in}
}

// closing is a reader that ends with what it reads from.
type closing struct {
	*io.PipeReader
	from io.Closer
}

func (c closing) Close() error { return errors.Join(c.PipeReader.Close(), c.from.Close()) }

// readLine reads one line. Of one that is too long there is as much as shows that.
func readLine(r *bufio.Reader) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(line) <= longestLine {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// messages are those that a line holds: one, or those of a batch. What is none is
// answered.
func messages(line []byte, out io.Writer) (list [][]byte) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return nil
	}
	var batch []json.RawMessage
	switch {
	case len(line) > longestLine:
		refuse(out, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message has at most %d bytes", longestLine))
		return nil
	case !json.Valid(line):
		refuse(out, jsonrpc.CodeParseError, "a line that is no JSON; want one message of JSON-RPC 2.0 a line")
		return nil
	case line[0] != '[':
		batch = []json.RawMessage{line}
	case json.Unmarshal(line, &batch) != nil || len(batch) == 0:
		refuse(out, jsonrpc.CodeInvalidRequest, "an empty batch")
		return nil
	}
	for _, m := range batch {
		if len(m) == 0 || m[0] != '{' {
			refuse(out, jsonrpc.CodeInvalidRequest, "no message of JSON-RPC 2.0: want an object")
		} else if _, err := jsonrpc.DecodeMessage(m); err != nil {
			refuse(out, jsonrpc.CodeInvalidRequest, "no message of JSON-RPC 2.0: "+err.Error())
		} else {
			var one bytes.Buffer
			_ = json.Compact(&one, m) // it is valid
			list = append(list, one.Bytes())
		}
	}
	return list
}

// refuse answers a line that cannot be a request, and so has no id.
func refuse(out io.Writer, code int, message string) {
	b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": message}})
	if err == nil {
		_, _ = out.Write(append(b, '\n')) // who is gone hears nothing
	}
}

// oneAtATime is a stream that several write whole messages to.
type oneAtATime struct {
	io.WriteCloser
	mu sync.Mutex
}

func (o *oneAtATime) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.WriteCloser.Write(b)
}
