package spec

import (
	"embed"
	"strings"
)

// Version is the version of the specification, apart from the program's
// (SPEC.md, Compatibility). CHANGES.md is its history.
const Version = "1.1"

//go:embed SPEC.md STREAM.md MEMORY.md EVOLUTION.md WORKSPACE.md SKILLS.md ERRATA.md SETTINGS.md CHANGES.md *.schema.json
var files embed.FS

// A Doc is one page of text or one schema.
type Doc struct {
	Name  string `json:"name"`  // what a person asks for: "errata", "hook"
	File  string `json:"file"`  // the file in this folder: "ERRATA.md", "hook.schema.json"
	Title string `json:"title"` // one line
}

// Pages lists the pages of text, the specification first.
func Pages() []Doc {
	return []Doc{
		{"spec", "SPEC.md", "the format, and how a hook runs"},
		{"stream", "STREAM.md", "many events, one process: the protocol of run --stream"},
		{"memory", "MEMORY.md", "what the built-in memory does"},
		{"evolution", "EVOLUTION.md", "what the built-in evolution does"},
		{"workspace", "WORKSPACE.md", "what the built-in workspaces do"},
		{"skills", "SKILLS.md", "what the built-in skill prompts do"},
		{"errata", "ERRATA.md", "gaps of the original format, and our rulings"},
		{"settings", "SETTINGS.md", "every key of hooks.toml"},
		{"changes", "CHANGES.md", "versions of this specification"},
	}
}

// Schemas lists the JSON Schemas: what people write first, then what hooks read
// and write, then what commands print.
func Schemas() []Doc {
	return []Doc{
		{"hook", "hook.schema.json", "front matter of a HOOK.md"},
		{"hooks-toml", "hooks-toml.schema.json", "hooks.toml"},
		{"event", "event.schema.json", "what a hook reads on stdin"},
		{"outcome", "outcome.schema.json", "what a hook may print with exit 0"},
		{"stream-line", "stream-line.schema.json", "a line to run --stream"},
		{"error", "error.schema.json", "a command that has no answer, with --json"},
		{"list", "list.schema.json", "agents-hooks list --json"},
		{"problems", "problems.schema.json", "agents-hooks validate, skills validate --json"},
		{"explain", "explain.schema.json", "agents-hooks explain --json"},
		{"agents", "agents.schema.json", "agents-hooks agents --json"},
		{"doctor", "doctor.schema.json", "agents-hooks doctor --json"},
		{"status", "status.schema.json", "agents-hooks status --json"},
		{"test", "test.schema.json", "agents-hooks test --json"},
		{"install", "install.schema.json", "agents-hooks install, uninstall --json"},
		{"import", "import.schema.json", "agents-hooks import --json"},
		{"enable", "enable.schema.json", "agents-hooks enable, disable --json"},
		{"add", "add.schema.json", "agents-hooks add --json"},
		{"update", "update.schema.json", "agents-hooks update --json"},
		{"remove", "remove.schema.json", "agents-hooks remove --json"},
		{"verify", "verify.schema.json", "agents-hooks verify --json"},
		{"trust", "trust.schema.json", "agents-hooks trust --json"},
		{"setup", "setup.schema.json", "agents-hooks setup --json"},
		{"untrust", "untrust.schema.json", "agents-hooks untrust --json"},
		{"prompt", "prompt.schema.json", "agents-hooks prompt --json"},
		{"demo", "demo.schema.json", "agents-hooks demo --json"},
		{"conformance", "conformance.schema.json", "agents-hooks conformance runner --json"},
		{"conformance-hook", "conformance-hook.schema.json", "agents-hooks conformance hook --json"},
		{"conformance-list", "conformance-list.schema.json", "agents-hooks conformance list --json"},
		{"document", "document.schema.json", "agents-hooks spec --json"},
		{"log-lines", "log-lines.schema.json", "agents-hooks log --json"},
		{"view", "view.schema.json", "agents-hooks view --json"},
		{"ui", "ui.schema.json", "agents-hooks ui --json"},
		{"export", "export.schema.json", "agents-hooks export --json"},
		{"stats", "stats.schema.json", "agents-hooks stats --json"},
		{"builtin", "builtin.schema.json", "agents-hooks builtin … --json"},
		{"behaviour-doctor", "behaviour-doctor.schema.json", "agents-hooks memory doctor, evolution doctor --json"},
		{"behaviour-view", "behaviour-view.schema.json", "agents-hooks memory view, evolution view --json"},
		{"skills-list", "skills-list.schema.json", "agents-hooks skills list --json"},
		{"skills-explain", "skills-explain.schema.json", "agents-hooks skills explain --json"},
		{"skills-run", "skills-run.schema.json", "agents-hooks skills run --stream, a line"},
		{"skills-messages", "skills-messages.schema.json", "agents-hooks skills inject"},
		{"memory-search", "memory-search.schema.json", "agents-hooks memory search"},
		{"memory-list", "memory-list.schema.json", "agents-hooks memory list --json"},
		{"memory-saved", "memory-saved.schema.json", "agents-hooks memory save, summary, edit, merge --json"},
		{"memory-changed", "memory-changed.schema.json", "agents-hooks memory delete, restore, cleanup, confirm, promote, separate, import, distill, rebuild-index --json"},
		{"memory-stats", "memory-stats.schema.json", "agents-hooks memory stats --json"},
		{"memory-review", "memory-review.schema.json", "agents-hooks memory review --json"},
		{"memory-config", "memory-config.schema.json", "agents-hooks memory config --json"},
		{"memory-model", "memory-model.schema.json", "agents-hooks memory model … --json"},
		{"accept", "accept.schema.json", "agents-hooks memory accept --json"},
		{"memory-share", "memory-share.schema.json", "agents-hooks memory share … --json"},
		{"memory-sync", "memory-sync.schema.json", "agents-hooks memory sync --json"},
		{"memory-export", "memory-export.schema.json", "agents-hooks memory export"},
		{"workspace", "workspace.schema.json", "agents-hooks workspace … --json"},
		{"workspace-list", "workspace-list.schema.json", "agents-hooks workspace list --json"},
		{"workspace-tree", "workspace-tree.schema.json", "agents-hooks workspace tree --json"},
		{"workspace-session", "workspace-session.schema.json", "agents-hooks workspace session … --json"},
		{"workspace-context", "workspace-context.schema.json", "agents-hooks workspace context get --json"},
		{"gene", "gene.schema.json", "a gene of evolution"},
		{"evolution-analyze", "evolution-analyze.schema.json", "agents-hooks evolution analyze --json"},
		{"evolution-record", "evolution-record.schema.json", "agents-hooks evolution record, report --json"},
		{"evolution-create", "evolution-create.schema.json", "agents-hooks evolution create --json"},
		{"evolution-list", "evolution-list.schema.json", "agents-hooks evolution list, browse --json"},
		{"evolution-show", "evolution-show.schema.json", "agents-hooks evolution show --json"},
		{"evolution-proven", "evolution-proven.schema.json", "agents-hooks evolution passive, strategies --json"},
		{"evolution-import", "evolution-import.schema.json", "agents-hooks evolution import --json"},
		{"evolution-changed", "evolution-changed.schema.json", "agents-hooks evolution publish, approve, reject, delete --json"},
		{"evolution-export", "evolution-export.schema.json", "agents-hooks evolution export"},
		{"evolution-skill", "evolution-skill.schema.json", "agents-hooks evolution export-skill --json"},
		{"evolution-distill", "evolution-distill.schema.json", "agents-hooks evolution distill --json"},
		{"evolution-review", "evolution-review.schema.json", "agents-hooks evolution review --json"},
		{"evolution-prove", "evolution-prove.schema.json", "agents-hooks evolution prove --json"},
		{"evolution-stats", "evolution-stats.schema.json", "agents-hooks evolution stats --json"},
		{"evolution-achievements", "evolution-achievements.schema.json", "agents-hooks evolution achievements --json"},
		{"evolution-sync", "evolution-sync.schema.json", "agents-hooks evolution sync --json"},
		{"evolution-web-load", "evolution-web-load.schema.json", "agents-hooks evolution web-load --json"},
		{"evolution-web-save", "evolution-web-save.schema.json", "agents-hooks evolution web-save --json"},
		{"evolution-serve-keys", "evolution-serve-keys.schema.json", "agents-hooks-server key list --json"},
		{"server-rooms", "server-rooms.schema.json", "agents-hooks-server room … --json"},
		{"mcp", "mcp.schema.json", "agents-hooks mcp --list --json"},
		{"upgrade", "upgrade.schema.json", "agents-hooks upgrade --json"},
		{"version", "version.schema.json", "agents-hooks version --json"},
		{"log", "log.schema.json", "one line of the run log"},
		{"record", "record.schema.json", "agents-hooks record … --json"},
		{"recording", "recording.schema.json", "one line of a recording"},
		{"replay", "replay.schema.json", "agents-hooks replay --json"},
		{"run", "run.schema.json", "agents-hooks run --json, and a line of run --stream"},
	}
}

// Page returns a page of text by name or file name; ok is false if there is
// none.
func Page(name string) (text string, ok bool) { return read(Pages(), name) }

// Schema returns a JSON Schema by name or file name; ok is false if there is
// none.
func Schema(name string) (text string, ok bool) { return read(Schemas(), name) }

func read(docs []Doc, name string) (string, bool) {
	for _, d := range docs {
		if strings.EqualFold(d.Name, name) || strings.EqualFold(d.File, name) {
			b, err := files.ReadFile(d.File)
			return string(b), err == nil
		}
	}
	return "", false
}
