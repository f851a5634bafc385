false | true; echo $?
! true; echo $?
true && false || echo or
{ exit 3; } | cat; echo $?
(set -e; false; echo never); echo "sub $?"
exit 300
