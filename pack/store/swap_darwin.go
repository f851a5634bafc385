package store

import "golang.org/x/sys/unix"

// exchange exchanges two names below open folders.
func exchange(from int, a string, to int, b string) error {
	return unix.RenameatxNp(from, a, to, b, unix.RENAME_SWAP)
}
