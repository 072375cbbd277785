/* libthumbturn: whether the owner of this machine is there, and secrets and keys for the owner alone.
 *
 * docs/developers/c.md explains every function. In short:
 *
 *     thumbturn *t;
 *     if (thumbturn_open("org.example.app", &t) == THUMBTURN_OK) {
 *         thumbturn_asking asking = THUMBTURN_ASKING("open the vault");
 *         int error = thumbturn_verify(t, THUMBTURN_OWNER, &asking, NULL);
 *         if (error) fprintf(stderr, "%s\n%s\n", thumbturn_error_text(error), thumbturn_advice(t));
 *         thumbturn_close(t);
 *     }
 *
 * Texts are UTF-8 and end with a zero byte. A function that can fail returns THUMBTURN_OK or another number of `thumbturn_error`.
 * One thread at a time may use a `thumbturn` and what was made from it. The library starts no thread and catches no signal.
 */
#ifndef THUMBTURN_H
#define THUMBTURN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define THUMBTURN_API __attribute__((visibility("default")))

/* A connection to the device of this program's user. */
typedef struct thumbturn thumbturn;
/* Bytes that are locked in memory, left out of core files, and erased when they are freed. */
typedef struct thumbturn_secret thumbturn_secret;
/* A question to the owner that is under way. */
typedef struct thumbturn_question thumbturn_question;
/* A list of secrets or keys, without what they protect. */
typedef struct thumbturn_items thumbturn_items;
/* A private key that stays at the device. */
typedef struct thumbturn_key thumbturn_key;

/* Errors. A number keeps its meaning in every version; new ones may come. */
typedef enum thumbturn_error {
    THUMBTURN_OK = 0,
    /* `thumbturn_question_finish`: the owner hasn't answered yet. */
    THUMBTURN_PENDING = 1,

    /* What the keychain says. */
    THUMBTURN_DUPLICATE = 101,
    THUMBTURN_NOT_FOUND = 102,
    THUMBTURN_NOT_UNDERSTOOD = 103,
    THUMBTURN_NO_SUCH_ATTRIBUTE = 104,
    THUMBTURN_NO_SUCH_CLASS = 105,
    THUMBTURN_NOT_AUTHENTICATED = 106,
    THUMBTURN_MAY_NOT_ASK = 107,
    THUMBTURN_CANCELED = 108,
    THUMBTURN_NOT_ALLOWED = 109,
    THUMBTURN_UNSUPPORTED = 110,
    THUMBTURN_STORE_UNAVAILABLE = 111,
    THUMBTURN_READ_ONLY = 112,
    THUMBTURN_TOO_LARGE = 113,
    THUMBTURN_DAMAGED = 114,
    THUMBTURN_UNREACHABLE = 115,
    THUMBTURN_INTERNAL = 116,
    THUMBTURN_DAEMON_OUT_OF_MEMORY = 117,
    THUMBTURN_NO_CUSTODIAN = 118,
    THUMBTURN_CUSTODIAN_LOST = 119,
    THUMBTURN_CUSTODIAN_LOCKED = 120,
    THUMBTURN_CUSTODIAN_FOREIGN = 121,
    THUMBTURN_NO_AGREEMENT = 122,
    THUMBTURN_QUOTA = 123,

    /* How asking the owner ended. */
    THUMBTURN_NOT_THE_OWNER = 201,
    THUMBTURN_OWNER_CANCELED = 202,
    THUMBTURN_OWNER_CHOSE_FALLBACK = 203,
    THUMBTURN_SYSTEM_CANCELED = 204,
    THUMBTURN_NO_PASSCODE = 205,
    THUMBTURN_NO_SENSOR_USABLE = 206,
    THUMBTURN_NOT_ENROLLED = 207,
    THUMBTURN_SENSOR_LOCKED = 208,
    THUMBTURN_PROGRAM_CANCELED = 209,
    THUMBTURN_CONTEXT_ENDED = 210,
    THUMBTURN_NO_COMPANION = 211,
    THUMBTURN_NOT_INTERACTIVE = 212,
    THUMBTURN_UNKNOWN_POLICY = 213,
    THUMBTURN_DEVICE_FAILED = 214,
    THUMBTURN_SENSOR_UNPLUGGED = 218,

    /* Why the device can't be asked. */
    THUMBTURN_NO_DAEMON = 301,
    THUMBTURN_CONNECTION_LOST = 302,
    THUMBTURN_IMPOSTOR = 303,
    THUMBTURN_PROTOCOL = 304,
    THUMBTURN_SILENT = 305,

    /* Why the daemon refused this program and ended the connection. */
    THUMBTURN_REFUSED_MALFORMED = 321,
    THUMBTURN_REFUSED_TOO_LARGE = 322,
    THUMBTURN_REFUSED_VERSION = 323,
    THUMBTURN_REFUSED_HELLO_EXPECTED = 324,
    THUMBTURN_REFUSED_CONNECTIONS = 325,
    THUMBTURN_REFUSED_CALLS = 326,
    THUMBTURN_REFUSED_UNKNOWN_KIND = 327,
    THUMBTURN_REFUSED_ROLE = 328,
    THUMBTURN_REFUSED_TICKET = 329,
    THUMBTURN_REFUSED_CONTEXTS = 330,
    THUMBTURN_REFUSED_STORE = 331,
    THUMBTURN_REFUSED_CUSTODIAN = 332,
    THUMBTURN_REFUSED_OLD_COPY = 333,
    THUMBTURN_REFUSED_STORE_INCOMPLETE = 334,
    THUMBTURN_REFUSED_NO_ROOM = 335,

    /* What is wrong in this program. */
    THUMBTURN_ARGUMENT = 401,
    THUMBTURN_OUT_OF_MEMORY = 402,
    THUMBTURN_NO_LOCKED_MEMORY = 403,
    THUMBTURN_FORKED = 404,
    THUMBTURN_BUSY = 405,
    THUMBTURN_BUFFER_TOO_SMALL = 406,
    THUMBTURN_AMBIGUOUS = 407,
} thumbturn_error;

/* The text of an error: one sentence, for a person. Never NULL. */
THUMBTURN_API const char *thumbturn_error_text(int error);
/* What to do about an error: one sentence, for a person; empty if there is nothing to do. Never NULL. */
THUMBTURN_API const char *thumbturn_error_advice(int error);
/* The same about the latest error of this connection, with what is known besides. Good until the next call. */
THUMBTURN_API const char *thumbturn_advice(const thumbturn *t);
/* The library's version, as "0.1.0". */
THUMBTURN_API const char *thumbturn_version(void);

/* Makes a connection. The first call connects, and starts the user's daemon if necessary; so does the first call after a loss.
 * `label` is what the program calls itself: its bundle identifier, or NULL. It is shown, and proves nothing. */
THUMBTURN_API int thumbturn_open(const char *label, thumbturn **connection);
/* Why the program wants face recognition, in a sentence. Without it a device with a camera refuses. Say it before the first call. */
THUMBTURN_API int thumbturn_set_face_usage(thumbturn *t, const char *why);
/* After so many seconds without an answer the library looks whether the daemon is there, and gives up if it isn't. 0, as at first:
 * it waits as long as it takes. The owner's time isn't limited by this. */
THUMBTURN_API int thumbturn_set_patience(thumbturn *t, double seconds);
/* Ends the connection, and frees it. A question under way must be canceled before. */
THUMBTURN_API void thumbturn_close(thumbturn *t);

/* What the device has. */
typedef enum thumbturn_sensor {
    THUMBTURN_SENSOR_NONE = 0,
    THUMBTURN_SENSOR_FINGER = 1,
    THUMBTURN_SENSOR_FACE = 2,
} thumbturn_sensor;

typedef struct thumbturn_status {
    size_t size; /* sizeof(thumbturn_status), which you set. */
    int mode; /* 1 the user's own daemon, 2 the system's, 3 simulated */
    int sensor; /* thumbturn_sensor */
    int is_enrolled, is_sensor_locked, is_passcode_set, was_passcode_given, is_session_locked;
    int holds_keys; /* who holds new private keys: 0 nobody, 1 software, 2 a TPM */
    uint64_t items; /* how many the store holds for this user */
    int64_t process; /* the daemon's */
} thumbturn_status;

THUMBTURN_API int thumbturn_get_status(thumbturn *t, thumbturn_status *status);

/* Who counts as the owner. */
typedef enum thumbturn_policy {
    THUMBTURN_SENSOR = 1, /* a finger or a face */
    THUMBTURN_OWNER = 2, /* a finger or a face if there is one, else the passcode */
    THUMBTURN_COMPANION = 3, /* a yes at a paired machine nearby */
    THUMBTURN_SENSOR_OR_COMPANION = 4,
} thumbturn_policy;

/* What the owner showed. */
typedef enum thumbturn_factor {
    THUMBTURN_BY_SENSOR = 1,
    THUMBTURN_BY_PASSCODE = 2,
    THUMBTURN_BY_COMPANION = 3,
} thumbturn_factor;

/* How the owner is asked. Begin with THUMBTURN_ASKING(reason). `thumbturn_verify` needs a reason; where
 * another function takes NULL, the owner is asked without one. */
typedef struct thumbturn_asking {
    size_t size; /* sizeof(thumbturn_asking) */
    const char *reason; /* completes "The program wants to …" */
    const char *fallback_title; /* NULL: the default one; empty: no such button */
    const char *cancel_title; /* NULL: the default one */
    uint64_t context; /* 0: each question counts for itself. Otherwise of `thumbturn_new_context` */
    int permission; /* thumbturn_permission */
    double reuse_seconds; /* an unlock by the sensor so long ago counts; at most 300 */
} thumbturn_asking;

typedef enum thumbturn_permission {
    THUMBTURN_ASK = 0,
    THUMBTURN_FAIL_INSTEAD = 1,
} thumbturn_permission;

#ifdef __cplusplus
#define THUMBTURN_ASKING(reason) {sizeof(thumbturn_asking), reason, NULL, NULL, 0, THUMBTURN_ASK, 0.0}
#else
#define THUMBTURN_ASKING(reason) ((thumbturn_asking){sizeof(thumbturn_asking), reason, NULL, NULL, 0, THUMBTURN_ASK, 0.0})
#endif

/* Whether the owner can be asked now; asks nobody. `sensor` (may be NULL) gets the device's sensor, usable or not. `state` gets the
 * enrolment in the form that this program may see: other bytes once a finger or face was added or removed. `*needed` gets its size,
 * 0 if there is none; with too small a `capacity` nothing is written. Each of the three may be NULL or 0. */
THUMBTURN_API int thumbturn_capability(
    thumbturn *t, thumbturn_policy policy, thumbturn_sensor *sensor, void *state, size_t capacity, size_t *needed);
/* Asks the owner, and waits for the answer. `factor` (may be NULL) gets what was shown. */
THUMBTURN_API int thumbturn_verify(thumbturn *t, thumbturn_policy policy, const thumbturn_asking *asking,
    thumbturn_factor *factor);
/* Begins to ask. Until the question is over or canceled, every other call of this connection is THUMBTURN_BUSY. */
THUMBTURN_API int thumbturn_verify_begin(
    thumbturn *t, thumbturn_policy policy, const thumbturn_asking *asking, thumbturn_question **question);
/* What to poll for reading; it stays the question's. -1 if the question is over. */
THUMBTURN_API int thumbturn_question_fd(const thumbturn_question *question);
/* THUMBTURN_PENDING, and the question goes on. THUMBTURN_FORKED, and it is the parent's: cancel it here. Or anything else, and the question is
   over and freed, and `*question` NULL. Doesn't wait for the owner. */
THUMBTURN_API int thumbturn_question_finish(thumbturn_question **question, thumbturn_factor *factor);
/* Takes the question back, and frees it; `*question` is NULL then, and may be before. Its context ends with it. */
THUMBTURN_API void thumbturn_question_cancel(thumbturn_question **question);
/* A context remembers what the owner showed: ask once under it, and read several secrets. Ends with the connection. */
THUMBTURN_API uint64_t thumbturn_new_context(thumbturn *t);
/* Ends a context. */
THUMBTURN_API int thumbturn_end_context(thumbturn *t, uint64_t context);

/* What the owner must show to get a secret, or to use a key: the rules of the command line. */
typedef enum thumbturn_rule {
    THUMBTURN_RULE_NONE = 0,
    THUMBTURN_RULE_PRESENCE = 1, /* a finger, a face, or the passcode */
    THUMBTURN_RULE_PASSCODE = 2,
    THUMBTURN_RULE_ANY_FINGER = 3, /* any finger or face that is enrolled then */
    THUMBTURN_RULE_CURRENT_FINGERS = 4, /* only those that are enrolled now */
    THUMBTURN_RULE_COMPANION = 5,
    THUMBTURN_RULE_OTHER = 15, /* of an item that somebody made with another rule; nobody can choose it */
} thumbturn_rule;

/* When a secret can be had, and whether it may leave the device. Add them up: one of the first four, and any of the others. */
enum {
    THUMBTURN_WHEN_UNLOCKED = 0, /* while the session is unlocked */
    THUMBTURN_AFTER_FIRST_UNLOCK = 1,
    THUMBTURN_ALWAYS = 2,
    THUMBTURN_WHEN_PASSCODE_SET = 3, /* it goes when the passcode is removed */
    THUMBTURN_ONLY_HERE = 16, /* not into a backup; always so for keys */
    THUMBTURN_REPLACE = 32, /* `thumbturn_store`: in place of an older one, which is opened for that */
    THUMBTURN_IN_STORE = 64, /* `thumbturn_key_make`: a key in the store, of any kind. Without it: in the TPM, P-256 only */
};

/* Locked memory of that size, zeros at first. At most 1 MiB of it can be stored. */
THUMBTURN_API int thumbturn_secret_new(size_t size, thumbturn_secret **secret);
/* Its bytes, of which you may write `thumbturn_secret_size`. Never NULL, also for no bytes. */
THUMBTURN_API void *thumbturn_secret_bytes(thumbturn_secret *secret);
THUMBTURN_API size_t thumbturn_secret_size(const thumbturn_secret *secret);
/* Erases and frees it. NULL is allowed. */
THUMBTURN_API void thumbturn_secret_free(thumbturn_secret *secret);

/* Keeps a secret under the names of a service (what it is for) and an account (whose it is; NULL or empty for none). `label` (may be
 * NULL) is shown beside them. */
THUMBTURN_API int thumbturn_store(
    thumbturn *t, const char *service, const char *account, const void *bytes, size_t size, const char *label,
    thumbturn_rule rule,
    unsigned options, const thumbturn_asking *asking);
/* Reads a secret; asks the owner if its rule says so. */
THUMBTURN_API int thumbturn_read(
    thumbturn *t, const char *service, const char *account, const thumbturn_asking *asking, thumbturn_secret **secret);
/* Removes a secret for good. Asks nobody: what is gone can't be read. */
THUMBTURN_API int thumbturn_remove(thumbturn *t, const char *service, const char *account);
/* Lists this program's secrets, of one service or (NULL) of all. Opens nothing and asks nobody. May be empty. */
THUMBTURN_API int thumbturn_list(thumbturn *t, const char *service, thumbturn_items **items);

typedef enum thumbturn_text {
    THUMBTURN_SERVICE = 1, /* of a secret */
    THUMBTURN_ACCOUNT = 2, /* of a secret */
    THUMBTURN_LABEL = 3,
    THUMBTURN_NAME = 4, /* of a key */
} thumbturn_text;

THUMBTURN_API size_t thumbturn_items_count(const thumbturn_items *items);
/* One text of an item; NULL if it has none. `size` (may be NULL) gets its bytes without the zero byte behind them: another program may
 * have put any bytes there. */
THUMBTURN_API const char *thumbturn_items_text(const thumbturn_items *items, size_t index, thumbturn_text which, size_t *size);
THUMBTURN_API thumbturn_rule thumbturn_items_rule(const thumbturn_items *items, size_t index);
/* When it was made and last changed, in seconds since 1970; 0 if that isn't known. Each may be NULL. */
THUMBTURN_API void thumbturn_items_times(const thumbturn_items *items, size_t index, double *made, double *changed);
THUMBTURN_API void thumbturn_items_free(thumbturn_items *items);

typedef enum thumbturn_kind {
    THUMBTURN_P256 = 1,
    THUMBTURN_P384 = 2,
    THUMBTURN_P521 = 3,
    THUMBTURN_RSA2048 = 4,
    THUMBTURN_RSA3072 = 5,
    THUMBTURN_RSA4096 = 6,
    THUMBTURN_OTHER_KIND = 15, /* of a key that somebody made; nobody can choose it */
} thumbturn_kind;

/* How a digest was made, so how many bytes it has. */
typedef enum thumbturn_hash {
    THUMBTURN_SHA256 = 3,
    THUMBTURN_SHA384 = 4,
    THUMBTURN_SHA512 = 5,
} thumbturn_hash;

/* Makes a private key. `key` may be NULL. */
THUMBTURN_API int thumbturn_key_make(
    thumbturn *t, const char *name, thumbturn_kind kind, thumbturn_rule rule, unsigned options, const thumbturn_asking *asking,
    thumbturn_key **key);
/* Finds the key of that name; THUMBTURN_AMBIGUOUS if there are several. */
THUMBTURN_API int thumbturn_key_find(thumbturn *t, const char *name, thumbturn_key **key);
THUMBTURN_API int thumbturn_key_list(thumbturn *t, thumbturn_items **items);
THUMBTURN_API int thumbturn_key_remove(thumbturn *t, const char *name);
THUMBTURN_API thumbturn_kind thumbturn_key_kind(const thumbturn_key *key);
/* Who holds it: 0 the store, 1 the daemon's software, 2 a TPM. */
THUMBTURN_API int thumbturn_key_holder(const thumbturn_key *key);
/* The public half: a point 04 ‖ X ‖ Y, or PKCS#1's RSAPublicKey. `*needed` gets its size; with too small a `capacity` nothing is
 * written, and it is THUMBTURN_BUFFER_TOO_SMALL. */
THUMBTURN_API int thumbturn_key_public(const thumbturn_key *key, void *bytes, size_t capacity, size_t *needed);
/* Signs a digest: ECDSA in DER, or RSA PKCS#1 v1.5. `*needed` gets the signature's size. With too small a `capacity` for the longest
 * signature it gets that one's size, it is THUMBTURN_BUFFER_TOO_SMALL, and nobody is asked. */
THUMBTURN_API int thumbturn_key_sign(
    thumbturn *t, const thumbturn_key *key, thumbturn_hash hash, const void *digest, size_t size, const thumbturn_asking *asking,
    void *signature, size_t capacity, size_t *needed);
/* The coordinate that an elliptic key shares with another's public half (04 ‖ X ‖ Y). */
THUMBTURN_API int thumbturn_key_agree(
    thumbturn *t, const thumbturn_key *key, const void *peer, size_t size, const thumbturn_asking *asking,
    thumbturn_secret **shared);
/* Decrypts what was encrypted to the public half: ECIES (X9.63 with SHA-256, AES-GCM, a derived nonce), or RSA OAEP with SHA-256. */
THUMBTURN_API int thumbturn_key_decrypt(
    thumbturn *t, const thumbturn_key *key, const void *bytes, size_t size, const thumbturn_asking *asking,
    thumbturn_secret **plaintext);
THUMBTURN_API void thumbturn_key_free(thumbturn_key *key);

#ifdef __cplusplus
}
#endif

#endif
