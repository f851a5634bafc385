package memory_test

import (
	"errors"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/models"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/chosen"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/model2vec"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

func modelStore(t *testing.T) models.Store {
	return models.Store{Data: t.TempDir(), Now: func() time.Time { return time.Date(2026, 2, 17, 12, 0, 0, 0, time.UTC) }}
}

// A model is added, listed with its sums, chosen, found damaged, and taken away with
// what was made of it.
// BM-MDL-08.
func TestAModelComesAndGoes(t *testing.T) {
	t.Parallel()
	s := modelStore(t)
	if list, err := s.List(); err != nil || len(list) != 0 {
		t.Errorf("before: %v, %v", list, err)
	}
	i, err := s.Add("model2vec/testdata/unigram", "small", "", "here")
	if err != nil || i.Kind != "Unigram" || i.Dims != 8 || i.Used || i.Wrong != "" || len(i.SHA256) != 3 || i.From != "here" {
		t.Fatalf("%+v, %v", i, err)
	}
	must.Do(t, s.Choose(chosen.Choice{Name: "small"}))
	cache := t.TempDir()
	kept := filepath.Join(cache, "memory", "abc.m"+i.ID)
	must.Write(t, kept, "")
	if list, err := s.List(); err != nil || len(list) != 1 || !list[0].Used {
		t.Errorf("%+v, %v", list, err)
	}
	b, err := os.ReadFile(chosen.Path(s.Data, "small"))
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)-1] ^= 1
	must.Write(t, chosen.Path(s.Data, "small"), b)
	if i, err := s.Get("small"); err != nil || !strings.Contains(i.Wrong, "damaged") {
		t.Errorf("a damaged one: %+v, %v", i, err)
	}
	must.Do(t, s.Remove("small", cache))
	if c, err := chosen.Read(s.Data); err != nil || c != (chosen.Choice{}) {
		t.Errorf("still chosen: %+v, %v", c, err)
	}
	if _, err := os.Stat(kept); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its vectors are still there: %v", err)
	}
	if err := s.Remove("small", cache); err == nil {
		t.Error("taken away twice")
	}
	for _, name := range []string{"", "..", "a/b", `a\b`, "-x", ".x", "a b", strings.Repeat("x", 65), models.BuiltIn, models.Local, "模型"} {
		if _, err := s.Add("model2vec/testdata/unigram", name, "", ""); err == nil {
			t.Errorf("a model is called %q", name)
		}
	}
	if _, err := s.Add("model2vec/testdata/unigram", "x", strings.Repeat("0", 64), ""); err == nil || !strings.Contains(err.Error(), "SHA-256") {
		t.Errorf("another sum: %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(chosen.Dir(s.Data), "*.tmp")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// What was made by a model that is there no more goes, whoever took the model away; what
// another one made stays, and all of it where one cannot be read.
// BM-MDL-08.
func TestVectorsOfModelsThatAreGone(t *testing.T) {
	t.Parallel()
	s, cache := modelStore(t), t.TempDir()
	here, err := s.Add("model2vec/testdata/unigram", "here", "", "")
	if err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(s.Data, "memory")
	ours, gone := filepath.Join(cache, "memory", "abc"+chosen.KeptExt(here.ID)), filepath.Join(cache, "memory", "abc.mffff")
	mine, lost := filepath.Join(own, chosen.KeptName(here.ID)), filepath.Join(own, chosen.KeptName("ffff"))
	other := filepath.Join(cache, "memory", "abc.recall")
	err = errors.Join(os.MkdirAll(own, 0o700), os.MkdirAll(filepath.Join(cache, "memory"), 0o700))
	for _, file := range []string{ours, gone, mine, lost, other} {
		err = errors.Join(err, os.WriteFile(file, nil, 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	there := func(file string) bool { _, err := os.Stat(file); return err == nil }
	b, err := os.ReadFile(chosen.Path(s.Data, "here"))
	if err != nil {
		t.Fatal(err)
	}
	must.Write(t, chosen.Path(s.Data, "here"), b[:8])
	if err := s.Tidy(cache); err != nil || !there(ours) || !there(gone) {
		t.Errorf("a model cannot be read: %v, kept %v and %v", err, there(ours), there(gone))
	}
	must.Write(t, chosen.Path(s.Data, "here"), b)
	if err := s.Tidy(cache); err != nil || !there(ours) || !there(mine) || !there(other) || there(gone) || there(lost) {
		t.Errorf("%v: there are %v %v %v, and %v %v", err, there(ours), there(mine), there(other), there(gone), there(lost))
	}
	must.Do(t, os.Remove(chosen.Path(s.Data, "here")))
	if err := s.Tidy(cache); err != nil || there(ours) || there(mine) || !there(other) {
		t.Errorf("somebody took the model away: %v", err)
	}
}

func TestWhatAModelIsCalled(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/m/potion-base-8M":                    "potion-base-8M",
		"/m/potion-base-8M/":                   "potion-base-8M",
		"/m/potion-base-8M/model.safetensors":  "potion-base-8M",
		"/c/models--a--potion-2M/snapshots/1f": "potion-2M",
	} {
		t.Run(path, func(t *testing.T) {
			if got := models.NameOf(filepath.FromSlash(path)); got != want {
				t.Errorf("%s: %s, want %s", path, got, want)
			}
		})
	}
}

// A download is believed by its sum alone; what is cut off, changed or another file
// leaves nothing behind.
// BM-MDL-03.
func TestADownloadIsBelievedByItsSum(t *testing.T) {
	t.Parallel()
	broken := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := filepath.Base(r.URL.Path)
		b, err := os.ReadFile(filepath.Join("model2vec/testdata/wordpiece", name))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		if name == broken {
			b[len(b)/2] ^= 1
		}
		_, _ = w.Write(b)
	}))
	defer server.Close()
	src, err := model2vec.Open("model2vec/testdata/wordpiece")
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	s := modelStore(t)
	k := models.Known{Name: "small", From: "https://example.invalid/x"}
	if _, err := s.Download(t.Context(), k, "small", "", server.URL, server.Client()); !errors.Is(err, models.ErrUnpinned) {
		t.Errorf("without a sum: %v", err)
	}
	if _, err := s.Download(t.Context(), k, "small", src.Sums[model2vec.Tensors], "http://example.invalid", server.Client()); err == nil || !strings.Contains(err.Error(), "https") {
		t.Errorf("without encryption: %v", err)
	}
	k.Sums = src.Sums
	for _, broken = range []string{model2vec.Tensors, model2vec.Tokenizer, model2vec.Config} {
		if _, err := s.Download(t.Context(), k, "small", "", server.URL, server.Client()); err == nil || !strings.Contains(err.Error(), "SHA-256") {
			t.Errorf("%s was changed: %v", broken, err)
		}
	}
	if left, err := os.ReadDir(chosen.Dir(s.Data)); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	broken = ""
	if i, err := s.Download(t.Context(), k, "small", "", server.URL+"/", server.Client()); err != nil || i.Dims != 12 {
		t.Errorf("as it is: %+v, %v", i, err)
	}
	for _, k := range models.KnownModels() {
		if !chosen.IsName(k.Name) || !strings.HasPrefix(k.From, "https://") || k.Sums != nil && (k.Revision == "" || len(k.Sums) != 3) {
			t.Errorf("%+v", k)
		}
		for _, sum := range k.Sums {
			if len(sum) != 64 {
				t.Errorf("%s: %q is no SHA-256", k.Name, sum)
			}
		}
	}
}
