// The door to libpq, PostgreSQL's client. There are no shims, because Swift can call all of it.

#ifndef THUMBTURN_C_POSTGRES_H
#define THUMBTURN_C_POSTGRES_H

#if !__has_include(<postgresql/libpq-fe.h>)
#error "The sign-in server needs the headers of libpq. On Debian: sudo apt-get install libpq-dev"
#endif

#include <postgresql/libpq-fe.h>

#ifndef LIBPQ_HAS_PIPELINING
#error "Thumbturn needs libpq 14: a batch travels as a pipeline"
#endif

#endif
