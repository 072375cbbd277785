// What a finger opened at a login, until it is known whether the account may log in: the daemon shuts it again if the connection closes before.
#ifndef THUMBTURN_LETTING_IN_H
#define THUMBTURN_LETTING_IN_H

#include <stdbool.h>

#include <security/pam_modules.h>

#include "talk.h"

// Keeps the connection that said yes to a login, and closes any other.
void letting_in(pam_handle_t *pam, bool is_login, struct talk *asked);
// Tells the daemon that the login goes on, if it is of the account whose finger it was, and forgets the connection.
void letting_in_stands(pam_handle_t *pam);
// Forgets it: that login came to nothing.
void letting_in_ends(pam_handle_t *pam);

#endif
