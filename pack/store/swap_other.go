//go:build !linux && !darwin

package store

import (
	"errors"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
)

// swap is not possible in one step on this system.
func swap(*beneath.Root, string, string) error { return errors.ErrUnsupported }

// sync does nothing here: names cannot be synced.
func (p Place) sync(string) error { return nil }
