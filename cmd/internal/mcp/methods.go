package mcp

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// versions of the protocol, the newest first. From stateless on there is no session:
// each request names its version.
func versions() []string {
	return []string{stateless, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}
}

const stateless = "2026-07-28"

// meta is where a stateless protocol puts its own members.
const meta = "io.modelcontextprotocol/"

// about says who answers.
type about struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Version string `json:"version"`
}

// A stamp is what a stateless protocol requires in each result.
type stamp struct {
	Type string         `json:"resultType,omitempty"`
	Meta map[string]any `json:"_meta,omitempty"`
}

func (s *stamp) put(name string, v any) {
	if s.Type = "complete"; s.Meta == nil {
		s.Meta = map[string]any{}
	}
	s.Meta[meta+name] = v
}

// The results of methods. An empty one is struct{}{}.
type (
	able struct {
		Tools struct {
			ListChanged bool `json:"listChanged"`
		} `json:"tools"`
	}
	initialized struct {
		Can          able   `json:"capabilities"`
		Instructions string `json:"instructions,omitempty"`
		Version      string `json:"protocolVersion"`
		Server       about  `json:"serverInfo"`
	}
	discovered struct {
		stamp
		caching
		Versions     []string `json:"supportedVersions"`
		Can          able     `json:"capabilities"`
		Instructions string   `json:"instructions,omitempty"`
	}
	// caching says whether, and for how long, a client may store a list: not at all.
	caching struct {
		TTL   int    `json:"ttlMs"`
		Scope string `json:"cacheScope"`
	}
	toolList struct {
		stamp
		caching
		Tools []tool `json:"tools"`
	}
	tool struct {
		Annotations struct {
			Destructive bool `json:"destructiveHint"`
			Idempotent  bool `json:"idempotentHint"`
			OpenWorld   bool `json:"openWorldHint"`
			ReadOnly    bool `json:"readOnlyHint"`
		} `json:"annotations"`
		Description string          `json:"description,omitempty"`
		Schema      json.RawMessage `json:"inputSchema"`
		Name        string          `json:"name"`
	}
	// emptyList is a list of something that this server does not have.
	emptyList struct {
		stamp
		caching
		Resources *[]int `json:"resources,omitempty"`
		Templates *[]int `json:"resourceTemplates,omitempty"`
		Prompts   *[]int `json:"prompts,omitempty"`
	}
	// An answered is a tool's answer.
	answered struct {
		stamp
		Content    []content `json:"content"`
		Structured any       `json:"structuredContent,omitempty"`
		IsError    bool      `json:"isError,omitempty"`
	}
	content struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	listened struct{ stamp }
)

// answer answers a request.
func (c *session) answer(ctx context.Context, r *request) (any, *fault) {
	if wrong := c.speaks(r); wrong != nil {
		return nil, wrong
	}
	result, wrong := c.method(ctx, r)
	if wrong != nil {
		return nil, wrong
	}
	if s, ok := result.(interface{ put(string, any) }); ok && r.stateless {
		s.put("serverInfo", c.server.about())
	}
	return result, nil
}

// speaks finds out which protocol version a request uses, and whether it may come
// now.
func (c *session) speaks(r *request) *fault {
	m := r.params.Sub("_meta")
	version := m.Text(meta + "protocolVersion")
	if r.stateless = version >= stateless; !r.stateless {
		c.mu.Lock()
		defer c.mu.Unlock()
		switch {
		case r.method == "server/discover":
			return faultf(noMethod, "method not found: %q; it is one of protocol %s, which a request names in its _meta", r.method, stateless)
		case c.version == "" && r.method != "initialize" && r.method != "ping":
			return faultf(noRequest, "method %q before \"initialize\"", r.method)
		}
		return nil
	}
	if r.batch {
		return faultf(noRequest, "protocol %s has no batches: want one message a line", version)
	}
	for _, name := range []string{"clientInfo", "clientCapabilities"} {
		if v := m.Get(meta + name); v == nil && name == "clientCapabilities" || v != nil && v[0] != '{' {
			return faultf(badParams, "missing or invalid _meta field %q", meta+name)
		}
	}
	if !slices.Contains(versions(), version) {
		return &fault{unknownVersion, "unsupported protocol version", map[string]any{"supported": versions(), "requested": version}}
	}
	switch r.method {
	case "initialize", "ping", "logging/setLevel":
		return faultf(noMethod, "method not found: %q is none of protocol %s", r.method, version)
	}
	return nil
}

func (c *session) method(ctx context.Context, r *request) (any, *fault) {
	none := caching{Scope: "public"}
	switch r.method {
	case "initialize":
		return c.initialize(r)
	case "server/discover":
		return &discovered{caching: none, Versions: versions(), Can: can(), Instructions: c.server.Instructions}, nil
	case "ping", "logging/setLevel":
		return struct{}{}, nil
	case "tools/list":
		if cursor := r.params.Get("cursor"); cursor != nil && protocol.TextOf(cursor) != "" || cursor != nil && cursor[0] != '"' {
			return nil, faultf(badParams, "the cursor is %s, and this server gave none: a list is one page", cursor)
		}
		return &toolList{caching: none, Tools: c.list(ctx)}, nil
	case "tools/call":
		return c.callTool(ctx, r)
	case "subscriptions/listen":
		return c.listen(ctx, r)
	case "resources/list":
		return &emptyList{caching: none, Resources: &[]int{}}, nil
	case "resources/templates/list":
		return &emptyList{caching: none, Templates: &[]int{}}, nil
	case "prompts/list":
		return &emptyList{caching: none, Prompts: &[]int{}}, nil
	case "resources/read":
		return nil, &fault{badParams, "Resource not found", map[string]string{"uri": r.params.Text("uri")}}
	case "prompts/get":
		return nil, faultf(badParams, "unknown prompt %q", r.params.Text("name"))
	}
	return nil, faultf(noMethod, "method not found: %q", r.method)
}

func can() (a able) {
	a.Tools.ListChanged = true
	return a
}

func (s *Server) about() about { return about{s.Name, s.Name, s.Version} }

// initialize begins a session: in the client's version, or else the newest that has
// sessions.
func (c *session) initialize(r *request) (any, *fault) {
	asks := r.params.Get("protocolVersion")
	switch {
	case r.params == nil:
		return nil, faultf(badParams, "initialize without params")
	case asks != nil && asks[0] != '"':
		return nil, faultf(badParams, "protocolVersion is %.40s; want a string", asks)
	}
	version := protocol.TextOf(asks)
	if version == stateless || !slices.Contains(versions(), version) {
		version = versions()[1]
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version != "" {
		return nil, faultf(noRequest, "initialize came twice")
	}
	c.version, c.hasRoots = version, r.params.Sub("capabilities").Has("roots")
	return initialized{can(), c.server.Instructions, version, c.server.about()}, nil
}

// noted handles a notification. Unknown ones are ignored.
func (c *session) noted(m message) {
	switch m.method {
	case "notifications/cancelled":
		c.cancel(m.params.Get("requestId"))
	case "notifications/roots/list_changed":
		c.forgetRoots()
	}
}

// list is the current list of tools: a behaviour may have been switched on or off.
func (c *session) list(ctx context.Context) []tool {
	offered := c.server.offer(c.dir(ctx))
	list, names := make([]tool, len(offered)), make([]string, len(offered))
	for i, o := range offered {
		t := tool{Name: o.Name, Description: o.Model.In(false), Schema: json.RawMessage(o.Schema(false).Raw())}
		t.Annotations.Destructive, t.Annotations.OpenWorld = o.Destructive, o.Needs.Has(op.Network)
		t.Annotations.ReadOnly, t.Annotations.Idempotent = o.ReadOnly, o.Idempotent || o.ReadOnly
		list[i], names[i] = t, o.Name
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.told = names
	return list
}

// callTool calls a tool that is offered.
func (c *session) callTool(ctx context.Context, r *request) (any, *fault) {
	if r.params == nil {
		return nil, faultf(badParams, "tools/call without params")
	}
	dir, name := c.dir(ctx), r.params.Get("name")
	if name == nil || name[0] != '"' {
		return nil, faultf(badParams, "the name of a tool is missing")
	}
	offered := c.server.offer(dir)
	i := slices.IndexFunc(offered, func(o *op.Op) bool { return o.Name == protocol.TextOf(name) })
	if i < 0 {
		c.changed(offered)
		return nil, faultf(badParams, "unknown tool %s", name)
	}
	result := c.server.call(context.WithoutCancel(ctx), offered[i], dir, json.RawMessage(r.params.Get("arguments")))
	c.changed(c.server.offer(dir))
	return result, nil
}

// changed tells a client that knows a list of tools that it has changed.
func (c *session) changed(offered []*op.Op) {
	var names []string
	for _, o := range offered {
		names = append(names, o.Name)
	}
	c.mu.Lock()
	if c.told == nil || slices.Equal(c.told, names) {
		c.mu.Unlock()
		return
	}
	c.told = names
	var to []any
	for _, r := range c.open {
		if r.listens {
			to = append(to, map[string]any{"_meta": map[string]any{meta + "subscriptionId": json.RawMessage(r.id)}})
		}
	}
	if c.version != "" {
		to = append(to, struct{}{})
	}
	c.mu.Unlock()
	for _, params := range to {
		c.send(note{Version: "2.0", Method: "notifications/tools/list_changed", Params: params})
	}
}

// listen keeps a request open for notifications of changes, until it is cancelled.
func (c *session) listen(ctx context.Context, r *request) (any, *fault) {
	if r.params.Sub("notifications") == nil {
		return nil, faultf(badParams, "missing or invalid field \"notifications\"")
	}
	tools := r.params.Sub("notifications").Bool("toolsListChanged")
	id := map[string]any{meta + "subscriptionId": json.RawMessage(r.id)}
	agreed := map[string]any{}
	if tools {
		agreed["toolsListChanged"] = true
	}
	c.mu.Lock()
	r.listens = tools && !c.ended
	wait := r.listens
	c.mu.Unlock()
	c.send(note{Version: "2.0", Method: "notifications/subscriptions/acknowledged", Params: map[string]any{"_meta": id, "notifications": agreed}})
	r.listening()
	if wait {
		<-ctx.Done()
	}
	l := &listened{}
	l.put("subscriptionId", json.RawMessage(r.id))
	return l, nil
}

// said is a text in the form of a tool's answer.
func said(text string) []content { return []content{{"text", text}} }
