package keep

import (
	"errors"
	"time"

	"golang.org/x/sys/windows"
)

// mayStart is always nil: Windows has no such permission.
func mayStart(string) error { return nil }

// patiently repeats something while another program has the file open, as virus
// scanners do with each new program.
func patiently(do func() error) error {
	for end := time.Now().Add(3 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if err := do(); !errors.Is(err, windows.ERROR_SHARING_VIOLATION) || time.Now().After(end) {
			return err
		}
	}
}
