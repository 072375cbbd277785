// Whether a daemon that says nothing is there.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "connection.h"
#include "words.h"

double tt_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int tt_milliseconds(double seconds) {
    if (!(seconds > 0)) return 0;
    return seconds > 1e6 ? 1000000000 : (int)(seconds * 1000) + 1;
}

int tt_probe(const char *socket) {
    int fd = tt_connect(socket, TT_AT_ONCE);
    // It is this program that has no room.
    if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)) return TT_NOT_NOW;
    // Others wait already, as many as can, and none of them is taken. Or nobody listens there any more, and the one that has the
    // connection says nothing either: a daemon that had ended would have closed it.
    if (fd < 0) return TT_NOBODY;
    struct tt_out hello;
    tt_write_hello(&hello, NULL, NULL);
    bool was_sent = tt_out_end(&hello) && send(fd, hello.bytes, hello.count, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)hello.count;
    tt_out_free(&hello);
    if (was_sent) return fd;
    close(fd);
    return TT_NOT_NOW;
}

bool tt_answers(const char *socket, double seconds) {
    int fd = tt_probe(socket);
    if (fd < 0) return fd != TT_NOBODY;
    double end = tt_now() + seconds;
    int ready;
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    // Whatever it answers, it is there.
    do ready = poll(&wait, 1, tt_milliseconds(end - tt_now())); while (ready < 0 && errno == EINTR);
    close(fd);
    return ready != 0;
}
