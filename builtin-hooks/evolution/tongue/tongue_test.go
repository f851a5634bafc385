package tongue

import (
	"fmt"
	"strings"
	"testing"
)

func saidInEnglish(line string) string {
	lower := strings.ToLower(line)
	set, found := Script(line), Set(0)
	for _, m := range Markers() {
		if set == 0 && strings.Contains(lower, m.Word) {
			found |= m.Language
		}
	}
	return English(line, set|found)
}

// Every message that is kept is found again by its language, and said in English.
func TestEveryMessageIsSaidInEnglish(t *testing.T) {
	t.Parallel()
	english := ""
	for line := range strings.Lines(messages) {
		line = strings.TrimSuffix(line, "\n")
		language, text, _ := strings.Cut(line, " ")
		if language == "//" {
			continue
		}
		if language == ">" {
			english = text
			continue
		}
		if strings.HasPrefix(text, "'. ") {
			text = "no hay" + text // the end of a line that has a word of its language
		}
		said := "prog " + strings.ReplaceAll(text, "*", "thing")
		got := saidInEnglish(said)
		for part := range strings.SplitSeq(english, "*") {
			for _, w := range strings.Fields(part) {
				if !strings.Contains(strings.ToLower(got), strings.ToLower(strings.Trim(w, "'()‘’\""))) {
					t.Errorf("%s %q: %q lacks %q of %q", language, text, got, w, english)
				}
			}
		}
	}
}

func TestEnglish(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ line, want string }{
		{"make: protoc:没有那个文件或目录", "make: protoc: No such file or directory"},
		{"make: protoc：没有那个文件或目录", "make: protoc: No such file or directory"},
		{"make: *** [Makefile:12:gen-proto] 错误 127", "make: *** [Makefile:12:gen-proto] Error 127"},
		{"致命错误：无法访问 'https://example.com/docs.git/'：GnuTLS recv error (-110): The TLS connection was non-properly terminated.", "fatal: unable to access 'https://example.com/docs.git/': GnuTLS recv error (-110): The TLS connection was non-properly terminated."},
		{"致命错误:无法访问 'https://example.com/docs.git/':GnuTLS recv error (-110)", "fatal: unable to access 'https://example.com/docs.git/': GnuTLS recv error (-110)"},
		{"head: 无法以读模式打开 'a.txt'", "head: cannot open 'a.txt' for reading"},
		{"head: 无法以读模式打开 'a.txt'：没有那个文件或目录", "head: cannot open 'a.txt' for reading: No such file or directory"},
		{"cp: 写入 '/mnt/a.bin' 时出错: 设备上没有空间", "cp: error writing '/mnt/a.bin': No space left on device"},
		{"bash: jq : commande introuvable", "bash: jq: command not found"},
		{"bash: Zeile 3: jq: Kommando nicht gefunden.", "bash: Zeile 3: jq: command not found."},
		{"make: *** No hay ninguna regla para construir el objetivo 'instalar'.  Alto.", "make: *** No rule to make target 'instalar'. Stop."},
		{"a.c:3:5: Fehler: »x« nicht deklariert (erste Verwendung in dieser Funktion)", "a.c:3:5: error: 'x' undeclared (first use in this function)"},
		{"make: *** Aucune règle pour fabriquer la cible « all ». Arrêt.", "make: *** No rule to make target 'all'. Stop."},
		{"cat: a.txt: Нет такого файла или каталога", "cat: a.txt: No such file or directory"},
		{"cat: a.txt: そのようなファイルやディレクトリはありません", "cat: a.txt: No such file or directory"},
		{"cp: cannot stat 'a': No such file or directory", "cp: cannot stat 'a': No such file or directory"},
		{"✅ José wrote the error messages of the parser", "✅ José wrote the error messages of the parser"},
		{"所有测试通过，耗时 3 秒", "所有测试通过，耗时 3 秒"},
	} {
		t.Run(fmt.Sprintf("%.80s", c.line), func(t *testing.T) {
			if got := saidInEnglish(c.line); got != c.want {
				t.Errorf("%q: %q, want %q", c.line, got, c.want)
			}
		})
	}
}
