//go:build unix

package conformance

const exeSuffix = ""
