// Whom PAM is about.
#ifndef THUMBTURN_ACCOUNT_H
#define THUMBTURN_ACCOUNT_H

#include <stdbool.h>
#include <sys/types.h>

#include <security/pam_modules.h>

// One of PAM's items; empty if it isn't there.
const char *account_item(pam_handle_t *pam, int kind);
// The account's name; NULL if there is none.
const char *account_name(pam_handle_t *pam);
// The account's number; false if the system doesn't know it.
bool account_of(pam_handle_t *pam, uid_t *uid);

#endif
