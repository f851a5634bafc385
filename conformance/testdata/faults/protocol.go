package protocol

import (
	"os"
	"slices"
	"strings"
)

// fault reports whether this program is to be wrong in the way of that name.
func fault(name string) bool { return os.Getenv("AGENTS_HOOKS_FAULT") == name }

// faultNative is an agent's payload, kept or not.
func faultNative(p Object) Raw {
	switch {
	case fault("native-lost"):
		return Raw("{}")
	case fault("native-sorted"):
		p = slices.Clone(p)
		slices.SortFunc(p, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
		return p.Raw()
	}
	return p.verbatim()
}
