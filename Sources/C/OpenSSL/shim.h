// The door to libcrypto 3: the fetched EVP interface, the arithmetic of groups and numbers, and reading certificates. Nothing deprecated,
// and no TLS.

#ifndef THUMBTURN_C_OPENSSL_H
#define THUMBTURN_C_OPENSSL_H

#if !__has_include(<openssl/opensslv.h>)
#error "An app on Thumbturn needs the headers of OpenSSL and Argon2. On Debian: sudo apt-get install libssl-dev libargon2-dev"
#endif

#include <openssl/opensslv.h>

#if OPENSSL_VERSION_MAJOR < 3
#error "Thumbturn needs OpenSSL 3: a library context of its own keeps it off the machine's openssl.cnf"
#endif

#include <openssl/asn1.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Selections of key parts, which are macros made of macros.
static const int thumb_evp_pkey_keypair = EVP_PKEY_KEYPAIR;
static const int thumb_evp_pkey_public_key = EVP_PKEY_PUBLIC_KEY;

// Frees libcrypto's memory. Its allocator is a macro that records the caller's place in the source.
static inline void thumb_openssl_free(void *memory) { OPENSSL_free(memory); }

// Empties this thread's queue of errors. Returns whether one of them says that there was no memory; that test is a macro of macros.
static inline int thumb_openssl_forget_errors(void) {
    int was_short = 0;
    for (unsigned long code; (code = ERR_get_error()) != 0;) was_short |= ERR_GET_REASON(code) == ERR_R_MALLOC_FAILURE;
    return was_short;
}

// Stacks of strings are a type of their own, hidden behind macros.
static inline int thumb_strings_count(const STACK_OF(OPENSSL_STRING) *strings) {
    return strings ? sk_OPENSSL_STRING_num(strings) : 0;
}
static inline const char *thumb_strings_at(const STACK_OF(OPENSSL_STRING) *strings, int index) {
    return sk_OPENSSL_STRING_value(strings, index);
}

#endif
