package models

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/chosen"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/endpoint"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/model2vec"
)

// A Known model can be added by name.
type Known struct {
	Name     string `json:"name"`
	About    string `json:"about"`
	From     string `json:"from"` // the address of its files
	Revision string `json:"-"`
	// Sums are the SHA-256 of its files in that revision; none: the project does not know them,
	// and whoever adds the model must give the one of model.safetensors.
	Sums map[string]string `json:"sha256,omitempty"`
}

// sums are the sums of a model's three files.
func sums(tensors, tokenizer, config string) map[string]string {
	hex := func(sum string) string { return strings.TrimPrefix(sum, "sha256:") }
	return map[string]string{model2vec.Tensors: hex(tensors), model2vec.Tokenizer: hex(tokenizer), model2vec.Config: hex(config)}
}

// KnownModels are the models that have names here.
func KnownModels() []Known {
	list := []Known{
		{Name: "potion-base-2M", About: "English, 64 numbers, 8 MB"},
		{Name: "potion-base-8M", About: "English, 256 numbers, 30 MB", Revision: "bf8b056651a2c21b8d2565580b8569da283cab23",
			Sums: sums("sha256:f65d0f325faadc1e121c319e2faa41170d3fa07d8c89abd48ca5358d9a223de2", "sha256:e67e803f624fb4d67dea1c730d06e1067e1b14d830e2c2202569e3ef0f70bb50", "sha256:2a6ac0e9aaa356a68a5688070db78fc3a464fefe85d2f06a1905ce3718687553")},
		{Name: "potion-base-32M", About: "English, 512 numbers, 130 MB"},
		{Name: "potion-retrieval-32M", About: "English, for search, 512 numbers, 130 MB"},
		{Name: "potion-multilingual-128M", About: "101 languages, Chinese among them, 256 numbers, 512 MB", Revision: "73908c3438cf03b6a01bcb9611d62b23d0726f08",
			Sums: sums("sha256:14b5eb39cb4ce5666da8ad1f3dc6be4346e9b2d601c073302fa0a31bf7943397", "sha256:19f1909063da3cfe3bd83a782381f040dccea475f4816de11116444a73e1b6a1", "sha256:595e4cab2093732efd5dbe084fd5c1826b5eea693b73b4c1fd971672867d2e54")},
		{Name: "M2V_multilingual_output", About: "many languages, 256 numbers, 500 MB"},
	}
	for i := range list {
		revision := list[i].Revision
		if revision == "" {
			revision = "main"
		}
		list[i].From = "https://huggingface.co/minishlab/" + list[i].Name + "/resolve/" + revision
	}
	return list
}

// ErrUnpinned says that a model's SHA-256 is neither known nor given.
var ErrUnpinned = errors.New("its SHA-256 is not known here")

// downloadMax is the largest size of a file.
const downloadMax = 1 << 30

// Download fetches a known model, from its address or from a mirror, and adds it. want is the
// SHA-256 of its model.safetensors, if it is not known here.
func (s Store) Download(ctx context.Context, k Known, name, want, mirror string, client *http.Client) (Info, error) {
	if k.Sums == nil && want == "" {
		return Info{}, fmt.Errorf("%s: %w", k.Name, ErrUnpinned)
	}
	from := k.From
	if mirror != "" {
		from = strings.TrimRight(mirror, "/")
	}
	if u, err := url.Parse(from); err != nil || u.Scheme != "https" && !endpoint.IsLocal(from) {
		return Info{}, fmt.Errorf("downloading %s: %q is no address of https", k.Name, from)
	}
	if err := os.MkdirAll(chosen.Dir(s.Data), 0o700); err != nil {
		return Info{}, err
	}
	dir, err := os.MkdirTemp(chosen.Dir(s.Data), ".*.tmp")
	if err != nil {
		return Info{}, err
	}
	defer os.RemoveAll(dir)
	for _, file := range []string{model2vec.Config, model2vec.Tokenizer, model2vec.Tensors} {
		sum := k.Sums[file]
		if file == model2vec.Tensors && want != "" {
			sum = want
		}
		if err := fetch(ctx, client, from+"/"+file, filepath.Join(dir, file), sum); err != nil {
			return Info{}, fmt.Errorf("downloading %s: %w", k.Name, err)
		}
	}
	return s.Add(dir, name, want, from)
}

// fetch downloads an address into a file, and checks its SHA-256, if one is given.
func fetch(ctx context.Context, client *http.Client, address, file, want string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	c := *client
	c.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		if r.URL.Scheme != "https" && !endpoint.IsLocal(r.URL.String()) || len(via) > 5 {
			return fmt.Errorf("it leads on to %q", r.URL.Redacted())
		}
		return nil
	}
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%q answered %s", address, resp.Status)
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(f, h), io.LimitReader(resp.Body, downloadMax+1))
	switch got := hex.EncodeToString(h.Sum(nil)); {
	case err != nil:
	case n > downloadMax:
		err = fmt.Errorf("%q has more than %d bytes", address, downloadMax)
	case want != "" && !strings.EqualFold(got, want):
		err = fmt.Errorf("%q has the SHA-256 %s, and not %s: it was changed, on the way or there", address, got, want)
	}
	return errors.Join(err, f.Close())
}
