trap 'echo bye $?' EXIT
trap 'echo int' INT
f() { return 3; }
f || echo "f $?"
(exit 4); echo "sub $?"
exit 5
