// The door to libsystemd: sd-bus and sd-login. No shims: messages are built and read one value at a time, without the variadic calls.

#ifndef THUMBTURN_C_SYSTEMD_H
#define THUMBTURN_C_SYSTEMD_H

#include <systemd/sd-login.h>
#include <systemd/sd-bus.h>

#endif
