// Shows a prompt to this program's user: through the session's agent, in a window, or on the program's own terminal.
#ifndef THUMBTURN_PROMPTS_H
#define THUMBTURN_PROMPTS_H

#include <sys/types.h>

#include "connection.h"

enum tt_prompt_stage {
    TT_PROMPT_NONE, // there is none, and none could be started
    TT_PROMPT_AGENT, // the agent has the ticket and hasn't said yet that it shows the prompt
    TT_PROMPT_WINDOW, // the window was started and hasn't said yet that it is there
    TT_PROMPT_STANDS,
};

struct tt_prompt {
    enum tt_prompt_stage stage;
    pid_t child; // 0 if the agent shows it
    int ready; // where the agent or the window says that it is there; -1: nobody does
    double deadline;
    uint8_t ticket[TT_TICKET_BYTES];
    char socket[TT_SOCKET_PATH];
    bool is_system;
};

#define TT_NO_PROMPT ((struct tt_prompt){.ready = -1})

// Begins to show one. The ticket goes through a pipe or the agent's socket: every program of the user can read arguments and variables.
void tt_prompt_begin(
    struct tt_prompt *prompt, const uint8_t ticket[TT_TICKET_BYTES], const char *socket, bool is_at_display, bool is_system);
// Goes on, when `ready` has something to read or the deadline has passed.
void tt_prompt_step(struct tt_prompt *prompt);
// Waits until it stands, or there is none.
void tt_prompt_wait(struct tt_prompt *prompt);
// Waits until it has left the terminal as it found it. `is_lost`: the daemon is gone, so the prompt is asked to end.
void tt_prompt_end(struct tt_prompt *prompt, bool is_lost);

#endif
