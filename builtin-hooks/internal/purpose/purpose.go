// Package purpose says what a command is for: whether it only looks, checks what was done, or
// has an effect, and which effects people ask about later.
//
//	purpose.Of([]string{"kubectl", "get", "pods"})  // Looks
//	purpose.Of([]string{"kubectl", "apply", "-f"})  // Delivers
//
// Package deed says which commands a call runs and which files they change; this package judges
// one command by its words. What it does not know has an effect.
package purpose

import (
	"path"
	"strings"
)

// A Purpose is what a command is for. The higher it is, the more it matters later.
type Purpose int

const (
	Looks    Purpose = iota // it changes nothing
	Checks                  // it tests or builds, or prepares the next step: it is repeated until it passes
	Acts                    // it has an effect
	Delivers                // it changes what a project depends on, or what others see
)

// Of is the purpose of a command, as a list of words.
func Of(argv []string) Purpose {
	if len(argv) == 0 {
		return Looks
	}
	name, args := Program(argv[0]), argv[1:]
	switch {
	case looks(name, args):
		return Looks
	case delivers(name, args):
		return Delivers
	case checks(name, args):
		return Checks
	}
	return Acts
}

// Program is the name of a program, without its folder.
func Program(word string) string {
	return strings.ToLower(strings.TrimSuffix(path.Base(strings.ReplaceAll(strings.Trim(word, `'"`), `\`, "/")), ".exe"))
}

// Wraps reports a program that only runs the one in its arguments.
func Wraps(argv []string) bool {
	if len(argv) == 0 {
		return false
	}
	switch name := Program(argv[0]); name {
	case "sh", "bash", "zsh", "dash":
		return len(argv) > 1 && strings.HasPrefix(argv[1], "-") && strings.Contains(argv[1], "c")
	default:
		return in(" sudo doas env timeout nice ionice nohup time xargs watch stdbuf exec eval command ", name)
	}
}

func in(list, word string) bool {
	return word != "" && !strings.Contains(word, " ") && strings.Contains(list, " "+word+" ")
}

// delivered are the words of subcommands, in any program, that others notice.
const delivered = " apply deploy destroy publish release push merge migrate rollout rollback upgrade install uninstall add remove scale restart reload start stop enable disable promote provision create delete patch drain "

// senders are programs that reach other machines, and installers and databases' tools.
const senders = " ssh scp rsync sftp ansible ansible-playbook flyctl fly vercel netlify wrangler serverless sls alembic flyway liquibase dbmate apt apt-get apk yum dnf pacman brew pip pip3 aws gcloud az gh glab psql mysql mariadb sqlite3 mongosh redis-cli "

func delivers(name string, args []string) bool {
	if in(senders, name) {
		return true
	}
	words := bare(name, args)
	switch name {
	case "git":
		return len(words) > 0 && in(" push merge rebase tag revert reset cherry-pick ", words[0])
	case "go":
		return len(words) > 0 && in(" get mod ", words[0])
	case "kubectl":
		if len(words) > 1 && words[0] == "rollout" && words[1] == "status" {
			return false // it waits for what was delivered
		}
		if len(words) > 0 && in(" set edit replace label annotate taint cordon uncordon expose autoscale ", words[0]) {
			return true
		}
	case "curl", "wget", "http", "https":
		return true // those that only fetch look
	case "npm", "pnpm", "yarn", "bun", "cargo", "uv", "poetry", "gem", "composer", "dotnet", "bundle":
		switch {
		case len(words) == 1 && in(" install i ci sync ", words[0]):
			return false // what the project asks for already
		case len(words) > 1 && in(" i version ", words[0]):
			return true
		}
	}
	for _, w := range words[:min(len(words), 3)] {
		if in(delivered, w) {
			return true
		}
	}
	return strings.Contains(name, "deploy") || strings.Contains(name, "release") || strings.Contains(name, "migrat")
}

// checkers are programs that test, check, build or format, or prepare for that.
const checkers = " make gmake just task ninja cmake tsc vue-tsc mypy pyright jest vitest mocha ava pytest py.test tox nox rspec phpunit ctest cypress playwright gotestsum bats behave eslint prettier ruff flake8 pylint black isort golangci-lint staticcheck shellcheck rubocop stylelint biome gofmt goimports rustfmt clang-format webpack rollup esbuild vite gradle gradlew mvn mvnw bazel javac gcc g++ clang mkdir touch chmod cp kill pkill open code "

// checking are subcommands of programs that do many things.
const checking = " test build vet fmt lint format check clippy run bench typecheck type-check compile nextest doctest install i ci sync restore generate "

func checks(name string, args []string) bool {
	if in(checkers, name) {
		return true
	}
	words := bare(name, args)
	if len(words) == 0 {
		return false
	}
	switch name {
	case "git":
		return in(" add checkout switch restore fetch pull stash clean ", words[0])
	case "go", "cargo", "npm", "pnpm", "yarn", "bun", "deno", "npx", "dotnet", "swift", "zig", "uv", "poetry", "bundle", "composer", "mix", "flutter", "dart", "node", "docker", "podman":
		if words[0] == "run" && len(words) > 1 && name != "docker" && name != "podman" {
			return in(checking, words[1]) || in(checkers, words[1]) || strings.Contains(words[1], "test") || strings.Contains(words[1], "lint")
		}
		return words[0] != "run" && in(checking, words[0]) || in(checkers, words[0])
	case "kubectl":
		return words[0] == "wait" || len(words) > 1 && words[0] == "rollout" && words[1] == "status"
	case "python", "python3", "py":
		return has(args, "-m") && (in(" pytest unittest mypy ruff black build compileall ", words[0]))
	}
	return false
}

// valued are the options of a program that come before its subcommand and have a value.
func valued(name string) string {
	switch name {
	case "git":
		return " -C -c --git-dir --work-tree --namespace "
	case "kubectl":
		return " -n --namespace --context --kubeconfig -s --cluster "
	case "helm":
		return " -n --namespace --kube-context "
	case "docker":
		return " -H --host --context -c "
	case "docker-compose":
		return " -f -p --project-name --file "
	case "npm":
		return " --prefix -w --workspace -C "
	case "pnpm":
		return " -C --dir --filter -F "
	case "yarn":
		return " --cwd "
	case "gh":
		return " -R --repo "
	case "make":
		return " -C -f "
	case "aws":
		return " --profile --region --output "
	case "cargo":
		return " --manifest-path "
	case "go":
		return " -C "
	case "gcloud":
		return " --project --account "
	case "systemctl":
		return " -H "
	}
	return ""
}

// bare are the words of a program's arguments that are not options, nor the values of options
// that come before the subcommand.
func bare(name string, args []string) (words []string) {
	options := valued(name)
	for i := 0; i < len(args); i++ {
		switch {
		case in(options, args[i]):
			i++
		case !strings.HasPrefix(args[i], "-") && args[i] != "":
			words = append(words, args[i])
		}
	}
	return words
}

func has(args []string, options ...string) bool {
	for _, a := range args {
		for _, o := range options {
			if a == o || strings.HasPrefix(o, "--") && strings.HasPrefix(a, o+"=") {
				return true
			}
		}
	}
	return false
}
