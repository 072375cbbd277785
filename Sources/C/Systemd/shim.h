// The door to libsystemd: sd-login. No shims.

#ifndef THUMBTURN_C_SYSTEMD_H
#define THUMBTURN_C_SYSTEMD_H

#include <systemd/sd-login.h>

#endif
