// pam_thumbturn.so: the owner's finger where a password is asked, without waiting for one of them. It never judges a password: what is
// typed goes on to the next module, and to the daemon if it may be the owner's passcode.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#define PAM_SM_AUTH
#define PAM_SM_SESSION
#define PAM_SM_PASSWORD
#include <security/pam_ext.h>
#include <security/pam_modules.h>

#include "account.h"
#include "deed.h"
#include "greeter.h"
#include "letting_in.h"
#include "password.h"
#include "race.h"
#include "service.h"

// What a line of PAM's configuration may say besides: that it is for logins, or that it only takes note of the password that was typed.
static const char LOGIN_WORD[] = "login", PASSWORD_WORD[] = "password";
static const char SYSTEM_MARKER[] = "/etc/thumbturn/system-mode";
// What GDM says to its workers: the seat that the greeter is on, in PAM's environment, and in their own that a session is to be unlocked.
static const char SEAT[] = "XDG_SEAT", OWN_SEAT[] = "seat0", REAUTHENTICATION[] = "GDM_SESSION_FOR_REAUTH";

static bool is_at_own_seat(pam_handle_t *pam) {
    const char *seat = pam_getenv(pam, SEAT);
    return seat && strcmp(seat, OWN_SEAT) == 0;
}

#define MODULE __attribute__((visibility("default")))

static bool has_word(const char *word, int count, const char **words) {
    for (int index = 0; index < count; index++) {
        if (strcmp(words[index], word) == 0) return true;
    }
    return false;
}

// sudo's session is no login, and its password would be kept for as long as the command runs.
static bool opens_session(pam_handle_t *pam) { return strncmp(account_item(pam, PAM_SERVICE), "sudo", 4) != 0; }

// Whether whoever started this process may have this account's daemon asked. su and polkit's helper ask for any account that they are told,
// before anything is judged, and those who start them could have every account's daemon started.
static bool is_own(uid_t account) {
    uid_t real = getuid();
    return real == 0 || real == account;
}

// The daemon that hears the module is the system's, and hears root alone: also in a program that became root, as passwd.
static bool is_heard(void) { return geteuid() == 0 && euidaccess(SYSTEM_MARKER, F_OK) == 0; }

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

static bool find_deed(pam_handle_t *pam, enum service service, struct deed *deed) {
    memset(deed, 0, sizeof *deed);
    const char *user = account_name(pam), *terminal = account_item(pam, PAM_TTY);
    if (!user || !account_of(pam, &deed->uid)) return false;
    deed_copy(deed->service, sizeof deed->service, account_item(pam, PAM_SERVICE));
    deed_copy(deed->terminal, sizeof deed->terminal, strncmp(terminal, "/dev/", 5) == 0 ? terminal + 5 : terminal);
    deed->is_greeter = service == SERVICE_GREETER;
    deed->is_lock = service == SERVICE_LOCK;
    if (strncmp(deed->service, "sudo", 4) != 0) {
        // At a screen lock and a greeter, whoever asks is the one who gets in. Whoever unlocks a session is in it already.
        if (deed->is_greeter && getenv(REAUTHENTICATION)) deed_copy(deed->person, sizeof deed->person, user);
        if (!deed->is_lock && !deed->is_greeter) deed_copy(deed->person, sizeof deed->person, account_item(pam, PAM_RUSER));
        deed_copy(deed->becomes, sizeof deed->becomes, user);
        return true;
    }
    deed_copy(deed->person, sizeof deed->person, account_item(pam, PAM_RUSER));
    // sudo asks who runs it, and not whose rights it gives.
    if (!deed->person[0]) deed_copy(deed->person, sizeof deed->person, user);
    return !has_own_prompt() && read_arguments(deed);
}

// Asks in the way that the service has. What is typed becomes PAM's password.
static int ask(pam_handle_t *pam, enum service service, const struct deed *deed, const struct pam_conv *conversation) {
    struct talk asked;
    // Whoever unlocks a session is named as who asks.
    bool is_login = (service == SERVICE_LOGIN || service == SERVICE_GREETER) && !deed->person[0];
    if (service == SERVICE_GREETER) {
        bool is_let_in = greeter_waits(deed, conversation, &asked);
        letting_in(pam, is_login, &asked);
        return is_let_in ? PAM_SUCCESS : PAM_AUTHINFO_UNAVAIL;
    }
    if (service == SERVICE_POLKIT) return is_touched_already(deed) ? PAM_SUCCESS : PAM_IGNORE;
    char password[PAM_MAX_RESP_SIZE];
    int result = PAM_IGNORE;
    switch (race(deed, conversation, password, &asked)) {
    case RACE_FINGER: result = PAM_SUCCESS; break;
    // Without it the next module asks for the password itself.
    case RACE_PASSWORD: pam_set_item(pam, PAM_AUTHTOK, password); break;
    case RACE_NOTHING: break;
    case RACE_BROKEN: result = PAM_CONV_ERR; break;
    }
    explicit_bzero(password, sizeof password);
    letting_in(pam, is_login, &asked);
    return result;
}

MODULE int pam_sm_authenticate(pam_handle_t *pam, int flags, int count, const char **words) {
    // Not even PAM_SILENT counts, which sudo always says: what is written is the question, and without it no touch would count.
    (void)flags;
    enum service service = service_named(account_item(pam, PAM_SERVICE));
    // Where there is nothing but the finger, nobody may get past it because it wasn't asked for.
    int otherwise = service == SERVICE_GREETER ? PAM_AUTHINFO_UNAVAIL : PAM_IGNORE;
    if (has_word(PASSWORD_WORD, count, words)) {
        password_keep(pam, is_heard() && opens_session(pam) ? account_item(pam, PAM_AUTHTOK) : "");
        return otherwise;
    }
    // An application may try again with the same handle, also for somebody else.
    letting_in_ends(pam);
    // Somebody has typed the password already, for a module above.
    if (account_item(pam, PAM_AUTHTOK)[0]) return otherwise;
    // Before anything is asked: a service that this line isn't for, and one that asks for somebody elsewhere.
    if (!service_is_meant(service, has_word(LOGIN_WORD, count, words)) || account_item(pam, PAM_RHOST)[0]) return otherwise;
    if (geteuid() != 0) return otherwise;
    // Somebody at another seat, or at none, doesn't see what this machine's screen shows.
    if (service == SERVICE_GREETER && !is_at_own_seat(pam)) return otherwise;
    if (!is_heard()) {
        pam_syslog(pam, LOG_NOTICE, "a finger counts in system mode alone; run 'thumbturn system-mode on' as root");
        return otherwise;
    }
    const void *conversation = NULL;
    struct deed deed;
    if (pam_get_item(pam, PAM_CONV, &conversation) != PAM_SUCCESS || !conversation || !find_deed(pam, service, &deed)) return otherwise;
    if (!is_own(deed.uid)) return otherwise;
    return ask(pam, service, &deed, conversation);
}

MODULE int pam_sm_setcred(pam_handle_t *pam, int flags, int count, const char **words) {
    (void)count;
    (void)words;
    // An application asks for this when the account may log in.
    if (!(flags & PAM_DELETE_CRED)) letting_in_stands(pam);
    return PAM_SUCCESS;
}

MODULE int pam_sm_open_session(pam_handle_t *pam, int flags, int count, const char **words) {
    (void)flags;
    (void)count;
    (void)words;
    if (is_heard()) password_offer_kept(pam);
    return PAM_IGNORE;
}

MODULE int pam_sm_close_session(pam_handle_t *pam, int flags, int count, const char **words) {
    (void)pam;
    (void)flags;
    (void)count;
    (void)words;
    return PAM_IGNORE;
}

// PAM calls this twice: before the password is changed, when the old one was judged, and after.
MODULE int pam_sm_chauthtok(pam_handle_t *pam, int flags, int count, const char **words) {
    (void)count;
    (void)words;
    if (!is_heard()) return PAM_IGNORE;
    bool is_changed = flags & PAM_UPDATE_AUTHTOK;
    const char *password = account_item(pam, is_changed ? PAM_AUTHTOK : PAM_OLDAUTHTOK);
    // The old one opens what the new one will close, also for an owner who hasn't given it since the machine started.
    if (password[0]) password_offer(pam, password, is_changed);
    // A login that had it changed opens its session with the new one.
    if (password[0] && is_changed && opens_session(pam)) password_keep(pam, password);
    return PAM_IGNORE;
}
