package ops

import (
	"cmp"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
)

// stacks are the technologies of programs, by the names that genes use.
var stacks = map[string]string{
	"go": "go", "gofmt": "go", "golangci-lint": "go", "staticcheck": "go", "gotestsum": "go", "dlv": "go",
	"node": "node", "npm": "node", "npx": "node", "pnpm": "node", "yarn": "node", "bun": "node", "deno": "node", "tsc": "node", "tsx": "node", "ts-node": "node", "vue-tsc": "node",
	"jest": "node", "vitest": "node", "mocha": "node", "ava": "node", "playwright": "node", "cypress": "node", "eslint": "node", "prettier": "node",
	"vite": "node", "webpack": "node", "rollup": "node", "esbuild": "node", "next": "node", "nuxt": "node", "turbo": "node", "nx": "node", "prisma": "node", "ng": "node",
	"python": "python", "python3": "python", "py": "python", "pip": "python", "pip3": "python", "pipenv": "python", "poetry": "python", "uv": "python", "pdm": "python", "hatch": "python",
	"pytest": "python", "py.test": "python", "unittest": "python", "tox": "python", "nox": "python", "mypy": "python", "pyright": "python", "ruff": "python", "manage.py": "python", "alembic": "python", "uvicorn": "python", "gunicorn": "python", "flask": "python", "django-admin": "python",
	"cargo": "rust", "rustc": "rust", "rustup": "rust",
	"java": "java", "javac": "java", "mvn": "java", "mvnw": "java", "gradle": "java", "gradlew": "java", "kotlinc": "java", "sbt": "java", "ant": "java",
	"gcc": "cpp", "g++": "cpp", "cc": "cpp", "c++": "cpp", "clang": "cpp", "clang++": "cpp", "cmake": "cpp", "ctest": "cpp", "ninja": "cpp", "meson": "cpp", "ld": "cpp", "make": "",
	"docker": "docker", "docker-compose": "docker", "podman": "docker", "nerdctl": "docker", "buildah": "docker",
	"kubectl": "kubernetes", "helm": "kubernetes", "kustomize": "kubernetes", "minikube": "kubernetes", "kind": "kubernetes", "argocd": "kubernetes",
	"git": "git", "gh": "git", "glab": "git", "terraform": "terraform", "tofu": "terraform", "pulumi": "terraform",
	"psql": "postgres", "pg_isready": "postgres", "pg_dump": "postgres", "createdb": "postgres", "mysql": "mysql", "mysqladmin": "mysql", "redis-cli": "redis", "sqlite3": "sqlite",
	"curl": "http", "wget": "http", "http": "http", "openssl": "tls",
}

// Situation is what a command line is about: the technology, and the stage of work
// (build, test, packages …), "" if it names none or several. A gene for another
// technology is no help: npm does not install a missing Python module.
func Situation(command string) (stack, stage string) {
	c := signal.Read(command)
	several := false
	for _, f := range c.Families {
		name, _, _ := strings.Cut(f, " ")
		s := stacks[strings.TrimPrefix(name, "./")]
		several = several || stack != "" && s != "" && s != stack
		stack = cmp.Or(s, stack)
	}
	if several {
		stack = ""
	}
	if len(c.Classes) == 1 {
		stage = c.Classes[0].String()
	}
	return stack, stage
}
