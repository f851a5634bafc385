package team

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/pack/lockfile"
	"github.com/agents-hooks/agents-hooks/pack/source"
	"github.com/agents-hooks/agents-hooks/trust"
)

// maxLock is the maximum size of a lock that is read, in bytes.
const maxLock = 1 << 20

// PackRows say for each of the team's packs whether the project has it as its lock
// says, and for each other locked pack whether it was changed. Nothing is fetched.
func PackRows(h host.Host, m *Manifest) (rows []Row) {
	lock, bad := readLock(h, m)
	if bad != "" {
		return []Row{row("pack", "hooks.lock", Differ, "agents-hooks verify", "%s", bad)}
	}
	wanted := map[string]bool{}
	for _, p := range m.Packs {
		s, err := source.Parse(p.Source, here(h, m))
		if err != nil {
			rows = append(rows, row("pack", p.Source, Differ, "fix "+h.Short(p.At), "%s names no pack: %v", p.Source, err))
			continue
		}
		had := inLock(h, m, lock, s)
		if had == nil {
			rows = append(rows, row("pack", p.Source, Differ, "agents-hooks setup, which fetches and shows it before it asks", "%s is wanted, and not in the project", p.Source))
			continue
		}
		wanted[had.Name] = true
		rows = append(rows, lockedRow(h, m, had, s, p))
	}
	for _, p := range lock.Packs {
		if !wanted[p.Name] {
			if r := drift(h, m, &p); r.Status != OK {
				rows = append(rows, r)
			}
		}
	}
	return rows
}

// A Lacking pack is one that the team wants, but no lock of the project has.
type Lacking struct {
	Source source.Source
	Pack
}

// LackingPacks are a manifest's lacking packs: none if the lock cannot be read.
func LackingPacks(h host.Host, m *Manifest) (list []Lacking) {
	lock, bad := readLock(h, m)
	if bad != "" {
		return nil
	}
	for _, p := range m.Packs {
		if s, err := source.Parse(p.Source, here(h, m)); err == nil && inLock(h, m, lock, s) == nil {
			list = append(list, Lacking{s, p})
		}
	}
	return list
}

// here is what the addresses in a manifest and its lock are relative to.
func here(h host.Host, m *Manifest) source.Here {
	return source.Here{WorkDir: m.Project, Home: h.Home, Project: m.Project}
}

// readLock reads a project's lock; an empty one if there is none.
func readLock(h host.Host, m *Manifest) (lock *lockfile.Lock, bad string) {
	path := filepath.Join(m.Project, ".agents", "hooks.lock")
	b, err := beneath.At(m.Project).Read(path, maxLock)
	if errors.Is(err, fs.ErrNotExist) {
		return &lockfile.Lock{}, ""
	}
	if err != nil {
		return nil, h.Short(path) + " cannot be read: " + beneath.Why(err)
	}
	if lock, err = lockfile.Parse(string(b)); err != nil {
		return nil, h.Short(path) + ": " + err.Error()
	}
	return lock, ""
}

// inLock is the locked pack of a source, nil if there is none.
func inLock(h host.Host, m *Manifest, lock *lockfile.Lock, s source.Source) *lockfile.Pack {
	for i := range lock.Packs {
		k := &lock.Packs[i]
		at, err := source.Locked(k.Source, k.Dir, k.Ref, here(h, m))
		if err == nil && at.Address == s.Address && at.Dir == s.Dir {
			return k
		}
	}
	return nil
}

// lockedRow says whether a pack is locked at what the team wants, and matches its
// lock.
func lockedRow(h host.Host, m *Manifest, k *lockfile.Pack, s source.Source, p Pack) Row {
	if s.Ref != "" && s.Ref != k.Ref {
		is := s
		is.Ref = k.Ref
		return row("pack", k.Name, Differ, "agents-hooks update "+k.Name+" --ref "+s.Ref, "the team wants %s, and locked is %s", p.Source, is.String())
	}
	return drift(h, m, k)
}

// drift says whether a pack's hooks match their lock.
func drift(h host.Host, m *Manifest, p *lockfile.Pack) Row {
	for _, folder := range p.Folders() {
		dir := filepath.Join(m.Project, ".agents", "hooks", folder)
		hash, err := trust.Hash(context.Background(), dir)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return row("pack", p.Name, Differ, "git checkout, or agents-hooks update "+p.Name, "%s of %s is locked, and not there", folder, p.Name)
		case err != nil:
			return row("pack", p.Name, Differ, "agents-hooks verify", "%s of %s cannot be read: %s", folder, p.Name, beneath.Why(err))
		case hash != p.Pin(folder, lockfile.Bare(h.GOOS)):
			return row("pack", p.Name, Differ, "agents-hooks verify tells more; git checkout, or agents-hooks update "+p.Name, "%s of %s is not as it is locked", folder, p.Name)
		}
	}
	return row("pack", p.Name, OK, "", "%s is as it is locked", p.Name)
}
