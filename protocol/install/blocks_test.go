package install_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// An empty list in one line, which an agent writes for no entries, gives way and
// comes back.
func TestBlockGivesWay(t *testing.T) {
	d := shapes[4].dialect()
	text := "a = \"\"\"\n[[hooks]]\n\"\"\"\nhooks = [] # none\nb = '''[x'''\n[c]\nhooks = []\n"
	files := disk{"/h/config.toml": text}
	add(t, d, files, entry(d))
	if !strings.Contains(files["/h/config.toml"], "\n# agents-hooks: hooks = [] # none\n") {
		t.Errorf("got\n%s", files["/h/config.toml"])
	}
	remove(t, d, files)
	if files["/h/config.toml"] != text {
		t.Errorf("came back as %q", files["/h/config.toml"])
	}
	for _, text := range []string{
		"a = 1\nhooks = [{event = \"Before\", command = \"x\"}]\n",
		"a = 1\nhooks = [{event = \"Before\", command = \"" + here + "\"}]\n",
		"a = 1\n[hooks]\nb = 1\n",
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			files := disk{"/h/config.toml": text}
			_, err := install.Add(d, files.site(t), entry(d))
			if err == nil || !strings.Contains(err.Error(), "/h/config.toml:2:") {
				t.Errorf("%q: %v", text, err)
			}
		})
	}
}

// The agent wrote the file anew, without our marks, and put something behind our
// tables: what is ours goes all the same.
func TestBlockWithoutMarks(t *testing.T) {
	d := shapes[4].dialect()
	files := disk{"/h/config.toml": "a = 1\n"}
	add(t, d, files, entry(d))
	var kept []string
	for _, line := range strings.Split(files["/h/config.toml"], "\n") {
		if !strings.HasPrefix(line, "#") {
			kept = append(kept, line)
		}
	}
	files["/h/config.toml"] = strings.Join(kept, "\n") + "\n[z]\nb = 2\n"
	now, err := install.Inspect(d, files.site(t))
	if err != nil || len(now.Entries) != 2 {
		t.Fatalf("found %+v, %v", now, err)
	}
	remove(t, d, files)
	if got := files["/h/config.toml"]; strings.Contains(got, "hooks") || !strings.Contains(got, "a = 1\n") || !strings.HasSuffix(got, "[z]\nb = 2\n") {
		t.Errorf("left %q", got)
	}
}

// An entry of ours that names another agent, which an agent copied from the file
// of that one (gemini hooks migrate does), is told and not touched.
func TestStrays(t *testing.T) {
	for _, s := range shapes[:4] {
		d := s.dialect()
		files := disk{s.path: s.foreign}
		for range 2 {
			now, err := install.Inspect(d, files.site(t))
			if err != nil || len(now.Notes) != 1 || !strings.Contains(now.Notes[0], "an entry of ours that is for other stands here") {
				t.Errorf("%s: notes %q, %v", s.name, now.Notes, err)
			}
			add(t, d, files, entry(d))
		}
	}
}
