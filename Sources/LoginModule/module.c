// pam_thumbturn.so: the owner's finger where a password is asked, without waiting for one of them. It never judges a password: what is
// typed goes on to the next module.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#define PAM_SM_AUTH
#include <security/pam_ext.h>
#include <security/pam_modules.h>

#include "deed.h"
#include "race.h"

// The services that ask on their own terminal. Any other one gets the password alone. A line of PAM's configuration says which of them it is
// for: `login` for logins, and nothing for those that make somebody root.
static const char *const ROOT_SERVICES[] = {"sudo", "sudo-i", "su", "su-l"};
static const char LOGIN_SERVICE[] = "login";
// Polkit's helper asks nowhere itself: its agent does. If that is ours, the owner may have touched the sensor for it already.
static const char POLKIT_SERVICE[] = "polkit-1";
// The word of a line that says whether a finger was enough before, for modules further down that would ask for the password.
static const char TOUCHED_WORD[] = "touched";
static const char TOUCHED_NOTE[] = "thumbturn-touched";
static const char SYSTEM_MARKER[] = "/etc/thumbturn/system-mode";

static bool has_word(const char *word, int count, const char **words) {
    for (int index = 0; index < count; index++) {
        if (strcmp(words[index], word) == 0) return true;
    }
    return false;
}

static bool is_meant(const char *service, int count, const char **words) {
    if (has_word(LOGIN_SERVICE, count, words)) return strcmp(service, LOGIN_SERVICE) == 0;
    for (size_t index = 0; index < sizeof ROOT_SERVICES / sizeof *ROOT_SERVICES; index++) {
        if (strcmp(service, ROOT_SERVICES[index]) == 0) return true;
    }
    return strcmp(service, POLKIT_SERVICE) == 0;
}

static const char *item(pam_handle_t *pam, int kind) {
    const void *found = NULL;
    return pam_get_item(pam, kind, &found) == PAM_SUCCESS && found ? found : "";
}

// Reads on, as much as there is.
static ssize_t read_some(int fd, char *bytes, size_t room) {
    ssize_t count;
    do count = read(fd, bytes, room); while (count < 0 && errno == EINTR);
    return count;
}

// The arguments that this process was started with.
static bool read_arguments(struct deed *deed) {
    char arguments[8192];
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    size_t size = 0;
    ssize_t count = 1;
    while (size < sizeof arguments && (count = read_some(fd, arguments + size, sizeof arguments - size)) > 0) size += (size_t)count;
    close(fd);
    // What didn't fit could be what matters.
    if (count != 0 || size == 0 || arguments[size - 1] != 0) return false;
    return deed_read_sudo(deed, arguments, size);
}

// Whether the user has a prompt of their own, which sudo writes below the question whatever is in it. sudo hides its variables from its
// modules, so this asks the kernel.
static bool has_own_prompt(void) {
    static const char name[] = "SUDO_PROMPT=";
    int fd = open("/proc/self/environ", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return true;
    char bytes[4096];
    size_t matched = 0;
    bool is_found = false, is_within = true;
    ssize_t count;
    while (!is_found && (count = read_some(fd, bytes, sizeof bytes)) > 0) {
        for (ssize_t place = 0; place < count && !is_found; place++) {
            is_within = is_within && bytes[place] == name[matched];
            matched = is_within ? matched + 1 : 0;
            is_found = matched == sizeof name - 1;
            if (bytes[place] != 0) continue;
            is_within = true;
            matched = 0;
        }
    }
    close(fd);
    return is_found || count < 0;
}

static bool find_user(struct deed *deed, const char *user) {
    struct passwd entry, *found = NULL;
    char texts[16384];
    if (getpwnam_r(user, &entry, texts, sizeof texts, &found) != 0 || !found) return false;
    deed->uid = found->pw_uid;
    return true;
}

static bool find_deed(pam_handle_t *pam, struct deed *deed) {
    memset(deed, 0, sizeof *deed);
    const char *user = NULL, *terminal = item(pam, PAM_TTY);
    if (pam_get_user(pam, &user, NULL) != PAM_SUCCESS || !user || !find_user(deed, user)) return false;
    deed_copy(deed->service, sizeof deed->service, item(pam, PAM_SERVICE));
    deed_copy(deed->terminal, sizeof deed->terminal, strncmp(terminal, "/dev/", 5) == 0 ? terminal + 5 : terminal);
    deed_copy(deed->person, sizeof deed->person, item(pam, PAM_RUSER));
    if (strncmp(deed->service, "sudo", 4) != 0) {
        deed_copy(deed->becomes, sizeof deed->becomes, user);
        return true;
    }
    // sudo asks who runs it, and not whose rights it gives.
    if (!deed->person[0]) deed_copy(deed->person, sizeof deed->person, user);
    return !has_own_prompt() && read_arguments(deed);
}

__attribute__((visibility("default"))) int pam_sm_authenticate(pam_handle_t *pam, int flags, int count, const char **words) {
    // Not even PAM_SILENT counts, which sudo always says: what is written is the question, and without it no touch would count.
    (void)flags;
    const void *note = NULL;
    bool was_touched = pam_get_data(pam, TOUCHED_NOTE, &note) == PAM_SUCCESS && note;
    if (has_word(TOUCHED_WORD, count, words)) return was_touched ? PAM_SUCCESS : PAM_IGNORE;
    // Whoever asks anew begins anew, as after an account that may not log in.
    if (was_touched) pam_set_data(pam, TOUCHED_NOTE, NULL, NULL);
    // Somebody has typed the password already, for a module above.
    if (item(pam, PAM_AUTHTOK)[0]) return PAM_IGNORE;
    // Before anything is asked: a service that this line isn't for, and one that asks for somebody elsewhere.
    if (!is_meant(item(pam, PAM_SERVICE), count, words) || item(pam, PAM_RHOST)[0]) return PAM_IGNORE;
    if (geteuid() != 0) return PAM_IGNORE;
    if (access(SYSTEM_MARKER, F_OK) != 0) {
        pam_syslog(pam, LOG_NOTICE, "a finger counts in system mode alone; run 'thumbturn system-mode on' as root");
        return PAM_IGNORE;
    }
    const void *conversation = NULL;
    struct deed deed;
    if (pam_get_item(pam, PAM_CONV, &conversation) != PAM_SUCCESS || !conversation || !find_deed(pam, &deed)) return PAM_IGNORE;
    char password[PAM_MAX_RESP_SIZE];
    enum race_end end = RACE_NOTHING;
    if (strcmp(deed.service, POLKIT_SERVICE) != 0) end = race(&deed, conversation, password);
    else if (is_touched_already(&deed)) end = RACE_FINGER;
    int result = PAM_IGNORE;
    switch (end) {
    case RACE_FINGER:
        result = PAM_SUCCESS;
        // Without the note, such a module asks for the password all the same.
        pam_set_data(pam, TOUCHED_NOTE, (void *)TOUCHED_NOTE, NULL);
        break;
    case RACE_PASSWORD:
        // Without it the next module asks for the password itself.
        pam_set_item(pam, PAM_AUTHTOK, password);
        break;
    case RACE_NOTHING: break;
    case RACE_BROKEN: result = PAM_CONV_ERR; break;
    }
    explicit_bzero(password, sizeof password);
    return result;
}

__attribute__((visibility("default"))) int pam_sm_setcred(pam_handle_t *pam, int flags, int count, const char **words) {
    (void)pam;
    (void)flags;
    (void)count;
    (void)words;
    return PAM_SUCCESS;
}
