#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "race.h"
#include "talk.h"
#include "terminal.h"

// A daemon that hasn't answered by then isn't waited for any longer: the password is asked at once. In seconds.
static const double PATIENCE = 0.3;
// A touch was given already, and is worth waiting for: without it the owner is asked once more.
static const double PATIENCE_FOR_TOUCH = 3.0;
// How often the prompt says that it is there.
static const double HERE = 1.0;
// How often the child is looked at, in milliseconds.
enum { TICK = 200 };

struct running {
    const struct deed *deed;
    const struct pam_conv *conversation;
    struct terminal terminal;
    struct talk asked, prompt;
    struct asking asking;
    bool is_shown;
    double here; // when the prompt last said so
};

// Shows the question, and from then on what became of each touch.
static void show(struct running *run) {
    const struct shown *shown = &run->prompt.shown;
    bool is_asking = run->asking.child > 0;
    char line[512];
    if (!run->is_shown) {
        if (!terminal_is_seen(&run->terminal)) return;
        if (!deed_line(run->deed, shown->is_face, line, sizeof line)) return;
        if (!terminal_say(&run->terminal, line, is_asking)) return;
        run->is_shown = true;
        run->here = tt_now();
        talk_shown(&run->prompt);
    } else if (shown->notice == SHOWN_MISSED) {
        const char *times = shown->tries_left == 1 ? "try" : "tries";
        snprintf(line, sizeof line, "Not recognized; %u %s left. The password works too.", shown->tries_left, times);
        terminal_say(&run->terminal, line, is_asking);
    } else if (shown->notice == SHOWN_NOT_READ) {
        terminal_say(&run->terminal, "Not read; try again. The password works too.", is_asking);
    }
}

// What the daemon has said meanwhile. True: the finger is the owner's.
static bool hears_yes(struct running *run) {
    enum talk_word word;
    while ((word = talk_next(&run->asked)) != TALK_NOTHING) {
        switch (word) {
        case TALK_YES: return true;
        case TALK_PROMPT_NEEDED:
            // One question may need a second prompt.
            talk_end(&run->prompt);
            run->is_shown = false;
            talk_prompt(&run->prompt, &run->asked);
            break;
        // This process can't open a window; the session's agent would have.
        case TALK_WINDOW_NEEDED: talk_refuse_prompt(&run->asked); break;
        case TALK_OVER:
            // Its owner may be about to touch it in vain.
            if (run->is_shown) terminal_say(&run->terminal, "No finger counts any more; type the password.", true);
            run->is_shown = false;
            break;
        default: break;
        }
    }
    while ((word = talk_next(&run->prompt)) != TALK_NOTHING) if (word == TALK_SHOW) show(run);
    if (run->is_shown && tt_now() - run->here >= HERE) {
        run->here = tt_now();
        // A question that went out of sight is no question: without this word the daemon stops listening.
        run->is_shown = terminal_is_seen(&run->terminal);
        if (run->is_shown) talk_here(&run->prompt); else talk_end(&run->prompt);
    }
    return false;
}

static void wait_for_any(struct running *run, int milliseconds) {
    struct pollfd all[3];
    nfds_t count = 0;
    int fds[] = {run->asked.t.fd, run->prompt.t.fd, run->asking.child > 0 ? run->asking.answer : -1};
    for (size_t index = 0; index < 3; index++) {
        if (fds[index] >= 0) all[count++] = (struct pollfd){.fd = fds[index], .events = POLLIN};
    }
    // A signal ends the waiting early, which does no harm.
    poll(all, count, milliseconds);
}

// Waits for the daemon alone, until the question is on the screen or it is clear that it takes longer. True: it is over already.
static bool is_over_before_password(struct running *run, double seconds, enum race_end *end) {
    double limit = tt_now() + seconds;
    while (run->asked.stage != TALK_CLOSED && !run->is_shown && tt_now() < limit) {
        wait_for_any(run, tt_milliseconds(limit - tt_now()));
        if (hears_yes(run)) {
            *end = RACE_FINGER;
            return true;
        }
    }
    // Without a finger, whoever comes next asks for the password in their own way.
    *end = RACE_NOTHING;
    return run->asked.stage == TALK_CLOSED;
}

static bool begin_asking(struct running *run) {
    const int closed[] = {run->asked.t.fd, run->prompt.t.fd};
    return asking_begin(&run->asking, &run->terminal, run->conversation, "Password: ", closed, 2);
}

static bool ask_again(struct running *run) {
    asking_end(&run->asking);
    terminal_restore(&run->terminal);
    return begin_asking(run);
}

static enum race_end wait_for_both(struct running *run, char password[]) {
    if (!begin_asking(run)) return RACE_NOTHING;
    while (true) {
        wait_for_any(run, TICK);
        if (hears_yes(run)) return RACE_FINGER;
        switch (asking_read(&run->asking, password)) {
        // A finger that the daemon answered for before the password was typed has come first, though nothing of it was there a moment ago.
        case ASKING_PASSWORD: return hears_yes(run) ? RACE_FINGER : RACE_PASSWORD;
        case ASKING_BROKEN: return RACE_BROKEN;
        case ASKING_STOPPED:
            if (!ask_again(run)) return RACE_NOTHING;
            break;
        case ASKING_NOTHING:
            if (!asking_is_stopped(&run->asking)) break;
            // This process stops too, so that the shell goes on.
            terminal_restore(&run->terminal);
            raise(SIGSTOP);
            if (!ask_again(run)) return RACE_NOTHING;
        }
    }
}

bool is_touched_already(const struct deed *deed) {
    struct running run = {.deed = deed, .terminal = {.fd = -1}};
    talk_none(&run.prompt);
    talk_ask(&run.asked, deed);
    enum race_end end;
    is_over_before_password(&run, PATIENCE_FOR_TOUCH, &end);
    talk_end(&run.prompt);
    talk_end(&run.asked);
    return end == RACE_FINGER;
}

enum race_end race(const struct deed *deed, const struct pam_conv *conversation, char password[], struct talk *asked) {
    struct running run = {.deed = deed, .conversation = conversation};
    talk_none(&run.prompt);
    talk_none(&run.asked);
    talk_none(asked);
    // An application that asks on its standard input has to ask on this very terminal.
    bool is_there = terminal_open(&run.terminal);
    if (strncmp(deed->service, "sudo", 4) != 0) {
        is_there = is_there && terminal_is(&run.terminal, 0) && terminal_is(&run.terminal, 2);
    }
    if (!is_there) {
        terminal_close(&run.terminal);
        return RACE_NOTHING;
    }
    talk_ask(&run.asked, deed);
    enum race_end end;
    if (!is_over_before_password(&run, PATIENCE, &end)) {
        // The child hears that key first, puts the terminal's modes back and stops. Otherwise the shell would have the terminal by then.
        sigset_t key, before;
        sigemptyset(&key);
        sigaddset(&key, SIGTSTP);
        sigprocmask(SIG_BLOCK, &key, &before);
        // Without this a child that ends would be gone before it is waited for, and its number could be another's.
        struct sigaction usual = {.sa_handler = SIG_DFL}, children;
        sigaction(SIGCHLD, NULL, &children);
        if (children.sa_handler == SIG_IGN) sigaction(SIGCHLD, &usual, NULL);
        end = wait_for_both(&run, password);
        asking_end(&run.asking);
        // After a password the application has put them back itself, and what is typed ahead is for whoever comes next.
        if (end != RACE_PASSWORD) terminal_restore(&run.terminal);
        sigaction(SIGCHLD, &children, NULL);
        sigprocmask(SIG_SETMASK, &before, NULL);
    }
    talk_end(&run.prompt);
    if (end != RACE_FINGER) talk_end(&run.asked);
    *asked = run.asked;
    // The cursor stands behind the question for the password.
    if (end == RACE_FINGER) terminal_say(&run.terminal, "", false);
    if (end != RACE_PASSWORD) explicit_bzero(password, PAM_MAX_RESP_SIZE);
    terminal_close(&run.terminal);
    return end;
}
