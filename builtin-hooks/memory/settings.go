package memory

import "github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"

// Keys are the key of the endpoint for vectors and the key of the team's server, if they are
// set.
func Keys(v setting.Values, _ string) (keys []setting.Key) {
	for _, of := range [...]struct {
		name, server string
		used         bool
	}{{"embedding_key", "embedding_url", v.Of("embedding").Text == "http"}, {"team_key", "team_url", true}} {
		if key, server := v.Of(of.name).Text, v.Of(of.server).Text; of.used && key != "" && server != "" {
			keys = append(keys, setting.Key{Setting: of.name, Key: key, Server: server})
		}
	}
	return keys
}

// Settings are the settings of memory: [builtin.memory] of hooks.toml. Keys with a dotted Also
// have that name in the original's config.json.
func Settings() []setting.Setting {
	const year = 366
	return []setting.Setting{
		{Key: "language", Kind: setting.Choice, Words: []string{"auto", "zh", "en"}, Default: "auto", Env: "AGENTS_HOOKS_LANGUAGE", Meaning: "language of texts for the agent; `auto` uses the locale"},
		{Key: "data_dir", Kind: setting.Text, Env: "MEMORY_DATA_DIR", Project: setting.Below, Meaning: "the memory folder, absolute or below the project; empty: the original's or `.agents/memory-data`, whichever exists"},
		{Key: "git", Kind: setting.Choice, Words: []string{"commit", "ignore"}, Default: "commit", Meaning: "whether a new memory folder is committed; prompts never are"},
		{Key: "scope", Kind: setting.Choice, Words: []string{"project", "user", "both"}, Default: "both", Meaning: "which memories are loaded: the project's, the user's, or first the project's and then the user's"},
		{Key: "budget", Kind: setting.Int, Default: "8000", Min: 500, Max: 8000, Meaning: "maximum number of characters that memory adds at the start of a session; an event carries no more than 8000"},
		{Key: "load_days_full", Kind: setting.Int, Default: "2", Min: 0, Max: year, Env: "MEMORY_LOAD_DAYS_FULL", Also: "memory.load_days_full", Meaning: "facts up to this many days old are all loaded"},
		{Key: "load_days_partial", Kind: setting.Int, Default: "5", Min: 0, Max: year, Also: "memory.load_days_partial", Meaning: "up to this age, some facts a day are loaded"},
		{Key: "load_days_max", Kind: setting.Int, Default: "7", Min: 1, Max: year, Env: "MEMORY_LOAD_DAYS_MAX", Also: "memory.load_days_max", Meaning: "facts older than this are not loaded"},
		{Key: "partial_per_day", Kind: setting.Int, Default: "3", Min: 0, Max: 100, Also: "memory.partial_per_day", Meaning: "how many facts a day are loaded up to `load_days_partial`"},
		{Key: "important_confidence", Kind: setting.Number, Default: "0.9", Min: 0, Max: 1, Also: "memory.important_confidence", Meaning: "a fact with at least this confidence is important"},
		{Key: "facts_limit", Kind: setting.Int, Default: "15", Min: 0, Max: 200, Env: "MEMORY_FACTS_LIMIT", Also: "memory.facts_limit", Meaning: "maximum number of facts that are loaded"},
		{Key: "save_mode", Kind: setting.Choice, Words: []string{"smart", "once", "always", "fallback", "off"}, Default: "smart", Meaning: "when the agent is asked for a summary at a stop"},
		{Key: "save_on_aborted", Kind: setting.Bool, Default: "false", Meaning: "also ask when a turn was aborted"},
		{Key: "flush", Kind: setting.Bool, Default: "true", Meaning: "ask the agent to save what matters before its context is compacted"},
		{Key: "flush_channel", Kind: setting.Choice, Words: []string{"auto", "user_message"}, Default: "auto", Meaning: "how it is asked; `user_message` follows the specification literally"},
		{Key: "flush_at", Kind: setting.Int, Default: "80", Min: 0, Max: 100, Meaning: "percentage of the context at which the agent is asked early; 0: never"},
		{Key: "context_tokens", Kind: setting.Int, Default: "200000", Min: 1000, Max: 10000000, Meaning: "size of the context window, if the agent does not report it"},
		{Key: "recall", Kind: setting.Int, Default: "3", Min: 0, Max: 10, Meaning: "maximum number of memories that are added to a prompt because they are about it"},
		{Key: "cleanup_reasons", Kind: setting.List, Default: "*", Meaning: "ends of a session at which old log files are deleted; `*` is all"},
		{Key: "log_retain_days", Kind: setting.Int, Default: "7", Min: 0, Max: 3650, Also: "log.retain_days", Meaning: "how long log files are kept; facts and summaries are never deleted by age"},
		{Key: "embedding", Kind: setting.Choice, Words: []string{"auto", "hash", "http", "none"}, Default: "auto", Project: setting.Nothing, Meaning: "vectors for search: those of `memory model use`, which are the built-in ones unless you chose others; the built-in ones; from an endpoint; or none"},
		{Key: "embedding_model", Kind: setting.Text, Env: "MEMORY_EMBEDDING_MODEL", Also: "embedding.model", Project: setting.Nothing, Meaning: "model to request from the endpoint"},
		{Key: "embedding_url", Kind: setting.Text, Env: "AGENTS_HOOKS_MEMORY_EMBEDDING_URL", Project: setting.Nothing, Meaning: "OpenAI-compatible endpoint, such as `http://localhost:11434/v1`"},
		{Key: "embedding_key", Kind: setting.Text, Project: setting.Nothing, Meaning: "key of that endpoint; it is sent only to the `embedding_url` that a file sets"},
		{Key: "embedding_key_env", Kind: setting.Text, Project: setting.Nothing, Meaning: "name of the variable that holds the endpoint's key, in spec form"},
		{Key: "team_url", Kind: setting.Text, Env: "AGENTS_HOOKS_TEAM_URL", Project: setting.Nothing, Meaning: "URL of the `agents-hooks-server` through which memory is shared, after `memory share on` in a project"},
		{Key: "team_key", Kind: setting.Text, Env: "AGENTS_HOOKS_TEAM_KEY", Project: setting.Nothing, Meaning: "your key there; it is sent only to `team_url`"},
		{Key: "proxy", Kind: setting.Text, Project: setting.Nothing, Meaning: "proxy for that endpoint and `team_url`, such as `http://proxy:3128`; empty: none, and in spec form that of `HTTPS_PROXY`"},
		{Key: "ca_file", Kind: setting.Text, Project: setting.Nothing, Meaning: "certificates, in PEM form, that are trusted besides those of the system; in spec form also `SSL_CERT_FILE`"},
		{Key: "recency_days", Kind: setting.Int, Default: "0", Min: 0, Max: 3650, Meaning: "half-life of a memory's score in search; 0: age does not count"},
	}
}
