package evolution

import "github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"

// Settings is what can be set about evolution: [builtin.evolution] of hooks.toml.
func Settings() []setting.Setting {
	return []setting.Setting{
		{Key: "language", Kind: setting.Choice, Words: []string{"auto", "zh", "en"}, Default: "auto", Env: "AGENTS_HOOKS_LANGUAGE", Meaning: "of texts for the agent; `auto` is that of the locale"},
		{Key: "scope", Kind: setting.Text, Env: "PRISMER_SCOPE", Seed: true, Meaning: "name under which this project learns; empty: that of its manifest, else of its git remote, else `global`"},
		{Key: "api_key", Kind: setting.Text, Env: "PRISMER_API_KEY", Seed: true, Project: setting.Nothing, Meaning: "key of the server that genes are shared by; empty: that of `~/.prismer/config.toml`; without one nothing leaves the machine"},
		{Key: "base_url", Kind: setting.Text, Env: "PRISMER_BASE_URL", Seed: true, Project: setting.Nothing, Meaning: "address of that server; empty: that of `~/.prismer/config.toml`, else `https://prismer.cloud`"},
		{Key: "proxy", Kind: setting.Text, Project: setting.Nothing, Meaning: "proxy on the way to that server, such as `http://proxy:3128`; empty: none, and in spec form that of `HTTPS_PROXY`"},
		{Key: "ca_file", Kind: setting.Text, Project: setting.Nothing, Meaning: "certificates, in PEM form, that are believed beside those of the system; in spec form also `SSL_CERT_FILE`"},
		{Key: "stuck", Kind: setting.Bool, Default: "true", Seed: true, Meaning: "offer a strategy when the same failure comes up again"},
		{Key: "pending_minutes", Kind: setting.Int, Default: "3", Min: 1, Max: 60, Seed: true, Meaning: "how long after a suggestion the end of a command says what became of it"},
		{Key: "offer_pause_minutes", Kind: setting.Int, Default: "10", Min: 0, Max: 1440, Meaning: "the same gene is not offered again in a session before this has passed"},
		{Key: "selector", Kind: setting.Choice, Words: []string{"thompson", "greedy"}, Default: "greedy", Seed: true, Meaning: "how a gene is chosen of those that fit a failure as well: the one with the best record, or by a sample of what is known of each, so that others get their turn"},
		{Key: "creativity", Kind: setting.Number, Default: "0.35", Min: 0, Max: 1, Meaning: "with `thompson`: how often another gene than the best is tried; 0 is never"},
		{Key: "hold_out", Kind: setting.Bool, Default: "false", Project: setting.Tightens, Meaning: "of ten failures that come again tell nothing for one, so that `evolution stats` can compare how long it takes with a suggestion and without"},
		{Key: "passive", Kind: setting.Bool, Default: "true", Seed: true, Meaning: "name up to five proven genes at the start of a session"},
		{Key: "passive_untested", Kind: setting.Bool, Default: "false", Meaning: "name genes that nobody has tried, too"},
		{Key: "review", Kind: setting.Choice, Words: []string{"auto", "feedback", "block", "deferred", "off"}, Default: "auto", Meaning: "how the agent is asked to look back as it stops; `auto` is `feedback` where going on costs the person nothing, else `deferred`"},
		{Key: "review_followup", Kind: setting.Bool, Default: "false", Meaning: "with `auto`: ask at once on agents that charge for a follow-up as for a turn, too"},
		{Key: "review_cooldown_minutes", Kind: setting.Int, Default: "60", Min: 0, Max: 10080, Seed: true, Meaning: "how long no other review is asked for in a scope"},
		{Key: "push_after_review", Kind: setting.Bool, Default: "false", Project: setting.Tightens, Meaning: "share outcomes at the end of a session that had its review, too"},
		{Key: "team_genes", Kind: setting.Choice, Words: []string{"quarantine", "reviewed", "use"}, Default: "reviewed", Project: setting.Nothing, Meaning: "genes that other people share on the server: wait until you approve each, are used once a reviewer of the team has, or also on trial before"},
		{Key: "web_cache", Kind: setting.Bool, Default: "true", Seed: true, Meaning: "keep fetched public pages on this machine"},
		{Key: "web_cache_hours", Kind: setting.Int, Default: "24", Min: 1, Max: 720, Meaning: "how long such a page is given back"},
		{Key: "web_cache_mb", Kind: setting.Int, Default: "32", Min: 1, Max: 4096, Meaning: "size of all of them, in MiB"},
		{Key: "web_load", Kind: setting.Bool, Default: "false", Env: "PRISMER_WEB_CACHE_LOAD", Seed: true, Meaning: "answer a fetch with the page that is kept, instead of fetching it"},
		{Key: "web_load_remote", Kind: setting.Bool, Default: "false", Project: setting.Tightens, Meaning: "with `web_load` and a key: ask the server for pages that are not kept here, which may cost credits"},
		{Key: "web_share", Kind: setting.Bool, Default: "false", Project: setting.Tightens, Meaning: "with a key: give fetched public pages to the server"},
		{Key: "skill_sync", Kind: setting.Bool, Default: "false", Seed: true, Project: setting.Tightens, Meaning: "with a key: fetch the person's skills at the start of a session"},
	}
}
