// A program that tries what it must not be able to do. Exit status: 0 it could, 1 it couldn't, 64 it wasn't told what.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int opens(pid_t pid, const char *name, int flags) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    int fd = open(path, flags);
    char byte;
    // Its first byte, or for memory any byte: an opened file whose every reading fails would be no success.
    if (fd >= 0 && strcmp(name, "mem") != 0 && read(fd, &byte, 1) < 0) return 0;
    return fd >= 0;
}

static int attaches(pid_t pid) {
    if (ptrace(PTRACE_ATTACH, pid, 0, 0) != 0) return 0;
    waitpid(pid, 0, 0);
    ptrace(PTRACE_DETACH, pid, 0, 0);
    return 1;
}

// Any page of the other's that this program has at the same place would do; the vsyscall page can't be read this way.
static int reads(pid_t pid) {
    char here[8], there[8];
    struct iovec mine = {here, sizeof here}, its = {there, sizeof there};
    // A place that isn't mapped gives EFAULT, but only to who may look.
    its.iov_base = (void *)0x1000;
    return process_vm_readv(pid, &mine, 1, &its, 1, 0) > 0 || errno == EFAULT;
}

static int takes_descriptor(pid_t pid) {
    int other = (int)syscall(SYS_pidfd_open, pid, 0);
    for (int fd = 0; other >= 0 && fd < 32; fd++)
        if (syscall(SYS_pidfd_getfd, other, fd, 0) >= 0) return 1;
    return 0;
}

// Whether anything comes back from a socket.
static int connects(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) return 0;
    char byte;
    // The daemon closes unheard, or answers; a minute is long enough for either.
    struct pollfd wait = {fd, POLLIN, 0};
    return poll(&wait, 1, 60000) <= 0 || read(fd, &byte, 1) > 0;
}

static unsigned nibble(char digit) { return (unsigned)(digit <= '9' ? digit - '0' : digit - 'a' + 10); }

// Whether what is written to `fd` has `marker` come back; where nothing is to be written, whether it comes.
static int speaks(int fd, const char *hex, const char *marker) {
    static char got[1 << 16];
    size_t count = strlen(hex) / 2, have = 0;
    unsigned char *bytes = malloc(count + 1);
    for (size_t place = 0; place < count; place++) bytes[place] = (unsigned char)(nibble(hex[2 * place]) << 4 | nibble(hex[2 * place + 1]));
    if (write(fd, bytes, count) != (ssize_t)count) return 0;
    if (!marker) return 1;
    for (;;) {
        struct pollfd wait = {fd, POLLIN, 0};
        if (have == sizeof got || poll(&wait, 1, 60000) <= 0) return 0;
        ssize_t more = read(fd, got + have, sizeof got - have);
        if (more <= 0) return 0;
        have += (size_t)more;
        if (memmem(got, have, marker, strlen(marker))) return 1;
    }
}

static int reaches(int fd, const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    return connect(fd, (struct sockaddr *)&address, sizeof address) == 0;
}

// Whether a connection answers after the process that made it, and said hello, is gone. To show that the attempt is a real one, the process
// `stays`, and says the rest once it is welcome. Says on descriptor 3 when somebody may look.
static int outlives(const char *path, const char *hello, const char *rest, const char *marker, int stays) {
    int fd = socket(AF_UNIX, SOCK_STREAM, 0), written[2];
    if (pipe(written) != 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        int is_written = reaches(fd, path) && speaks(fd, hello, 0);
        if (is_written && write(written[1], "w", 1) != 1) _exit(1);
        struct pollfd welcome = {fd, POLLIN, 0};
        if (stays && poll(&welcome, 1, 60000) > 0 && speaks(fd, rest, 0) && write(written[1], "w", 1) == 1) pause();
        _exit(!is_written);
    }
    close(written[1]);
    char byte;
    if (read(written[0], &byte, 1) != 1) return -1;
    if (!stays) waitpid(child, 0, 0);
    if (write(3, "r", 1) != 1 || (stays && read(written[0], &byte, 1) != 1)) return -1;
    // For a process that is gone even a welcome would be too much.
    int could = stays ? speaks(fd, "", marker) : read(fd, &byte, 1) > 0;
    if (stays) kill(child, SIGKILL);
    return could;
}

// Says its words and becomes another program before somebody looks, while a child keeps the connection. Says on descriptor 3 when somebody
// may look, and then whether the answers have the marker.
static int becomes(const char *path, const char *words, const char *marker, const char *program) {
    int fd = socket(AF_UNIX, SOCK_STREAM, 0), typed[2];
    // The program waits for its input as long as the child lives.
    if (!reaches(fd, path) || !speaks(fd, words, 0) || pipe(typed) != 0 || dup2(typed[0], 0) != 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        char path[64], now[4096] = "";
        ssize_t count = 0;
        snprintf(path, sizeof path, "/proc/%d/exe", getppid());
        for (int round = 0; round < 6000 && strcmp(now, program) != 0; round++) {
            if ((count = readlink(path, now, sizeof now - 1)) < 0) count = 0;
            now[count] = 0;
            usleep(10000);
        }
        if (write(3, "r", 1) != 1) _exit(1);
        _exit(write(3, speaks(fd, "", marker) ? "y" : "n", 1) != 1);
    }
    execl(program, program, NULL);
    return -1;
}

// Whether a program that is traced from its start has a group that this one hasn't.
static int gains_traced(const char *program) {
    char path[64], line[256];
    unsigned real = 0, effective = 0;
    int status;
    pid_t child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        execl(program, program, "--agent", NULL);
        _exit(1);
    }
    if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return -1;
    snprintf(path, sizeof path, "/proc/%d/status", child);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "Gid: %u %u", &real, &effective) == 2) break;
    if (file) fclose(file);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return real != effective;
}

// Whether a program can be looked into at any moment from its first instruction on, whatever it becomes.
static int catches(const char *program) {
    int started[2], tries = 0, could = 0;
    char byte;
    if (pipe2(started, O_CLOEXEC) != 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        execl(program, program, "--agent", NULL);
        _exit(1);
    }
    close(started[1]);
    // The end comes when it is executed.
    if (read(started[0], &byte, 1) != 0) return -1;
    for (; !could && tries < 20000 && waitpid(child, 0, WNOHANG) == 0; tries++)
        could = tries % 2 ? opens(child, "maps", O_RDONLY) : opens(child, "mem", O_RDONLY) || attaches(child);
    kill(child, SIGKILL);
    return could || tries > 10 ? could : -1;
}

int main(int count, char **words) {
    if (count < 3) return 64;
    signal(SIGPIPE, SIG_IGN);
    const char *what = words[1];
    if (!strcmp(what, "connect")) return !connects(words[2]);
    if (!strcmp(what, "speak") && count == 4) return !speaks(3, words[2], words[3]);
    if (!strcmp(what, "become") && count == 6) return becomes(words[2], words[3], words[4], words[5]) < 0 ? 64 : 0;
    if (!strcmp(what, "outlive") && count == 7) {
        int could = outlives(words[2], words[3], words[4], words[5], !strcmp(words[6], "stay"));
        return could < 0 ? 64 : !could;
    }
    if (!strcmp(what, "traced") || !strcmp(what, "catch")) {
        int could = *what == 't' ? gains_traced(words[2]) : catches(words[2]);
        return could < 0 ? 64 : !could;
    }
    pid_t pid = atoi(words[2]);
    // A victim of the same user that has nothing to hide, to show that the attempts are real ones.
    if (!strcmp(words[2], "victim") && (pid = fork()) == 0) {
        pause();
        _exit(0);
    }
    int could = -1;
    if (!strcmp(what, "attach")) could = attaches(pid);
    if (!strcmp(what, "memory")) could = opens(pid, "mem", O_RDONLY);
    if (!strcmp(what, "maps")) could = opens(pid, "maps", O_RDONLY);
    if (!strcmp(what, "environment")) could = opens(pid, "environ", O_RDONLY);
    if (!strcmp(what, "read")) could = reads(pid);
    if (!strcmp(what, "descriptor")) could = takes_descriptor(pid);
    if (!strcmp(words[2], "victim")) kill(pid, SIGKILL);
    return could < 0 ? 64 : !could;
}
