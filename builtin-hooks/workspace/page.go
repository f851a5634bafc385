package workspace

import (
	"cmp"
	"strings"
)

// Sections of the Markdown files. They are part of the format.
const (
	secRules      = "规则"
	secDocs       = "文档"
	secGoal       = "目标"
	secType       = "节点类型"
	secNeed       = "需求"
	secAcceptance = "验收标准"
	secNodeDocs   = "文档引用"
	secNotes      = "备注"
	secConclusion = "结论"
	secProblem    = "当前问题"
	secNext       = "下一步"
	secLog        = "日志"
)

// What the sections begin with.
const (
	noteRules      = "> 只读，上下文必须遵循的约束"
	noteDocs       = "> 读写，全局参考文档"
	noteNodeDocs   = "> 格式：- [文件名](路径) - 说明 (状态)"
	noteConclusion = "> 节点完成时填写"
	labelExecution = "执行节点"
	labelPlanning  = "规划节点"
	acceptanceHead = "| 条件 (WHEN) | 期望结果 (THEN) |\n|-------------|-----------------|\n"
)

// none is the placeholder where there is no problem and no next step.
const none = "（暂无）"

// A Page is a Markdown file of a workspace: front matter, and sections that begin
// with "## NAME". Every byte of it stays, but for what is set.
type Page struct {
	text string
	eol  string
	was  string // the file before it is changed
	// hidden are parts of it that nobody has approved yet.
	hidden map[string]bool
}

// ParsePage reads a file. It never fails: what has no front matter or no sections
// has none.
func ParsePage(b []byte) *Page {
	p := &Page{text: string(b), eol: "\n", was: string(b)}
	if strings.Contains(p.text, "\r\n") {
		p.eol = "\r\n"
	}
	return p
}

// Bytes is the file.
func (p *Page) Bytes() []byte { return []byte(p.text) }

// front is where the lines of the front matter are; ok is false if there is none.
func (p *Page) front() (start, end int, ok bool) {
	rest := strings.TrimPrefix(p.text, "\ufeff")
	rest = strings.TrimLeft(rest, " \t\r\n")
	line, after, more := strings.Cut(rest, "\n")
	if !more || strings.TrimRight(line, " \t\r") != "---" {
		return 0, 0, false
	}
	start = len(p.text) - len(after)
	for at := start; at < len(p.text); {
		line, after, _ := strings.Cut(p.text[at:], "\n")
		if strings.TrimRight(line, " \t\r") == "---" {
			return start, at, true
		}
		at = len(p.text) - len(after)
	}
	return 0, 0, false
}

// field is where the value of a line of the front matter is.
func (p *Page) field(name string) (start, end int, ok bool) {
	at, last, ok := p.front()
	if !ok {
		return 0, 0, false
	}
	for at < last {
		line, after, _ := strings.Cut(p.text[at:], "\n")
		if key, _, is := strings.Cut(line, ":"); is && strings.TrimSpace(key) == name {
			start = at + len(key) + 1
			return start, at + len(strings.TrimRight(line, "\r")), true
		}
		at = len(p.text) - len(after)
	}
	return 0, 0, false
}

// Field is a line of the front matter, "" if it is not there. One pair of quotes
// around the value is none of it.
func (p *Page) Field(name string) string {
	start, end, ok := p.field(name)
	if !ok {
		return ""
	}
	v := strings.TrimSpace(p.text[start:end])
	if n := len(v); n >= 2 && v[0] == v[n-1] && (v[0] == '"' || v[0] == '\'') {
		v = v[1 : n-1]
	}
	return v
}

// SetField changes a line of the front matter, or adds it at the end.
func (p *Page) SetField(name, value string) {
	if n := len(value); n >= 2 && value[0] == value[n-1] && (value[0] == '"' || value[0] == '\'') {
		value = `"` + value + `"` // whoever reads takes one pair off
	}
	if start, end, ok := p.field(name); ok {
		p.text = p.text[:start] + " " + value + p.text[end:]
		return
	}
	_, end, ok := p.front()
	if !ok {
		p.text = "---" + p.eol + name + ": " + value + p.eol + "---" + p.eol + p.text
		return
	}
	p.text = p.text[:end] + name + ": " + value + p.eol + p.text[end:]
}

// section is where a section's content is, without the line that names it.
func (p *Page) section(name string) (start, end int, ok bool) {
	at := 0
	if _, last, is := p.front(); is {
		at = last
	}
	for at < len(p.text) {
		line, after, _ := strings.Cut(p.text[at:], "\n")
		next := len(p.text) - len(after)
		if head, is := heading(line); is {
			if ok {
				return start, at, true
			}
			if head == name {
				start, ok = next, true
			}
		}
		at = next
	}
	return start, len(p.text), ok
}

// heading is the name of the section that a line begins.
func heading(line string) (string, bool) {
	rest, ok := strings.CutPrefix(line, "## ")
	return strings.TrimSpace(rest), ok
}

// Has reports whether there is a section of that name.
func (p *Page) Has(name string) bool {
	_, _, ok := p.section(name)
	return ok
}

// Section is the text of a section without the quoted note that may open it, ""
// if there is none.
func (p *Page) Section(name string) string {
	start, end, ok := p.section(name)
	if !ok {
		return ""
	}
	start += noteLen(name, p.text[start:end])
	return strings.TrimSpace(strings.ReplaceAll(p.text[start:end], "\r\n", "\n"))
}

// noteLen is the length of the empty lines that open a section and, where the
// format has one, of the quoted note after them.
func noteLen(section, text string) int {
	noted := section == secRules || section == secDocs || section == secNodeDocs || section == secConclusion
	n := 0
	quoted := false
	for at := 0; at < len(text); {
		line, after, _ := strings.Cut(text[at:], "\n")
		at = len(text) - len(after)
		line = strings.TrimSpace(line)
		switch {
		case noted && strings.HasPrefix(line, ">"):
			quoted = true
		case line == "":
		default:
			return n
		}
		n = at
		if quoted && line == "" {
			return n
		}
	}
	return n
}

// SetSection changes the text of a section, and leaves the note alone that opens
// it. A section that is not there is added at the end.
func (p *Page) SetSection(name, text string) {
	text = strings.ReplaceAll(strings.TrimSpace(text), "\n", p.eol)
	start, end, ok := p.section(name)
	if !ok {
		if p.text != "" && !strings.HasSuffix(p.text, "\n") {
			p.text += p.eol
		}
		if p.text != "" && !strings.HasSuffix(p.text, p.eol+p.eol) {
			p.text += p.eol
		}
		p.text += "## " + name + p.eol + p.eol + text + p.eol
		return
	}
	if text == p.rawSection(name, start, end) {
		return
	}
	body := p.text[start:end]
	head := body[:noteLen(name, body)]
	if !strings.Contains(head, ">") {
		head = p.eol
	} else if !strings.HasSuffix(head, p.eol+p.eol) {
		head = strings.TrimRight(head, "\r\n") + p.eol + p.eol
	}
	tail := p.eol
	if end < len(p.text) {
		tail += p.eol
	}
	p.text = p.text[:start] + head + text + tail + p.text[end:]
}

func (p *Page) rawSection(name string, start, end int) string {
	start += noteLen(name, p.text[start:end])
	return strings.TrimSpace(p.text[start:end])
}

// items are the "- " items of a section.
func items(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if item, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok {
			if item = strings.TrimSpace(item); item != "" {
				out = append(out, item)
			}
		}
	}
	return out
}

// A Doc is a reference to a document, to another node or to a memo.
type Doc struct {
	Path        string
	Description string
	Expired     bool
}

// parseDocs reads items such as "- [name](path) - what it is (active)". A line
// of another form is no reference, and the note on the format is none.
func parseDocs(text string) []Doc {
	var out []Doc
	for _, item := range items(text) {
		if d, ok := parseDoc(item); ok {
			out = append(out, d)
		}
	}
	return out
}

func parseDoc(item string) (Doc, bool) {
	rest, ok := strings.CutPrefix(item, "[")
	if !ok {
		return Doc{}, false
	}
	name, rest, ok := strings.Cut(rest, "](")
	if !ok {
		return Doc{}, false
	}
	path, rest, ok := strings.Cut(rest, ")")
	if !ok || path == "" {
		return Doc{}, false
	}
	d := Doc{Path: path, Description: name}
	rest = strings.TrimSpace(rest)
	if cut, is := strings.CutSuffix(rest, "(expired)"); is {
		d.Expired, rest = true, strings.TrimSpace(cut)
	} else if cut, is := strings.CutSuffix(rest, "(active)"); is {
		rest = strings.TrimSpace(cut)
	}
	if text := strings.TrimSpace(strings.TrimPrefix(rest, "-")); text != "" {
		d.Description = text
	}
	return d, true
}

// String is the item for a document.
func (d Doc) String() string {
	name := cmp.Or(d.Path[strings.LastIndexAny(d.Path, `/\`)+1:], d.Path)
	state := "active"
	if d.Expired {
		state = "expired"
	}
	if d.Description == "" {
		return "- [" + name + "](" + d.Path + ") (" + state + ")"
	}
	return "- [" + name + "](" + d.Path + ") - " + d.Description + " (" + state + ")"
}

// real is a text of Problem.md, "" if the placeholder is there.
func real(text string) string {
	switch strings.ToLower(strings.Trim(text, "（）()。. \t\r\n")) {
	case "", "暂无", "无", "none", "n/a", "tbd", "-":
		return ""
	}
	return text
}

// ParseDoc reads an item such as "[name](path) - what it is".
func ParseDoc(item string) (Doc, bool) { return parseDoc(item) }
