// Package archive reads the archives of a release: .tar.gz, and .zip for Windows.
package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
)

// A File is a regular file of an archive.
type File struct {
	Name string // with slashes, below the one folder that the archive holds
	Mode fs.FileMode
	Data []byte
}

// Read gives the files of an archive in its order.
func Read(path string) ([]File, error) {
	if strings.HasSuffix(path, ".zip") {
		return readZip(path)
	}
	return readTar(path)
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
		list = append(list, File{inner(h.Name), fs.FileMode(h.Mode).Perm(), data})
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
		list = append(list, File{inner(f.Name), f.Mode().Perm(), data})
	}
	return list, nil
}

// inner is a name without the folder that all of an archive lies in.
func inner(name string) string {
	_, rest, ok := strings.Cut(strings.TrimPrefix(name, "./"), "/")
	if !ok {
		return name
	}
	return rest
}
