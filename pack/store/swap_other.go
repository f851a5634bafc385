//go:build !linux && !darwin

package store

import (
	"errors"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
)

// swap is what this system cannot do in one step.
func swap(*beneath.Root, string, string) error { return errors.ErrUnsupported }

// sync is nothing here: names cannot be asked for.
func (p Place) sync(string) error { return nil }
