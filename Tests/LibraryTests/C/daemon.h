// A daemon that does what a test wants: it may lie, hang or die. A process of its own, behind a socket that the library is told of.
#ifndef DAEMON_H
#define DAEMON_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

// Plays one connection.
typedef void play(int fd, int number, const void *detail);

__attribute__((unused)) static void send_all(int fd, const void *bytes, size_t size) {
    for (size_t sent = 0; sent < size;) {
        ssize_t count = send(fd, (const char *)bytes + sent, size - sent, MSG_NOSIGNAL);
        if (count <= 0) _exit(3);
        sent += (size_t)count;
    }
}

// Reads a frame, without its length, and returns its size; 0 at the end.
static size_t hear(int fd, uint8_t *body, size_t capacity) {
    uint8_t head[4];
    if (recv(fd, head, 4, MSG_WAITALL) != 4) return 0;
    size_t size = (size_t)head[0] << 24 | (size_t)head[1] << 16 | (size_t)head[2] << 8 | head[3];
    if (size > capacity || recv(fd, body, size, MSG_WAITALL) != (ssize_t)size) _exit(4);
    return size;
}

// Says a frame; `call` is where its number lies, in four bytes.
static void say(int fd, uint8_t kind, const uint8_t *call, const void *body, size_t size) {
    size_t length = size + 5;
    uint8_t head[9] = {(uint8_t)(length >> 24), (uint8_t)(length >> 16), (uint8_t)(length >> 8), (uint8_t)length, kind};
    memcpy(head + 5, call, 4);
    // In one piece: whoever only looks may be gone after the first.
    struct iovec parts[] = {{head, 9}, {(void *)(uintptr_t)body, size}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    if (sendmsg(fd, &message, MSG_NOSIGNAL) != (ssize_t)(size + 9)) _exit(15);
}

// Takes the greeting, and welcomes.
__attribute__((unused)) static void welcome(int fd) {
    uint8_t hello[4096];
    if (hear(fd, hello, sizeof hello) < 5 || hello[0] != 1) _exit(5);
    say(fd, 128, hello + 1, "\0\1\3", 3);
}

static int listening(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    CHECK(strlen(path) < sizeof address.sun_path);
    memcpy(address.sun_path, path, strlen(path) + 1);
    unlink(path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 8) == 0);
    return fd;
}

// A daemon of this process's user, or of another one's. It plays so many connections, one after the other, and ends.
static pid_t started(const char *path, uid_t user, int connections, play *play, const void *detail) {
    int ready[2];
    CHECK(pipe(ready) == 0);
    fflush(NULL);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        alarm(60);
        if (user != getuid() && setresuid(user, user, user) != 0) _exit(6);
        int listener = listening(path);
        close(ready[0]);
        if (write(ready[1], "r", 1) != 1) _exit(7);
        close(ready[1]);
        for (int number = 0; number < connections; number++) {
            int fd = accept(listener, NULL, NULL);
            if (fd < 0) _exit(8);
            play(fd, number, detail);
            close(fd);
        }
        _exit(0);
    }
    char word;
    close(ready[1]);
    CHECK(read(ready[0], &word, 1) == 1);
    close(ready[0]);
    return child;
}

// Ends a daemon; whether it ended well by itself before.
static void ended(pid_t child) {
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fprintf(stderr, "the daemon ended with %x\n", (unsigned)status);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

__attribute__((unused)) static void killed(pid_t child) {
    kill(child, SIGKILL);
    CHECK(waitpid(child, NULL, 0) == child);
}

#endif
