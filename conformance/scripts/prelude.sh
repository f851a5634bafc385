# The prelude of every script of the suite. OUT is where hooks record what they
# saw, ME the hook that this is, as LAYER/FOLDER, FLAT the same with a dot.

# mark WORD: one line in the ledger, whole even if others write at the same time
mark() {
	printf '%s\n' "$1" >>"$OUT/ran"
}

# sign: that this hook ran, and the event that it read
sign() {
	mark "$ME"
	cat >"$OUT/saw.$FLAT"
}

# await FILE: until it is there, at most a minute
await() {
	i=0
	while [ ! -e "$OUT/$1" ] && [ $i -lt 1200 ]; do
		sleep 0.05
		i=$((i + 1))
	done
}

