// Package archive reads the archives of a release: .tar.gz, and .zip for Windows. All of
// one lies in one folder that is named as it is, or it cannot be read.
package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A File is a regular file of an archive.
type File struct {
	Name string // with slashes, below the one folder that the archive holds
	Mode fs.FileMode
	Time time.Time
	Data []byte
}

// Read gives the files of an archive in its order.
func Read(path string) (list []File, err error) {
	folder, zipped := strings.CutSuffix(filepath.Base(path), ".zip")
	if zipped {
		list, err = readZip(path)
	} else {
		folder = strings.TrimSuffix(folder, ".tar.gz")
		list, err = readTar(path)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for i, f := range list {
		inner, ok := strings.CutPrefix(f.Name, folder+"/")
		if !ok || !filepath.IsLocal(filepath.FromSlash(inner)) {
			return nil, fmt.Errorf("%s: %q does not lie in %s", path, f.Name, folder)
		}
		list[i].Name = inner
	}
	return list, nil
}

func readTar(path string) (list []File, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		list = append(list, File{h.Name, fs.FileMode(h.Mode).Perm(), h.ModTime, data})
	}
}

func readZip(path string) (list []File, err error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	for _, f := range z.File {
		if !f.Mode().IsRegular() {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(r)
		r.Close()
		if err != nil {
			return nil, err
		}
		list = append(list, File{f.Name, f.Mode().Perm(), f.Modified, data})
	}
	return list, nil
}
