// Nothing to call. A program that is linked with this target has its OSSL_LIB_CTX_new instead of libcrypto's: see context.c.
#ifndef THUMBTURN_C_TSS_CONTEXT_H
#define THUMBTURN_C_TSS_CONTEXT_H

#endif
