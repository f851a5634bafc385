/* The least that a dispatcher in C does: it reads an event and looks whether there is a
   folder of hooks. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
	static char event[1 << 16], path[4096];
	struct stat st;
	ssize_t n;
	while ((n = read(0, event, sizeof event)) > 0)
		;
	if (n < 0)
		return 1;
	snprintf(path, sizeof path, "%s/.config/agents/hooks", getenv("HOME"));
	return stat(path, &st) == 0 ? 0 : 2;
}
