package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

// skillMarker is a file in each folder that we wrote, and says what we wrote.
const skillMarker = ".agents-hooks-skill.json"

const (
	skillLimit = 3 * time.Second
	skillsMost = 100
	skillMost  = 256 << 10 // bytes
)

type marker struct {
	Server string `json:"server"`
	Slug   string `json:"slug"`
	Hash   string `json:"hash"` // of the SKILL.md that we wrote last
	Next   string `json:"next"` // of the one being written, or written just now
}

// Skills fetches the person's skills into folders below dir, one each, only on request.
// A folder that is not ours, or whose file somebody has changed since, stays as it is;
// nothing is ever written outside of dir.
func (s *Sync) Skills(ctx context.Context, dir string, r *Result) {
	var list []struct {
		Slug  string `json:"slug"`
		Skill struct {
			Slug string `json:"slug"`
		} `json:"skill"`
	}
	if err := s.Client.Call(ctx, skillLimit, http.MethodGet, "/api/im/skills/installed", nil, nil, &list); err != nil {
		s.problem(r, "skills", err)
		return
	}
	for i, k := range list {
		slug := cmp.Or(k.Slug, k.Skill.Slug)
		if i == skillsMost || ctx.Err() != nil {
			s.problem(r, "skills", fmt.Errorf("%d of %d", i, len(list)))
			return
		}
		wrote, err := s.skill(ctx, dir, slug)
		s.problem(r, fmt.Sprintf("skill %q", oneLine(slug, 80)), err)
		if wrote {
			s.mu.Lock()
			r.Skills = append(r.Skills, slug)
			s.mu.Unlock()
		}
	}
}

func (s *Sync) skill(ctx context.Context, dir, slug string) (wrote bool, err error) {
	if !api.ValidSlug(slug) {
		return false, errors.New("the name has other characters than letters, digits, _ and -")
	}
	var data struct {
		Content string `json:"content"`
	}
	if err := s.Client.Call(ctx, skillLimit, http.MethodGet, "/api/im/skills/"+url.PathEscape(slug)+"/content", nil, nil, &data); err != nil {
		return false, err
	}
	if data.Content == "" || len(data.Content) > skillMost {
		return false, fmt.Errorf("its text has %d bytes, want 1 to %d", len(data.Content), skillMost)
	}
	folder := filepath.Join(dir, slug)
	file, mark := filepath.Join(folder, "SKILL.md"), filepath.Join(folder, skillMarker)
	switch info, err := os.Lstat(folder); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return false, err
	case !info.IsDir():
		return false, errors.New("there is something else of that name")
	default:
		has, err := statefile.Read(mark)
		if err != nil || has == nil {
			return false, errors.Join(err, errors.New("there is a skill of that name which is not ours"))
		}
		var m marker
		text, err := statefile.Read(file)
		if json.Unmarshal(has, &m) != nil || err != nil || text != nil && hash(string(text)) != m.Hash && hash(string(text)) != m.Next {
			return false, errors.Join(err, errors.New("somebody has changed it"))
		}
		if string(text) == data.Content {
			return false, nil
		}
	}
	return true, s.writeSkill(mark, file, slug, data.Content)
}

// writeSkill writes the file. Before that, the marker names both the old and the new
// text, so that the file is known as ours whenever we are killed.
func (s *Sync) writeSkill(mark, file, slug, content string) error {
	old, err := statefile.Read(file)
	if err != nil {
		return err
	}
	was := ""
	if old != nil {
		was = hash(string(old))
	}
	if err := changeJSON(mark, func(m *marker) { *m = marker{s.Client.Base, slug, was, hash(content)} }); err != nil {
		return err
	}
	return statefile.Update(file, fileWait, func([]byte) ([]byte, error) { return []byte(content), nil })
}
