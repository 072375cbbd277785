// The door to libargon2. There are no shims, because Swift can call all of it.

#ifndef THUMBTURN_C_ARGON2_H
#define THUMBTURN_C_ARGON2_H

#if !__has_include(<argon2.h>)
#error "An app on Thumbturn needs the headers of OpenSSL and Argon2. On Debian: sudo apt-get install libssl-dev libargon2-dev"
#endif

#include <argon2.h>

#endif
