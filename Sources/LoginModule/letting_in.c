#define _GNU_SOURCE
#include <stdlib.h>

#include "letting_in.h"

static const char KEPT[] = "thumbturn-login";

static void forget(pam_handle_t *pam, void *data, int status) {
    (void)pam;
    (void)status;
    struct talk *asked = data;
    if (asked) talk_end(asked);
    free(asked);
}

void letting_in(pam_handle_t *pam, bool is_login, struct talk *asked) {
    struct talk *kept = asked->stage != TALK_CLOSED && is_login ? malloc(sizeof *kept) : NULL;
    if (!kept) return talk_end(asked);
    *kept = *asked;
    // Neither is there any more when it goes on.
    kept->deed = NULL;
    kept->password = NULL;
    if (pam_set_data(pam, KEPT, kept, forget) != PAM_SUCCESS) forget(pam, kept, 0);
}

void letting_in_stands(pam_handle_t *pam) {
    const void *data = NULL;
    if (pam_get_data(pam, KEPT, &data) != PAM_SUCCESS || !data) return;
    talk_stands((struct talk *)data);
    pam_set_data(pam, KEPT, NULL, NULL);
}
