package trust

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/linediff"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Diff is what changed in an item since it was last approved, as a unified diff with
// control characters escaped. For a new item it is the whole content.
func (it Item) Diff(state, project string) (string, error) {
	before, now, known, err := it.trees(state, project)
	if err != nil {
		return "", err
	}
	if !known {
		return "(what was approved on " + it.Approved + " was not kept; this is all that is there now)\n" + diffTrees(nil, now), nil
	}
	return diffTrees(before, now), nil
}

// An Unseen file is one whose content no diff shows.
type Unseen struct {
	Path string `json:"path"` // below the thing
	Size int64  `json:"size"`
	Why  string `json:"why"`
}

// Unseen returns the files of an item that changed since it was last approved and that
// [Item.Diff] does not show.
func (it Item) Unseen(state, project string) ([]Unseen, error) {
	before, now, _, err := it.trees(state, project)
	return unseenIn(before, now), err
}

// unseenIn are the files that changed between two states of a folder, and that
// [diffTrees] does not show.
func unseenIn(before, now []treeFile) (list []Unseen) {
	for _, f := range now {
		if f.text != nil || f.size == 0 || slices.ContainsFunc(before, func(b treeFile) bool { return b.path == f.path && b.sum == f.sum }) {
			continue
		}
		why := "no text"
		if f.size > maxKeptFile {
			why = fmt.Sprintf("over %d KiB", maxKeptFile>>10)
		} else if f.skipped {
			why = "too much to show"
		}
		list = append(list, Unseen{f.path, f.size, why})
	}
	return list
}

// trees are the files of an item as they were approved last and as they are now;
// known is false if the former were not kept.
func (it Item) trees(state, project string) (before, now []treeFile, known bool, err error) {
	if it.State != Gone {
		if now, err = it.files(context.Background(), project, true); err != nil {
			return nil, nil, false, err
		}
	}
	if it.last == "" {
		return nil, now, true, nil
	}
	before, known = copiesIn(state).files(context.Background(), it.last)
	return before, now, known, nil
}

// diffTrees is a unified diff between two states of a folder, both sorted by
// path.
func diffTrees(before, now []treeFile) string {
	var b strings.Builder
	for len(before) > 0 || len(now) > 0 {
		switch {
		case len(now) == 0 || len(before) > 0 && before[0].path < now[0].path:
			diffFile(&b, &before[0], nil)
			before = before[1:]
		case len(before) == 0 || now[0].path < before[0].path:
			diffFile(&b, nil, &now[0])
			now = now[1:]
		default:
			diffFile(&b, &before[0], &now[0])
			before, now = before[1:], now[1:]
		}
	}
	return b.String()
}

// diffFile writes what is different in one file, nil standing for none.
func diffFile(b *strings.Builder, before, now *treeFile) {
	from, to := "/dev/null", "/dev/null"
	var old, new []byte
	text := true
	if before != nil {
		from, old = "a/"+ShownPath(before.path), before.text
		text = before.text != nil || before.size == 0
	}
	if now != nil {
		to, new = "b/"+ShownPath(now.path), now.text
		// If what was there before cannot be shown, everything that is there now is
		// shown.
		text = now.text != nil || now.size == 0
	}
	if before != nil && now != nil && before.sum == now.sum {
		if before.exec == now.exec {
			return
		}
		fmt.Fprintf(b, "--- %s\n+++ %s\n%s\n", from, to, modeChange(before, now))
		return
	}
	fmt.Fprintf(b, "--- %s\n+++ %s\n", from, to)
	if change := modeChange(before, now); change != "" {
		b.WriteString(change + "\n")
	}
	if !text {
		b.WriteString("(not shown: no text, or too large; " + sizes(before, now) + ")\n")
		return
	}
	linediff.Write(b, string(old), string(new), protocol.Visible)
}

// ShownPath is the path of a file for display: on one line, whatever its name contains.
func ShownPath(path string) string {
	return strings.ReplaceAll(protocol.Visible(path), "\n", `\x0a`)
}

// modeChange tells of a change of the executable bit.
func modeChange(before, now *treeFile) string {
	was, is := before != nil && before.exec, now != nil && now.exec
	switch {
	case now == nil || was == is:
		return ""
	case is:
		return "(executable)"
	}
	return "(no longer executable)"
}

func sizes(before, now *treeFile) string {
	switch {
	case before == nil:
		return fmt.Sprintf("%d bytes", now.size)
	case now == nil:
		return fmt.Sprintf("%d bytes removed", before.size)
	}
	return fmt.Sprintf("%d bytes, before %d", now.size, before.size)
}
