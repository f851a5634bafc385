package desk

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// What the files looked like when an agent last read them or an operation changed
// them is kept in the state directory: for each file its size and time, and a
// digest of each section. Where a file differs from that, a person was at work.

func (c *call) seenPath(s *workspace.Store) string {
	sum := sha256.Sum256([]byte(s.Entry.ID))
	return filepath.Join(c.State, "seen-"+hex.EncodeToString(sum[:6])+".json")
}

// edited are the files of a workspace that a person changed, by their slash paths
// below it, and of each the sections.
type edited map[string][]string

// look finds them. Without a memory of the files there are none.
func (c *call) look(s *workspace.Store) edited {
	if c.State == "" {
		return nil
	}
	b, err := statefile.Read(c.seenPath(s))
	if err != nil || b == nil {
		return nil
	}
	seen, err := protocol.ParseObject(b)
	if err != nil {
		return nil
	}
	out := edited{}
	for _, path := range watched(s) {
		full := filepath.Join(s.Dir, filepath.FromSlash(path))
		info, err := os.Stat(full)
		if err != nil {
			continue
		}
		was := seen.Sub(path)
		if was == nil || was.Text("at") == mark(info) {
			continue // a new file is part of an operation, or seen with it
		}
		if sections := differing(was.Sub("of"), digests(full)); sections != nil {
			out[path] = sections
		}
	}
	return out
}

// keep notes what the files look like; what a person changed stays as it was
// seen, so that it is still news.
func (c *call) keep(s *workspace.Store, news edited) error {
	if c.State == "" {
		return nil
	}
	b, err := statefile.Read(c.seenPath(s))
	if err != nil {
		return err
	}
	old, _ := protocol.ParseObject(b)
	seen := protocol.Object{}
	for _, path := range watched(s) {
		full := filepath.Join(s.Dir, filepath.FromSlash(path))
		info, err := os.Stat(full)
		if err != nil {
			continue
		}
		was := old.Sub(path)
		if _, is := news[path]; !is && (was == nil || was.Text("at") != mark(info)) {
			was = object("at", mark(info), "of", digests(full))
		}
		seen = append(seen, protocol.Member{Name: path, Value: was.Raw()})
	}
	return statefile.ReplaceHeld(c.seenPath(s), false, append(seen.Append(nil), '\n'))
}

func mark(info os.FileInfo) string {
	return strconv.FormatInt(info.Size(), 36) + "." + strconv.FormatInt(info.ModTime().UnixNano(), 36)
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

// digests tells the sections of a file apart; "" is what stands before the first.
func digests(path string) protocol.Object {
	b, _ := os.ReadFile(path)
	out := protocol.Object{}
	name, text := "", ""
	end := func() {
		sum := sha256.Sum256([]byte(strings.TrimSpace(text)))
		out.SetText(name, hex.EncodeToString(sum[:5]))
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
	return out
}

func differing(was, is protocol.Object) []string {
	var out []string
	for _, m := range is {
		if was.Text(m.Name) != protocol.TextOf(m.Value) {
			out = append(out, m.Name)
		}
	}
	for _, m := range was {
		if !is.Has(m.Name) {
			out = append(out, m.Name)
		}
	}
	return out
}

// pending tells in words what people changed: by hand, and in the original's own
// page, which keeps a list in workspace.json.
func (c *call) pending(s *workspace.Store) (lines []string) {
	for _, raw := range protocol.ElementsOf(s.Config.Get("pendingManualChanges")) {
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

// read notes that an agent has read the workspace: what people changed is no news
// any more.
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
