// The door to libsystemd: sd-bus and sd-login. There are no shims: messages are built and read one value at a time, without variadic calls.

#ifndef THUMBTURN_C_SYSTEMD_H
#define THUMBTURN_C_SYSTEMD_H

#if !__has_include(<systemd/sd-login.h>)
#error "Tests on ThumbturnSimulator need the headers of SQLite, libsystemd and the TPM's library. On Debian: sudo apt-get install libsqlite3-dev libsystemd-dev libtss2-dev"
#endif

#include <systemd/sd-login.h>
#include <systemd/sd-bus.h>

#endif
