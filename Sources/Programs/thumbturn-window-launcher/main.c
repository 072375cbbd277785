// Starts the window with the group by which root vouches for it.
//
// In system mode the daemon lets only programs show prompts that have a group from root (`thumbturn protect`). GTK refuses to start in a
// process whose group ids differ, and those of a set-group-ID program do. So this program has the bit. It leaves behind everything that the
// user could have prepared, makes the three ids equal, and becomes the window. From then on, and before the window's first instruction, the
// kernel doesn't let the user's other programs trace the window or read its memory, because its group isn't theirs.
//
// The loader's secure execution mode ends when the ids are equal. This program does what that mode would have done: only the variables
// listed below are passed on, and libraries read their settings, styles and layers from root's folders.
//
// In user mode nobody is vouched for, and this program has no bit. It then starts the window with the user's own folders. If the system's
// daemon serves but the bit had no effect (no new privileges, traced, or never protected), it refuses, because that daemon wouldn't let the
// window in.
//
// It is started just as the window is: with `--agent`, and the user's manager's listener as descriptor 3; or without arguments, with the
// ticket as descriptor 3 and a descriptor 4 on which to say `R`.
//
// With `--polkit` it becomes polkit's agent instead, which has the owner asked in the window: what it says there is vouched for as well.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

// Exit statuses, as in sysexits: wrong arguments, no permission, wrong installation.
enum { WRONG_WORDS = 64, NOT_PERMITTED = 77, BADLY_INSTALLED = 78 };

// Longest value that is passed on. No name of a display or folder is longer.
enum { VALUE_LIMIT = 1024 };

static const char SYSTEM_MARKER[] = "/etc/thumbturn/system-mode";
static const char WINDOW[] = "thumbturn-window", POLKIT_AGENT[] = "thumbturn-polkit";

static void fail(int status, const char *message) {
    dprintf(2, "thumbturn-window-launcher: %s\n", message);
    exit(status);
}

// What a variable's value may look like.
enum kind {
    NAME,     // letters, digits and . _ : @ -: neither a path nor a list
    PATH,     // a whole path without blanks and without ..
    PLACE,    // one of the two
    BUS,      // one address of a socket; other kinds of address can run a caller's program
    BACKEND,  // x11 or wayland
};

static const struct { const char *name; enum kind kind; } KEPT[] = {
    {"DISPLAY", PLACE}, {"WAYLAND_DISPLAY", PLACE}, {"XAUTHORITY", PATH}, {"XDG_RUNTIME_DIR", PATH},
    {"DBUS_SESSION_BUS_ADDRESS", BUS}, {"AT_SPI_BUS_ADDRESS", BUS}, {"GDK_BACKEND", BACKEND},
    {"NOTIFY_SOCKET", PATH}, {"LANG", NAME}, {"LC_ALL", NAME}, {"LC_MESSAGES", NAME}, {"LC_CTYPE", NAME},
};

// Added if the window is vouched for. Only root can make these folders. It is drawn in software: a question needs no more, and drivers have
// layers of their own. No program can be found by its name: if a library started a bus, that would have the group, and so would everything
// that the user has that bus start.
static const char *const ROOTS_OWN[] = {
    "HOME=/nonexistent", "XDG_CONFIG_HOME=/nonexistent/config", "XDG_DATA_HOME=/nonexistent/data",
    "XDG_CACHE_HOME=/nonexistent/cache", "XDG_STATE_HOME=/nonexistent/state", "XDG_DATA_DIRS=/usr/local/share:/usr/share",
    "XDG_CONFIG_DIRS=/etc/xdg", "GSK_RENDERER=cairo", "PATH=/nonexistent", 0,
};
// Otherwise the user's own folders are passed on, as the desktop set them.
static const char *const USERS_FOLDERS[] = {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS", 0};

static int is_plain(const char *value, enum kind kind) {
    size_t length = strnlen(value, VALUE_LIMIT + 1);
    if (length == 0 || length > VALUE_LIMIT) return 0;
    const char *others = kind == NAME ? "._:@-" : kind == BUS ? "._:@-/=,%" : "._:@-/+";
    for (const char *at = value; *at; at++) {
        int is_letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9');
        if (!is_letter && !strchr(others, *at)) return 0;
    }
    switch (kind) {
    case NAME: return value[0] != '.';
    case PATH: return value[0] == '/' && !strstr(value, "/..");
    case PLACE: return !strstr(value, "..");
    case BUS: return !strncmp(value, "unix:path=/", 11) || !strncmp(value, "unix:abstract=", 14);
    case BACKEND: return !strcmp(value, "x11") || !strcmp(value, "wayland");
    }
    return 0;
}

static char *joined(const char *name, const char *value, const char *end) {
    char *text;
    if (asprintf(&text, "%s=%s%s", name, value, end) < 0) fail(BADLY_INSTALLED, "There is no memory left.");
    return text;
}

// The window's environment. `is_listening` says whether the user's manager passed a listener.
static char **environment(int is_vouched, int is_listening) {
    static char *variables[48];
    size_t count = 0;
    for (size_t at = 0; at < sizeof KEPT / sizeof *KEPT; at++) {
        const char *value = getenv(KEPT[at].name);
        if (value && is_plain(value, KEPT[at].kind)) variables[count++] = joined(KEPT[at].name, value, "");
    }
    // X looks for its cookie there unless a variable says otherwise.
    const char *home = getenv("HOME");
    if (!getenv("XAUTHORITY") && home && is_plain(home, PATH)) variables[count++] = joined("XAUTHORITY", home, "/.Xauthority");
    for (size_t at = 0; is_vouched && ROOTS_OWN[at]; at++) variables[count++] = (char *)ROOTS_OWN[at];
    for (size_t at = 0; !is_vouched && USERS_FOLDERS[at]; at++)
        if (getenv(USERS_FOLDERS[at])) variables[count++] = joined(USERS_FOLDERS[at], getenv(USERS_FOLDERS[at]), "");
    if (!is_vouched) variables[count++] = "PATH=/usr/bin:/bin";
    // If none is named, libraries look for a bus or start one.
    const char *bus = getenv("DBUS_SESSION_BUS_ADDRESS");
    if (is_vouched && !(bus && is_plain(bus, BUS))) variables[count++] = "DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent/bus";
    if (is_listening) {
        char pid[16];
        snprintf(pid, sizeof pid, "%d", getpid());
        variables[count++] = joined("LISTEN_PID", pid, "");
        variables[count++] = "LISTEN_FDS=1";
    }
    return variables;
}

// Whether only root can change the file: the file itself, and each folder on the way.
static int is_roots(char *path) {
    for (char *end = path + 1;; end++) {
        if (*end && *end != '/') continue;
        char kept = *end;
        struct stat status;
        *end = 0;
        int could = lstat(path, &status);
        *end = kept;
        if (could != 0 || status.st_uid != 0 || (status.st_mode & 022)) return 0;
        if (kept ? !S_ISDIR(status.st_mode) : !S_ISREG(status.st_mode)) return 0;
        if (!kept) return 1;
    }
}

// The path of the program to become, in the folder of this program's file. The kernel names that file, whatever name it was called by. With
// a hard link anybody can give the file another name in a folder of theirs, so what root vouches for is taken from root's folders only.
static char *path_beside(const char *name, int is_vouched) {
    static char path[PATH_MAX + sizeof WINDOW + sizeof POLKIT_AGENT];
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length <= 0) fail(BADLY_INSTALLED, "The launcher can't tell where it is installed. Check that /proc is there.");
    path[length] = 0;
    char *slash = strrchr(path, '/');
    if (path[0] != '/' || !slash) fail(BADLY_INSTALLED, "The launcher can't tell where it is installed.");
    strcpy(slash + 1, name);
    if (is_vouched && !is_roots(path)) fail(BADLY_INSTALLED, "Users other than root can change the programs beside the launcher. Install them where only root can write.");
    return path;
}

int main(int count, char **words) {
    // From here on nobody may look into this process. If the bit had an effect, the kernel has seen to that already.
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    gid_t group = getegid();
    int is_vouched = group != getgid();
    // If it can't be determined that the marker is missing, it counts as present.
    int is_system = access(SYSTEM_MARKER, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR);
    if (is_system && !is_vouched)
        fail(NOT_PERMITTED, "The launcher has no group of its own here. Start it without NoNewPrivileges, or have root run 'thumbturn protect --name window' on it.");
    int is_agent = count > 1 && !strcmp(words[1], "--agent");
    int is_polkit = count == 2 && !strcmp(words[1], "--polkit");
    // Nobody's question could be told from a false one in user mode, and root's rights are worth one.
    if (is_polkit && !is_vouched) fail(NOT_PERMITTED, "Polkit's questions are answered here in system mode only. Run 'sudo thumbturn system-mode on'.");
    // A vouched-for window uses the system's daemon. In user mode the socket may be named.
    int is_named = is_agent && !is_vouched && count == 4 && !strcmp(words[2], "--socket");
    if (count < 1 || !(is_polkit || (is_agent ? count == 2 || is_named : count == 1)))
        fail(WRONG_WORDS, "Use it as thumbturn-window-launcher [--agent | --polkit].");

    const char *pid = getenv("LISTEN_PID"), *passed = getenv("LISTEN_FDS");
    int is_listening = is_agent && pid && atoi(pid) == getpid() && passed && !strcmp(passed, "1");
    // Besides the standard descriptors only the ticket and the one for the answer, or the listener, stay open. Missing standard ones become
    // /dev/null.
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd) fail(BADLY_INSTALLED, "The file /dev/null can't be opened.");
    unsigned kept = is_polkit ? 3 : is_agent ? 3 + (unsigned)is_listening : 5;
    if (close_range(kept, ~0U, 0) != 0) fail(BADLY_INSTALLED, "The kernel is older than 5.9. Use a newer one.");
    // Resets signals as in a newly started program. Otherwise those that the caller ignored or blocked would stay so.
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, 0);
    umask(077);

    const char *name = is_polkit ? POLKIT_AGENT : WINDOW;
    char *program = path_beside(name, is_vouched), **variables = environment(is_vouched, is_listening);
    if (is_vouched && chdir("/") != 0) fail(BADLY_INSTALLED, "The root folder can't be entered.");
    if (setresgid(group, group, group) != 0) fail(NOT_PERMITTED, "The launcher can't take its group.");
    char *plain[] = {(char *)name, is_agent ? "--agent" : 0, is_named ? "--socket" : 0, is_named ? words[3] : 0, 0};
    execve(program, plain, variables);
    fail(BADLY_INSTALLED, "The program beside the launcher can't be started. Check that all of the package is installed.");
}
