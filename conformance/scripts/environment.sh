# environment: records its environment and working directory
sign
env >"$OUT/env.$FLAT"
pwd -P >"$OUT/cwd.$FLAT"
printf '%s\n' "$PWD" >"$OUT/pwd.$FLAT"
exit 0
