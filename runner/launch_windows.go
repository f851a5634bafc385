package runner

import (
	"io/fs"
	"strings"
)

const separators = `/\:`

var standardPath = []string{`C:\Windows\System32`, `C:\Windows`, `C:\Program Files\Git\bin`}

func executableExts(env []string) []string {
	exts := strings.Split(variable(env, "PATHEXT"), ";")
	if exts[0] == "" {
		exts = []string{".com", ".exe", ".bat", ".cmd"}
	}
	return append(exts, "")
}

func executable(fs.FileInfo) bool { return true }

func mayExecute(string) bool { return true }
