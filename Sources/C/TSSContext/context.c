#include <openssl/crypto.h>

#include "TSSContext.h"

// libtss2 makes a context of libcrypto's for each hash, each HMAC and each random number, and throws it away afterwards. A context loads
// its algorithms when it is used first, and a command to the TPM has a dozen of them: most of a command's time was this. libtss2 has no way
// to be given a context. So where it asks for a new one, it gets the process's default context, which OSSL_LIB_CTX_free leaves alone.
//
// Crypto asks for a context too, once, and gets the same one. That is no less safe in a process that is entirely ours: Crypto tells
// libcrypto first to read no configuration, and names the provider. An app's process has other code in it, so it isn't linked with this.
OSSL_LIB_CTX *OSSL_LIB_CTX_new(void) { return OSSL_LIB_CTX_get0_global_default(); }
