// The password that somebody typed, for an owner whose passcode it is. The daemon judges it anew, and nothing here decides anything.
#ifndef THUMBTURN_PASSWORD_H
#define THUMBTURN_PASSWORD_H

#include <security/pam_modules.h>

// Keeps the password that was typed until the session opens. A login that is refused before that opens nothing.
void password_keep(pam_handle_t *pam, const char *password);
// Offers the password that was kept, and forgets it.
void password_offer_kept(pam_handle_t *pam);
// Offers a password. `is_new`: it was just made the account's.
void password_offer(pam_handle_t *pam, const char *password, bool is_new);

#endif
