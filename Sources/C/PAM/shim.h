// The door to libpam. No shims: Swift calls all of it.

#ifndef THUMBTURN_C_PAM_H
#define THUMBTURN_C_PAM_H

#include <security/pam_appl.h>

#endif
