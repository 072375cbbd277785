// What the module says to the daemon, and hears. Nothing here waits.
#ifndef THUMBTURN_TALK_H
#define THUMBTURN_TALK_H

#include "connection.h"
#include "deed.h"
#include "shown.h"

enum talk_word {
    TALK_NOTHING, // nothing that matters has come
    TALK_PROMPT_NEEDED, // the daemon wants a prompt on this terminal
    TALK_WINDOW_NEEDED, // it wants one in a window, and no agent shows any
    TALK_SHOW, // what is asked is to be shown now
    TALK_DISMISS,
    TALK_YES, // the connection stays, for what the login says then
    TALK_OVER, // no finger comes any more: it refused, nobody can be asked, or it is gone
};

enum talk_stage { TALK_WHOSE, TALK_HELLO, TALK_OPEN, TALK_CLOSED };

// What a connection is for: the question itself, the prompt that it is asked with, or a password that somebody typed.
enum talk_about { TALK_QUESTION, TALK_PROMPT, TALK_PASSWORD };

// One connection.
struct talk {
    struct thumbturn t;
    enum talk_stage stage;
    enum talk_about about;
    uid_t uid;
    const struct deed *deed; // of a question and its prompt
    const char *password; // of the others
    bool is_new;
    uint32_t call;
    int error; // why a question got no yes: an error of the library's, or THUMBTURN_OK where that wasn't said
    uint8_t ticket[TT_TICKET_BYTES];
    struct shown shown; // after TALK_SHOW
};

void talk_none(struct talk *talk);
// Has the front be started, if it isn't there, and says nothing to it.
void talk_wake(void);
// Connects to the system's daemon and asks. The talk is closed if that can't be done at once.
void talk_ask(struct talk *talk, const struct deed *deed);
// Connects as the prompt that a ticket is for.
void talk_prompt(struct talk *prompt, const struct talk *asked);
// Connects, and offers a password as soon as the front has answered. `is_new`: it was just made the account's. It has to stay until the end.
void talk_offer(struct talk *talk, uid_t uid, const char *password, bool is_new);
// What has come; to be called until it is TALK_NOTHING.
enum talk_word talk_next(struct talk *talk);
void talk_shown(struct talk *prompt);
void talk_here(struct talk *prompt);
// Says that the system lets in whom the finger let in.
void talk_stands(struct talk *asked);
void talk_refuse_prompt(struct talk *asked);
void talk_end(struct talk *talk);

#endif
