// The door to libpam. There are no shims, because Swift can call all of it.

#ifndef THUMBTURN_C_PAM_H
#define THUMBTURN_C_PAM_H

#include <security/pam_appl.h>

#endif
