#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "connection.h"
#include "spawning.h"

// Most descriptors that a program of ours gets.
enum { MOST = 8 };

// Says which descriptors it gets. One that lies where another must go is copied out of the way first.
static bool hand(posix_spawn_file_actions_t *actions, const int descriptors[], int count, int copies[MOST]) {
    int all = count < 3 ? 3 : count;
    for (int target = 0; target < all; target++) {
        int source = target < count ? descriptors[target] : -1;
        // One of the first three may be closed in this program.
        if (source >= 0 && source <= 2 && fcntl(source, F_GETFD) < 0) source = -1;
        if (source >= 0 && source < target) source = copies[target] = fcntl(source, F_DUPFD_CLOEXEC, all);
        if (target < count && descriptors[target] > 2 && source < 0) return false;
        int error = source < 0 ? posix_spawn_file_actions_addopen(actions, target, "/dev/null", O_RDWR, 0)
                               : posix_spawn_file_actions_adddup2(actions, source, target);
        if (error) return false;
    }
    return posix_spawn_file_actions_addclosefrom_np(actions, all) == 0;
}

pid_t tt_spawn(const char *program, const char *const words[], char *const variables[], const int descriptors[], int count) {
    static char *const none[] = {NULL};
    if (count > MOST) return -1;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (posix_spawn_file_actions_init(&actions) != 0) return -1;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return -1;
    }
    int copies[MOST];
    for (int index = 0; index < MOST; index++) copies[index] = -1;
    // Signals that this program blocks or ignores for its own sake aren't so there; nor does it get a group from a set-ID bit.
    sigset_t defaults, blocked;
    sigemptyset(&blocked);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    pid_t child = -1;
    if (posix_spawnattr_setsigdefault(&attributes, &defaults) != 0 || posix_spawnattr_setsigmask(&attributes, &blocked) != 0
        || posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_RESETIDS) != 0
        || !hand(&actions, descriptors, count, copies)
        || posix_spawn(&child, program, &actions, &attributes, (char *const *)(const void *)words,
            variables ? variables : none) != 0) {
        child = -1;
    }
    for (int index = 0; index < MOST; index++) {
        if (copies[index] >= 0) close(copies[index]);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return child;
}

// Between two looks at a child.
static const struct timespec PAUSE = {.tv_nsec = 5000000};

static int meaning(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

int tt_wait(pid_t child) {
    int status;
    pid_t result;
    do result = waitpid(child, &status, 0); while (result < 0 && errno == EINTR);
    return result < 0 ? 0 : meaning(status);
}

// Looks again and again: a process's descriptor would tell at once, but this program may have no descriptor left.
int tt_wait_within(pid_t child, double seconds) {
    if (!(seconds > 0)) return tt_wait(child);
    double end = tt_now() + seconds;
    for (;;) {
        int status;
        pid_t result = waitpid(child, &status, WNOHANG);
        if (result == child) return meaning(status);
        if (result < 0 && errno != EINTR) return 0;
        if (tt_now() >= end) return -1;
        nanosleep(&PAUSE, NULL);
    }
}

bool tt_has_ended(pid_t child) {
    int status;
    return waitpid(child, &status, WNOHANG) != 0;
}
