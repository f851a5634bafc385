package runner

import (
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/agents-hooks/agents-hooks/internal/confine"
)

// BoxLacks says why unapproved code cannot be confined to a folder on this system, ""
// if it can.
func BoxLacks() string {
	can := confine.Supported()
	if slices.Contains(can.Missing(), "files") || slices.Contains(can.Missing(), "network") {
		return lacks(can)
	}
	return ""
}

// Boxed calls a function that starts a command. The command, with its child processes,
// may read the system, programs below home and some paths, may write others, and
// reaches no network. It is for the tests of hooks that nobody has approved.
func Boxed(start func() error, home string, read, write []string) error {
	if why := BoxLacks(); why != "" {
		return errors.New(why)
	}
	rules := confine.Rules{Read: append(systemOf(os.Geteuid()), read...), Write: append(devices[:], write...)}
	for _, dir := range runtimes {
		if home != "" {
			rules.Read = append(rules.Read, filepath.Join(home, dir))
		}
	}
	var err error
	if cerr := rules.Do(func() { err = start() }); cerr != nil {
		return cerr
	}
	return err
}
