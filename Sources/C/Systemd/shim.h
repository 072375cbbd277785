// The door to libsystemd: sd-bus and sd-login. There are no shims: messages are built and read one value at a time, without variadic calls.

#ifndef THUMBTURN_C_SYSTEMD_H
#define THUMBTURN_C_SYSTEMD_H

#include <systemd/sd-login.h>
#include <systemd/sd-bus.h>

#endif
