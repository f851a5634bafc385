package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// longestLine limits one message from a client, in bytes.
const longestLine = 15 << 20

// Error codes: those of JSON-RPC 2.0, and one of MCP.
const (
	noJSON         = -32700
	noRequest      = -32600
	noMethod       = -32601
	badParams      = -32602
	internal       = -32603
	unknownVersion = -32022
)

// A fault is a protocol error: the client made it, and no model is told.
type fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func (f *fault) Error() string { return fmt.Sprintf("%s (%d)", f.Message, f.Code) }

func faultf(code int, format string, args ...any) *fault {
	return &fault{Code: code, Message: fmt.Sprintf(format, args...)}
}

// A reply is the answer to one request.
type reply struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *fault          `json:"error,omitempty"`
}

// refusal is the reply to something that cannot be done; without an id it belongs to
// no request.
func refusal(id protocol.Raw, f *fault) *reply {
	if id == nil {
		id = protocol.Raw("null")
	}
	return &reply{Version: "2.0", ID: json.RawMessage(id), Error: f}
}

// A note is a message from us: a notification, or with an id a request.
type note struct {
	Version string `json:"jsonrpc"`
	ID      int    `json:"id,omitempty"`
	Method  string `json:"method"`
	Params  any    `json:"params,omitempty"`
}

// A wire is where messages to a client are written: complete lines, one at a time.
type wire struct {
	mu  sync.Mutex
	out io.Writer
	err error // of the first message that could not be written
}

// send writes messages: several make a batch.
func (w *wire) send(v any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err == nil {
		_, err = w.out.Write(b.Bytes())
	}
	if w.err == nil {
		w.err = err
	}
}

func (w *wire) broken() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return fmt.Errorf("writing to the client: %w", w.err)
	}
	return nil
}

// readLine reads one line. Of an overlong line it returns enough to notice that.
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

// messages are those in a line: one, or a batch. Text that is not UTF-8 is read as
// any JSON reader does, and a line without a message is a fault.
func messages(line []byte) (list []protocol.Raw, batch bool, wrong *fault) {
	switch line = bytes.ToValidUTF8(bytes.TrimSpace(line), []byte("\uFFFD")); {
	case len(line) == 0:
		return nil, false, nil
	case len(line) > longestLine:
		return nil, false, faultf(noRequest, "a message has at most %d bytes", longestLine)
	case !json.Valid(line):
		return nil, false, faultf(noJSON, "a line that is not JSON; want one message of JSON-RPC 2.0 a line")
	case line[0] != '[':
		return []protocol.Raw{line}, false, nil
	}
	if err := protocol.ValidValue(line); err != nil {
		return nil, false, faultf(noRequest, "no batch: %v", err)
	}
	if list = protocol.ElementsOf(line); len(list) == 0 {
		return nil, false, faultf(noRequest, "an empty batch")
	}
	return list, true, nil
}

// A message is one from a client.
type message struct {
	id     protocol.Raw // nil: a notification
	method string
	params protocol.Object
	answer protocol.Object // to a request of ours; nil if it is something else
}

// parse reads a message. An error is reported to its id, if it has one.
func parse(raw protocol.Raw) (m message, wrong *fault) {
	o, err := protocol.ParseObject(raw)
	switch {
	case raw[0] != '{':
		return m, faultf(noRequest, "no message of JSON-RPC 2.0: want an object")
	case err != nil:
		m.id = idOf(raw)
		return m, faultf(noRequest, "no message of JSON-RPC 2.0: %v", err)
	}
	id, method, params := o.Get("id"), o.Get("method"), o.Get("params")
	if id != nil && !isID(id) {
		return m, faultf(noRequest, "no message of JSON-RPC 2.0: the id is %s; want a string or a number", id)
	}
	m.id = id
	switch {
	case o.Text("jsonrpc") != "2.0":
		return m, faultf(noRequest, "no message of JSON-RPC 2.0: want \"jsonrpc\": \"2.0\"")
	case method == nil && id != nil && (o.Has("result") || o.Has("error")):
		m.answer = o
		return m, nil
	case method == nil || method[0] != '"':
		return m, faultf(noRequest, "no message of JSON-RPC 2.0: want a method, by its name")
	case id != nil && params != nil && params[0] != '{' && string(params) != "null":
		return m, faultf(badParams, "params are %.40s; want an object", params)
	}
	m.method, m.params = protocol.TextOf(method), protocol.ObjectOf(params)
	return m, nil
}

// idOf is the id of a message that ParseObject rejects, such as one with a duplicate
// name: whoever waits for an answer has to get one.
func idOf(raw []byte) protocol.Raw {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(raw, &m) != nil || !isID(protocol.Raw(m.ID)) {
		return nil
	}
	return protocol.Raw(m.ID)
}

// isID reports whether a value may be an id: a string or a number.
func isID(raw protocol.Raw) bool {
	return len(raw) > 0 && (raw[0] == '"' || raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9')
}

// key is an id for comparison: a string may be spelled in several ways.
func key(id protocol.Raw) string {
	if len(id) > 0 && id[0] == '"' {
		return `"` + protocol.TextOf(id)
	}
	return string(id)
}
