package discovery

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

const (
	// maxApprovals is how many approved states of one item are remembered, the
	// newest first: a branch that is left and come back to needs no new approval.
	maxApprovals = 16
	trustWait    = 5 * time.Second // for another process that writes the store
	trustSchema  = "1"
)

// approvals is what the trust store holds: project root → item → states. An
// item is "hooks/FOLDER", "hooks.toml" or one of [Sources.Further].
type approvals map[string]map[string][]approval

// An approval is one state of an item that its user agreed to.
type approval struct {
	hash string
	time string // RFC 3339
}

func trustPath(state string) string { return filepath.Join(state, "trust.json") }

// snapshotPath is where the files of an approved state are kept for the diff.
func snapshotPath(state, hash string) string { return filepath.Join(state, "trust", hash+".json") }

func readTrust(state string) (approvals, error) {
	b, err := statefile.Read(trustPath(state))
	if err != nil || b == nil {
		return nil, err
	}
	return parseTrust(b)
}

// parseTrust reads the trust store, strictly: what is not understood is not
// trusted.
func parseTrust(b []byte) (approvals, error) {
	o, err := protocol.ParseObject(b)
	if err != nil {
		return nil, err
	}
	if v := string(o.Get("schema")); v != trustSchema {
		return nil, fmt.Errorf("schema %q, want %s", v, trustSchema)
	}
	all := approvals{}
	for _, p := range o.Sub("projects") {
		items := map[string][]approval{}
		for _, item := range protocol.ObjectOf(p.Value) {
			for _, e := range protocol.ElementsOf(item.Value) {
				state := protocol.ObjectOf(e)
				hash := state.Text("hash")
				if len(hash) != 2*sha256.Size {
					return nil, fmt.Errorf("%q of %q: %q is no hash", item.Name, p.Name, hash)
				}
				items[item.Name] = append(items[item.Name], approval{hash, state.Text("time")})
			}
		}
		all[p.Name] = items
	}
	return all, nil
}

func (a approvals) format() []byte {
	b := []byte("{\"schema\": " + trustSchema + ", \"projects\": {")
	for i, project := range slices.Sorted(maps.Keys(a)) {
		b = append(separated(b, i, "\n  "), protocol.Quote(project)...)
		b = append(b, ": {"...)
		for j, item := range slices.Sorted(maps.Keys(a[project])) {
			b = append(separated(b, j, "\n    "), protocol.Quote(item)...)
			b = append(b, ": ["...)
			for k, s := range a[project][item] {
				b = append(separated(b, k, "\n      "), `{"hash": "`+s.hash+`", "time": `...)
				b = append(append(b, protocol.Quote(s.time)...), '}')
			}
			b = append(b, ']')
		}
		b = append(b, '}')
	}
	return append(b, "}}\n"...)
}

// separated begins the i-th element of a list.
func separated(b []byte, i int, indent string) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return append(b, indent...)
}

func (a approvals) has(project, item, hash string) bool {
	return slices.ContainsFunc(a[project][item], func(s approval) bool { return s.hash == hash })
}

// A TrustState is what the trust store says about an item of a project.
type TrustState string

const (
	TrustedItem TrustState = "trusted" // approved as it is
	NewItem     TrustState = "new"     // never approved
	ChangedItem TrustState = "changed" // approved in another state
	GoneItem    TrustState = "gone"    // approved, and not there any more
	RefusedItem TrustState = "refused" // cannot be approved: Problem says why
)

// A TrustItem is one thing of a project that is run or honoured only once it
// was approved: a hook's folder, or the project's hooks.toml.
type TrustItem struct {
	Name     string // the hook's folder, "hooks.toml", or a name of Sources.Further
	Path     string // absolute
	State    TrustState
	Hash     string // of the present state, "" if it is gone or refused
	Approved string // when it was last approved, RFC 3339, "" if never
	Problem  string // why it is refused
	Hook     *Hook  // nil for what is no hook, and for what is gone

	id   string // in the trust store
	last string // hash of the last approval
}

// TrustItems lists what needs approval in a project, by name, hooks.toml first.
// The problem, if there is one, is a trust store that cannot be read: then
// nothing counts as approved.
func TrustItems(src Sources, project string) ([]TrustItem, *Problem) {
	var problem *Problem
	known, err := readTrust(src.State)
	if err != nil {
		problem = brokenTrust(src.State, err)
	}
	var items []TrustItem
	if path := settingsPath(project); exists(path) {
		items = append(items, TrustItem{Name: "hooks.toml", Path: path, id: "hooks.toml"})
	}
	l := newLoader(src, "")
	l.set.Project = project
	for _, h := range l.projectHooks() {
		items = append(items, TrustItem{Name: h.folder, Path: h.Dir, Hook: h, id: itemID(h)})
	}
	if src.Further != nil {
		for name, dir := range src.Further(project) {
			items = append(items, TrustItem{Name: name, Path: dir, id: name})
		}
	}
	for i := range items {
		items[i].judge(known, project)
	}
	for id, states := range known[project] {
		if !slices.ContainsFunc(items, func(it TrustItem) bool { return it.id == id }) && len(states) > 0 {
			items = append(items, goneItem(project, id, states))
		}
	}
	slices.SortFunc(items, func(a, b TrustItem) int { return strings.Compare(itemOrder(a.id), itemOrder(b.id)) })
	return items, problem
}

func itemOrder(id string) string {
	if id == "hooks.toml" {
		return ""
	}
	return id
}

func goneItem(project, id string, states []approval) TrustItem {
	return TrustItem{Name: strings.TrimPrefix(id, "hooks/"), Path: filepath.Join(project, ".agents", filepath.FromSlash(id)),
		State: GoneItem, Approved: states[0].time, id: id, last: states[0].hash}
}

func itemID(h *Hook) string { return "hooks/" + h.folder }

func brokenTrust(state string, err error) *Problem {
	return &Problem{File: trustPath(state), Severity: Error, Message: "the record of approvals cannot be read, so no project hook is trusted: " + reason(err),
		Fix: "approve again with `agents-hooks trust`; the old file is kept aside then"}
}

// judge finds out the state of an item.
func (it *TrustItem) judge(known approvals, project string) {
	states := known[project][it.id]
	if len(states) > 0 {
		it.Approved, it.last = states[0].time, states[0].hash
	}
	files, err := it.files(project, false)
	if err != nil {
		it.State, it.Problem = RefusedItem, reason(err)
		return
	}
	it.Hash = treeHash(files)
	switch {
	case known.has(project, it.id, it.Hash):
		it.State = TrustedItem
	case len(states) > 0:
		it.State = ChangedItem
	default:
		it.State = NewItem
	}
}

// files are the files of an item, which must lie inside the project.
func (it *TrustItem) files(project string, keep bool) ([]treeFile, error) {
	return itemFiles(it.Path, it.id, project, keep)
}

func itemFiles(path, id, project string, keep bool) ([]treeFile, error) {
	real, err := resolveInside(path, project)
	if err != nil {
		return nil, err
	}
	if id != "hooks.toml" {
		return readTree(real, keep)
	}
	b, err := readSmall(real, maxSettings)
	if err != nil {
		return nil, err
	}
	return []treeFile{settingsTree(b)}, nil
}

// settingsTree is the project's hooks.toml as a tree of one file.
func settingsTree(b []byte) treeFile {
	f := treeFile{path: "hooks.toml", size: int64(len(b)), sum: sha256.Sum256(b)}
	if isText(b) {
		f.text = b
	}
	return f
}

// Approve records that items are trusted as they were when [TrustItems] listed
// them; one that changed since is an error and approves nothing. project is the
// canonical root. If the trust store could not be read, it is kept aside under
// the name that kept returns, and started anew.
func Approve(src Sources, project string, items []TrustItem, now time.Time) (kept string, err error) {
	for _, it := range items {
		if it.Hash == "" {
			return "", fmt.Errorf("approve %q: it is %s", it.Name, it.State)
		}
		files, err := it.files(project, true)
		if err != nil {
			return "", fmt.Errorf("approve %q: %w", it.Name, err)
		}
		if treeHash(files) != it.Hash {
			return "", fmt.Errorf("approve %q: it changed since it was listed; look again", it.Name)
		}
		if err := saveSnapshot(src.State, it.Hash, files); err != nil {
			return "", fmt.Errorf("keep the approved files of %q: %w", it.Name, err)
		}
	}
	err = statefile.UpdateDurable(trustPath(src.State), trustWait, func(old []byte) ([]byte, error) {
		all := approvals{}
		if old != nil {
			var perr error
			if all, perr = parseTrust(old); perr != nil {
				all = approvals{}
				if kept, perr = statefile.Keep(trustPath(src.State), now, old); perr != nil {
					return nil, perr
				}
			}
		}
		if all[project] == nil {
			all[project] = map[string][]approval{}
		}
		for _, it := range items {
			states := slices.DeleteFunc(all[project][it.id], func(s approval) bool { return s.hash == it.Hash })
			states = append([]approval{{it.Hash, now.UTC().Format(time.RFC3339)}}, states...)
			all[project][it.id] = states[:min(len(states), maxApprovals)]
		}
		return all.format(), nil
	})
	return kept, err
}

// Revoke takes approvals back: of the items with these names, or of the whole
// project if there are none. It returns the names that had been approved.
func Revoke(src Sources, project string, names []string) (revoked []string, err error) {
	var left approvals
	var hashes []string
	err = statefile.UpdateDurable(trustPath(src.State), trustWait, func(old []byte) ([]byte, error) {
		revoked, hashes = nil, nil
		if old == nil {
			return nil, nil
		}
		all, err := parseTrust(old)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", trustPath(src.State), err)
		}
		for id, states := range all[project] {
			name := strings.TrimPrefix(id, "hooks/")
			if len(names) > 0 && !slices.Contains(names, name) {
				continue
			}
			revoked = append(revoked, name)
			for _, s := range states {
				hashes = append(hashes, s.hash)
			}
			delete(all[project], id)
		}
		if len(all[project]) == 0 {
			delete(all, project)
		}
		left = all
		return all.format(), nil
	})
	slices.Sort(revoked)
	for _, hash := range hashes {
		if !left.uses(hash) {
			os.Remove(snapshotPath(src.State, hash)) // nothing refers to it any more
		}
	}
	return revoked, err
}

func (a approvals) uses(hash string) bool {
	for project, items := range a {
		for id := range items {
			if a.has(project, id, hash) {
				return true
			}
		}
	}
	return false
}

// Diff is what changed in an item since it was last approved, as a unified diff
// in which control characters are spelled out, so that it can be shown. Of a new
// item it is all of it.
func (it *TrustItem) Diff(src Sources, project string) (string, error) {
	var before, now []treeFile
	var err error
	if it.State != GoneItem {
		if now, err = it.files(project, true); err != nil {
			return "", err
		}
	}
	known := it.last == ""
	if !known {
		before, known = readSnapshot(src.State, it.last)
	}
	if !known {
		return "(what was approved on " + it.Approved + " was not kept; this is all that is there now)\n" + diffTrees(nil, now), nil
	}
	return diffTrees(before, now), nil
}

func saveSnapshot(state, hash string, files []treeFile) error {
	return statefile.Update(snapshotPath(state, hash), trustWait, func([]byte) ([]byte, error) {
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
