// A connection to the daemon, and how a call is made over it.
#ifndef THUMBTURN_CONNECTION_H
#define THUMBTURN_CONNECTION_H

#include <sys/types.h>

#include "memory.h"
#include "wire.h"

// Longest path of a socket that the kernel takes, with its zero byte.
enum { TT_SOCKET_PATH = 108, TT_ADVICE_BYTES = 512 };

// What is known about a frame that isn't whole yet.
struct tt_inbox {
    uint8_t length[TT_LENGTH_BYTES];
    size_t have_length, have_body, body;
    // Kept from frame to frame while it is small.
    thumbturn_secret *room;
};

struct thumbturn {
    int fd; // -1: not connected
    pid_t process; // which made it
    uint32_t last_call;
    // The first of the calls that were taken back and may still be answered; 0 if there is none.
    uint32_t abandoned;
    char *label, *face_usage;
    double patience;
    // Where the daemon listens, for prompts, and the mode that it told.
    char socket[TT_SOCKET_PATH];
    int mode;
    uint64_t last_context;
    struct tt_inbox inbox;
    thumbturn_question *question;
    char advice[TT_ADVICE_BYTES];
};

struct tt_frame {
    enum tt_kind kind;
    uint32_t call;
    struct tt_in in;
};

// What a function says that takes a frame: an error (or THUMBTURN_OK), or one of these.
enum { TT_MORE = -1, TT_NOT_UNDERSTOOD = -2 };
typedef int tt_answer(struct tt_frame *frame, void *into);

// Notes an error with its advice, and returns it.
int tt_failed(thumbturn *t, int error);
__attribute__((format(printf, 3, 4))) int tt_failed_with(thumbturn *t, int error, const char *advice, ...);
// Whether a call can be made here and now: not in a child of the process that connected, nor while a question is under way.
int tt_enter(thumbturn *t);
// Connects if necessary.
int tt_ready(thumbturn *t);
void tt_disconnect(thumbturn *t);
// Makes a call: sends a frame that was ended, starts prompts, and has `answer` take what answers it. Frees the frame.
int tt_call(thumbturn *t, struct tt_out *out, tt_answer *answer, void *into);
// Sends a call as tt_call does, and frees the frame; its answers are left to the caller.
int tt_start_call(thumbturn *t, struct tt_out *out, uint32_t *call);
// Has the daemon forget a context, and doesn't wait for anything.
void tt_release(thumbturn *t, uint64_t context);
// Sends a frame under a number of its own, which `*call` gets. THUMBTURN_CONNECTION_LOST and `*was_seen` false: nothing of it was sent.
int tt_send_call(thumbturn *t, struct tt_out *out, uint32_t *call, bool *was_seen);
// Sends a frame whole.
int tt_send(thumbturn *t, struct tt_out *out, size_t *sent);
// Reads on. THUMBTURN_OK: `frame` has one. THUMBTURN_PENDING: it isn't whole yet. Otherwise the connection is closed.
int tt_receive(thumbturn *t, struct tt_frame *frame);
// The same, but waits for a frame, or for somebody who gives up.
int tt_receive_waiting(thumbturn *t, struct tt_frame *frame);
// Erases the frame that was received last.
void tt_received(thumbturn *t);
// Tells the daemon that nobody can be asked.
int tt_refuse_prompt(thumbturn *t, uint32_t call, const uint8_t ticket[TT_TICKET_BYTES]);
// Closes the connection because of what the daemon said.
int tt_refused(thumbturn *t, struct tt_frame *frame);
int tt_broken(thumbturn *t);

// finding.c: connects to the daemon that is this user's, and notes where.
int tt_find(thumbturn *t);
// A socket that is connected to that path, or -1. `seconds`: how long to wait for room if as many others wait as can; 0: as long as that
// takes.
#define TT_AT_ONCE (-1.0)
int tt_connect(const char *path, double seconds);
// Whether the process at the other end belongs to that user.
bool tt_is_peer(int fd, uid_t user);
// A variable; NULL if it isn't set or is empty, or if this program has more rights than its caller.
const char *tt_environment(const char *name);
// The private folder of the user's socket; false if there is none.
bool tt_runtime_folder(char path[], size_t capacity);

// silence.c: another connection, on which the daemon is greeted: if it is there, it says something. TT_NOBODY: it isn't; TT_NOT_NOW: that
// can't be found out now.
enum { TT_NOBODY = -1, TT_NOT_NOW = -2 };
int tt_probe(const char *socket);
// Whether the daemon answers such a connection.
bool tt_answers(const char *socket, double seconds);
double tt_now(void);
// So many seconds for poll: rounded up, never less than 0, and never so many that they don't fit.
int tt_milliseconds(double seconds);

#endif
