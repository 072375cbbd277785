// The door to libpam. There are no shims, because Swift can call all of it.

#ifndef THUMBTURN_C_PAM_H
#define THUMBTURN_C_PAM_H

#if !__has_include(<security/pam_appl.h>)
#error "Thumbturn's own programs need the headers of PAM. On Debian: sudo apt-get install libpam0g-dev"
#endif

#include <security/pam_appl.h>

#endif
