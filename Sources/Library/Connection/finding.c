// Finds the daemon that is this user's, as Thumbturn's other clients do.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "connection.h"
#include "places.h"
#include "spawning.h"

static const char SYSTEM_MARKER[] = "/etc/thumbturn/system-mode";
static const char SYSTEM_FOLDER[] = "/run/thumbturn";
static const char SYSTEM_SOCKET[] = "/run/thumbturn/socket";
static const char SYSTEM_DOWN[] = "The system service is installed but not running; run 'systemctl start thumbturn.socket'.";

// Milliseconds between two looks at whether there is room.
enum { PAUSE = 20 };
// The daemon's exit status if another one has the store and listens elsewhere.
enum { STORE_IS_TAKEN = 75 };

const char *tt_environment(const char *name) {
    const char *value = secure_getenv(name);
    return value && value[0] ? value : NULL;
}

int tt_connect(const char *path, double seconds) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address.sun_path, path, strlen(path) + 1);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | (seconds == 0 ? 0 : SOCK_NONBLOCK), 0);
    if (fd < 0) return -1;
    double end = tt_now() + seconds;
    while (true) {
        if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
        // A signal takes the connecting back, so it may begin anew.
        if (errno == EINTR) continue;
        // Nothing tells when there is room.
        if (errno != EAGAIN || tt_now() >= end) break;
        poll(NULL, 0, PAUSE);
    }
    int number = errno;
    close(fd);
    errno = number;
    return -1;
}

bool tt_is_peer(int fd, uid_t user) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == user;
}

// Takes a connection whose listener is one of the two. Nothing is said to anybody else.
static int take(thumbturn *t, int fd, const char *path, uid_t owner, uid_t other) {
    if (!tt_is_peer(fd, owner) && !tt_is_peer(fd, other)) {
        close(fd);
        return tt_failed(t, THUMBTURN_IMPOSTOR);
    }
    // It fits: the kernel took it as an address.
    memcpy(t->socket, path, strlen(path) + 1);
    t->fd = fd;
    return THUMBTURN_OK;
}

// Nobody listens. Or somebody does, and takes nobody for as long as this program has patience.
static int unconnected(thumbturn *t, const char *advice) {
    if (errno == EAGAIN) return tt_failed(t, THUMBTURN_SILENT);
    return tt_failed_with(t, THUMBTURN_NO_DAEMON, "%s", advice);
}

// Whether this machine has the system's service. If that can't be found out, it has: the marker forbids looking anywhere else.
static bool is_system_mode(void) { return access(SYSTEM_MARKER, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR); }

static int find_system(thumbturn *t) {
    switch (tt_check_folder(SYSTEM_FOLDER, 0, false)) {
    case TT_FOLDER_PRIVATE: break;
    case TT_FOLDER_UNREACHABLE: return tt_failed_with(t, THUMBTURN_NO_DAEMON, "%s", SYSTEM_DOWN);
    // Whoever made a link there, or can write to the folder, could have put a socket of their own there.
    case TT_FOLDER_OPEN: return tt_failed(t, THUMBTURN_IMPOSTOR);
    }
    int fd = tt_connect(SYSTEM_SOCKET, t->patience);
    return fd < 0 ? unconnected(t, SYSTEM_DOWN) : take(t, fd, SYSTEM_SOCKET, 0, 0);
}

// Starts the user's daemon, without variables and descriptors of ours. The daemon itself checks whether there is another one, so ten
// programs may try at once.
static int start_daemon(thumbturn *t, const char *socket) {
    char program[PATH_MAX], state[PATH_MAX];
    if (!tt_program("thumbturnd", program)) {
        return tt_failed_with(t, THUMBTURN_NO_DAEMON, "No thumbturnd is installed; install Thumbturn.");
    }
    const char *problem = tt_store_folder(state);
    if (problem) return tt_failed_with(t, THUMBTURN_NO_DAEMON, "There is no place for the store: %s.", problem);
    const char *words[] = {"thumbturnd", "--launch", "--socket", socket, state[0] ? "--state" : NULL, state, NULL};
    pid_t child = tt_spawn(program, words, NULL, NULL, 0);
    if (child < 0) return tt_failed_with(t, THUMBTURN_NO_DAEMON, "%s could not be started.", program);
    // The launcher ends when its daemon listens, or when another daemon already does.
    int status = tt_wait_within(child, t->patience);
    if (status < 0) {
        // It only waits for a daemon that may still come.
        kill(child, SIGKILL);
        tt_wait_within(child, t->patience);
        return tt_failed_with(
            t, THUMBTURN_SILENT, "thumbturnd is starting and doesn't listen yet; try again, or see the log in its state folder.");
    }
    if (status == STORE_IS_TAKEN) {
        return tt_failed_with(
            t, THUMBTURN_NO_DAEMON,
            "Another thumbturnd has the store open and listens at another socket; end it, "
            "or name its socket in $THUMBTURN_SOCKET.");
    }
    if (status == 0) return THUMBTURN_OK;
    return tt_failed_with(t, THUMBTURN_NO_DAEMON, "thumbturnd ended with status %d; its log is in its state folder.", status);
}

static int find_user(thumbturn *t) {
    char folder[PATH_MAX], socket[PATH_MAX];
    if (!tt_runtime_folder(folder, sizeof folder) || !tt_path(socket, sizeof socket, "%s/socket", folder)) {
        return tt_failed_with(t, THUMBTURN_NO_DAEMON, "There is no runtime folder that only this user can write.");
    }
    int fd = tt_connect(socket, t->patience);
    if (fd < 0 && errno != EAGAIN) {
        int error = start_daemon(t, socket);
        if (error) return error;
        fd = tt_connect(socket, t->patience);
    }
    if (fd < 0) return unconnected(t, "thumbturnd was started but doesn't listen; its log is in its state folder.");
    return take(t, fd, socket, getuid(), getuid());
}

int tt_find(thumbturn *t) {
    const char *named = tt_environment("THUMBTURN_SOCKET");
    if (!named) return is_system_mode() ? find_system(t) : find_user(t);
    int fd = tt_connect(named, t->patience);
    if (fd < 0) return unconnected(t, "Nothing listens at $THUMBTURN_SOCKET.");
    return take(t, fd, named, getuid(), 0);
}
