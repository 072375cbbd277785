// The door to the TPM 2.0 software stack: its enhanced system interface, and the ways to a TPM that we use. Shims exist only for what Swift
// can't call: a macro that is a call, and arithmetic behind an opaque pointer.

#ifndef THUMBTURN_C_TSS_H
#define THUMBTURN_C_TSS_H

#if !__has_include(<tss2/tss2_esys.h>)
#error "Tests on ThumbturnSimulator need the headers of SQLite, libsystemd and the TPM's library. On Debian: sudo apt-get install libsqlite3-dev libsystemd-dev libtss2-dev"
#endif

#include <malloc.h>
#include <string.h>
#include <tss2/tss2_esys.h>
#include <tss2/tss2_mu.h>
#include <tss2/tss2_sys.h>
#include <tss2/tss2_tcti_device.h>
#include <tss2/tss2_tcti_swtpm.h>
#include <tss2/tss2_tctildr.h>

static inline void thumb_tcti_finalize(TSS2_TCTI_CONTEXT *tcti) { Tss2_Tcti_Finalize(tcti); }

// glibc hides it unless the code asks for more than POSIX.
extern void explicit_bzero(void *memory, size_t count);

// Zeroes the buffer in which commands and responses are put together. The buffer is at the end of the system context, and the next command
// overwrites it. After the stack has decrypted a response, it contains the shared secret in plain text.
static inline void thumb_tss_forget(ESYS_CONTEXT *context) {
    TSS2_SYS_CONTEXT *system = 0;
    if (Esys_GetSysContext(context, &system) != TSS2_RC_SUCCESS || !system) return;
    size_t whole = Tss2_Sys_GetContextSize(0);
    size_t head = Tss2_Sys_GetContextSize(TPM2_MAX_COMMAND_SIZE) - TPM2_MAX_COMMAND_SIZE;
    explicit_bzero((uint8_t *)system + head, whole - head);
}

// Zeroes each copy of a secret in the stack's own context. What a command got as input stays there until another command with as much input
// comes: the secret that was sealed, and the authorization of what was made. The context has no name for that place; malloc knows where it
// ends.
static inline void thumb_tss_forget_copies(ESYS_CONTEXT *context, const void *secret, size_t count) {
    uint8_t *bytes = (uint8_t *)context;
    size_t size = malloc_usable_size(context);
    if (count == 0) return;
    for (size_t at = 0; at + count <= size; at++) {
        if (memcmp(bytes + at, secret, count) == 0) explicit_bzero(bytes + at, count);
    }
}

// Zeroes the stack below the caller, where the stack's own functions left what they decrypted.
static inline __attribute__((noinline)) void thumb_tss_forget_stack(void) {
    uint8_t below[16384];
    explicit_bzero(below, sizeof below);
}

#endif
