package deed

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Whatever is run in a container, on another machine, as another user, in an
// environment, in a terminal or repeatedly is a command of the line.
func TestWhatIsLaunchedIsListed(t *testing.T) {
	for line := range strings.Lines(`docker run alpine rm x
docker run --rm -v a:b -e X=1 --name n alpine:3 rm x
docker run --rm -dit --network host ubuntu rm x
docker --context prod exec -it -u root -w /app web rm x
docker compose -f a.yml run --rm app rm x
docker-compose exec -T db rm x
podman --log-level debug run alpine rm x
docker run --an-option-that-is-new=1 img sh -c 'rm x'
kubectl -n prod exec -it pod -c app -- rm x
kubectl exec pod rm x
kubectl run x --image=alpine -- rm x
oc rsh pod rm x
ssh -p 22 -i key user@host 'rm x'
ssh host -p 22 rm x
ssh -t host -- rm x
ssh -oProxyCommand='rm x' host ls
sshpass -p pw ssh host rm x
mosh host -- rm x
vagrant ssh -c 'rm x'
gcloud compute ssh vm --command='rm x'
heroku run -a app rm x
ansible all -m shell -a 'rm x'
lxc exec c -- rm x
wsl -d Ubuntu rm x
wsl -e rm x
nix develop -c rm x
op run --env-file=e -- rm x
aws-vault exec p -- rm x
npx -y rm x
npx -c 'rm x'
npm exec -- rm x
pnpm dlx rm x
bundle exec rm x
conda run -n e rm x
uv run --with y rm x
mise exec node@22 -- rm x
watch -n5 -d 'rm x'
ls | entr rm x
ls | entr -s 'rm x'
watchexec -e go -- rm x
nodemon --exec 'rm x'
hyperfine -w 3 'ls' 'rm x'
concurrently -n a,b 'rm x' 'ls'
su -l root -c 'rm x'
su root -- -c 'rm x'
script -qc 'rm x' /dev/null
script -q /dev/null rm x
xterm -T t -e rm x
tmux new -d -s n rm x
tmux split-window 'rm x'
tmux send-keys -t a 'rm x' Enter
tmux send-keys -t a rm Space x C-m
screen -dmS n rm x
screen -S n -X stuff 'rm x\n'
gdb --args rm x
gdb -ex 'shell rm x'
vim -es '+!rm x'
rsync -e 'rm x' a b
tar --checkpoint-action=exec='rm x' -cf a b
tar -I 'rm x' -cf a b
cmd //c rm x
runcon u:r:t rm x`) {
		line = strings.TrimSuffix(line, "\n")
		if got := strings.Split(told(Of(shellLine(line))), " | "); !slices.Contains(got, "rm x") {
			t.Errorf("%s: %q, want rm x", line, got)
		}
	}
}

// What only looks like a command is none.
func TestNothingIsLaunched(t *testing.T) {
	for line := range strings.Lines(`docker ps -a
docker compose up -d web
docker build -t rm .
docker run alpine
docker image rm x
docker exec web
kubectl get pods -o wide
kubectl delete pod rm
npm run build -- --watch
npm test -- rm
cargo run -- rm x
uv pip install rm
tmux attach -t rm
screen -r rm
ssh -L 8080:localhost:80 host
aws s3 rm s3://x
su - postgres
script out.txt
tar czf rm.tar a
lxc list
op item delete rm
npx --version
wsl --unregister rm
heroku logs
mise run rm
nix run nixpkgs#x -- rm
vim rm
ansible-playbook rm.yml
bun run rm`) {
		line = strings.TrimSuffix(line, "\n")
		if got := Of(shellLine(line)).Commands; len(got) != 1 {
			t.Errorf("%s: %q, want the line alone", line, got)
		}
	}
}

// The two lists of programs that launch others agree.
func TestWhatLaunchesIsKnownByItsHold(t *testing.T) {
	known := map[string][]string{}
	files := token.NewFileSet()
	for function, file := range map[string]string{"heldBy": "deed.go", "elsewhere": "launchers.go", "here": "launchers.go"} {
		tree, err := parser.ParseFile(files, file, nil, 0)
		must.Do(t, err)
		ast.Inspect(tree, func(n ast.Node) bool {
			if f, ok := n.(*ast.FuncDecl); ok {
				return f.Name.Name == function
			}
			c, ok := n.(*ast.CaseClause)
			if !ok {
				return true
			}
			for _, e := range c.List {
				name, err := strconv.Unquote(e.(*ast.BasicLit).Value)
				must.Do(t, err)
				if heldBy(name) == launches || function != "heldBy" {
					known[function] = append(known[function], name)
				}
			}
			return false
		})
	}
	held, launched := slices.Sorted(slices.Values(known["heldBy"])), slices.Sorted(slices.Values(slices.Concat(known["elsewhere"], known["here"])))
	if len(held) < 50 || !slices.Equal(held, launched) {
		t.Errorf("held by %q, launched by %q", held, launched)
	}
}
