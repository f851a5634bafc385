echo "$# $1 ${2:-none} $@"
set -- x "y z"
for a; do echo "<$a>"; done
shift; echo "$1 $#"
echo "$*"
IFS=,; echo "$*"
