//go:build unix

package runner

import "os"

// scripts are the entries of the test hooks, without their first line. $OUT is a
// file or directory that the test names in the environment.
var scripts = map[string]string{
	"silent":     "exit 0",
	"one":        "echo 'set -e: cannot open' >&2\nexit 1",
	"block":      "echo 'no, because of the reason' >&2\nexit 2",
	"block-mute": "exit 2",
	"block-ws":   "printf ' \\n\\t\\n' >&2\nexit 2",
	"block-ff":   "printf 'bad \\377 byte' >&2\nexit 2",
	"block-json": "echo '{\"decision\": \"allow\", \"additional_context\": \"no\"}'\necho why >&2\nexit 2",
	"block-1mb":  "yes 0123456789abcde | head -c 1048576 >&2\nexit 2",
	"ansi":       "printf '\\033[31mred\\033[0m\\n' >&2\nexit 2",
	"kill":       "kill -KILL $$",
	"segv":       "kill -SEGV $$",
	"allow":      "echo '{\"decision\": \"allow\", \"reason\": \"fine\"}'",
	"ask":        "echo '{\"decision\": \"ask\", \"reason\": \"sure?\"}'",
	"deny":       "echo '{\"decision\": \"deny\", \"reason\": \"denied\"}'",
	"context":    "echo '{\"additional_context\": \"first\"}'",
	"context-b":  "echo '{\"additional_context\": \"second\", \"user_message\": \"hello\"}'",
	"follow":     "echo '{\"followup_message\": \"go on\"}'",
	"follow-b":   "echo '{\"followup_message\": \"and on\"}'",
	"modify":     "echo '{\"modified_input\": {\"command\": \"make safe\"}}'",
	"modify-b":   "cat > \"$OUT/modify-b\"\necho '{\"modified_input\": {\"command\": \"make safer\"}}'",
	"env":        "echo '{\"env\": {\"A\": \"1\"}}'",
	"log":        "echo '{\"log\": {\"n\": 1}, \"novel\": true}'",
	"wrong-type": "echo '{\"reason\": 5, \"decision\": \"allow\"}'",

	"noise":       "echo 'loading…'\necho '{\"decision\": \"allow\"}'",
	"two":         "echo '{}'\necho '{}'",
	"bom":         "printf '\\357\\273\\277{}'",
	"array":       "echo '[]'",
	"number":      "echo 5",
	"null":        "echo null",
	"trailing":    "echo '{} done'",
	"stdout-ff":   "printf '{\"reason\": \"a\\377b\"}'",
	"30mb":        "head -c 30000000 /dev/zero",
	"30mb-block":  "head -c 30000000 /dev/zero\nhead -c 30000000 /dev/zero >&2\nexit 2",
	"full-mb":     "printf '{\"additional_context\": \"'\nhead -c 1048550 /dev/zero | tr '\\0' x\nprintf '\"}'",
	"over-mb":     "printf '{\"additional_context\": \"'\nhead -c 1048551 /dev/zero | tr '\\0' x\nprintf '\"}'",
	"read":        "cat >/dev/null\necho '{\"decision\": \"allow\"}'",
	"wc":          "n=$(wc -c)\necho \"{\\\"reason\\\": \\\"$n\\\"}\"",
	"save":        "cat > \"$OUT/$AGENTS_HOOKS_HOOK_NAME\"",
	"save-b":      "cat > \"$OUT/$AGENTS_HOOKS_HOOK_NAME\"",
	"echo-fail":   "cat >&2\nexit 1",
	"echo-both":   "tee /dev/stderr",
	"deny-unread": "exec <&-\necho '{\"decision\": \"allow\"}'",
	"env-dump":    "env > \"$OUT/env\"\npwd > \"$OUT/pwd\"\nls -ld \"$AGENTS_HOOKS_STATE_DIR\" > \"$OUT/ls\"",

	// Children that outlive the hook.
	"orphan-plain":  "sleep 300 & echo $! > \"$OUT\"\necho '{\"decision\": \"ask\"}'\nexit 0",
	"orphan-block":  "echo held >&2\nsleep 300 & echo $! > \"$OUT\"\nexit 2",
	"orphan-sid":    "echo held >&2\nsetsid sleep 300 & echo $! > \"$OUT\"\nexit 2",
	"orphan-writer": "echo held >&2\n(while :; do echo noise >&2; done) & echo $! > \"$OUT\"\nexit 2",
	"orphan-sid-wr": "echo held >&2\nsetsid sh -c 'while :; do echo noise >&2; done' & echo $! > \"$OUT\"\nexit 2",
	"orphan-quiet":  "sleep 300 >/dev/null 2>&1 </dev/null & echo $! > \"$OUT\"\nexit 0",

	// Hooks that do not end by themselves.
	"tree":        "sleep 300 & a=$!\nsh -c 'sleep 300 & echo $!; wait' > \"$OUT.in\" & b=$!\nwhile ! [ -s \"$OUT.in\" ]; do sleep 0.01; done\necho $$ $a $b $(cat \"$OUT.in\") > \"$OUT\"\nwait",
	"tree-said":   "echo 'almost there' >&2\nsleep 300 & sleep 300 &\nwait",
	"deaf":        "trap '' TERM\necho $$ > \"$OUT\"\nwhile :; do sleep 0.05; done",
	"deaf-child":  "(trap '' TERM; while :; do sleep 0.05; done) & echo $$ $! > \"$OUT\"\nwait",
	"polite":      "trap 'echo cleaned > \"$OUT.done\"; exit 2' TERM\necho $$ > \"$OUT\"\nwhile :; do sleep 0.01; done",
	"escaped":     "setsid sh -c 'echo $$; exec sleep 300' > \"$OUT\" &\nwhile ! [ -s \"$OUT\" ]; do sleep 0.01; done\nsleep 300",
	"hang":        "echo $$ > \"$OUT\"\nexec sleep 300",
	"half-answer": "echo '{\"decision\": \"allow\"}'\nexec sleep 300",

	// Async ones.
	"late":     "while ! [ -e \"$OUT/go\" ]; do sleep 0.02; done\necho done > \"$OUT/late\"\necho seen",
	"gate":     "read x < \"$OUT/fifo\"",
	"async-2":  "echo nobody hears >&2\nexit 2",
	"async-ok": "echo '{\"decision\": \"ask\", \"log\": {\"k\": 1}}'",
	"async-io": "cat > \"$OUT/async-io\"\nif [ -t 0 ] || [ -t 1 ]; then echo tty > \"$OUT/tty\"; fi",
}

// files are entries that are no plain shell scripts.
var files = map[string]struct {
	content string
	mode    os.FileMode
}{
	"no-interpreter":     {"#!/no/such/interpreter\nexit 2\n", 0o755},
	"env-no-interpreter": {"#!/usr/bin/env no-such-interpreter-xyz\nexit 2\n", 0o755},
	"env-s-missing":      {"#!/usr/bin/env -S no-such-interpreter-xyz -u\nexit 2\n", 0o755},
	"crlf":               {"#!/bin/sh\r\nexit 2\r\n", 0o755},
	"not-executable":     {"#!/bin/sh\nexit 2\n", 0o644},
	"no-shebang":         {"echo plain >&2\nexit 2\n", 0o755},
	"garbage":            {"\x7fELF\x00\x00garbage", 0o755},
	"unreadable":         {"exit 0\n", 0o755},
}
