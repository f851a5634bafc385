package server

import (
	"cmp"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/pagecache"
	"github.com/agents-hooks/agents-hooks/internal/redact"
)

const (
	fileMax  = 256 << 10 // bytes of a memory file or a skill
	itemsMax = 50
	// emptyMemory is offered if there is no file yet.
	emptyMemory = "# Memory\n\n## Preferences\n\n## Decisions\n"
)

// filePath is the path of a memory file: relative, and without leading out.
func filePath(text string) (string, error) {
	if text == "" {
		return "MEMORY.md", nil
	}
	if text != oneLine(text, 200) || path.Clean(text) != text || path.IsAbs(text) || text == ".." || strings.HasPrefix(text, "../") || strings.Contains(text, "\\") {
		return "", bad("path: want a relative path of at most 200 bytes")
	}
	return text, nil
}

func (s *Server) memoryLoad(r request) (answer, error) {
	name, err := filePath(r.URL.Query().Get("path"))
	if err != nil {
		return answer{}, err
	}
	scope := r.lenient()
	list, err := s.store.files(r.Context(), r.person, scope, name)
	if err != nil {
		return answer{}, err
	}
	data := map[string]any{"content": "", "totalLines": 0, "totalBytes": 0, "version": 0, "id": nil, "scope": scope, "path": name}
	if len(list) == 0 {
		data["template"] = emptyMemory
		return answer{status: http.StatusOK, data: data}, nil
	}
	f := list[0]
	lines := strings.Count(f.content, "\n")
	if f.content != "" && !strings.HasSuffix(f.content, "\n") {
		lines++
	}
	data["content"], data["totalLines"], data["totalBytes"], data["version"], data["id"] = f.content, lines, len(f.content), f.Version, f.ID
	return answer{status: http.StatusOK, data: data}, nil
}

func (s *Server) memoryFiles(r request) (answer, error) {
	list, err := s.store.files(r.Context(), r.person, r.lenient(), "")
	return answer{status: http.StatusOK, data: list}, err
}

func (s *Server) memorySave(r request) (answer, error) {
	var in struct {
		Path        string  `json:"path"`
		Content     *string `json:"content"`
		Scope       string  `json:"scope"`
		MemoryType  string  `json:"memoryType"`
		Description string  `json:"description"`
	}
	if err := r.decode(&in); err != nil {
		return answer{}, err
	}
	name, err := filePath(in.Path)
	if err != nil {
		return answer{}, err
	}
	if in.Content == nil || in.Path == "" || len(*in.Content) > fileMax {
		return answer{}, bad("want path and content, at most %d bytes", fileMax)
	}
	if in.MemoryType != "" && !slices.Contains([]string{"user", "feedback", "project", "reference", "insight"}, in.MemoryType) {
		return answer{}, bad("memoryType: want user, feedback, project, reference or insight")
	}
	f, err := s.store.saveFile(r.Context(), r.person, file{Scope: r.lenient(in.Scope), Path: name, MemoryType: in.MemoryType, Description: oneLine(in.Description, 500), content: redact.Memory.Text(*in.Content)})
	return answer{status: http.StatusCreated, data: f}, err
}

// workspace answers only the slot "strategies": genes with their steps.
func (s *Server) workspace(r request) (answer, error) {
	scope := r.lenient()
	slots := strings.Split(r.URL.Query().Get("slots"), ",")
	data := map[string]any{"scope": scope}
	if slices.Contains(slots, "strategies") || slots[0] == "" {
		list, err := s.store.best(r.Context(), r.person, scope, itemsMax)
		if err != nil {
			return answer{}, err
		}
		out := []map[string]any{}
		for _, g := range list[:min(len(list), itemsMax)] {
			m := g.model(r.person)
			out = append(out, map[string]any{"gene_id": m.ID, "title": m.Title, "category": m.Category, "signals_match": m.SignalsMatch, "strategy": m.Strategy, "success_count": m.SuccessCount, "failure_count": m.FailureCount, "quality": m.QualityScore})
		}
		data["strategies"] = out
	}
	return answer{status: http.StatusOK, data: data}, nil
}

func (s *Server) skillsInstalled(r request) (answer, error) {
	list, err := s.store.skills(r.Context(), r.person, "")
	for i := range list {
		list[i].Content = ""
	}
	return answer{status: http.StatusOK, data: list}, err
}

func (s *Server) skillContent(r request) (answer, error) {
	list, err := s.store.skills(r.Context(), r.person, r.PathValue("slug"))
	if err != nil {
		return answer{}, err
	}
	if len(list) == 0 {
		return answer{}, refuse(http.StatusNotFound, "NOT_FOUND", "no such skill")
	}
	return answer{status: http.StatusOK, data: list[0]}, nil
}

func (s *Server) skillsImport(r request) (answer, error) {
	var in struct {
		Items []skill `json:"items"`
	}
	if err := r.decode(&in); err != nil {
		return answer{}, err
	}
	if len(in.Items) == 0 || len(in.Items) > itemsMax {
		return answer{}, bad("items: want 1 to %d", itemsMax)
	}
	imported, skipped := 0, []string{}
	for i, k := range in.Items {
		if !api.ValidSlug(k.Slug) || k.Content == "" || len(k.Content) > fileMax {
			skipped = append(skipped, fmt.Sprintf("item[%d]: want a slug of letters, digits, _ and -, and content of at most %d bytes", i, fileMax))
			continue
		}
		k.Name, k.Description, k.Content = oneLine(k.Name, 200), oneLine(k.Description, 1024), redact.Memory.Text(k.Content)
		if err := s.store.saveSkill(r.Context(), r.person, k); err != nil {
			return answer{}, err
		}
		imported++
	}
	return answer{status: http.StatusOK, data: map[string]any{"imported": imported, "skipped": skipped}}, nil
}

// pageURL is a URL that may be stored: of a public page, or of a search.
func pageURL(text string) (string, error) {
	if strings.HasPrefix(text, "prismer://search/") && len(text) < textMax {
		return text, nil
	}
	a, err := pagecache.Public(text)
	if err != nil {
		return "", bad("url: %v", err)
	}
	return a.String(), nil
}

// contextLoad answers from what was saved. It never fetches a page: a miss costs
// nothing, and nobody can use the service to reach others.
func (s *Server) contextLoad(r request) (answer, error) {
	var in struct {
		Input  string `json:"input"`
		Return struct {
			Format string `json:"format"`
		} `json:"return"`
	}
	if err := r.decode(&in); err != nil {
		return answer{}, err
	}
	url, err := pageURL(in.Input)
	if err != nil {
		return answer{}, err
	}
	p, ok, err := s.store.loadPage(r.Context(), r.person, url)
	if err != nil {
		return answer{}, err
	}
	result := map[string]any{"url": url, "title": "", "hqcc": nil, "cached": false}
	if ok {
		title, _ := p.meta["title"].(string)
		result = map[string]any{"url": url, "title": title, "hqcc": p.hqcc, "cached": true, "cachedAt": p.saved, "meta": p.meta}
		if in.Return.Format == "raw" || in.Return.Format == "both" {
			result["raw"] = p.raw
		}
	}
	return answer{status: http.StatusOK, data: map[string]any{"success": true, "mode": "single_url", "result": result, "cost": map[string]any{"credits": 0}}}, nil
}

type contextItem struct {
	URL        string         `json:"url"`
	HQCC       string         `json:"hqcc"`
	Raw        string         `json:"raw"`
	Visibility string         `json:"visibility"`
	Meta       map[string]any `json:"meta"`
}

func (s *Server) contextSave(r request) (answer, error) {
	var in struct {
		contextItem
		Items []contextItem `json:"items"`
	}
	if err := r.decode(&in); err != nil {
		return answer{}, err
	}
	if in.Items == nil {
		doc, err := s.keepContext(r, in.contextItem)
		return answer{status: http.StatusOK, data: doc}, err
	}
	if len(in.Items) == 0 || len(in.Items) > itemsMax {
		return answer{}, bad("items: want 1 to %d", itemsMax)
	}
	results := []map[string]any{}
	for _, item := range in.Items {
		doc, err := s.keepContext(r, item)
		if f, ok := err.(failure); ok {
			doc = map[string]any{"success": false, "url": oneLine(item.URL, textMax), "error": f}
		} else if err != nil {
			return answer{}, err
		}
		results = append(results, doc)
	}
	return answer{status: http.StatusOK, data: map[string]any{"success": true, "results": results}}, nil
}

func (s *Server) keepContext(r request, item contextItem) (map[string]any, error) {
	url, err := pageURL(item.URL)
	if err != nil {
		return nil, err
	}
	item.Visibility = cmp.Or(item.Visibility, "private")
	if item.HQCC == "" || item.Visibility != "private" && item.Visibility != "public" {
		return nil, bad("want hqcc, and visibility private or public")
	}
	p := page{url: url, hqcc: redact.Memory.Text(item.HQCC), raw: redact.Memory.Text(item.Raw), visibility: item.Visibility, meta: item.Meta}
	if err := s.store.savePage(r.Context(), r.person, p); err != nil {
		return nil, err
	}
	return map[string]any{"success": true, "status": "saved", "url": url, "content_uri": "prismer://context/" + hashOf(url)[:32], "visibility": item.Visibility}, nil
}
