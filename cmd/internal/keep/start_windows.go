package keep

import (
	"errors"
	"time"

	"golang.org/x/sys/windows"
)

// mayStart finds nothing to say: there is no such right here.
func mayStart(string) error { return nil }

// patiently does something again while another program has the file open, as one that
// looks for viruses has each program that is new.
func patiently(do func() error) error {
	for end := time.Now().Add(3 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if err := do(); !errors.Is(err, windows.ERROR_SHARING_VIOLATION) || time.Now().After(end) {
			return err
		}
	}
}
