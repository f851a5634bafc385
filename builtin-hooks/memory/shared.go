package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// sharedDir is the folder for what others in a team share, one file per day; git ignores it.
const sharedDir = localDir + "/team"

// sharedMark ends the origin of what somebody in the team shared.
const sharedMark = ", shared"

// SharedBy is the origin of what somebody in the team shared.
func SharedBy(name string) string { return name + sharedMark }

// Shared reports whether an origin is somebody in the team: then the text is not the user's.
func Shared(origin string) bool { return strings.HasSuffix(origin, sharedMark) }

// theirs reports whether a fact is somebody else's: the repository's or the team's.
func (f Fact) theirs() bool { return f.Whose != ledger.Own || Shared(f.Origin) }

// ShareFile is where a machine records, in its state directory, that its user shares a
// project's memory, and with whom. Nothing in a project can turn that on.
func ShareFile(state, root string) string {
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	sum := sha256.Sum256([]byte(root))
	return filepath.Join(state, "share", hex.EncodeToString(sum[:16])+".json")
}

// SharedFiles are the files of what others in the team share, the oldest first.
func (p Place) SharedFiles() (out []string) {
	entries, _ := p.Within.List(filepath.Join(p.Dir, filepath.FromSlash(sharedDir)))
	for _, e := range entries {
		if name := e.Name(); filepath.Ext(name) == ".jsonl" && !strings.HasPrefix(name, ".") {
			out = append(out, sharedDir+"/"+name)
		}
	}
	return out
}

// SharedFile is the file of what others shared on a day, such as 2026-11-23.
func SharedFile(day string) string { return sharedDir + "/" + day + ".jsonl" }

// KeepShared writes facts of the team into a file, replacing those with the same ids, and
// removes others. What this machine recorded about a fact stays: that it is hidden, or
// confirmed.
func (p Place) KeepShared(file string, put []protocol.Object, gone map[string]bool) error {
	if err := p.Make(); err != nil {
		return err
	}
	if err := errors.Join(p.makeLocal(), p.Within.MkdirAll(filepath.Join(p.Dir, filepath.FromSlash(sharedDir)), 0o700)); err != nil {
		return err
	}
	return p.files().UpdateDurable(p.Path(file), lockWait, func(old []byte) ([]byte, error) {
		later := map[string]protocol.Object{}
		for _, o := range put {
			later[o.Text("id")] = o
		}
		out := []byte{} // even if everything is removed: nil would leave the file as it is
		var keys []ledger.Key
		add := func(o protocol.Object) {
			at := len(out)
			out = append(o.Append(out), '\n')
			keys = append(keys, ledger.LineKey(out[at:]))
		}
		for line := range strings.Lines(string(old)) {
			o, err := protocol.ParseObject([]byte(strings.TrimSpace(line)))
			id := o.Text("id")
			if err != nil || gone[id] { // what cannot be read could not be taken out of the room either
				continue
			}
			now, again := later[id]
			if !again {
				out = append(out, line...)
				if !strings.HasSuffix(line, "\n") {
					out = append(out, '\n')
				}
				continue
			}
			delete(later, id)
			back := o.Sub("source").Has("ended") && !now.Sub("source").Has("ended") // the user brought it back elsewhere
			for _, name := range [...]string{"deleted_at", "deleted_by", "confirmed_at", "confirmed_count", "beside"} {
				if o.Has(name) && !(back && strings.HasPrefix(name, "deleted_")) {
					now.Set(name, o.Get(name))
				}
			}
			add(now)
		}
		for _, o := range put {
			if now, is := later[o.Text("id")]; is {
				add(now)
				delete(later, o.Text("id"))
			}
		}
		if err := p.Ledger.Note(keys...); err != nil {
			return nil, err // otherwise it would wait for approval, without a known author
		}
		return out, nil
	})
}

// CleanShared removes from a file what is no fact that the team is known to have shared.
func (p Place) CleanShared(file string, known func(id string) bool) error {
	return p.files().UpdateDurable(p.Path(file), lockWait, func(old []byte) ([]byte, error) {
		out := []byte{}
		for line := range strings.Lines(string(old)) {
			o, err := protocol.ParseObject([]byte(strings.TrimSpace(line)))
			if err == nil && known(o.Text("id")) {
				out = append(out, strings.TrimSuffix(line, "\n")+"\n"...)
			}
		}
		return out, nil
	})
}

// DropShared removes everything that others shared.
func (p Place) DropShared() error {
	dir := filepath.Join(p.Dir, filepath.FromSlash(sharedDir))
	if _, err := p.Within.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return p.Within.RemoveAll(dir)
}
