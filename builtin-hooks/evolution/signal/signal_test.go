package signal

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// The false hits of the original, each by itself.
func TestFalseHitsOfTheOriginal(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Tests: 0 failed, 42 passed", "no error found", "error code 0", "Connected to database", "Applied 3 migrations",
		"the room is booked", "zoom level 4", "14034 rows", "id 4040", "typescript is installed", "missing nothing, all there",
	} {
		t.Run(text, func(t *testing.T) {
			if got := Detect("./x", text); len(got) > 0 {
				t.Errorf("%q: %v", text, got)
			}
		})
	}
	// In a failure, too, they are no signals of their own.
	for text, not := range map[string]Key{
		"Error: cannot draw\nthe room is booked": OOM, "Error: bad row 14034": Permission, "Error: bad row\nApplied 3 migrations": Prisma,
		"Error: x\nConnected to database": Refused, "Error: typo in typescripture": TypeScript, "Error: page 24041": NotFound,
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			if got := Of("./x", text); slices.Contains(got, not) {
				t.Errorf("%q: %v", text, got)
			}
		})
	}
}

// What the seed says counts as a failure.
func TestGate(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"error: x", "Error [x]", "npm ERR! x", "ERR_MODULE_NOT_FOUND", "FAIL x", "panic: x", "Unhandled exception", "Traceback (most recent call last)",
		"x: command not found", "Cannot find module 'x'", "Error: Can't resolve 'x'", "Build failed", "exit code 3", "process returned non-zero exit status",
		"open x: ENOENT", "EACCES", "connect ECONNREFUSED", "ETIMEDOUT", "EADDRINUSE",
	} {
		t.Run(text, func(t *testing.T) {
			if !Failed(text) {
				t.Errorf("%q is no failure", text)
			}
		})
	}
}

// The list of the seed, and what the shell makes of a line.
func TestTrivialCommands(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"ls -la", "pwd", "echo error", "cat x", "head -3 x", "tail -f x", "wc -l x", "which go", "whoami", "date", "env", "printenv HOME", "cd x",
		"git status", "git log -3", "git diff", "git branch", "git show", "git remote -v", "git tag", "cd x && ls", "FOO=1 ls", "sudo cat /etc/x",
		"cat x | grep y | sort", "grep -rn error . | head", "", "   ", "# comment", "bash -c 'ls; pwd'", "cat <<EOF > x\nnpm test\nEOF", "docker logs x", "/bin/ls", "ls > /dev/null 2>&1", "node --version",
	} {
		t.Run(fmt.Sprintf("%q", line), func(t *testing.T) {
			if !Read(line).Trivial {
				t.Errorf("%q is not trivial: %+v", line, Read(line))
			}
		})
	}
	for _, line := range []string{"npm test", "cd x && npm test", "ls; make", "git push", "git commit -m x", "bash -lc 'npm test'", "FOO=1 make", "cat x && ./run", "echo x || go build", "python -m pytest", "./ls.sh", "xvfb-run npm test", "kubectl get pods && kubectl apply -f x"} {
		t.Run(line, func(t *testing.T) {
			if Read(line).Trivial {
				t.Errorf("%q is trivial", line)
			}
		})
	}
}

// Families and classes.
func TestFamiliesOfSignals(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]struct {
		family string
		class  Class
	}{
		"npm test": {"npm run test", Tests}, "npm run test:unit": {"npm run test:unit", Tests}, "npm t": {"npm test", Tests}, "yarn build": {"yarn run build", Compile}, "pnpm typecheck": {"pnpm run typecheck", TypeCheck},
		"npm i": {"npm install", Packages}, "npm ci": {"npm install", Packages}, "npx tsc --noEmit": {"tsc", TypeCheck}, "npx -y prisma migrate dev": {"prisma", Migration},
		"go test ./... -run X": {"go test", Tests}, "go build -o x .": {"go build", Compile}, "CGO_ENABLED=0 go build": {"go build", Compile}, "cargo check": {"cargo check", Compile},
		"python -m pytest -q": {"pytest", Tests}, "python3 app.py": {"python3 app.py", Other}, "uv run pytest": {"pytest", Tests}, "poetry run python -m mypy .": {"mypy", TypeCheck}, "bundle exec rspec": {"rspec", Tests},
		"./gradlew test": {"gradlew test", Tests}, "./gradlew assemble": {"gradlew assemble", Compile}, "mvn -q test": {"mvn test", Tests}, "make": {"make", Compile}, "make test": {"make test", Tests}, "make -j8 deploy": {"make deploy", Deployment},
		"timeout 30 npm run build": {"npm run build", Compile}, "sudo -u app env X=1 make": {"make", Compile}, "time (cd web && npm run build)": {"npm run build", Compile},
		"docker build -t x .": {"docker build", Compile}, "docker compose up -d": {"docker compose up", Deployment}, "kubectl apply -f x": {"kubectl", Deployment}, "terraform fmt": {"terraform fmt", Lint}, "npx eslint src": {"eslint", Lint}, "ruff check": {"ruff", Lint}, "npx vitest": {"vitest", Tests}, "brew install x": {"brew", Packages}, "helm upgrade x": {"helm", Deployment}, "mypy .": {"mypy", TypeCheck}, "bazel x": {"bazel x", Other},
		"bash -lc 'cd /x && npm test'": {"npm run test", Tests}, "bash ./deploy.sh prod": {"deploy.sh", Deployment}, "sh -x tools/build.sh": {"build.sh", Compile}, "bash": {"bash", Other}, "npx tsx jobs/load.ts": {"tsx load.ts", Other}, "./deploy.sh": {"deploy.sh", Deployment}, `C:\tools\go.exe test .`: {`C:toolsgo`, Other}, "pip install -r x": {"pip", Packages}, "curl -f x": {"curl", Network},
		"python manage.py migrate": {"manage.py migrate", Migration}, "if npm test; then echo ok; fi": {"npm run test", Tests}, "npm test 2>&1 | tail -20": {"npm run test", Tests}, "./x.py": {"x.py", Other}, "deno task build": {"deno run build", Compile},
	} {
		t.Run(line, func(t *testing.T) {
			c := Read(line)
			class := Other
			if len(c.Classes) > 0 {
				class = c.Classes[0]
			}
			if len(c.Families) != 1 || c.Families[0] != want.family || class != want.class {
				t.Errorf("%q: %q %v, want %q %v", line, c.Families, c.Classes, want.family, want.class)
			}
		})
	}
	same := func(a, b string) bool { return Read(a).Same(Read(b)) }
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"npm test", "npm run test", true}, {"npm test", "yarn test", true}, {"npm test", "npm install", false}, {"go build", "go vet ./...", false}, {"npm install x", "npm ci", true},
		{"ls", "ls", false}, {"git push", "git pull", false}, {"curl a", "curl b", true}, {"curl a", "wget b", false}, {"npm ci && npm test", "npx jest", true},
	} {
		t.Run(c.b, func(t *testing.T) {
			if same(c.a, c.b) != c.want || same(c.b, c.a) != c.want {
				t.Errorf("%q and %q: %v", c.a, c.b, !c.want)
			}
		})
	}
}

// The first and the last 32 KB are looked at, and 16 MB cost no more.
func TestLongOutputKeepsHeadAndTail(t *testing.T) {
	t.Parallel()
	fill := strings.Repeat("nothing to see here at all, 1234 5678\n", 1<<19)
	began := time.Now()
	for _, text := range []string{"Error: connect ECONNREFUSED x\n" + fill, fill + "Error: connect ECONNREFUSED x\n"} {
		if got := Detect("./x", text); !slices.Equal(got, []Key{Refused}) {
			t.Errorf("%v", got)
		}
	}
	if got := Detect("./x", fill+"Error: connect ECONNREFUSED x\n"+fill); got != nil {
		t.Errorf("in the middle: %v", got)
	}
	long := strings.Repeat("error ", 1<<20)
	Detect("./x", long)
	if d := time.Since(began); d > 5*time.Second {
		t.Errorf("%v", d)
	}
}

// What a terminal paints and writes over is read as what it shows.
func TestColoursAndProgress(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Key{
		"\x1b[31m\x1b[1merror\x1b[0m\x1b[31m TS2322\x1b[0m: Type 'a'":       TypeScript,
		"10%\r20%\r100%\rError: listen EADDRINUSE\r\n":                      PortInUse,
		"\x1b[2K\x1b[1G\x1b[31mFAIL\x1b[39m src/a.test.ts\nTests: 1 failed": Test,
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			if got := Detect("./x", text); !slices.Contains(got, want) {
				t.Errorf("%q: %v", text, got)
			}
		})
	}
}

// Whatever comes, nothing breaks, and Of always says something.
func TestAnything(t *testing.T) {
	t.Parallel()
	words := []string{"error", "Error:", "0", "failed", "FAIL", "(", ")", "'", "module ", "TS", "P1001", "403", ".go:", ":1:2: ", "in ", "s", "port", "端口", "占用", "\x1b[", "\r", "[main 1234567] ", "`", "\\", "\"", "<<", "|", "\xff", "http/", "timed out", "not found", "expected", "got", "exit code ", "1"}
	r := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		var b strings.Builder
		for range r.IntN(30) {
			b.WriteString(words[r.IntN(len(words))])
			if r.IntN(3) == 0 {
				b.WriteString(" ")
			} else if r.IntN(9) == 0 {
				b.WriteString("\n")
			}
		}
		s := b.String()
		Detect(s, s)
		if len(Of(s, s)) == 0 {
			t.Fatalf("%q: nothing", s)
		}
	}
}

// 64 KB of what tells nothing, which is what most outputs are.
func BenchmarkDetect(b *testing.B) {
	text := strings.Repeat("compiled module 12 of 400 into dist/assets/index.js\n", 1300)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Detect("npm run build", text)
	}
}
