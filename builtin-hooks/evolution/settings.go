package evolution

import "github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"

// Settings are the settings of evolution: [builtin.evolution] in hooks.toml.
func Settings() []setting.Setting {
	return []setting.Setting{
		{Key: "language", Kind: setting.Choice, Words: []string{"auto", "zh", "en"}, Default: "auto", Env: "AGENTS_HOOKS_LANGUAGE", Meaning: "language of texts for the agent; `auto` uses the locale"},
		{Key: "scope", Kind: setting.Text, Env: "PRISMER_SCOPE", Meaning: "name under which this project's genes are kept; empty: from its manifest, else its git remote, else `global`"},
		{Key: "api_key", Kind: setting.Text, Env: "PRISMER_API_KEY", Project: setting.Nothing, Meaning: "key of the server through which genes are shared; empty: that of `~/.prismer/config.toml`; without one nothing leaves the machine"},
		{Key: "base_url", Kind: setting.Text, Env: "PRISMER_BASE_URL", Project: setting.Nothing, Meaning: "address of that server; empty: that of `~/.prismer/config.toml`, else `https://prismer.cloud`"},
		{Key: "proxy", Kind: setting.Text, Project: setting.Nothing, Meaning: "proxy for that server, such as `http://proxy:3128`; empty: none, and in spec form that of `HTTPS_PROXY`"},
		{Key: "ca_file", Kind: setting.Text, Project: setting.Nothing, Meaning: "certificates, in PEM form, that are trusted besides those of the system; in spec form also `SSL_CERT_FILE`"},
		{Key: "stuck", Kind: setting.Bool, Default: "true", Meaning: "offer a strategy when the same failure recurs"},
		{Key: "pending_minutes", Kind: setting.Int, Default: "3", Min: 1, Max: 60, Meaning: "how long after a suggestion the end of a command is taken as its result"},
		{Key: "offer_pause_minutes", Kind: setting.Int, Default: "10", Min: 0, Max: 1440, Meaning: "minimum time before the same gene is offered again in a session"},
		{Key: "selector", Kind: setting.Choice, Words: []string{"thompson", "greedy"}, Default: "greedy", Meaning: "how to choose among genes that fit a failure equally well: the one with the best record, or by Thompson sampling, so that others are tried too"},
		{Key: "creativity", Kind: setting.Number, Default: "0.35", Min: 0, Max: 1, Meaning: "with `thompson`: how often a gene other than the best is tried; 0 is never"},
		{Key: "hold_out", Kind: setting.Bool, Default: "false", Project: setting.Tightens, Meaning: "give no suggestion for one in ten recurring failures, so that `evolution stats` can compare the time with and without a suggestion"},
		{Key: "passive", Kind: setting.Bool, Default: "true", Meaning: "list up to five proven genes at the start of a session"},
		{Key: "passive_untested", Kind: setting.Bool, Default: "false", Meaning: "also list genes that nobody has tried"},
		{Key: "review", Kind: setting.Choice, Words: []string{"auto", "feedback", "block", "deferred", "off"}, Default: "auto", Meaning: "how the agent is asked for a review at a stop; `auto` is `feedback` where going on costs the user nothing, else `deferred`"},
		{Key: "review_followup", Kind: setting.Bool, Default: "false", Meaning: "with `auto`: also ask at once in agents that charge a follow-up as a turn"},
		{Key: "review_cooldown_minutes", Kind: setting.Int, Default: "60", Min: 0, Max: 10080, Meaning: "minimum time between reviews in a scope"},
		{Key: "push_after_review", Kind: setting.Bool, Default: "false", Project: setting.Tightens, Meaning: "also share outcomes at the end of a session that had its review"},
		{Key: "team_genes", Kind: setting.Choice, Words: []string{"quarantine", "reviewed", "use"}, Default: "reviewed", Project: setting.Nothing, Meaning: "genes that other people share on the server: used once you approve each, used once a reviewer of the team has, or also on trial before that"},
		{Key: "web_cache", Kind: setting.Bool, Default: "true", Meaning: "keep fetched public pages on this machine"},
		{Key: "web_cache_hours", Kind: setting.Int, Default: "24", Min: 1, Max: 720, Meaning: "how long a kept page is used"},
		{Key: "web_cache_mb", Kind: setting.Int, Default: "32", Min: 1, Max: 4096, Meaning: "total size of kept pages, in MiB"},
		{Key: "web_load", Kind: setting.Bool, Default: "false", Env: "PRISMER_WEB_CACHE_LOAD", Meaning: "answer a fetch with the kept page, instead of fetching it"},
		{Key: "web_load_remote", Kind: setting.Bool, Default: "false", Project: setting.Tightens, Meaning: "with `web_load` and a key: request pages that are not kept here from the server, which may cost credits"},
		{Key: "web_share", Kind: setting.Bool, Default: "false", Project: setting.Tightens, Meaning: "with a key: upload fetched public pages to the server"},
		{Key: "skill_sync", Kind: setting.Bool, Default: "false", Project: setting.Tightens, Meaning: "with a key: fetch the user's skills at the start of a session"},
	}
}
