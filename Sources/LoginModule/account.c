#define _GNU_SOURCE
#include <pwd.h>
#include <stddef.h>

#include "account.h"

const char *account_item(pam_handle_t *pam, int kind) {
    const void *found = NULL;
    return pam_get_item(pam, kind, &found) == PAM_SUCCESS && found ? found : "";
}

const char *account_name(pam_handle_t *pam) {
    const char *name = NULL;
    return pam_get_user(pam, &name, NULL) == PAM_SUCCESS ? name : NULL;
}

bool account_of(pam_handle_t *pam, uid_t *uid) {
    const char *name = account_name(pam);
    struct passwd entry, *found = NULL;
    char texts[16384];
    if (!name || getpwnam_r(name, &entry, texts, sizeof texts, &found) != 0 || !found) return false;
    *uid = found->pw_uid;
    return true;
}
