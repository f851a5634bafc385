package deed

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// HM-ACT-28: what may get into a file through other programs is matched as content,
// and what is removed from one is not.
func TestWhatMayComeIntoAFile(t *testing.T) {
	for line, want := range map[string]bool{
		"cat > a <<< fish": true, "echo fish | cat > a": true, "{ date; echo fish; } > a": true, "(cd b; echo fish) >> a": true, "dd of=a <<< fish": true, "k=fish; echo $k > a": true,
		"for k in fish; do echo $k; done > a": true, "echo fish | tr a b | sort | tee a": true, "sponge a <<< fish": true, "sort > a <<E\nfish\nE": true, "if true; then echo fish; fi > a": true,
		"sed -i s/x/fish/ a": true, "sed -i -e '1a fish' a": true, "sed 's|x|fish|g' b > a": true, "perl -pi -e 's{x}{fish}' a": true, "sd x fish a": true, "ed a <<E\n$a\nfish\n.\nw\nE": true, "yq -i '.a=\"fish\"' a": true,
		"jq '.a = \"fish\"' b > a": true, "gawk -i inplace '{print \"fish\"}' a": true,
		"f() { echo fish; }; f > a": true, "v=fish; cat > a <<E\nk=$v\nE": true, "install <(echo fish) a": true, "cat <(echo fish) > a": true, "vim -es -c %s/x/fish/ -c wq a": true, "vim -es -c /fish/d -c wq a": false,
		"echo fish": false, "echo fish | base64": false, "sed -i s/fish/x/ a": false, "sed -i '/fish/d' a": false, "grep fish a": false, "grep fish b > a": false, "curl -H 'K: fish' u > a": false, "sd fish x a": false, "ed a <<E\n/fish/d\nw\nE": false,
		"echo fish >&2": false, "{ echo fish; } 2> a": false,
	} {
		t.Run(fmt.Sprintf("%q", line), func(t *testing.T) {
			d := Of(shellLine(line))
			found := slices.ContainsFunc(d.Texts, func(s string) bool { return strings.Contains(s, "fish") }) ||
				slices.ContainsFunc(d.Changes, func(c protocol.Change) bool { return strings.Contains(c.New, "fish") })
			if found != want {
				t.Errorf("%s: %q %v", line, d.Texts, d.Changes)
			}
		})
	}
}

// Programs that are told which file to write.
func TestOutputsThatOptionsName(t *testing.T) {
	for line, want := range map[string]string{
		"gpg -o a -d b": "a", "openssl enc -d -in b -out a": "a", "gcc -oa b.c": "a", "pandoc b --output=a": "a", "go build -o a ./cmd": "a", "pg_dump -f a db": "a", "ssh-keygen -t rsa -f a": "a",
		"mkdir -p -m 700 a": "a", "script a": "a", "zip a b c": "a", "terraform plan -out=a": "a",
		"docker cp c:/x a": "a", "aws s3 cp s3://b/k a": "a", "7z a a b": "a", "sqlite3 a 'drop table x'": "a", "ffmpeg -i b a": "a", "sqlite3 a 'select 1'": "", "docker cp a c:/x": "", "7z l a": "",
		"go test ./a": "", "openssl dgst a": "", "gcc a.c": "", "gpg -d a": "",
	} {
		t.Run(line, func(t *testing.T) {
			d := Of(shellLine(line))
			if got := len(d.Changes) > 0 && strings.HasSuffix(d.Changes[0].Path, "/"+want); got != (want != "") {
				t.Errorf("%s: %v", line, d.Changes)
			}
		})
	}
}

// HM-ACT-29 and HM-ACT-30: what an unknown tool types, starts or passes on; more than
// is ever read counts as a match.
func TestWhatUnknownToolsPassOn(t *testing.T) {
	many := `{"calls": [` + strings.Repeat(`{"x": 1}, `, 200) + `{"command": "rm x"}]}`
	for _, c := range []struct {
		tool, input string
		runs        bool
	}{
		{"mcp__d__interact_with_process", `{"pid": 1, "input": "rm x"}`, true}, {"pty_write", `{"id": "p", "data": "rm x\n"}`, true}, {"send", `{"terminal_id": "p", "text": "rm x"}`, true},
		{"mcp__c__go", `{"program": "rm", "args": ["x"]}`, true}, {"run_code", `{"language": "bash", "code": "rm x"}`, true}, {"run_code", `{"code": "rm x", "runtime": "posix-shell"}`, true}, {"run_code", `{"language": "sql", "code": "rm x"}`, false},
		{"start", `{"shell": "rm x"}`, true}, {"ci", `{"steps": [{"run": "ls"}, {"run": "rm x"}]}`, true}, {"ci", `{"run": "rm"}`, false}, {"start", `{"shell": "/bin/rm"}`, false}, {"mcp__term__put", `{"value": "rm x"}`, true}, {"mcp__page__put", `{"value": "rm x"}`, false},
		{"batch", `{"tool_calls": [{"parameters": {"command": "rm x"}}]}`, true}, {"act", `{"action_json": "{\"command\": \"rm x\"}"}`, true},
		{"mcp__page__type", `{"element": "e", "text": "rm x"}`, false}, {"read_terminal", `{"terminal_id": "p", "text": "rm x"}`, false}, {"mcp__c__go", `{"program": "rm"}`, false}, {"note", `{"meta": {"command": "rm x"}}`, false},
	} {
		t.Run(fmt.Sprintf("%s, %s", c.tool, c.input), func(t *testing.T) {
			d := Of(call(c.tool, c.input))
			if got := slices.ContainsFunc(d.Commands, func(c protocol.Command) bool { return c.Text == "rm x" }); got != c.runs {
				t.Errorf("%s %s: %v", c.tool, c.input, d.Commands)
			}
		})
	}
	if d := Of(call("batch", many)); d.UnreadCommands == "" || d.UnreadChanges == "" {
		t.Errorf("two hundred calls: %q %q", d.UnreadCommands, d.UnreadChanges)
	}
}

// HM-ACT-30: the files that an unknown tool changes, by the members of its input and
// by what its name says that it does.
func TestWhatUnknownToolsChange(t *testing.T) {
	for _, c := range []struct {
		name, tool, input string
		want              []string
	}{
		{"a path and a text", "mcp__j__put", `{"pathInProject": "a", "newText": "x"}`, []string{"/p/a"}},
		{"a path and a text of other names", "mcp__j__put", `{"target_path": "a", "text": "x"}`, []string{"/p/a"}},
		{"an output", "mcp__j__put", `{"outputFile": "a"}`, []string{"/p/a"}},
		{"one of several steps", "mcp__j__put", `{"steps": [{"op": "wait"}, {"op": "replace", "target": "./a", "value": "x"}]}`, []string{"/p/a"}},
		{"a page with a URI", "mcp__j__put", `{"pages": [{"uri": "file:///p/a", "text": "x"}]}`, []string{"/p/a"}},
		{"one of several writes", "mcp__j__put", `{"writes": [{"note": "x"}, {"filename": "a", "text": "y"}]}`, []string{"/p/a"}},
		{"a path beside its patches", "mcp__j__put", `{"file_path": "a", "patches": [{"start": 1, "contents": "x"}]}`, []string{"/p/a"}},
		{"members that only begin like a path", "mcp__j__put", `{"profile": "a", "xpath": "//a", "pathway": "b", "fileType": "c"}`, nil},
		{"items of a tool that removes", "mcp__files__remove_many", `{"items": ["a", "b"]}`, []string{"/p/a", "/p/b"}},
		{"items of a tool that touches", "mcp__fs__touch", `{"items": ["a", "b"]}`, []string{"/p/a", "/p/b"}},
		{"items of a tool that lists", "mcp__files__list", `{"items": ["a"]}`, nil},
		{"items of a vote", "vote", `{"items": ["a"]}`, nil},
		{"tasks that are created", "todo_write", `{"todos": [{"action": "create", "name": "write the docs"}]}`, nil},
		{"pages of a search", "search_pages", `{"pages": [{"uri": "file:///p/a"}]}`, nil},
		{"points of a plot", "plot", `{"points": [{"x": 1, "type": "set"}]}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, change := range Of(call(c.tool, c.input)).Changes {
				got = append(got, change.Path)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s %s: %q, want %q", c.tool, c.input, got, c.want)
			}
		})
	}
}
