nonesuch-program --x; echo "$?"
if nonesuch-program 2>/dev/null; then echo y; else echo n; fi
nonesuch-program 2>/dev/null | cat; echo "pipe $?"
exit 258
