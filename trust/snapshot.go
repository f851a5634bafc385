package trust

import (
	"context"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// snapshotPath is where the files of an approved state are kept for the diff.
func snapshotPath(state, hash string) string { return filepath.Join(state, "trust", hash+".json") }

// Diff is what changed in an item since it was last approved, as a unified diff
// in which control characters are spelled out, so that it can be shown. Of a new
// item it is all of it.
func (it Item) Diff(state, project string) (string, error) {
	var before, now []treeFile
	var err error
	if it.State != Gone {
		if now, err = it.files(context.Background(), project, true); err != nil {
			return "", err
		}
	}
	known := it.last == ""
	if !known {
		before, known = readSnapshot(state, it.last)
	}
	if !known {
		return "(what was approved on " + it.Approved + " was not kept; this is all that is there now)\n" + diffTrees(nil, now), nil
	}
	return diffTrees(before, now), nil
}

func saveSnapshot(state, hash string, files []treeFile) error {
	return statefile.Update(snapshotPath(state, hash), wait, func([]byte) ([]byte, error) {
		b := []byte(`{"schema": 1, "files": [`)
		for i, f := range files {
			var o protocol.Object
			o.SetText("path", f.path)
			o.Set("exec", protocol.Raw(strconv.FormatBool(f.exec)))
			o.Set("size", protocol.Raw(strconv.FormatInt(f.size, 10)))
			o.SetText("sha256", fmt.Sprintf("%x", f.sum))
			if f.text != nil {
				o.SetText("text", string(f.text))
			}
			b = append(separated(b, i, "\n  "), o.Raw()...)
		}
		return append(b, "]}\n"...), nil
	})
}

// readSnapshot reads the files of an approved state; ok is false if they were
// not kept.
func readSnapshot(state, hash string) (files []treeFile, ok bool) {
	b, err := statefile.Read(snapshotPath(state, hash))
	if err != nil || b == nil {
		return nil, false
	}
	o, err := protocol.ParseObject(b)
	if err != nil {
		return nil, false
	}
	for _, e := range protocol.ElementsOf(o.Get("files")) {
		v := protocol.ObjectOf(e)
		f := treeFile{path: v.Text("path"), exec: v.Bool("exec")}
		f.size, _ = strconv.ParseInt(string(v.Get("size")), 10, 64)
		if sum, err := hex.DecodeString(v.Text("sha256")); err == nil {
			copy(f.sum[:], sum)
		}
		if v.Has("text") {
			f.text = []byte(v.Text("text"))
		}
		files = append(files, f)
	}
	return files, true
}
