package pagecache

import (
	"errors"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// searchScheme begins the URL of search results, before the query.
const searchScheme = "prismer://search/"

// Of is the page that a post-tool-call event of Fetch or WebSearch carries, or the
// reason why it has none that may be kept. The page is not cleaned yet.
func Of(ev protocol.Object, now time.Time) (Page, error) {
	input, answer := ev.Sub("tool_input"), ev.Get("tool_response")
	reply := protocol.ObjectOf(answer)
	text := textOf(answer, 0)
	p := Page{Text: text, Saved: now}
	if query := input.Text("query"); query != "" && input.Text("url") == "" {
		p.URL = searchScheme + encode(query)
		if !longer(text, leastText) {
			return p, errors.New("the search found next to nothing")
		}
		return p, nil
	}
	p.URL = input.Text("url")
	a, err := Public(p.URL)
	if err != nil {
		return p, err
	}
	p.URL = a.String()
	// The target of a redirect must be public as well.
	for _, name := range [...]string{"url", "finalUrl", "final_url", "redirectUrl"} {
		end := reply.Text(name)
		if end == "" {
			continue
		}
		if _, err := Public(end); err != nil {
			return p, errors.New("the address was redirected: " + err.Error())
		}
	}
	for _, name := range [...]string{"code", "status", "statusCode", "status_code"} {
		if code := string(reply.Get(name)); code != "" && code[0] >= '0' && code[0] <= '9' && code != "200" {
			return p, errors.New("the server answered " + code)
		}
	}
	if !longer(text, leastText) {
		return p, errors.New("the page is too short to keep")
	}
	return p, nil
}

// textOf is the text of a tool's answer: itself, or the member where agents put it.
func textOf(answer protocol.Raw, depth int) string {
	if len(answer) == 0 || depth > 4 {
		return ""
	}
	switch answer[0] {
	case '"':
		return protocol.TextOf(answer)
	case '[':
		var parts []string
		for _, e := range protocol.ElementsOf(answer) {
			if t := textOf(e, depth+1); t != "" {
				parts = append(parts, t)
			}
		}
		return strings.Join(parts, "\n")
	case '{':
		o := protocol.ObjectOf(answer)
		for _, name := range [...]string{"result", "results", "llmContent", "output", "text", "content", "markdown", "body", "data"} {
			if t := textOf(o.Get(name), depth+1); t != "" {
				return t
			}
		}
		if title, url := o.Text("title"), o.Text("url"); title != "" || url != "" {
			return strings.TrimSpace(title + " " + url)
		}
	}
	return ""
}

// encode writes a query as a part of a URL.
func encode(query string) string {
	const hex = "0123456789ABCDEF"
	var out []byte
	for i := range len(query) {
		switch c := query[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-_.~", c) >= 0:
			out = append(out, c)
		default:
			out = append(out, '%', hex[c>>4], hex[c&15])
		}
	}
	return string(out)
}
