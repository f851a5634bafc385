package deed

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// HM-ACT-05 to HM-ACT-07: shapes of what is written.
func TestChanges(t *testing.T) {
	const patch = `*** Begin Patch\n*** Add File: a b\n+x\n+y\n*** Update File: c\n*** Move to: d/../e\n@@ f\n-old\n+new\n keep\n*** Delete File: /g\n*** End Patch`
	const changed = `[{"action": "create", "path": "/p/a b", "new": "x\ny\n"}, {"action": "move", "path": "/p/c", "to": "/p/e", "old": "old", "new": "new"}, {"action": "delete", "path": "/g"}]`
	for _, tt := range [][3]string{
		{"write", `{"file_path": "a/../b", "content": "x"}`, `[{"action": "create", "path": "/p/b", "new": "x"}]`},
		{"write", `{"uri": "file:///c%3A/x/./y", "content": ["x", "z"]}`, `[{"action": "create", "path": "c:\\x\\y", "new": "x\nz"}]`},
		{"edit", `{"path": "a", "old_string": "x", "new_string": "y"}`, `[{"action": "update", "path": "/p/a", "old": "x", "new": "y"}]`},
		{"edit", `{"path": "a", "old_string": "", "new_string": "y"}`, `[{"action": "create", "path": "/p/a", "new": "y"}]`},
		{"edit", `{"path": "a", "edits": [{"old_string": "x", "new_string": "y"}, {"oldText": "z", "newText": "w"}]}`, `[{"action": "update", "path": "/p/a", "old": "x\nz", "new": "y\nw"}]`},
		{"edit", `{"edits": [{"path": "a", "new_string": "y"}, {"path": "b", "new_string": "z"}]}`, `[{"action": "update", "path": "/p/a", "new": "y"}, {"action": "update", "path": "/p/b", "new": "z"}]`},
		{"edit", `{"path": "a", "old_str_1": "x", "new_str_1": "y", "new_str_2": "z"}`, `[{"action": "update", "path": "/p/a", "old": "x", "new": "y\nz"}]`},
		{"editor", `{"command": "create", "path": "a", "file_text": "x"}`, `[{"action": "create", "path": "/p/a", "new": "x"}]`},
		{"editor", `{"command": "insert", "path": "a", "insert_line": 1, "new_str": "x"}`, `[{"action": "update", "path": "/p/a", "new": "x"}]`},
		{"editor", `{"command": "append", "path": "a", "content": "x"}`, `[{"action": "update", "path": "/p/a", "new": "x"}]`},
		{"editor", `{"command": "undo_edit", "path": "a"}`, `[{"action": "update", "path": "/p/a"}]`},
		{"editor", `{"command": "view", "path": "a"}`, `[]`},
		{"NotebookEdit", `{"notebook_path": "a", "edit_mode": "delete", "new_source": ""}`, `[{"action": "update", "path": "/p/a"}]`},
		{"fs__move_file", `{"source": "a", "destination": "../b"}`, `[{"action": "move", "path": "/p/a", "to": "/b"}]`},
		{"delete_files", `{"paths": ["a", "b"]}`, `[{"action": "delete", "path": "/p/a"}, {"action": "delete", "path": "/p/b"}]`},
		{"touch", `{"path": "~/.x"}`, `[{"action": "update", "path": "~/.x"}]`},
		{"list_dir", `{"path": "a"}`, `[]`},
		{"apply_patch", `{"input": "` + patch + `"}`, changed},
		{"apply_patch", `"` + patch + `"`, changed},
		{"apply_patch", `{"patchText": "<<'EOF'\n  ` + strings.ReplaceAll(patch, `\n*** End Patch`, `\nEOF`) + `"}`, changed},
		{"Shell", `{"command": "(cd x) && apply_patch <<'EOF'\n` + patch + `\nEOF\n"}`, changed},
		{"Shell", `{"command": "cd x; echo K=1 >>.env; (cd y; printf 'a\nb' > z); cat > w <<E\nt\nE\nmake 2>/dev/null >&2 | tee -a log >$X"}`,
			`[{"action": "update", "path": "/p/x/.env", "new": "K=1"}, {"action": "create", "path": "/p/x/y/z", "new": "a\nb"}, {"action": "create", "path": "/p/x/w", "new": "t\n"}, {"action": "update", "path": "/p/x/log"}]`},
		{"Shell", `{"command": "echo x | tee /a b; make > out; a >&2 >&- >&x 1<>y >&\"z\""}`, `[{"action": "update", "path": "/a", "new": "x"}, {"action": "update", "path": "/p/b", "new": "x"}, {"action": "update", "path": "/p/out"}, {"action": "update", "path": "/p/x"}, {"action": "update", "path": "/p/y"}, {"action": "update", "path": "/p/z"}]`},
		{"Shell", `{"command": "git apply <<'E'\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\nE"}`, `[{"action": "update", "path": "/p/x", "old": "a", "new": "b"}]`},
		{"Shell", `{"command": "rm -rf a /b -- -c $X; unlink d"}`, deleted("/p/a", "/b", "/p/-c", "/p/d")},
		{"Shell", `{"command": "mv a b; mv -f x y z/; mv -t d e; mv $X f"}`, `[{"action": "move", "path": "/p/a", "to": "/p/b"}, {"action": "move", "path": "/p/x", "to": "/p/z/x"}, {"action": "move", "path": "/p/y", "to": "/p/z/y"}, {"action": "move", "path": "/p/e", "to": "/p/d/e"}, {"action": "create", "path": "/p/f"}]`},
		{"Shell", `{"command": "cp -r a b; cp --target-directory=c a; ln -sf a l; install -m 644 a i; dd if=a of=o"}`, created("/p/b", "/p/c/a", "/p/l", "/p/i", "/p/o")},
		{"Shell", `{"command": "sed -i s/a/b/ x; sed -i.bak -e s/a/b/ -- y; sed -n p z; perl -pi -e s/a/b/ v; touch -d now w; truncate -s 0 u; date | tee t"}`, updated("/p/x", "/p/y", "/p/v", "/p/w", "/p/u", "/p/t")},
		{"Shell", `{"command": "curl -fsSLo a x://y; wget -q -O b x://y; sort -o c d; sudo cp x /etc/e"}`, created("/p/a", "/p/b", "/p/c", "/etc/e")},
		{"Shell", `{"command": "git -C . rm a; git rm --cached b; git checkout main -- c"}`, `[{"action": "delete", "path": "/p/a"}, {"action": "update", "path": "/p/c"}]`},
		{"Shell", `{"command": "F=.env; echo x > $F; rm \"$F\" $G; mv $F y; rm $F"}`, `[{"action": "create", "path": "/p/.env", "new": "x"}, {"action": "create", "path": "/p/y"}, {"action": "move", "path": "/p/.env", "to": "/p/y"}, {"action": "delete", "path": "/p/.env"}]`},
		{"Shell", `{"command": "find sub -name .env -exec rm {} +; patch a < b; find . -name x"}`, `[{"action": "delete", "path": "/p/sub/.env"}, {"action": "update", "path": "/p/a"}]`},
		{"Shell", `{"command": "rm \"$PWD/a\" ${PWD}/b $HOME/c; cd x; rm $PWD/d; PWD=/q; rm $PWD/e; cd $HOME; rm f; cd $X; rm g"}`, deleted("/p/a", "/p/b", "~/c", "/p/x/d", "/q/e", "~/f", "~/g")},
		{"Shell", `{"command": "for f in .env a; do rm $f; done; for f in 1 2 3; do rm x$f; done; for f in {b,c}; do echo > \"$PWD/$f\"; done"}`,
			`[{"action": "delete", "path": "/p/.env"}, {"action": "delete", "path": "/p/a"}, {"action": "delete", "path": "/p/x1"}, {"action": "update", "path": "/p/b"}, {"action": "update", "path": "/p/c"}]`},
		{"Shell", `{"command": "curl --output a x; wget --output-document b x; sort --output=c d; git diff --output=d; git archive -o e HEAD; git archive --output f HEAD; ln -s x l"}`, created("/p/a", "/p/b", "/p/c", "/p/d", "/p/e", "/p/f", "/p/l")},
		{"Shell", `{"command": "git checkout HEAD .env x; git checkout .a; git checkout main; git checkout v1.2; git checkout -b a.b o/m; yq -i . b; yq e -i .x=1 c; yq . d"}`, updated("/p/.env", "/p/x", "/p/.a", "/p/b", "/p/c")},
		{"Shell", `{"command": "gzip -9 a; gunzip b.gz; xz -k c; xz -dk d.xz; bzip2 -c e"}`, `[{"action": "move", "path": "/p/a", "to": "/p/a.gz"}, {"action": "move", "path": "/p/b.gz", "to": "/p/b"}, {"action": "create", "path": "/p/c.xz"}, {"action": "create", "path": "/p/d"}]`},
		{"Shell", `{"command": "echo \"$PWD/.env\" ${PWD##*/}.env $HOME; cat $PWD/.env"}`, `[]`},
		{"Shell", `{"command": ["rm", "a b"]}`, deleted("/p/a b")},
		{"Shell", `{"command": "echo rm a; cp; mv a; sed -i; git"}`, `[]`},
		{"create_file", `{"filePath": "a", "lines": ["x", "y"]}`, `[{"action": "create", "path": "/p/a", "new": "x\ny"}]`},
		{"multi", `{"changes": {"a.txt": {"content": "x"}}}`, `[{"action": "create", "path": "/p/a.txt", "new": "x"}]`},
		{"Shell", `{"command": ["apply_patch", "` + patch + `"]}`, changed},
		{"patch", `{"path": "a", "diff": "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"}`, `[{"action": "update", "path": "/p/a", "old": "x", "new": "y"}]`},
		{"patch", `{"diff": "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n k\n-a\n+b\n"}`, `[{"action": "update", "path": "/p/x", "old": "a", "new": "b"}]`},

		// A member that the tool does not know hides nothing.
		{"write", `{"path": "a", "file_path": "b", "content": "x"}`, `[{"action": "create", "path": "/p/b", "new": "x"}, {"action": "update", "path": "/p/a"}]`},
		{"write", `{"file_path": "/p/a", "path": "a", "content": "x", "command": "view"}`, `[{"action": "create", "path": "/p/a", "new": "x"}]`},
		{"write", `{"path": "a", "content": "x", "command": "delete"}`, `[{"action": "create", "path": "/p/a", "new": "x"}]`},
		{"write", `{"path": "a", "content": "x", "command": "rename", "to": "b"}`, `[{"action": "create", "path": "/p/a", "new": "x"}]`},
		{"write", `{"path": "a", "content": "x", "patch": "*** Begin Patch\n*** Delete File: b\n*** End Patch"}`, `[{"action": "delete", "path": "/p/b"}, {"action": "create", "path": "/p/a", "new": "x"}]`},
		{"apply_patch", `{"input": "*** Begin Patch\n*** Delete File: a\n*** End Patch", "command": "*** Begin Patch\n*** Delete File: b\n*** End Patch"}`, deleted("/p/b", "/p/a")},
	} {
		t.Run(fmt.Sprintf("%.80s", tt[1]), func(t *testing.T) {
			ev := call(tt[0], tt[1])
			d := Of(ev)
			if got := string(list(d.Changes, change)); got != tt[2] || d.UnreadChanges != "" {
				t.Errorf("%s %s\n have %s %s\n want %s", tt[0], tt[1], got, d.UnreadChanges, tt[2])
			}
		})
	}
}

func deleted(paths ...string) string { return changesOf("delete", paths) }
func created(paths ...string) string { return changesOf("create", paths) }
func updated(paths ...string) string { return changesOf("update", paths) }

func changesOf(action string, paths []string) string {
	var each []string
	for _, p := range paths {
		each = append(each, `{"action": "`+action+`", "path": "`+p+`"}`)
	}
	return "[" + strings.Join(each, ", ") + "]"
}

// PowerShell: the line is kept unchanged, and the parts of it that mean the same in
// sh are matched and seen.
func TestPowerShell(t *testing.T) {
	tools := protocol.Tools{{Native: "p", Name: protocol.Shell, Does: protocol.RawShell}}
	for _, tt := range [][3]string{
		{`bash -c "cd x && git -C . push origin +main"`, "git push origin +main", "[]"},
		{`git.exe push -f; ls`, "git push -f", "[]"},
		{`cp new.env .\.env`, "cp new.env ./.env", created("/p/.env")},
		{`echo 'a' >> config.yaml`, "echo a", `[{"action": "update", "path": "/p/config.yaml", "new": "a"}]`},
		{`Set-Content -Path .env -Value "a b"`, "Set-Content -Path .env -Value a b", `[{"action": "update", "path": "/p/.env", "new": "a b"}]`},
		{`remove-item -Recurse -Force .env`, "remove-item -Recurse -Force .env", deleted("/p/.env")},
		{`"x" | Out-File .env`, "Out-File .env", updated("/p/.env")},
		{`Move-Item a -Destination .env; Copy-Item a b`, "Copy-Item a b", `[{"action": "move", "path": "/p/a", "to": "/p/.env"}, {"action": "create", "path": "/p/b"}]`},
		{`if ($x) { rm -r y }`, "rm -r y", "[]"},
	} {
		t.Run(tt[0], func(t *testing.T) {
			ev := &protocol.Event{Type: protocol.PreToolCall, WorkDir: "/p", Call: tools.NewCall("p", protocol.Object{{Name: "command", Value: protocol.Quote(tt[0])}}.Raw())}
			d := Of(ev)
			if told(d) != "["+tt[0]+"]" || !slices.Contains(d.Pieces, tt[1]) || string(list(d.Changes, change)) != tt[2] {
				t.Errorf("%s\n%s %q\n%s", tt[0], told(d), d.Pieces, list(d.Changes, change))
			}
		})
	}
}

func TestAbsolute(t *testing.T) {
	for _, tt := range [][3]string{
		{"/p", "a", "/p/a"}, {"/p", "./a//b/../c/", "/p/a/c"}, {"/p", "/a/../../b", "/b"}, {"/p", "file:///a%20b/c", "/a b/c"}, {"/p", "file://localhost/a", "/a"},
		{"/p", "~/x/../y", "~/y"}, {"/p", "untitled:x", "/p/untitled:x"}, {"/p", "vscode-remote://h/x", "vscode-remote://h/x"}, {"", "a/../b", "b"},
		{`C:\p`, `a\..\b`, `C:\p\b`}, {`C:\p`, "a/b", `C:\p\a\b`}, {`C:\p`, `\x`, `C:\x`}, {"/p", `D:/x/../y`, `D:\y`}, {`C:\p`, `\\h\s\..\t`, `\\h\t`}, {"/p", "file://h/s/x", `\\h\s\x`}, {`C:\p`, ".env.", `C:\p\.env`}, {`C:\p`, `.env::$DATA`, `C:\p\.env`}, {`C:\p`, `a \..\.env `, `C:\p\.env`}, {"/p", ".env.", "/p/.env."},
	} {
		t.Run(tt[1], func(t *testing.T) {
			if got := absolute(tt[0], tt[1]); got != tt[2] {
				t.Errorf("%q in %q: %q, want %q", tt[1], tt[0], got, tt[2])
			}
		})
	}
}
