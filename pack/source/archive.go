package source

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/pack"
)

// archive reads a .tar.gz from this machine, or by https.
func (s Source) archive(ctx context.Context, t Tools) (*Fetched, error) {
	var packed []byte
	var err error
	if s.Path != "" {
		packed, err = safefile.Read(s.Path, maxGzip)
	} else {
		packed, err = download(ctx, t.Client, s.Address)
	}
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(packed)
	got := &Fetched{SHA256: hex.EncodeToString(sum[:]), Size: int64(len(packed))}
	tree, err := unpack(ctx, packed)
	if err != nil {
		return nil, err
	}
	tree = s.cut(withoutTop(tree))
	want, others := wanted(tree)
	for i := range others {
		others[i].Data = nil
	}
	got.Tree = append(want, others...)
	return got, nil
}

// download fetches an address, with https for every redirect.
func download(ctx context.Context, client *http.Client, address string) ([]byte, error) {
	own := *client
	own.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		if r.URL.Scheme != "https" {
			return errors.New("it redirects to an address without encryption")
		}
		if len(via) > 5 {
			return errors.New("it redirects more than 5 times")
		}
		return nil
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept-Encoding", "identity")
	resp, err := own.Do(req)
	if err != nil {
		if ue, ok := errors.AsType[*url.Error](err); ok {
			err = ue.Err
		}
		return nil, fmt.Errorf("%w: %w", ErrGone, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%w: the server says %s", ErrGone, resp.Status)
	}
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxGzip+1))
	if err == nil && len(b) > maxGzip {
		err = fmt.Errorf("%w: over %d MiB", ErrTooBig, maxGzip>>20)
	}
	return b, err
}

// unpack reads an archive; the first thing in it that no pack may contain is an
// error, wherever it is.
func unpack(ctx context.Context, packed []byte) (pack.Tree, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("is not a .tar.gz: %w", err)
	}
	// An archive that unpacks to more than that is not a pack, however small it was.
	const most = 2*pack.MaxBytes + 32<<20
	left := &io.LimitedReader{R: z, N: most}
	in := tar.NewReader(left)
	var tree pack.Tree
	var total int64
	for n := 0; ; n++ {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return tree, nil
		}
		if left.N <= 0 {
			return nil, fmt.Errorf("%w: it unpacks to more than %d MiB", ErrTooBig, int64(most)>>20)
		}
		if err != nil {
			return nil, fmt.Errorf("is not a complete archive: %w", err)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if n == maxNames/4 {
			return nil, fmt.Errorf("%w: more than %d files", ErrTooBig, maxNames/4)
		}
		e, ok, err := entryOf(h)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if e.Kind == pack.File {
			if total += h.Size; total > pack.MaxBytes {
				return nil, fmt.Errorf("%w: it unpacks to more than %d MiB, at %s", ErrTooBig, pack.MaxBytes>>20, e.Path)
			}
			if e.Data, err = io.ReadAll(in); err != nil {
				return nil, fmt.Errorf("is not a complete archive: %s: %w", e.Path, err)
			}
		}
		tree = append(tree, e)
	}
}

// entryOf is the entry of a header; ok is false for one that is not a file and does
// no harm.
func entryOf(h *tar.Header) (e pack.Entry, ok bool, err error) {
	if h.Typeflag == tar.TypeXGlobalHeader {
		return e, false, nil // git archive writes one
	}
	name := h.Name
	for rest, dot := strings.CutPrefix(name, "./"); dot; rest, dot = strings.CutPrefix(name, "./") {
		name = rest
	}
	dir := h.Typeflag == tar.TypeDir
	if dir {
		if name = strings.TrimSuffix(name, "/"); name == "" || name == "." {
			return e, false, nil
		}
	}
	if err := pack.CheckPath(name); err != nil {
		return e, false, err
	}
	e = pack.Entry{Path: name, Kind: pack.File, Exec: h.Mode&0o111 != 0, Target: h.Linkname}
	switch h.Typeflag {
	case tar.TypeDir:
		return e, false, nil
	case tar.TypeReg:
	case tar.TypeSymlink:
		e.Kind = pack.Link
	case tar.TypeLink:
		e.Kind = "a hard link"
	case tar.TypeChar, tar.TypeBlock:
		e.Kind = "a device"
	case tar.TypeFifo:
		e.Kind = "a named pipe"
	default:
		e.Kind = pack.Kind(fmt.Sprintf("of the unknown kind %q", h.Typeflag))
	}
	if e.Kind != pack.File && e.Kind != pack.Link {
		return e, false, &pack.Refusal{Path: name, Why: "is " + string(e.Kind)}
	}
	return e, true, nil
}

// withoutTop is a tree without the single folder that contains all of it, as in
// archives ("name-1.2.0/"), unless that is a hook.
func withoutTop(t pack.Tree) pack.Tree {
	top := ""
	for _, e := range t {
		first, rest, below := strings.Cut(e.Path, "/")
		if !below || top != "" && first != top || rest == "HOOK.md" && first != "" && isHook(t, first) {
			return t
		}
		top = first
	}
	out := make(pack.Tree, len(t))
	for i, e := range t {
		e.Path = strings.TrimPrefix(e.Path, top+"/")
		out[i] = e
	}
	return out
}

// isHook reports whether a folder is itself a hook and contains none.
func isHook(t pack.Tree, dir string) bool {
	for _, e := range t {
		if rest, ok := strings.CutPrefix(e.Path, dir+"/"); ok && strings.HasSuffix(rest, "/HOOK.md") {
			return false
		}
	}
	return true
}

// cut is the requested part of a tree.
func (s Source) cut(t pack.Tree) (out pack.Tree) {
	if s.Dir == "" {
		return t
	}
	for _, e := range t {
		if rest, ok := strings.CutPrefix(e.Path, s.Dir+"/"); ok {
			e.Path = rest
			out = append(out, e)
		}
	}
	return out
}
