#define _GNU_SOURCE
#include <stdlib.h>

#include "account.h"
#include "letting_in.h"

static const char KEPT[] = "thumbturn-login";

struct kept {
    uid_t uid; // whose finger it was: an application may go on with another account
    struct talk asked;
};

static void forget(pam_handle_t *pam, void *data, int status) {
    (void)pam;
    (void)status;
    struct kept *kept = data;
    if (kept) talk_end(&kept->asked);
    free(kept);
}

void letting_in(pam_handle_t *pam, bool is_login, struct talk *asked) {
    struct kept *kept = asked->stage != TALK_CLOSED && is_login ? malloc(sizeof *kept) : NULL;
    if (!kept) return talk_end(asked);
    *kept = (struct kept){.uid = asked->deed->uid, .asked = *asked};
    // Neither is there any more when it goes on.
    kept->asked.deed = NULL;
    kept->asked.password = NULL;
    if (pam_set_data(pam, KEPT, kept, forget) != PAM_SUCCESS) forget(pam, kept, 0);
}

void letting_in_stands(pam_handle_t *pam) {
    const void *data = NULL;
    uid_t uid;
    if (pam_get_data(pam, KEPT, &data) != PAM_SUCCESS || !data) return;
    struct kept *kept = (struct kept *)data;
    if (account_of(pam, &uid) && uid == kept->uid) talk_stands(&kept->asked);
    letting_in_ends(pam);
}

// PAM closes what was kept.
void letting_in_ends(pam_handle_t *pam) { pam_set_data(pam, KEPT, NULL, NULL); }
