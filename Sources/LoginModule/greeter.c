#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "greeter.h"
#include "talk.h"

// How often the prompt says that it is there, in seconds.
static const double HERE = 1.0;
// A question that nobody answered in its time is asked again after so many seconds: somebody may have walked up meanwhile.
enum { REST = 1 };
// How often in a row it is tried whether a question can be asked again that couldn't: the machine slept, or the daemon was started anew.
enum { MOST_TRIES = 30 };

struct waiting {
    const struct deed *deed;
    const struct pam_conv *conversation;
    struct talk asked, prompt;
    bool is_shown;
    double here; // when the prompt last said so
};

// Has the greeter show a line. False if it doesn't.
static bool tell(const struct waiting *waiting, int style, const char *line) {
    const struct pam_message message = {.msg_style = style, .msg = line};
    const struct pam_message *messages[] = {&message};
    struct pam_response *answers = NULL;
    int result = waiting->conversation->conv(1, messages, &answers, waiting->conversation->appdata_ptr);
    if (answers) free(answers->resp);
    free(answers);
    return result == PAM_SUCCESS;
}

static void show(struct waiting *waiting) {
    const struct shown *shown = &waiting->prompt.shown;
    char line[256];
    if (!waiting->is_shown) {
        snprintf(line, sizeof line, "Touch the sensor to let %s in", waiting->deed->becomes);
        if (!tell(waiting, PAM_TEXT_INFO, line)) return;
        waiting->is_shown = true;
        waiting->here = tt_now();
        talk_shown(&waiting->prompt);
    } else if (shown->notice == SHOWN_MISSED) {
        snprintf(line, sizeof line, "Not recognized; %u %s left", shown->tries_left, shown->tries_left == 1 ? "try" : "tries");
        tell(waiting, PAM_ERROR_MSG, line);
    } else if (shown->notice == SHOWN_NOT_READ) {
        tell(waiting, PAM_ERROR_MSG, "Not read; try again");
    }
}

// What the daemon has said meanwhile. True: the finger is the owner's.
static bool hears_yes(struct waiting *waiting) {
    enum talk_word word;
    while ((word = talk_next(&waiting->asked)) != TALK_NOTHING) {
        if (word == TALK_YES) return true;
        if (word == TALK_WINDOW_NEEDED) talk_refuse_prompt(&waiting->asked);
        if (word != TALK_PROMPT_NEEDED) continue;
        // One question may need a second prompt.
        talk_end(&waiting->prompt);
        waiting->is_shown = false;
        talk_prompt(&waiting->prompt, &waiting->asked);
    }
    while ((word = talk_next(&waiting->prompt)) != TALK_NOTHING) if (word == TALK_SHOW) show(waiting);
    if (waiting->is_shown && tt_now() - waiting->here >= HERE) {
        waiting->here = tt_now();
        talk_here(&waiting->prompt);
    }
    return false;
}

static bool ask_once(struct waiting *waiting) {
    bool is_yes = false;
    waiting->is_shown = false;
    talk_none(&waiting->prompt);
    talk_ask(&waiting->asked, waiting->deed);
    while (!is_yes && waiting->asked.stage != TALK_CLOSED) {
        struct pollfd all[2];
        nfds_t count = 0;
        int fds[] = {waiting->asked.t.fd, waiting->prompt.t.fd};
        for (size_t index = 0; index < 2; index++) {
            if (fds[index] >= 0) all[count++] = (struct pollfd){.fd = fds[index], .events = POLLIN};
        }
        // A signal ends the waiting early, which does no harm.
        poll(all, count, tt_milliseconds(HERE));
        is_yes = hears_yes(waiting);
    }
    talk_end(&waiting->prompt);
    if (!is_yes) talk_end(&waiting->asked);
    return is_yes;
}

// Whether a question that ended so may be asked again with success.
static bool passes(int error) {
    switch (error) {
    case THUMBTURN_SYSTEM_CANCELED: case THUMBTURN_NO_SENSOR_USABLE: case THUMBTURN_SENSOR_UNPLUGGED: case THUMBTURN_NOT_INTERACTIVE:
    case THUMBTURN_OK: // the daemon went away
        return true;
    default: return false;
    }
}

static bool wait_for_finger(const struct deed *deed, const struct pam_conv *conversation, struct talk *asked) {
    struct waiting waiting = {.deed = deed, .conversation = conversation};
    bool was_shown = false;
    talk_none(asked);
    for (int tries = 0; !ask_once(&waiting); tries++) {
        was_shown = was_shown || waiting.is_shown;
        if (waiting.is_shown) tries = 0;
        // Where it was never shown, no finger is to be expected, and the greeter needn't wait.
        if (!was_shown && waiting.asked.error != THUMBTURN_SYSTEM_CANCELED) return false;
        if (!passes(waiting.asked.error) || tries == MOST_TRIES) {
            tell(&waiting, PAM_ERROR_MSG, "No finger counts any more; type the password");
            return false;
        }
        sleep(REST);
    }
    *asked = waiting.asked;
    return true;
}

bool greeter_waits(const struct deed *deed, const struct pam_conv *conversation, struct talk *asked) {
    // GDM's process leaves this signal to its main loop, which doesn't run until this call returns. GDM sends it when somebody came in by
    // password, and the reader has to be free then.
    struct sigaction usual = {.sa_handler = SIG_DFL}, before;
    sigaction(SIGTERM, &usual, &before);
    bool is_yes = wait_for_finger(deed, conversation, asked);
    sigaction(SIGTERM, &before, NULL);
    return is_yes;
}
