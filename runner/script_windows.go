package runner

import (
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/windows"
)

// scripted puts the interpreter before a script that Windows does not start by itself,
// or not safely. line is the command line where it is not that of the words.
func scripted(argv []string) (words []string, line string, err error) {
	system, err := windows.GetSystemDirectory()
	if err != nil {
		return nil, "", err
	}
	switch strings.ToLower(filepath.Ext(argv[0])) {
	case ".ps1":
		shell := filepath.Join(system, "WindowsPowerShell", "v1.0", "powershell.exe")
		return append([]string{shell, "-NoLogo", "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-File"}, argv...), "", nil
	case ".cmd", ".bat":
		if tooLong(argv[0]) {
			return nil, "", launchErrorf("%q has more characters than the %d that cmd.exe takes of a path", argv[0], windows.MAX_PATH-2)
		}
		shell := filepath.Join(system, "cmd.exe")
		line, err := batchLine(shell, argv)
		return []string{shell}, line, err
	}
	return argv, "", nil
}

// batchLine is the command line for a batch file. CreateProcess would put one together
// for us in which cmd.exe reads an & or a % of a path or a word as its own.
func batchLine(shell string, argv []string) (string, error) {
	var b strings.Builder
	b.WriteString(syscall.EscapeArg(shell) + ` /e:ON /v:OFF /d /c "`)
	for i, word := range argv {
		if strings.ContainsAny(word, "\r\n\x00") {
			return "", launchErrorf("%q is a batch file, to which a word with a line break cannot be given", argv[0])
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		batchWord(&b, word)
	}
	b.WriteByte('"')
	return b.String(), nil
}

// batchWord writes a word in quotes. A quote is doubled, with the backslashes before
// it. A % gets a substring of nothing behind it, so that no two of them name a variable.
func batchWord(b *strings.Builder, word string) {
	b.WriteByte('"')
	slashes := 0
	for _, c := range word {
		switch c {
		case '\\':
			slashes++
		case '"':
			b.WriteString(strings.Repeat(`\`, slashes) + `"`)
			slashes = 0
		case '%':
			b.WriteString("%%cd:~,")
			slashes = 0
		default:
			slashes = 0
		}
		b.WriteRune(c)
	}
	b.WriteString(strings.Repeat(`\`, slashes) + `"`)
}
