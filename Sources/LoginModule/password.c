#define _GNU_SOURCE
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "account.h"
#include "password.h"
#include "talk.h"

// A daemon that hasn't answered by then isn't waited for any longer, in seconds. What it was told by then it still does.
static const double PATIENCE = 0.8;

static const char KEPT[] = "thumbturn-password";

struct kept {
    uid_t uid; // whose password it is: sudo authenticates one account, and opens the session of another
    thumbturn_secret *password;
};

static void forget(pam_handle_t *pam, void *data, int status) {
    (void)pam;
    (void)status;
    struct kept *kept = data;
    if (kept) thumbturn_secret_free(kept->password);
    free(kept);
}

// NULL where there is nothing to keep. Where no memory can be locked, the owner is asked for the passcode later.
static struct kept *kept_of(pam_handle_t *pam, const char *password) {
    struct kept *kept = password[0] ? calloc(1, sizeof *kept) : NULL;
    if (!kept) return NULL;
    if (account_of(pam, &kept->uid) && tt_secret_copy(password, strlen(password) + 1, &kept->password) == THUMBTURN_OK) return kept;
    free(kept);
    return NULL;
}

void password_keep(pam_handle_t *pam, const char *password) {
    struct kept *kept = kept_of(pam, password);
    // What was kept before is freed by this too.
    if (pam_set_data(pam, KEPT, kept, forget) != PAM_SUCCESS) forget(pam, kept, 0);
    // The front may have to be started. It is there by the time when the session opens.
    if (kept) talk_wake();
}

void password_offer_kept(pam_handle_t *pam) {
    const void *data = NULL;
    uid_t uid;
    if (pam_get_data(pam, KEPT, &data) != PAM_SUCCESS || !data) return;
    const struct kept *kept = data;
    const char *password = (const char *)kept->password->bytes;
    // A child that opens the session reads zeros.
    if (password[0] && account_of(pam, &uid) && uid == kept->uid) password_offer(pam, password, false);
    pam_set_data(pam, KEPT, NULL, NULL);
}

void password_offer(pam_handle_t *pam, const char *password, bool is_new) {
    uid_t uid;
    if (!account_of(pam, &uid)) return;
    struct talk talk;
    talk_offer(&talk, uid, password, is_new);
    double limit = tt_now() + PATIENCE;
    while (talk.stage != TALK_CLOSED && tt_now() < limit) {
        struct pollfd wait = {.fd = talk.t.fd, .events = POLLIN};
        poll(&wait, 1, tt_milliseconds(limit - tt_now()));
        talk_next(&talk);
    }
    talk_end(&talk);
}
