#define _GNU_SOURCE
#include <poll.h>
#include <stdbool.h>
#include <string.h>

#include "account.h"
#include "password.h"
#include "talk.h"

// A daemon that hasn't answered by then isn't waited for any longer, in seconds. What it was told it still does: it may have to start first.
static const double PATIENCE = 0.8;

static const char KEPT[] = "thumbturn-password";

static void forget(pam_handle_t *pam, void *kept, int status) {
    (void)pam;
    (void)status;
    thumbturn_secret_free(kept);
}

void password_keep(pam_handle_t *pam, const char *password) {
    thumbturn_secret *kept = NULL;
    // Where no memory can be locked, the owner is asked for the passcode later.
    if (password[0] && tt_secret_copy(password, strlen(password) + 1, &kept) != THUMBTURN_OK) kept = NULL;
    // What was kept before is freed by this too.
    if (pam_set_data(pam, KEPT, kept, forget) != PAM_SUCCESS) thumbturn_secret_free(kept);
}

void password_offer_kept(pam_handle_t *pam) {
    const void *kept = NULL;
    if (pam_get_data(pam, KEPT, &kept) != PAM_SUCCESS || !kept) return;
    password_offer(pam, (const char *)((const thumbturn_secret *)kept)->bytes, false);
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
