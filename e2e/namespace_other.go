//go:build e2e && unix && !linux

package e2e

import (
	"errors"
	"os/exec"
)

func isolate(func() *exec.Cmd) (*exec.Cmd, bool, error) {
	return nil, false, errors.New("this system has no network namespaces")
}

func raiseLoopback() error { return nil }
