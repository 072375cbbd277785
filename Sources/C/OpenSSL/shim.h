// The door to libcrypto 3: the fetched EVP interface and the group arithmetic, nothing that is deprecated and nothing
// that speaks TLS.

#ifndef THUMBTURN_C_OPENSSL_H
#define THUMBTURN_C_OPENSSL_H

#include <openssl/opensslv.h>

#if OPENSSL_VERSION_MAJOR < 3
#error "Thumbturn needs OpenSSL 3: a library context of its own keeps it off the machine's openssl.cnf"
#endif

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/params.h>
#include <openssl/provider.h>

// Selections of key parts, macros made of macros.
static const int thumb_evp_pkey_keypair = EVP_PKEY_KEYPAIR;
static const int thumb_evp_pkey_public_key = EVP_PKEY_PUBLIC_KEY;

#endif
