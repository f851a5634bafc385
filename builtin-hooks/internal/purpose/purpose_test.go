package purpose

import (
	"strings"
	"testing"
)

// What only looks is told from what has an effect, in programs that can do both. BM-FBK-01.
func TestWhatOnlyLooks(t *testing.T) {
	t.Parallel()
	for _, line := range strings.Split(strings.TrimSpace(`
sed -n 10,19p a.txt
sed -n /i/p a.txt
docker ps -a
docker compose logs api
docker-compose ps
docker image ls
podman images
kubectl get pods -n shop
kubectl -n shop describe pod api
kubectl config current-context
kubectl rollout history deploy/api
terraform plan -out=p
terraform state list
npm ls
npm view mail version
pnpm why react
pip list
python3 -m pip show requests
uv pip list
gh pr list
gh pr view 12
gh api repos/a/b
gh auth status
sqlite3 shop.db .schema
aws s3 ls
aws ec2 describe-instances
gcloud compute instances list
git stash list
git -C /srv log
git branch --show-current
git branch -a
git tag
git remote -v
git config user.name
git --no-pager diff
go doc fmt.Println
go env GOPATH
go version
make -n all
node -v
node --version
python3 -V
curl -s https://example.org/health
curl -o /dev/null -s https://example.org
curl -X GET https://example.org
wget -qO- https://example.org
helm list
systemctl status nginx
brew info jq
psql -l
psql --list
curl -so /dev/null https://example.org
curl -o - https://example.org
wget -qO - https://example.org
wget --spider https://example.org
crontab -l
tar tzf a.tgz
rpm -qa
Get-ChildItem src
cargo tree
/usr/bin/ls
"C:\Program Files\Git\bin\git.exe" status
poetry show
tool --help`), "\n") {
		if got := Of(words(line)); got != Looks {
			t.Errorf("%s: %d", line, got)
		}
	}
	for _, argv := range [][]string{
		{"psql", "-c", "select count(*) from orders"}, {"sqlite3", "a.db", "SELECT 1"}, {"mysql", "-e", "show tables; describe users"},
		{"python3", "-c", "print(1+1)"}, {"python", "-c", "import sys; print(sys.path)"}, {"node", "-e", "console.log(process.version)"}, {"node", "-p", "1+1"},
	} {
		if got := Of(argv); got != Looks {
			t.Errorf("%q: %d", argv, got)
		}
	}
}

// What has an effect is not taken for a look, and what others notice, or a project depends on,
// comes before checks. BM-FBK-01.
func TestWhatHasAnEffect(t *testing.T) {
	t.Parallel()
	for want, lines := range map[Purpose]string{
		Checks: "go test ./...\nnpm test\nnpm run lint\nnpm install\nnpm ci\nmake\npytest -v\ngit add a\ngit checkout -b x\ncargo build\npython3 -m pytest\ngo vet ./...\nyarn build\ndocker build .\nnpx tsc\nkubectl rollout status deploy/api\nkubectl wait --for=condition=Ready pod/api",
		Acts:   "git commit -m x\n./gen.sh\nrm a.txt\nmv a b\nsed -i s/a/b/ f\nsed -Ei s/a/b/ f\npython3 gen.py\ngit branch -d x\ngit branch new\ngit config user.name Ann\nnode seed.js\ndocker run x",
		Delivers: "npm install mail@5\nkubectl apply -f mail.yaml\nkubectl -n shop delete pod api\nkubectl set image deploy/api api=api:2\nkubectl rollout undo deploy/api\nterraform apply\nhelm upgrade api .\ngit push\ngit -C x push --force\ngit tag v1.2.0\ngh pr create\ngh pr merge 3\n" +
			"docker push a\nscp a b:\nssh web uptime\ncurl -X POST https://example.org\ncurl -d a=b https://example.org\ncurl -O https://example.org/a\ncurl -sLO https://example.org/a\ncurl --remote-name https://example.org/a\ncurl -o a https://example.org/a\nwget https://example.org/a\npip install requests\ngo get example.org/x\ncargo add serde\n" +
			"npm publish\nmake deploy\nalembic upgrade head\nsystemctl restart nginx\nsudo-deploy.sh\naws s3 rm s3://b/x\ngh api -X DELETE repos/a/b\nnpm version patch\ncargo publish\nredis-cli set a 1",
	} {
		for _, line := range strings.Split(lines, "\n") {
			if got := Of(words(line)); got != want {
				t.Errorf("%s: %d, want %d", line, got, want)
			}
		}
	}
	for _, argv := range [][]string{
		{"psql", "-c", "delete from orders"}, {"psql", "-c", "select 1; drop table orders"}, {"sqlite3", "a.db", "insert into x values (1)"}, {"psql", "-f", "schema.sql"},
		{"python3", "-c", "import shutil; shutil.rmtree('x'); print(1)"}, {"node", "-e", "require('fs').writeFileSync('a','b')"},
	} {
		if got := Of(argv); got < Acts {
			t.Errorf("%q: %d", argv, got)
		}
	}
}

// words are those of a line whose first word may be quoted.
func words(line string) []string {
	if rest, ok := strings.CutPrefix(line, `"`); ok {
		name, args, _ := strings.Cut(rest, `"`)
		return append([]string{name}, strings.Fields(args)...)
	}
	return strings.Fields(line)
}
