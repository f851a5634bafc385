# Times as logs have them; two calls may be a second apart.
year=$(date -u +%Y); [ "$year" = "$(date -u +%Y-%m-%dT%H:%M:%SZ | cat)" ] || echo "${#year}"
a=$(date -u '+%F %T'); echo "${#a} ${a%% *}" | { read -r n d; echo "$n"; [ "$d" = "$(date -u +%F)" ] && echo day; }
s=$(date +%s); [ "$s" -gt 1700000000 ] && echo "${#s} digits"
date +100%%
case $(date -u) in *" UTC "*) echo UTC ;; esac
