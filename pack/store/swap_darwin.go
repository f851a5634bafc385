package store

import "golang.org/x/sys/unix"

// exchange has two names below open folders take each other's place.
func exchange(from int, a string, to int, b string) error {
	return unix.RenameatxNp(from, a, to, b, unix.RENAME_SWAP)
}
