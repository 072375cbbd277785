#define _GNU_SOURCE
#include <errno.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "connection.h"
#include "places.h"

bool tt_path(char *path, size_t capacity, const char *form, ...) {
    va_list values;
    va_start(values, form);
    int size = vsnprintf(path, capacity, form, values);
    va_end(values);
    return size > 0 && (size_t)size < capacity;
}

enum tt_folder tt_check_folder(const char *path, uid_t user, bool follows) {
    struct stat status;
    if ((follows ? stat(path, &status) : lstat(path, &status)) != 0) return TT_FOLDER_UNREACHABLE;
    bool is_private = S_ISDIR(status.st_mode) && status.st_uid == user && (status.st_mode & 022) == 0;
    return is_private ? TT_FOLDER_PRIVATE : TT_FOLDER_OPEN;
}

// Makes a folder that only this user can enter, and says whether it is so.
static bool make_private(const char *path) {
    if (mkdir(path, 0700) != 0 && errno != EEXIST) return false;
    return tt_check_folder(path, getuid(), false) == TT_FOLDER_PRIVATE;
}

bool tt_runtime_folder(char path[], size_t capacity) {
    char own[32];
    if (!tt_path(own, sizeof own, "/run/user/%u", getuid())) return false;
    const char *bases[] = {tt_environment("XDG_RUNTIME_DIR"), own};
    for (size_t index = 0; index < 2; index++) {
        if (!bases[index] || tt_check_folder(bases[index], getuid(), false) != TT_FOLDER_PRIVATE) continue;
        if (tt_path(path, capacity, "%s/thumbturn", bases[index]) && make_private(path)) return true;
    }
    return tt_path(path, capacity, "/tmp/thumbturn-%u", getuid()) && make_private(path);
}

// Whether nobody but root and this user can put a program there. A group of this user's own may, as where everybody has one.
static bool is_trusted(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) return false;
    if (status.st_uid != 0 && status.st_uid != getuid()) return false;
    bool is_own_group = status.st_uid == getuid() && status.st_gid == getgid();
    return (status.st_mode & (is_own_group ? 02 : 022)) == 0;
}

bool tt_program(const char *name, char path[PATH_MAX]) {
    char own[PATH_MAX] = "", beside[PATH_MAX] = "", home[PATH_MAX] = "";
    ssize_t size = readlink("/proc/self/exe", own, sizeof own - 1);
    char *slash = size > 0 ? memrchr(own, '/', (size_t)size) : NULL;
    if (slash) *slash = 0; else own[0] = 0;
    if (!own[0] || !tt_path(beside, sizeof beside, "%s/../libexec/thumbturn", own) || !is_trusted(beside)) beside[0] = 0;
    if (own[0] && !is_trusted(own)) own[0] = 0;
    // What `make install PREFIX=$HOME/.local` puts there, if nobody else can.
    const char *named_home = tt_environment("HOME");
    if (!named_home || !tt_path(home, sizeof home, "%s/.local/libexec/thumbturn", named_home)
        || tt_check_folder(home, getuid(), true) != TT_FOLDER_PRIVATE) {
        home[0] = 0;
    }
    const char *const places[] = {
        tt_environment("THUMBTURN_LIBEXEC"), own, beside, "/usr/local/libexec/thumbturn", "/usr/libexec/thumbturn",
        "/usr/lib/thumbturn", home,
    };
    for (size_t index = 0; index < sizeof places / sizeof *places; index++) {
        if (!places[index] || !places[index][0] || !tt_path(path, PATH_MAX, "%s/%s", places[index], name)) continue;
        if (access(path, X_OK) == 0) return true;
    }
    return false;
}

// The folder that follows from the account alone; false for a user without an account.
static bool account_folder(char path[PATH_MAX]) {
    struct passwd entry, *found = NULL;
    size_t capacity = 16 << 10;
    char *words = malloc(capacity);
    bool is_there = words && getpwuid_r(getuid(), &entry, words, capacity, &found) == 0 && found && found->pw_dir
        && found->pw_dir[0] == '/' && tt_path(path, PATH_MAX, "%s/.local/share/thumbturn", found->pw_dir);
    free(words);
    return is_there;
}

static bool is_in_use(const char *folder) {
    char sign[PATH_MAX];
    return tt_path(sign, sizeof sign, "%s/keybag", folder) && access(sign, F_OK) == 0;
}

static bool is_one(const char *one, const char *other) {
    if (strcmp(one, other) == 0) return true;
    struct stat first, second;
    return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

// A folder that only this user can write, or one that will be made below such a one.
static const char *check_base(const char *base, bool may_be_missing) {
    switch (tt_check_folder(base, getuid(), true)) {
    case TT_FOLDER_PRIVATE: return NULL;
    case TT_FOLDER_UNREACHABLE: return may_be_missing && errno == ENOENT ? NULL : "$HOME or $XDG_DATA_HOME leads nowhere";
    case TT_FOLDER_OPEN: break;
    }
    return "$HOME or $XDG_DATA_HOME leads to a folder that others can write";
}

static const char *check_home(const char *home) {
    static const char *const below[] = {"", "/.local", "/.local/share"};
    for (size_t index = 0; index < 3; index++) {
        char folder[PATH_MAX];
        if (!tt_path(folder, sizeof folder, "%s%s", home, below[index])) return "$HOME is too long";
        const char *problem = check_base(folder, index > 0);
        if (problem) return problem;
        if (tt_check_folder(folder, getuid(), true) == TT_FOLDER_UNREACHABLE) return NULL;
    }
    return NULL;
}

// Makes a folder and the missing ones above it, for this user alone.
static void make_with_parents(const char *path) {
    char part[PATH_MAX];
    if (!tt_path(part, sizeof part, "%s", path)) return;
    for (char *slash = part + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = 0;
        // The parents mostly exist already, in places where this user may not make anything.
        if (mkdir(part, 0700) != 0 && errno != EEXIST) continue;
    }
    if (mkdir(part, 0700) != 0) return;
}

const char *tt_store_folder(char path[PATH_MAX]) {
    path[0] = 0;
    const char *state = tt_environment("THUMBTURN_STATE");
    if (state) return tt_path(path, PATH_MAX, "%s", state) ? NULL : "$THUMBTURN_STATE is too long";
    char account[PATH_MAX] = "";
    bool has_account = account_folder(account);
    const char *data = tt_environment("XDG_DATA_HOME"), *home = tt_environment("HOME");
    if (data && data[0] != '/') data = NULL;
    if (home && home[0] != '/') home = NULL;
    if (!data && !home) return has_account ? NULL : "this user has no account and no home";
    bool fits = data ? tt_path(path, PATH_MAX, "%s/thumbturn", data) : tt_path(path, PATH_MAX, "%s/.local/share/thumbturn", home);
    if (!fits) return "$HOME or $XDG_DATA_HOME is too long";
    if (has_account) {
        bool is_same = is_one(path, account);
        // What is kept in the account's home stays in use, so that a variable that is set later hides nothing.
        if (!is_same && is_in_use(account) && is_in_use(path)) {
            return "there are two: in the account's home and where a variable leads";
        }
        if (is_same || is_in_use(account)) {
            path[0] = 0;
            return NULL;
        }
    }
    if (!data) return check_home(home);
    make_with_parents(data);
    return check_base(data, false);
}
