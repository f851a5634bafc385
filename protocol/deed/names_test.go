package deed

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// namedBy are the files that a line names as written.
func namedBy(line string) (paths []string) {
	ev := &protocol.Event{Type: protocol.PreToolCall, WorkDir: "/w"}
	var input protocol.Object
	input.SetText("command", line)
	ev.Call = protocol.Tools(nil).NewCall(protocol.Shell, input.Raw())
	for _, c := range Of(ev).Changes {
		paths = append(paths, c.Path)
		if c.To != "" {
			paths = append(paths, c.To)
		}
	}
	return paths
}

// One letter behind a prefix makes many names.
func TestAPrefixStandsForAllNamesOfOneLetter(t *testing.T) {
	if got := namedBy("split -a1 b .en"); !slices.Contains(got, "/w/.env") || !slices.Contains(got, "/w/.ena") {
		t.Errorf("%q", got)
	}
}

// Programs that write what their words name, in the ways that people call them.
func TestWhatProgramsWriteIsNamed(t *testing.T) {
	for line, want := range map[string]string{
		"git -C sub rm a.txt":                                               "/w/sub/a.txt",
		"git -C sub checkout -- a.txt":                                      "/w/sub/a.txt",
		"git -C /abs/x mv a b":                                              "/abs/x/b",
		"git -C sub -C deep restore a.txt":                                  "/w/sub/deep/a.txt",
		"git -C sub archive -o out.tar HEAD":                                "/w/sub/out.tar",
		"cd sub && git -C .. rm a.txt":                                      "/w/a.txt",
		"env -C sub rm a.txt":                                               "/w/sub/a.txt",
		"sudo --chdir=sub rm a.txt":                                         "/w/sub/a.txt",
		"rsync -aP host::mod/.env .":                                        "/w/.env",
		"cd sub && curl -O https://h.example/.env":                          "/w/sub/.env",
		"ex -s +wq .env":                                                    "/w/.env",
		"git clean -f -- .env":                                              "/w/.env",
		"curl -O https://h.example/p/a.sh":                                  "/w/a.sh",
		"curl -LO 'https://h.example/p/a.sh?x=1'":                           "/w/a.sh",
		"curl --remote-name https://h.example/.env":                         "/w/.env",
		"curl -sSfLO https://h.example/.env":                                "/w/.env",
		"curl --output-dir sub -O https://h.example/a":                      "/w/sub/a",
		"curl --remote-name-all https://h.example/a https://h.example/.env": "/w/.env",
		"curl --output-dir sub -o .env https://h.example/a":                 "/w/sub/.env",
		"wget https://h.example/a.sh":                                       "/w/a.sh",
		"wget -q https://h.example/p/.env":                                  "/w/.env",
		"wget -P sub https://h.example/a.sh":                                "/w/sub/a.sh",
		"wget --directory-prefix=sub https://h.example/a.sh":                "/w/sub/a.sh",
		"wget -qO .env https://h.example/a":                                 "/w/.env",
		"sd foo bar .env":                                                   "/w/.env",
		"sd -F 'a.b' c x.txt .env":                                          "/w/.env",
		"ed -s .env":                                                        "/w/.env",
		"ed .env <<E\n1d\nw\nq\nE":                                          "/w/.env",
		"ex -s -c '%s/a/b/|x' .env":                                         "/w/.env",
		"ex -sc 'x' .env":                                                   "/w/.env",
		"vim -es -c 'wq' .env":                                              "/w/.env",
		"perl -i -pe 's/a/b/' .env":                                         "/w/.env",
		"perl -pi.bak -e 's/a/b/' .env":                                     "/w/.env",
		"perl -0777 -i -pe 's/a/b/' .env":                                   "/w/.env",
		"perl -i~ -ne 'print' .env":                                         "/w/.env",
		"patch .env fix.patch":                                              "/w/.env",
		"patch -p1 -o .env a.txt fix.patch":                                 "/w/.env",
		"patch -p0 --output=.env a.txt < fix.patch":                         "/w/.env",
		"patch -d sub a.txt ../fix.patch":                                   "/w/sub/a.txt",
		"install -m 600 a .env":                                             "/w/.env",
		"install -D -m 600 a sub/.env":                                      "/w/sub/.env",
		"install -d sub/new":                                                "/w/sub/new",
		"install -t sub a":                                                  "/w/sub/a",
		"install --mode=600 a .env":                                         "/w/.env",
		"install --mode 600 a .env":                                         "/w/.env",
		"dd if=/dev/zero of=.env bs=1 count=1":                              "/w/.env",
		"dd bs=1 of=sub/../.env":                                            "/w/.env",
		"truncate -s 0 .env":                                                "/w/.env",
		"truncate --size=0 .env":                                            "/w/.env",
		"truncate --size 0 .env":                                            "/w/.env",
		"rsync a.txt .env":                                                  "/w/.env",
		"rsync -a src/.env sub/":                                            "/w/sub/.env",
		"rsync -avz --delete src/ dst/":                                     "/w/dst",
		"rsync -e 'ssh -p 22' host:/x/.env .env":                            "/w/.env",
		"rsync --exclude x --delete src/.env sub/":                          "/w/sub/.env",
		"scp -P 22 host:.env .":                                             "/w/.env",
		"gawk -i inplace '{print}' .env":                                    "/w/.env",
		"sed --in-place=.bak -e s/a/b/ .env":                                "/w/.env",
		"sed -Ei s/a/b/ .env":                                               "/w/.env",
		"tar -xf x.tar -C sub .env":                                         "/w/sub/.env",
		"unzip -o x.zip .env -d sub":                                        "/w/sub/.env",
		"gofmt -w a.go":                                                     "/w/a.go",
		"prettier --write a.js":                                             "/w/a.js",
	} {
		t.Run(fmt.Sprintf("%q", line), func(t *testing.T) {
			if got := namedBy(line); !slices.Contains(got, want) {
				t.Errorf("%s: %q, want %s", line, got, want)
			}
		})
	}
	for _, line := range []string{
		"sd a b", "sd -p a b .env", "curl https://h.example/a.sh", "curl -O", "curl -O https://h.example/", "wget --spider https://h.example/.env", "rsync .env host:b", "scp .env host:",
		"tar tf x.tar .env", "tar -xOf x.tar .env", "unzip -l x.zip .env", "vim .env", "awk '{print}' .env", "gawk -i inplace", "black --check a.py", "git -C sub status .env", "git clean -n .env",
		"gofmt a.go", "patch -p1 <x.patch", "ed", "perl -pe s/a/b/ .env", "curl -o - https://h.example/a", "wget -O- https://h.example/a", "dd if=.env", "truncate", "install -d", "git -C sub log -- .env",
	} {
		t.Run(line, func(t *testing.T) {
			if got := namedBy(line); len(got) > 0 {
				t.Errorf("%s: names %q", line, got)
			}
		})
	}
}

// All that a line names, and nothing else: what it finds before it changes it, what it
// packs and takes away, unpacks, clones into a folder, and gives another mode.
func TestAllThatIsChangedIsNamed(t *testing.T) {
	for line, want := range map[string]string{
		"find a b -type f -delete":                       "/w/a /w/b",
		"find a -mindepth 1 -not -name x -delete":        "/w/a",
		"find . -path './a/*' -delete":                   "/w/a/*",
		"find . -path ./a -prune -o -name '*.o' -delete": "/w/*.o",
		"find . -name a -prune -exec rm -r {} +":         "/w/a",
		"find . -name a -prune -or -name b -delete":      "/w/b",
		"find a | while read -r f; do rm \"$f\"; done":   "/w/a",
		"ls a b | while read f; do mv $f c/; done":       "/w/a /w/b /w/c/a /w/c/b",
		"git ls-files a b | xargs -n1 rm":                "/w/a /w/b",
		"git log a | xargs rm":                           "",
		"parallel -j2 rm ::: a b":                        "/w/a /w/b",
		"parallel cp c {} ::: a b":                       "/w/a /w/b",
		"tar -C a --remove-files -cf b.tar c":            "/w/a/c /w/b.tar",
		"rsync -a --remove-source-files a/ host:b":       "/w/a",
		"rclone move a far:b":                            "/w/a",
		"rclone copy a far:b":                            "",
		"git stash -u -- a":                              "/w/a",
		"git stash show -p -- a":                         "",
		"xargs -I% rm b% <<< a":                          "/w/b% /w/ba",
		"printf 'a\\nb\\n' | xargs -I{} touch {}":        "/w/a /w/b",
		"find a -exec sed -i s/x/y/ {} +":                "/w/a",
		"find a | xargs rm":                              "/w/a",
		"find a b -print0 | xargs -0 rm -f":              "/w/a /w/b",
		"find a -type f":                                 "",
		"fd -e o . a -x rm":                              "/w/a",
		"fd -e o -x rm -f {}":                            "/w",
		"fdfind x a -X trash":                            "/w/a",
		"fd x a":                                         "",
		"git stash push -m x -- a":                       "/w/a",
		"git stash push":                                 "",
		"git stash pop":                                  "",
		"git clone --depth 1 https://h.example/a.git b":  "/w/b",
		"git worktree add -b x ../y main":                "/y",
		"git submodule add https://h.example/a.git b":    "/w/b",
		"git config -f .gitmodules a.b c":                "/w/.gitmodules",
		"git config -f .gitmodules --get a.b":            "",
		"git config user.name a":                         "",
		"git clean --forc a":                             "/w/a",
		"tar czf a.tgz --remove-files b c":               "/w/a.tgz /w/b /w/c",
		"tar -xzf a.tgz -C b":                            "/w/b",
		"tar -xzf a.tgz -C b c":                          "/w/b/c",
		"tar -tf a.tgz -C b":                             "",
		"unzip -q a.zip -d b":                            "/w/b",
		"unzip -l a.zip -d b":                            "",
		"zip -mr a.zip b":                                "/w/a.zip /w/b",
		"zip -r a.zip b":                                 "/w/a.zip",
		"7z a -sdel a.7z b":                              "/w/a.7z /w/b",
		"7z x a.7z -ob":                                  "/w/b",
		"7z l a.7z":                                      "",
		"gio trash a":                                    "/w/a",
		"gio info a":                                     "",
		"chmod +x a":                                     "/w/a",
		"chmod -x a b":                                   "/w/a /w/b",
		"chmod -R u=rw a":                                "/w/a",
		"chmod --reference=b a":                          "/w/a",
		"chown -R me:us a":                               "/w/a",
		"setfacl -m u:me:r a":                            "/w/a",
		"chattr -i a":                                    "/w/a",
		"emacs --batch a --eval x":                       "/w/a",
		"emacs a":                                        "",
		"crudini --set a s k v":                          "/w/a",
		"crudini --get a s k":                            "",
		"dotenvx set K v -f a":                           "/w/a",
		"dotenvx get K -f a":                             "",
		"npx degit u/r a":                                "/w/a",
		"svn checkout https://h.example/a b":             "/w/b",
		"op inject -i a -o b":                            "/w/b",
		"rm --recu a":                                    "/w/a",
		"sed --in-pl s/x/y/ a":                           "/w/a",
		"exec 4<a; rm b <&4":                             "/w/b",
	} {
		t.Run(line, func(t *testing.T) {
			got := namedBy(line)
			slices.Sort(got)
			if strings.Join(slices.Compact(got), " ") != want {
				t.Errorf("%s: %q, want %q", line, got, want)
			}
		})
	}
}
