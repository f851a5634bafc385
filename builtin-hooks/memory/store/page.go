package store

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/linediff"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Distilled is the result of replacing a page.
type Distilled struct {
	Page    string `json:"page"`
	Before  string `json:"before,omitempty"` // the stored previous page; "" if it had no content
	Changes string `json:"diff,omitempty"`
}

// Distill replaces MEMORY.md by sections of items. The previous page is kept as MEMORY.md.bak,
// and permanently as a version: handwritten content is not lost.
func (k Keeper) Distill(doc []byte, force bool, in locale.Language) (d Distilled, err error) {
	return k.rewrite(k.Core(), k.place().ReplacePage, func(old []byte) (string, error) {
		return corePage(doc, force, memory.PageLanguage(string(old), in))
	})
}

// rewrite replaces a file of MEMORY.md, and keeps the previous page.
func (k Keeper) rewrite(core string, replace func(file string, change func(old []byte) ([]byte, error)) error, change func(old []byte) (string, error)) (d Distilled, err error) {
	if err := k.place().Make(); err != nil {
		return d, err
	}
	err = replace(core, func(old []byte) ([]byte, error) {
		if d.Page, err = change(old); err != nil {
			return nil, err
		}
		if old == nil && d.Page == "" {
			return nil, nil
		}
		if old != nil && string(old) != d.Page {
			if err := k.Within.Write(k.place().Path(core)+".bak", old, 0o600); err != nil {
				return nil, err
			}
			if d.Before, err = k.keepVersion(core, old); err != nil {
				return nil, err
			}
		}
		if string(old) != d.Page {
			d.Changes = diff(string(old), d.Page)
		}
		return []byte(d.Page), nil
	})
	return d, err
}

func diff(old, new string) string {
	var b strings.Builder
	linediff.Write(&b, old, new, func(line string) string { return line })
	return b.String()
}

// versionsDir has each page that was replaced. Nothing there is ever removed.
const versionsDir = "versions"

// besideMark ends the name of a version of MEMORY.md beside the page that is written.
const besideMark = "-beside"

// keepVersion stores a page that is about to be replaced, unless it is a template or already
// stored, and returns its name below the folder.
func (k Keeper) keepVersion(file string, page []byte) (string, error) {
	if slices.Contains(memory.Templates(), string(page)) {
		return "", nil
	}
	dir := k.place().Path(versionsDir)
	entries, err := k.Within.List(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	for _, e := range entries {
		name := path.Join(versionsDir, e.Name())
		if b, err := k.Read(name); err == nil && bytes.Equal(b, page) && isBeside(name) == (file != k.Core()) {
			return name, nil
		}
	}
	if err := k.Within.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if len(entries) == 0 {
		if err := k.Within.Write(filepath.Join(dir, ".gitignore"), []byte("*\n"), 0o600); err != nil { // mutant: the last bit of a mode lets nobody read it
			return "", err
		}
	}
	name := "MEMORY-" + k.Now.UTC().Format("20060102-150405.000")
	if file != k.Core() {
		name += besideMark
	}
	name = path.Join(versionsDir, name+".md")
	return name, k.Within.Write(k.place().Path(name), page, 0o600)
}

func isBeside(version string) bool { return strings.HasSuffix(version, besideMark+".md") }

// Decline records that a fact does not belong into MEMORY.md, however often it is used: it is
// not proposed again. One that stands there has to be taken off instead.
func (k Keeper) Decline(id string) error {
	items, err := k.itemsOf([]string{id})
	if err != nil {
		return cmp.Or(k.Present([]string{id}), err)
	}
	pages, err := k.corePages()
	if err != nil {
		return err
	}
	for _, item := range items {
		if file, line := lineOf(pages, item); line > 0 {
			return Refused{Reason: fmt.Sprintf("%s stands in line %d of %s", id, line, file), Fix: "agents-hooks memory promote " + id + " --remove takes it off"}
		}
	}
	_, err = k.each([]string{id}, func(o *protocol.Object) (bool, bool) {
		o.SetText("declined_at", memory.Stamp(k.Now))
		return true, true
	})
	return err
}

// A Version is a page that was replaced.
type Version struct {
	Name string // below the folder
	Text string
}

// Versions are the pages that were replaced, the newest first, at most so many.
func (k Keeper) Versions(most int) (list []Version, err error) {
	entries, err := k.Within.List(k.place().Path(versionsDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range slices.Backward(entries) {
		if len(list) == most {
			break
		}
		if !strings.HasPrefix(e.Name(), "MEMORY-") || path.Ext(e.Name()) != ".md" {
			continue
		}
		v := Version{Name: path.Join(versionsDir, e.Name())}
		b, err := k.Read(v.Name)
		if err != nil {
			return list, err
		}
		v.Text = string(b)
		list = append(list, v)
	}
	return list, err
}

// WholePage is all of a page, MEMORY.md or NOTES.md.
func (k Keeper) WholePage(page string) ([]byte, error) { return k.place().WholePage(page) }

// Core is the file of MEMORY.md that is replaced.
func (k Keeper) Core() string { return k.place().Core() }

// PageMark is a mark of the content of MEMORY.md.
func PageMark(page []byte) string { return sign(string(page)) }

// RestorePage replaces MEMORY.md by one of its versions, given by name. If [Keeper.Seen] has
// the page that the user was shown, only that page is replaced.
func (k Keeper) RestorePage(name string) (Distilled, error) {
	base := path.Base(filepath.ToSlash(name))
	b, err := k.Read(path.Join(versionsDir, base))
	if err == nil && b == nil {
		err = fmt.Errorf("%w: version %s", ErrNoEntry, base)
	}
	if err != nil {
		return Distilled{}, err
	}
	file := k.Core()
	if isBeside(base) && file != memory.CoreFile {
		file = memory.CoreFile
	}
	return k.rewrite(file, k.place().BringPage, func(old []byte) (string, error) {
		if want, is := k.Seen[memory.CoreFile]; is && file == k.Core() && want != PageMark(old) {
			return "", Stale{[]string{memory.CoreFile}}
		}
		return string(b), nil
	})
}

// heading is the name of a section without what is not kept: every session is told it, as it is
// the items.
func heading(name string) (string, error) {
	name = text.OneLine(redact.Memory.Text(name))
	if memory.Normal(redact.WithoutMarks(name)) == "" {
		return "", Refused{Reason: "the name of a section is empty, or holds nothing that may be kept", Fix: "name what its items are about"}
	}
	return name, nil
}

const itemsMax = 50 // of MEMORY.md

// corePage is a page of sections and their items, the usual sections first.
func corePage(doc []byte, force bool, in locale.Language) (string, error) {
	o, err := protocol.ParseObject(bytes.TrimSpace(doc))
	if err != nil {
		return "", Refused{Reason: "want a JSON object of sections and lists of items: " + err.Error()}
	}
	sections := memory.Sections(in)
	items := map[string][]string{}
	n := 0
	var others []string
	for _, m := range o {
		var list []string
		name, err := heading(m.Name)
		if err != nil {
			return "", err
		}
		if err := json.Unmarshal(m.Value, &list); err != nil {
			return "", Refused{Reason: fmt.Sprintf("section %q: want a list of texts", name)}
		}
		name = memory.Section(in, name)
		if !slices.Contains(sections, name) && !slices.Contains(others, name) {
			others = append(others, name)
		}
		for _, item := range list {
			item = text.OneLine(redact.Memory.Text(strings.TrimPrefix(strings.TrimSpace(item), "- ")))
			if item != "" {
				items[name] = append(items[name], item)
				n++
			}
		}
	}
	switch {
	case n == 0:
		return "", Refused{Reason: "there is no item: MEMORY.md would be empty"}
	case n > itemsMax && !force:
		return "", Refused{Reason: fmt.Sprintf("%d items: want at most %d", n, itemsMax), Fix: "leave some away, or --force"}
	}
	var b strings.Builder
	b.WriteString("# " + memory.Title(in) + "\n")
	for _, name := range append(slices.Clone(sections), others...) {
		if len(items[name]) == 0 && slices.Contains(others, name) {
			continue
		}
		b.WriteString("\n## " + name + "\n")
		for _, item := range items[name] {
			b.WriteString("- " + item + "\n")
		}
	}
	return b.String(), nil
}
