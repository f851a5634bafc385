package discovery

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// An Export is where the user wants the run log to be sent.
type Export struct {
	OTLP     string            // the address of a collector; "" in a file: nowhere, even if a weaker file names one
	Headers  map[string]string // of each request
	Contents bool              // also reasons, warnings, and inputs if the log has them
	Proxy    string
	CAFile   string
	File     string // the file with these settings
	At       string // FILE:LINE
}

// exports reads [export]. Only the user may write it: a project does not decide what
// leaves the machine.
func (r *settingsReader) exports(t map[string]any) {
	if r.notHere("export", UserLayer, SystemLayer) {
		return
	}
	e := Export{File: r.path, At: r.at("export")}
	for name, v := range t {
		path := "export." + name
		text, isText := v.(string)
		switch name {
		case "otlp", "proxy", "ca_file":
			if !isText {
				r.want(path, v, "a text")
			}
			switch name {
			case "otlp":
				if isText && text != "" && !strings.HasPrefix(text, "http://") && !strings.HasPrefix(text, "https://") {
					r.problem(Error, path, "", `write one such as "http://localhost:4318"`, "is not a collector's address's OTLP receiver over HTTP")
					continue
				}
				e.OTLP = text
			case "proxy":
				e.Proxy = text
			case "ca_file":
				e.CAFile = text
			}
		case "contents":
			e.Contents = r.boolean(path, v).value
		case "headers":
			e.Headers = r.headers(path, v)
		default:
			r.unknown(path, "otlp", "headers", "contents", "proxy", "ca_file")
		}
	}
	_, says := t["otlp"]
	r.export = setting[Export]{says, e, e.At}
}

// headers reads names and values of HTTP headers.
func (r *settingsReader) headers(path string, v any) map[string]string {
	out := map[string]string{}
	t, ok := v.(map[string]any)
	if !ok { // reported without its value, which is a secret
		r.problem(Error, path, "", "write a table, as in [export.headers]", "is not a table")
	}
	for name, v := range t {
		value, ok := v.(string)
		switch {
		case !ok:
			r.problem(Error, path+"."+protocol.Plain(name), "", "write a text in quotes", "is no text")
		case name == "" || strings.ContainsFunc(name, func(c rune) bool { return c <= ' ' || c >= 0x7f || strings.ContainsRune(`()<>@,;:\"/[]?={}`, c) }):
			r.problem(Error, path, "", "write the name of a header of HTTP", "%q is no name of a header", name)
		case strings.ContainsFunc(value, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }):
			r.problem(Error, path+"."+name, "", "write it on one line", "has a line break or another control character")
		case slices.Contains([]string{"host", "content-type", "content-length", "content-encoding", "transfer-encoding", "connection"}, strings.ToLower(name)):
			r.problem(Error, path+"."+name, "", "remove it", "is not for you to set")
		default:
			out[name] = value
		}
	}
	return out
}

// SetExport edits the text of a hooks.toml so that [export] names a collector and its
// headers; other headers stay. If caFile is "", that key stays unchanged.
func SetExport(file []byte, address, caFile string, headers map[string]string) ([]byte, error) {
	text := string(file)
	if _, err := editable(text); err != nil {
		return nil, err
	}
	if caFile != "" {
		text = setKey(text, "export", "ca_file", tomlValue(caFile))
	}
	text = setKey(text, "export", "otlp", tomlValue(address))
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		key := name
		if strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			key = tomlValue(name)
		}
		text = setKey(text, "export.headers", key, tomlValue(headers[name]))
	}
	f, err := editable(text)
	if err != nil {
		return nil, fmt.Errorf("the edit would break the file: %w", err)
	}
	e := f.export.value
	for name, value := range headers {
		if e.Headers[name] != value {
			return nil, fmt.Errorf("export.headers cannot hold %q here; write it by hand", name)
		}
	}
	if e.OTLP != address || caFile != "" && e.CAFile != caFile {
		return nil, fmt.Errorf("[export] is there in a form that cannot be edited; set it by hand")
	}
	return []byte(text), nil
}
