package otlp

import (
	"encoding/hex"
	"encoding/json"
	"strconv"
	"time"
)

// SchemaURL is the version of the semantic conventions that names follow: the last that
// has those of generative AI, before they moved to a repository of their own.
const SchemaURL = "https://opentelemetry.io/schemas/1.41.0"

const scopeName = "github.com/agents-hooks/agents-hooks"

// A Span is one of a trace.
type Span struct {
	Trace      ID16
	ID, Parent ID8 // Parent is zero for a root
	Name       string
	Start, End time.Time
	Attributes []Attribute
	Failed     string // why the status is an error, "" if it is not
}

// ID16 and ID8 are ids of a trace and of a span.
type (
	ID16 [16]byte
	ID8  [8]byte
)

// MarshalText is the id's form in OTLP's JSON.
func (id ID16) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(id[:])), nil }
func (id ID8) MarshalText() ([]byte, error)  { return []byte(hex.EncodeToString(id[:])), nil }

// UnmarshalText parses it.
func (id *ID16) UnmarshalText(b []byte) error {
	_, err := hex.Decode(id[:], b[:min(len(b), 32)])
	return err
}
func (id *ID8) UnmarshalText(b []byte) error {
	_, err := hex.Decode(id[:], b[:min(len(b), 16)])
	return err
}

// An Attribute is a text, an int or a bool with a name.
type Attribute struct {
	Key   string
	Value any
}

type wireValue struct {
	Text *string `json:"stringValue,omitempty"`
	Int  *string `json:"intValue,omitempty"`
	Bool *bool   `json:"boolValue,omitempty"`
}

type wireAttribute struct {
	Key   string    `json:"key"`
	Value wireValue `json:"value"`
}

type wireStatus struct {
	Message string `json:"message,omitempty"`
	Code    int    `json:"code"`
}

type wireSpan struct {
	Trace      ID16            `json:"traceId"`
	ID         ID8             `json:"spanId"`
	Parent     string          `json:"parentSpanId,omitempty"`
	Name       string          `json:"name"`
	Kind       int             `json:"kind"`
	Start      string          `json:"startTimeUnixNano"`
	End        string          `json:"endTimeUnixNano"`
	Attributes []wireAttribute `json:"attributes"`
	Status     *wireStatus     `json:"status,omitempty"`
}

type wireScope struct {
	Scope struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
	} `json:"scope"`
	Spans  []wireSpan `json:"spans"`
	Schema string     `json:"schemaUrl"`
}

type wireResource struct {
	Resource struct {
		Attributes []wireAttribute `json:"attributes"`
	} `json:"resource"`
	Scopes []wireScope `json:"scopeSpans"`
	Schema string      `json:"schemaUrl"`
}

// request is the body of one request.
func request(spans []Span, version string) ([]byte, error) {
	var r wireResource
	r.Schema = SchemaURL
	r.Resource.Attributes = wire([]Attribute{{"service.name", "agents-hooks"}, {"service.version", version}})
	scope := wireScope{Schema: SchemaURL}
	scope.Scope.Name, scope.Scope.Version = scopeName, version
	for _, s := range spans {
		const internal, failed = 1, 2
		w := wireSpan{
			Trace: s.Trace, ID: s.ID, Name: s.Name, Kind: internal,
			Start: nanos(s.Start), End: nanos(s.End), Attributes: wire(s.Attributes),
		}
		if s.Parent != (ID8{}) {
			w.Parent = hex.EncodeToString(s.Parent[:])
		}
		if s.Failed != "" {
			w.Status = &wireStatus{Message: s.Failed, Code: failed}
		}
		scope.Spans = append(scope.Spans, w)
	}
	r.Scopes = []wireScope{scope}
	return json.Marshal(map[string]any{"resourceSpans": []wireResource{r}})
}

// nanos is a time in OTLP's form. It has none before 1970.
func nanos(t time.Time) string { return strconv.FormatInt(max(0, t.UnixNano()), 10) }

func wire(list []Attribute) []wireAttribute {
	out := []wireAttribute{}
	for _, a := range list {
		w := wireAttribute{Key: a.Key}
		switch v := a.Value.(type) {
		case string:
			if v == "" {
				continue
			}
			w.Value.Text = &v
		case int:
			text := strconv.Itoa(v)
			w.Value.Int = &text
		case bool:
			w.Value.Bool = &v
		}
		out = append(out, w)
	}
	return out
}
