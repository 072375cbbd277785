// The door to the kernel's and glibc's own calls. Shims exist only for what Swift can't call: variadic functions and function-like macros.

#ifndef THUMBTURN_C_LINUX_H
#define THUMBTURN_C_LINUX_H

// No _GNU_SOURCE, in this door or another. It changes glibc's types (fd_set, rusage) from the form that the modules of Foundation, Dispatch
// and Glibc have, and Swift refuses to see both forms. What only _GNU_SOURCE declares is below by hand.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <malloc.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

// Variadic calls, one shim for each form in use.

static inline int thumb_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }
static inline int thumb_openat(int directory, const char *path, int flags, mode_t mode) {
    return openat(directory, path, flags, mode);
}
// Opens a file only as a place, without reading it (O_PATH, by hand as said above). The kernel never changes this number.
static inline int thumb_open_path(int directory, const char *path, int flags) {
    return openat(directory, path, 010000000 | O_CLOEXEC | flags);
}
// Opens a file only as a place, below a folder. `inside` takes the folder for the root of all paths and links. Links of /proc that lead to
// what a process has open, ours among them, are never followed. It has no wrapper in glibc.
static inline int thumb_open_below(int directory, const char *path, int inside) {
    struct { uint64_t flags, mode, resolve; } how = {010000000 | O_CLOEXEC, 0, 0x02 | (inside ? 0x10 : 0)};
    return (int)syscall(437, directory, path, &how, sizeof how);
}
static inline int thumb_fcntl(int fd, int command, long argument) { return fcntl(fd, command, argument); }
static inline int thumb_fcntl_pointer(int fd, int command, void *argument) { return fcntl(fd, command, argument); }
static inline int thumb_ioctl(int fd, unsigned long request, void *argument) { return ioctl(fd, request, argument); }
static inline int thumb_prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d) {
    return prctl(option, a, b, c, d);
}
// CLONE_NEWNS, by hand as said above.
static inline int thumb_unshare_mounts(void) { return (int)syscall(SYS_unshare, 0x00020000L); }
static inline long thumb_syscall(long number, long a, long b, long c, long d) {
    return syscall(number, a, b, c, d);
}

// Macros that take arguments.

static inline int thumb_exited(int status) { return WIFEXITED(status); }
static inline int thumb_exit_status(int status) { return WEXITSTATUS(status); }
static inline int thumb_signaled(int status) { return WIFSIGNALED(status); }
static inline int thumb_term_signal(int status) { return WTERMSIG(status); }
static inline int thumb_stopped(int status) { return WIFSTOPPED(status); }
static inline int thumb_is_directory(mode_t mode) { return S_ISDIR(mode); }
static inline int thumb_is_regular(mode_t mode) { return S_ISREG(mode); }
static inline int thumb_is_socket(mode_t mode) { return S_ISSOCK(mode); }
static inline int thumb_is_symlink(mode_t mode) { return S_ISLNK(mode); }

// Ancillary data of sendmsg and recvmsg.

static inline struct cmsghdr *thumb_cmsg_first(struct msghdr *message) { return CMSG_FIRSTHDR(message); }
static inline struct cmsghdr *thumb_cmsg_next(struct msghdr *message, struct cmsghdr *header) {
    return CMSG_NXTHDR(message, header);
}
static inline unsigned char *thumb_cmsg_data(struct cmsghdr *header) { return CMSG_DATA(header); }
static inline size_t thumb_cmsg_space(size_t length) { return CMSG_SPACE(length); }
static inline size_t thumb_cmsg_length(size_t length) { return CMSG_LEN(length); }

// Receives from a socket that passes credentials (SO_PASSCRED). `sender` gets the process that wrote these bytes, or 0 if the kernel
// doesn't say. One read never mixes two senders.
static inline ssize_t thumb_receive(int fd, void *bytes, size_t count, int flags, pid_t *sender) {
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(3 * sizeof(int))];
    } control;
    struct iovec part = {bytes, count};
    struct msghdr message = {0};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.room;
    message.msg_controllen = sizeof control.room;
    *sender = 0;
    ssize_t received = recvmsg(fd, &message, flags | MSG_CMSG_CLOEXEC);
    struct cmsghdr *header = received > 0 ? CMSG_FIRSTHDR(&message) : 0;
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == 2) memcpy(sender, CMSG_DATA(header), sizeof *sender);
    return received;
}

// Sends one packet, with a descriptor unless that is -1.
static inline ssize_t thumb_send_packet(int fd, const void *bytes, size_t count, int descriptor, int flags) {
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec part = {(void *)bytes, count};
    struct msghdr message = {0};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (descriptor >= 0) {
        message.msg_control = control.room;
        message.msg_controllen = sizeof control.room;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    return sendmsg(fd, &message, flags | MSG_NOSIGNAL);
}

// Receives one packet. `descriptor` gets what came with it, or -1 if nothing did. A packet that is longer than the room, or has more than
// one descriptor, is an error, and what came with it is closed.
static inline ssize_t thumb_receive_packet(int fd, void *bytes, size_t count, int *descriptor, int flags) {
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(4 * sizeof(int))];
    } control;
    struct iovec part = {bytes, count};
    struct msghdr message = {0};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.room;
    message.msg_controllen = sizeof control.room;
    *descriptor = -1;
    ssize_t received = recvmsg(fd, &message, flags | MSG_CMSG_CLOEXEC);
    if (received < 0) return received;
    int given = 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        int found = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        for (int place = 0; place < found; place++) {
            int one;
            memcpy(&one, CMSG_DATA(header) + place * sizeof(int), sizeof one);
            if (given++ == 0) *descriptor = one;
            else close(one);
        }
    }
    if (given <= 1 && !(message.msg_flags & (MSG_TRUNC | MSG_CTRUNC))) return received;
    if (*descriptor >= 0) close(*descriptor);
    *descriptor = -1;
    errno = EPROTO;
    return -1;
}

// Sends separate parts as one piece.
static inline ssize_t thumb_send_parts(int fd, struct iovec *parts, size_t count, int flags) {
    struct msghdr message = {0};
    message.msg_iov = parts;
    message.msg_iovlen = count;
    return sendmsg(fd, &message, flags);
}

// Macros that are casts or expressions.

// A file in memory that has no name and can be sealed: MFD_CLOEXEC and MFD_ALLOW_SEALING, which not every C library's headers show.
static inline int thumb_memory_file(void) { return (int)syscall(SYS_memfd_create, "thumbturn", 3UL); }

static inline int thumb_errno(void) { return errno; }
static inline void thumb_set_errno(int number) { errno = number; }

static inline char **thumb_environment(void) { return __environ; }
static inline void *thumb_map_failed(void) { return MAP_FAILED; }
static inline void thumb_ignore_signal(int number) { signal(number, SIG_IGN); }
static inline void thumb_on_signal(int number, void (*handler)(int)) { signal(number, handler); }
static inline void thumb_default_signal(int number) { signal(number, SIG_DFL); }
static inline int thumb_ignores_signal(int number) {
    struct sigaction action;
    return sigaction(number, 0, &action) == 0 && action.sa_handler == SIG_IGN;
}

// What glibc declares only with _GNU_SOURCE, under our own names.

struct thumb_ucred {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};

int thumb_accept4(int fd, struct sockaddr *address, socklen_t *length, int flags) __asm__("accept4");
int thumb_pipe2(int *fds, int flags) __asm__("pipe2");
int thumb_dup3(int from, int to, int flags) __asm__("dup3");
int thumb_memfd_create(const char *name, unsigned int flags) __asm__("memfd_create");
int thumb_close_range(unsigned int first, unsigned int last, int flags) __asm__("close_range");
int thumb_renameat2(int from, const char *old, int to, const char *new_, unsigned int flags) __asm__("renameat2");
int thumb_setresuid(uid_t real, uid_t effective, uid_t saved) __asm__("setresuid");
int thumb_setresgid(gid_t real, gid_t effective, gid_t saved) __asm__("setresgid");
int thumb_getresuid(uid_t *real, uid_t *effective, uid_t *saved) __asm__("getresuid");
int thumb_getresgid(gid_t *real, gid_t *effective, gid_t *saved) __asm__("getresgid");
int thumb_pthread_setname_np(pthread_t thread, const char *name) __asm__("pthread_setname_np");
char *thumb_secure_getenv(const char *name) __asm__("secure_getenv");
pid_t thumb_gettid(void) __asm__("gettid");
// The group of this thread for files, from <sys/fsuid.h>. Returns the one before.
int thumb_setfsgid(gid_t group) __asm__("setfsgid");

int thumb_spawn_closefrom(posix_spawn_file_actions_t *actions, int from) __asm__("posix_spawn_file_actions_addclosefrom_np");

// glibc has this macro only with _GNU_SOURCE.
static const short thumb_POSIX_SPAWN_SETSID = 0x80;

static const int thumb_O_PATH = __O_PATH;
static const int thumb_O_TMPFILE = __O_TMPFILE;
static const int thumb_SCM_CREDENTIALS = 2;
// Newer than Debian 12's headers.
static const int thumb_SO_PEERPIDFD = 77;
static const short thumb_POLLRDHUP = 0x2000;
static const int thumb_F_OFD_SETLK = 37;
static const int thumb_F_ADD_SEALS = 1033;
static const int thumb_F_GET_SEALS = 1034;
// Seals against further sealing, shrinking, growing and writing.
static const int thumb_F_SEAL_ALL = 0xF;
static const unsigned int thumb_MFD_CLOEXEC = 1;
static const unsigned int thumb_MFD_ALLOW_SEALING = 2;
static const unsigned int thumb_RENAME_NOREPLACE = 1;

// Constants whose macros Swift can't read as numbers, or whose sign differs from that of the call that takes them.

static const unsigned long thumb_TIOCGWINSZ = TIOCGWINSZ;
static const unsigned long thumb_TIOCSCTTY = TIOCSCTTY;
static const unsigned long thumb_FIONREAD = FIONREAD;
static const int thumb_SI_KERNEL = SI_KERNEL;
static const int thumb_RLIMIT_CORE = RLIMIT_CORE;
static const int thumb_RLIMIT_MEMLOCK = RLIMIT_MEMLOCK;
static const int thumb_RLIMIT_NOFILE = RLIMIT_NOFILE;

// Whether this process is exempt from RLIMIT_MEMLOCK: CAP_IPC_LOCK, number 14, is in force.
static inline int thumb_may_lock_memory(void) {
    struct { uint32_t version; int pid; } header = {0x20080522, 0};
    struct { uint32_t effective, permitted, inheritable; } data[2] = {{0}};
    return syscall(SYS_capget, &header, data) == 0 && (data[0].effective >> 14 & 1) != 0;
}

static inline int thumb_is_unlimited(rlim_t limit) { return limit == RLIM_INFINITY; }

#endif
