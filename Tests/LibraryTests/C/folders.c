// Which store a daemon is started for, and where our programs and the user's socket are looked for: `folders FOLDER`, an empty folder
// of this user's; `folders FOLDER beside` for a program beside this one. The account's home is what this program says that it is.
#define _GNU_SOURCE
#include <pwd.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "connection.h"
#include "places.h"

static char account[PATH_MAX], other[PATH_MAX], usual[PATH_MAX], found[PATH_MAX];
static bool has_account = true;

// The library looks here for the account, and not in the system's file.
int getpwuid_r(uid_t user, struct passwd *entry, char *words, size_t capacity, struct passwd **result) {
    (void)words, (void)capacity;
    *entry = (struct passwd){.pw_uid = user, .pw_dir = account};
    *result = has_account && user == getuid() ? entry : NULL;
    return 0;
}

static void set(const char *name, const char *value) { CHECK((value ? setenv(name, value, 1) : unsetenv(name)) == 0); }

// Finds the folder with these variables; the problem, or NULL.
static const char *find(const char *home, const char *data) {
    set("HOME", home);
    set("XDG_DATA_HOME", data);
    return tt_store_folder(found);
}

static bool finds(const char *home, const char *data, const char *wanted) {
    return !find(home, data) && strcmp(found, wanted) == 0;
}

static bool refuses(const char *home, const char *data, const char *word) {
    const char *problem = find(home, data);
    if (problem && !strstr(problem, word)) fprintf(stderr, "%s\n", problem);
    return problem && strstr(problem, word);
}

static const char *below(const char *folder, const char *name) {
    static char paths[8][PATH_MAX];
    static int next;
    char *path = paths[next++ % 8];
    CHECK(tt_path(path, PATH_MAX, "%s/%s", folder, name));
    return path;
}

static void make(const char *path) { CHECK(mkdir(path, 0700) == 0); }

static void write_file(const char *path) {
    FILE *file = fopen(path, "w");
    CHECK(file && fclose(file) == 0);
}

// A store is there.
static void use(const char *folder) { write_file(below(folder, "keybag")); }

static void variables(void) {
    // The daemon finds the account's own by itself.
    CHECK(finds(NULL, NULL, ""));
    CHECK(finds(account, NULL, ""));
    CHECK(finds(other, NULL, below(other, ".local/share/thumbturn")));
    CHECK(finds(other, below(account, "a/b"), below(account, "a/b/thumbturn")));
    struct stat status;
    CHECK(stat(below(account, "a/b"), &status) == 0 && (status.st_mode & 07777) == 0700);
    // What isn't a whole path counts as not set.
    static const char *const relative[] = {"", "data", "~/data", "./data"};
    for (size_t index = 0; index < sizeof relative / sizeof *relative; index++) {
        CHECK(finds(relative[index], relative[index], ""));
        CHECK(finds(other, relative[index], below(other, ".local/share/thumbturn")));
    }
    has_account = false;
    CHECK(refuses(NULL, NULL, "no account"));
    CHECK(finds(other, NULL, below(other, ".local/share/thumbturn")));
    has_account = true;
    set("THUMBTURN_STATE", "/somewhere");
    CHECK(finds(other, other, "/somewhere"));
    set("THUMBTURN_STATE", NULL);
}

// Whoever can write there could put another store in place of the user's.
static void open_folders(void) {
    static const mode_t open[] = {0770, 0777, 01777, 0702};
    for (size_t index = 0; index < sizeof open / sizeof *open; index++) {
        CHECK(chmod(other, open[index]) == 0);
        CHECK(refuses(NULL, other, "others can write") && refuses(other, NULL, "others can write"));
    }
    CHECK(chmod(other, 0755) == 0);
    CHECK(finds(NULL, other, below(other, "thumbturn")));
    const char *const inner[] = {below(other, ".local"), below(other, ".local/share")};
    for (size_t index = 0; index < 2; index++) {
        make(inner[index]);
        CHECK(finds(other, NULL, below(other, ".local/share/thumbturn")));
        CHECK(chmod(inner[index], 0775) == 0);
        CHECK(refuses(other, NULL, "others can write"));
        CHECK(chmod(inner[index], 0700) == 0);
    }
    const char *file = below(other, "file"), *none = below(other, "none");
    write_file(file);
    CHECK(find(NULL, file) && find(file, NULL));
    CHECK(refuses(none, NULL, "leads nowhere"));
    // Another user's: root gives one away, to others /proc is one.
    const char *anothers = "/proc";
    if (getuid() == 0) {
        anothers = below(other, "given");
        make(anothers);
        CHECK(chown(anothers, 65534, 65534) == 0);
    }
    CHECK(find(NULL, anothers) && find(anothers, NULL));
}

// What is kept in the account's home stays in use, whatever a variable says; and nobody chooses between two.
static void stores(void) {
    make(below(account, ".local"));
    make(below(account, ".local/share"));
    make(usual);
    use(usual);
    CHECK(finds(NULL, other, "") && finds(other, NULL, "") && finds(NULL, NULL, ""));
    make(below(other, "thumbturn"));
    CHECK(finds(NULL, other, ""));
    use(below(other, "thumbturn"));
    CHECK(refuses(NULL, other, "two"));
    // One place under two names is one place.
    const char *link = below(other, "link");
    CHECK(symlink(below(account, ".local/share"), link) == 0);
    CHECK(finds(NULL, link, ""));
    CHECK(unlink(below(usual, "keybag")) == 0);
    CHECK(finds(NULL, other, below(other, "thumbturn")) && finds(NULL, link, ""));
}

// Somebody who can write where our programs or the socket are looked for could have theirs found.
static void programs(const char *folder) {
    char home[PATH_MAX], libexec[PATH_MAX], run[PATH_MAX], own[PATH_MAX];
    CHECK(tt_path(home, sizeof home, "%s/home", folder) && tt_path(run, sizeof run, "%s/run", folder));
    CHECK(tt_path(libexec, sizeof libexec, "%s/.local/libexec/thumbturn", home));
    CHECK(tt_path(own, sizeof own, "%s/thumbturn", run));
    make(home);
    make(below(home, ".local"));
    make(below(home, ".local/libexec"));
    make(libexec);
    make(run);
    // No installation has one of that name.
    const char *program = below(libexec, "thumbturn-of-a-test");
    write_file(program);
    CHECK(chmod(program, 0755) == 0);
    set("HOME", home);
    set("THUMBTURN_LIBEXEC", NULL);
    set("XDG_RUNTIME_DIR", run);
    static const struct { mode_t mode; bool is_private; } modes[] = {
        {0700, true}, {0755, true}, {0775, false}, {0757, false}, {0777, false}, {01777, false}};
    for (size_t index = 0; index < sizeof modes / sizeof *modes; index++) {
        CHECK(chmod(libexec, modes[index].mode) == 0 && chmod(run, modes[index].mode) == 0);
        CHECK(tt_program("thumbturn-of-a-test", found) == modes[index].is_private);
        // Where this one isn't taken, the user's usual one may be.
        bool is_found = tt_runtime_folder(found, sizeof found) && strcmp(found, own) == 0;
        CHECK(is_found == modes[index].is_private);
    }
    CHECK(chmod(run, 0700) == 0 && chmod(own, 0777) == 0);
    CHECK(!tt_runtime_folder(found, sizeof found) || strcmp(found, own) != 0);
}

int main(int count, char **words) {
    // Which of our programs is found beside this one.
    if (count == 3) {
        set("HOME", NULL);
        set("THUMBTURN_LIBEXEC", NULL);
        puts(tt_program("thumbturn-of-a-test", found) ? found : "none");
        return 0;
    }
    CHECK(count == 2);
    CHECK(tt_path(account, sizeof account, "%s/account", words[1]) && tt_path(other, sizeof other, "%s/other", words[1]));
    CHECK(tt_path(usual, sizeof usual, "%s/.local/share/thumbturn", account));
    make(account);
    make(other);
    set("THUMBTURN_STATE", NULL);
    variables();
    open_folders();
    stores();
    programs(words[1]);
    puts("the right folders");
    return 0;
}
