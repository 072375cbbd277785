// Other programs, started with exactly what is given here.
#ifndef THUMBTURN_SPAWNING_H
#define THUMBTURN_SPAWNING_H

#include <stdbool.h>
#include <sys/types.h>

// Starts a program. `words` and `variables` end with NULL; without variables it gets none. It gets `count` descriptors, as 0, 1, 2 and so
// on: for -1, and for those of the first three that aren't given, /dev/null. -1: it can't be started.
pid_t tt_spawn(const char *program, const char *const words[], char *const variables[], const int descriptors[], int count);
// Waits for its end: its status, or 128 and the signal that ended it. 0 if somebody else has reaped it.
int tt_wait(pid_t child);
// The same, for so many seconds at most; 0: as long as it takes. -1: it goes on, and stays to be reaped.
int tt_wait_within(pid_t child, double seconds);
// Whether it has ended; then it is reaped.
bool tt_has_ended(pid_t child);

#endif
