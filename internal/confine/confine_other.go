//go:build !linux || !(amd64 || arm64)

package confine

import "errors"

// Supported is nothing: this system has no Landlock, or its calls are not known
// here.
func Supported() Support { return Support{} }

// Do is an error: nothing can be enforced here.
func (r Rules) Do(f func()) error { return errors.ErrUnsupported }
