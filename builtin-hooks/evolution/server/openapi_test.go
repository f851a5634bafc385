package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// openapi is the description of the service, docs/serve.openapi.json, with what checks
// calls against it.
type openapi struct {
	doc      map[string]any
	compiler *jsonschema.Compiler
	mu       sync.Mutex
	schemas  map[string]*jsonschema.Schema
}

const describedAt = "mem:///serve.openapi.json"

var described = sync.OnceValues(func() (*openapi, error) {
	b, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "serve.openapi.json"))
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource(describedAt, doc); err != nil {
		return nil, err
	}
	return &openapi{doc: doc.(map[string]any), compiler: c, schemas: map[string]*jsonschema.Schema{}}, nil
})

// check holds a JSON text against the schema at a pointer of the document.
func (o *openapi) check(pointer string, body []byte) error {
	o.mu.Lock()
	s := o.schemas[pointer]
	if s == nil {
		var err error
		if s, err = o.compiler.Compile(describedAt + "#" + pointer); err != nil {
			o.mu.Unlock()
			return err
		}
		o.schemas[pointer] = s
	}
	o.mu.Unlock()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// operation finds the call that a request is, by its method and path.
func (o *openapi) operation(method, path string) (template string, op map[string]any) {
	path, _, _ = strings.Cut(path, "?")
	parts := strings.Split(path, "/")
	best := -1
	for t, item := range o.doc["paths"].(map[string]any) {
		want := strings.Split(t, "/")
		same := len(want) == len(parts)
		plain := 0
		for i := 0; same && i < len(want); i++ {
			if want[i] == parts[i] {
				plain++
			} else if !strings.HasPrefix(want[i], "{") {
				same = false
			}
		}
		if x, ok := item.(map[string]any)[strings.ToLower(method)].(map[string]any); ok && same && plain > best {
			template, op, best = t, x, plain
		}
	}
	return template, op
}

// conforms reports what of a request and its answer is not as described. A request that
// is refused may be anything.
func (o *openapi) conforms(method, path, request string, status int, answer []byte) error {
	template, op := o.operation(method, path)
	if op == nil {
		if status == 404 || status == 405 || status == 421 {
			return nil // there is no such call, and it says so
		}
		return fmt.Errorf("%s %s is not described", method, path)
	}
	escaped := strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(template)
	at := "/paths/" + escaped + "/" + strings.ToLower(method)
	response, ok := op["responses"].(map[string]any)[fmt.Sprint(status)].(map[string]any)
	if !ok {
		return fmt.Errorf("%s %s: the status %d is not described", method, template, status)
	}
	pointer := at + "/responses/" + fmt.Sprint(status)
	if to, ok := response["$ref"].(string); ok {
		pointer = strings.TrimPrefix(to, "#")
	}
	if err := o.check(pointer+"/content/application~1json/schema", answer); err != nil {
		return fmt.Errorf("%s %s %d: the answer %s: %w", method, template, status, answer, err)
	}
	if op["requestBody"] != nil && status < 300 && request != "" {
		if err := o.check(at+"/requestBody/content/application~1json/schema", []byte(request)); err != nil {
			return fmt.Errorf("%s %s: the request %s: %w", method, template, request, err)
		}
	}
	return nil
}

// The service has the calls that are described, and no other; each names the scope that
// its key has to have. (That requests and answers are as described, every request of
// these tests is looked at for.)
func TestEveryCallIsDescribed(t *testing.T) {
	t.Parallel()
	o, err := described()
	must.Do(t, err)
	s := New(opened(t, filepath.Join(t.TempDir(), "s.sqlite")), DefaultLimits(), Hosts{}, io.Discard)
	var have []string
	for pattern, scope := range s.calls {
		have = append(have, pattern+" "+scope)
	}
	var want []string
	for path, item := range o.doc["paths"].(map[string]any) {
		for method, op := range item.(map[string]any) {
			scope, _ := op.(map[string]any)["x-scope"].(string)
			want = append(want, strings.ToUpper(method)+" "+path+" "+scope)
			for status, r := range op.(map[string]any)["responses"].(map[string]any) {
				if to, ok := r.(map[string]any)["$ref"].(string); ok {
					if _, is := o.doc["components"].(map[string]any)["responses"].(map[string]any)[to[strings.LastIndexByte(to, '/')+1:]]; !is {
						t.Errorf("%s %s %s: %s is nowhere", method, path, status, to)
					}
				}
			}
		}
	}
	slices.Sort(have)
	slices.Sort(want)
	if !slices.Equal(have, want) {
		t.Errorf("the service has\n%s\ndescribed are\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
}

// Each call, with the body that the page shows, is answered as described; and the check
// can fail.
func TestExamplesOfTheDescriptionWork(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		o, err := described()
		must.Do(t, err)
		s, c := crew(t, place, "ada member")
		must.Do(t, s.Appoint(t.Context(), "ada", RoleAdmin))
		ada := c[0]
		g := o.example("/api/im/evolution/genes", "post")
		id := at(ada.want(201, "POST", genesPath, g), "id").(string)
		ada.want(200, "POST", "/api/im/evolution/sync", strings.ReplaceAll(o.example("/api/im/evolution/sync", "post"), "gene_repair_x", id))
		ada.want(200, "POST", "/api/im/evolution/analyze", o.example("/api/im/evolution/analyze", "post"))
		ada.want(200, "POST", genesPath+"/"+id+"/review", o.example("/api/im/evolution/genes/{id}/review", "post"))
		ada.want(200, "GET", genesPath+"/"+id+"/proof", "")
		ada.want(200, "GET", "/api/im/me", "")
		ada.want(200, "GET", "/api/im/audit", "")
		ada.want(200, "GET", "/api/im/evolution/review", "")
		ada.want(200, "GET", "/api/im/evolution/public/hot", "")
		ada.want(200, "DELETE", genesPath+"/"+id, "")
		for _, bad := range []error{
			o.conforms("GET", "/api/im/me", "", 200, []byte(`{"ok": true, "data": {"person": 1}}`)), o.conforms("GET", "/api/im/me", "", 418, []byte(`{}`)),
			o.conforms("POST", genesPath, `{"category": "love"}`, 201, []byte(`{}`)), o.conforms("GET", "/api/im/other", "", 200, []byte(`{}`)), o.conforms("GET", "/api/im/me", "", 401, []byte(`{"ok": true}`)),
		} {
			if bad == nil {
				t.Error("what is not as described is taken")
			}
		}
	})
}

func (o *openapi) example(path, method string) string {
	v := at(o.doc, "paths", path, method, "requestBody", "content", "application/json", "example")
	b, _ := json.Marshal(v)
	return string(b)
}
