// What a program that the library starts has of the one that starts it: only what it is given.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "check.h"
#include "spawning.h"

// What a program says. It gets no other descriptor than the one that it says it to.
static const char *said(const char *const words[]) {
    static char text[8192];
    int ends[2];
    CHECK(pipe2(ends, O_CLOEXEC) == 0);
    pid_t child = tt_spawn(words[0], words, NULL, (const int[]){-1, ends[1]}, 2);
    CHECK(child > 0 && close(ends[1]) == 0);
    size_t size = 0;
    ssize_t count;
    while ((count = read(ends[0], text + size, sizeof text - 1 - size)) > 0) size += (size_t)count;
    text[size] = 0;
    close(ends[0]);
    CHECK(tt_wait(child) == 0);
    return text;
}

static const char *status(void) { return said((const char *const[]){"/bin/cat", "/proc/self/status", NULL}); }

static void descriptors(void) {
    int fd = open("/dev/null", O_RDONLY);
    CHECK(fd >= 0 && dup2(fd, 50) == 50);
    const char *open = said((const char *const[]){"/bin/ls", "/proc/self/fd", NULL});
    CHECK(strncmp(open, "0\n1\n2\n", 6) == 0 && !strstr(open, "\n50\n"));
    close(50);
    close(fd);
}

static void variables(void) {
    CHECK(setenv("THUMBTURN_STRAY", "1", 1) == 0);
    CHECK(strcmp(said((const char *const[]){"/usr/bin/env", NULL}), "") == 0);
    CHECK(unsetenv("THUMBTURN_STRAY") == 0);
}

// A descriptor comes to its place although another one goes to where it lies, as in a program without a standard input.
static void places(void) {
    int ends[2], before = fcntl(0, F_DUPFD_CLOEXEC, 10);
    CHECK(before >= 0 && pipe2(ends, O_CLOEXEC) == 0 && dup2(ends[1], 0) == 0);
    pid_t child = tt_spawn("/bin/echo", (const char *const[]){"echo", "there", NULL}, NULL, (const int[]){-1, 0}, 2);
    CHECK(child > 0 && dup2(before, 0) == 0 && close(before) == 0 && close(ends[1]) == 0);
    char text[64] = "";
    CHECK(read(ends[0], text, sizeof text - 1) == 6 && strcmp(text, "there\n") == 0);
    close(ends[0]);
    CHECK(tt_wait(child) == 0);
}

static void signals(void) {
    sigset_t all, before;
    sigfillset(&all);
    CHECK(sigprocmask(SIG_BLOCK, &all, &before) == 0 && signal(SIGPIPE, SIG_IGN) != SIG_ERR);
    const char *of_child = status(), *ignored = strstr(of_child, "SigIgn:");
    CHECK(strstr(of_child, "SigBlk:\t0000000000000000\n"));
    CHECK(ignored && !(strtoull(ignored + strlen("SigIgn:"), NULL, 16) >> (SIGPIPE - 1) & 1));
    CHECK(sigprocmask(SIG_SETMASK, &before, NULL) == 0);
}

// A group that this program has from its file's set-ID bit alone.
static void groups(void) {
    // To have another group takes root.
    if (getuid() != 0) return;
    gid_t own = getgid();
    CHECK(setegid(65534) == 0 && own != 65534);
    char wanted[100];
    snprintf(wanted, sizeof wanted, "Gid:\t%u\t%u\t%u\t", own, own, own);
    CHECK(strstr(status(), wanted));
    CHECK(setegid(own) == 0);
}

int main(void) {
    descriptors();
    variables();
    places();
    signals();
    groups();
    puts("nothing is inherited");
    return 0;
}
