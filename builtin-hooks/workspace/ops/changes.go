package ops

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// What the files looked like when an agent last read them, or an operation last changed
// them, is kept in the state directory: for each file its size and time, and a digest
// of each section. If a file differs from that, a person edited it.

func (c *call) seenPath(s *workspace.Store) string {
	sum := sha256.Sum256([]byte(s.Entry.ID))
	return filepath.Join(c.State, "seen-"+hex.EncodeToString(sum[:6])+".json")
}

// edited are the files of a workspace that a person changed, by their slash paths
// below it, and of each the sections.
type edited map[string][]string

// look finds them. Without a memory of the files there are none.
func (c *call) look(s *workspace.Store) edited {
	seen := c.seen(s)
	if seen == nil {
		return nil
	}
	out := edited{}
	for _, path := range watched(s) {
		full := filepath.Join(s.Dir, filepath.FromSlash(path))
		was, known := seen[path]
		if !known {
			continue // a new file is part of an operation, or seen with it
		}
		info, err := s.In.Stat(full)
		if err != nil || strings.HasPrefix(was, mark(info)) {
			continue
		}
		if sections := differing(was, digests(s, full)); sections != nil {
			out[path] = sections
		}
	}
	return out
}

// seen is what is known of each file: its mark, and "section=digest" after tabs.
// It is nil if nothing is.
func (c *call) seen(s *workspace.Store) map[string]string {
	if c.State == "" {
		return nil
	}
	b, err := statefile.Read(c.seenPath(s))
	if err != nil || b == nil {
		return nil
	}
	o, err := protocol.ParseObject(b)
	if err != nil {
		return nil
	}
	seen := make(map[string]string, len(o))
	for _, m := range o {
		seen[m.Name] = protocol.TextOf(m.Value)
	}
	return seen
}

// keep notes what the files look like; what a person changed stays as it was
// seen, so that it is still news.
func (c *call) keep(s *workspace.Store, news edited) error {
	if c.State == "" {
		return nil
	}
	old := c.seen(s)
	o := protocol.Object{}
	same := true
	for _, path := range watched(s) {
		full := filepath.Join(s.Dir, filepath.FromSlash(path))
		info, err := s.In.Stat(full)
		if err != nil {
			continue
		}
		was, known := old[path]
		if _, is := news[path]; !is && (!known || !strings.HasPrefix(was, mark(info))) {
			was, same = mark(info)+digests(s, full), false
		}
		o = append(o, protocol.Member{Name: path, Value: protocol.Quote(was)})
	}
	if same && len(o) == len(old) {
		return nil
	}
	return statefile.ReplaceHeld(c.seenPath(s), false, append(o.Append(nil), '\n'))
}

// mark tells a file from what it was before, without reading it.
func mark(info os.FileInfo) string {
	return strconv.FormatInt(info.Size(), 36) + "." + strconv.FormatInt(info.ModTime().UnixNano(), 36) + "\t"
}

// watched are the files that people write in.
func watched(s *workspace.Store) []string {
	list := []string{workspace.PageFile, "Problem.md"}
	for _, n := range s.Graph.Nodes() {
		dir := workspace.NodesDir + "/" + filepath.Base(s.NodeDir(n)) + "/"
		list = append(list, dir+workspace.InfoFile, dir+"Problem.md")
	}
	for _, m := range s.Graph.Doc().Sub("memos") {
		list = append(list, workspace.MemosDir+"/"+protocol.ObjectOf(m.Value).Text("dirName")+"/"+workspace.MemoFile)
	}
	return list
}

// digests tells the sections of a file apart; "" is what comes before the first.
func digests(s *workspace.Store, path string) string {
	b, _ := s.Text(path) // a change that nobody has looked at is told to nobody
	var out []string
	name, text := "", ""
	end := func() {
		sum := sha256.Sum256([]byte(strings.TrimSpace(text)))
		out = append(out, strings.ReplaceAll(name, "\t", " ")+"="+hex.EncodeToString(sum[:5]))
	}
	for line := range strings.Lines(string(b)) {
		if head, ok := strings.CutPrefix(line, "## "); ok {
			end()
			name, text = strings.TrimSpace(head), ""
			continue
		}
		if name == "" && strings.HasPrefix(line, "updatedAt:") {
			continue
		}
		text += line
	}
	end()
	return strings.Join(out, "\t")
}

// differing are the sections that are not what they were.
func differing(was, is string) (names []string) {
	_, was, _ = strings.Cut(was, "\t")
	before := strings.Split(was, "\t")
	after := strings.Split(is, "\t")
	for _, list := range [][2][]string{{after, before}, {before, after}} {
		for _, d := range list[0] {
			name := d[:max(0, strings.LastIndex(d, "="))]
			if !slices.Contains(list[1], d) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// pending tells in words what people changed: by hand, and in the original's own
// page, which keeps a list in workspace.json.
func (c *call) pending(s *workspace.Store) (lines []string) {
	for _, raw := range protocol.ElementsOf(s.About().Get("pendingManualChanges")) {
		o := protocol.ObjectOf(raw)
		text := protocol.TextOf(raw)
		for _, name := range []string{"description", "summary", "field", "type", "nodeId"} {
			if v := o.Text(name); v != "" {
				text = strings.TrimSpace(text + " " + v)
			}
		}
		if text != "" {
			lines = append(lines, text)
		}
	}
	news := c.look(s)
	for _, path := range watched(s) {
		sections, ok := news[path]
		if !ok {
			continue
		}
		for i, name := range sections {
			if name == "" {
				sections[i] = c.say("front matter", "文件头")
			}
		}
		lines = append(lines, path+": "+strings.Join(sections, ", "))
	}
	return lines
}

// read notes that an agent has read the workspace: what people changed is no longer
// news.
func (c *call) read(s *workspace.Store) error {
	if !s.Config.Has("pendingManualChanges") && c.State == "" {
		return nil
	}
	return c.Place.Change(s.Entry.ID, c.now, func(s *workspace.Store) error {
		if s.Config.Has("pendingManualChanges") && s.Entry.Status != workspace.Archived {
			s.Config.Delete("pendingManualChanges")
			if err := s.SaveConfig(); err != nil {
				return err
			}
		}
		return c.keep(s, nil)
	})
}
