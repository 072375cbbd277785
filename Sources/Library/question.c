// A question that is asked while the program goes on. Its descriptor is an epoll that has the connection in it, the agent or the window
// while a prompt starts, and a clock for when that takes too long; a second clock for the end of the program's patience, and after that
// another connection, which finds out whether the daemon is there.
#define _GNU_SOURCE
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "asking.h"
#include "connection.h"
#include "prompts.h"
#include "words.h"

struct thumbturn_question {
    thumbturn *t;
    uint32_t call;
    uint64_t context;
    // Whether the context is this question's alone, and ends with it.
    bool is_own_context;
    int epoll, clock, silence, probe;
    uint8_t factor;
    struct tt_prompt prompt;
};

static bool is_watched(int epoll, int fd) {
    struct epoll_event event = {.events = EPOLLIN};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

static void free_question(thumbturn_question *question) {
    if (question->epoll >= 0) close(question->epoll);
    if (question->clock >= 0) close(question->clock);
    if (question->silence >= 0) close(question->silence);
    if (question->probe >= 0) close(question->probe);
    free(question);
}

// Begins the time after which the daemon is looked for.
static void rest(thumbturn_question *question) {
    double seconds = question->t->patience;
    if (!(seconds > 0)) return;
    // At least one, because 0 would stop the clock.
    int left = tt_milliseconds(seconds);
    struct itimerspec time = {.it_value = {.tv_sec = left / 1000, .tv_nsec = left % 1000 * 1000000L}};
    timerfd_settime(question->silence, 0, &time, NULL);
}

static bool is_due(int clock) {
    uint64_t ticks;
    return read(clock, &ticks, sizeof ticks) == sizeof ticks;
}

static void end_probe(thumbturn_question *question) {
    if (question->probe < 0) return;
    // A child of this process may have it open still, and then it would stay in the epoll.
    epoll_ctl(question->epoll, EPOLL_CTL_DEL, question->probe, NULL);
    close(question->probe);
    question->probe = -1;
}

// Nothing has come: whether the daemon is there is found out beside the question.
static int look(thumbturn_question *question) {
    thumbturn *t = question->t;
    bool is_over = is_due(question->silence);
    struct pollfd wait = {.fd = question->probe, .events = POLLIN};
    if (question->probe >= 0 && poll(&wait, 1, 0) > 0) {
        // Whatever it answers, it is there.
        end_probe(question);
        rest(question);
    } else if (is_over) {
        int probe = question->probe < 0 ? tt_probe(t->socket) : TT_NOBODY;
        if (probe == TT_NOBODY) {
            tt_disconnect(t);
            return tt_failed(t, THUMBTURN_SILENT);
        }
        // If it can't be watched, the clock has this looked at again.
        if (probe >= 0 && is_watched(question->epoll, probe)) question->probe = probe;
        else if (probe >= 0) close(probe);
        rest(question);
    }
    return THUMBTURN_PENDING;
}

int thumbturn_verify_begin(
    thumbturn *t, thumbturn_policy policy, const thumbturn_asking *asking, thumbturn_question **question) {
    if (question) *question = NULL;
    int error = tt_check_question(t, policy, asking);
    if (error) return error;
    if (!question) return tt_failed(t, THUMBTURN_ARGUMENT);
    thumbturn_question *new = calloc(1, sizeof *new);
    if (!new) return tt_failed(t, THUMBTURN_OUT_OF_MEMORY);
    new->t = t;
    new->is_own_context = asking->context == 0;
    new->context = new->is_own_context ? thumbturn_new_context(t) : asking->context;
    new->prompt = TT_NO_PROMPT;
    new->epoll = epoll_create1(EPOLL_CLOEXEC);
    new->clock = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    new->silence = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    new->probe = -1;
    struct tt_out out;
    tt_write_evaluate(&out, new->context, (uint8_t)policy, asking);
    error = tt_start_call(t, &out, &new->call);
    if (!error && !(is_watched(new->epoll, t->fd) && is_watched(new->epoll, new->clock) && is_watched(new->epoll, new->silence))) {
        tt_disconnect(t);
        error = tt_failed(t, THUMBTURN_OUT_OF_MEMORY);
    }
    if (error) {
        free_question(new);
        return error;
    }
    rest(new);
    t->question = new;
    *question = new;
    return THUMBTURN_OK;
}

int thumbturn_question_fd(const thumbturn_question *question) { return question ? question->epoll : -1; }

// Before what the prompt waits for may be closed. A child of this process may have it open still, and then it would stay in the epoll.
static void unwatch_prompt(thumbturn_question *question) {
    if (question->prompt.ready < 0) return;
    // It fails where it couldn't be watched, and isn't there.
    epoll_ctl(question->epoll, EPOLL_CTL_DEL, question->prompt.ready, NULL);
}

// Watches whatever the prompt waits for now.
static void watch_prompt(thumbturn_question *question) {
    struct itimerspec time = {0};
    if (question->prompt.ready >= 0) {
        // At least one, because 0 would stop the clock.
        int left = tt_milliseconds(question->prompt.deadline - tt_now()) + 1;
        time.it_value.tv_sec = left / 1000;
        time.it_value.tv_nsec = left % 1000 * 1000000L;
        // If it can't be watched, the clock has this looked at again.
        if (!is_watched(question->epoll, question->prompt.ready)) time.it_value = (struct timespec){.tv_nsec = 100000000};
    }
    timerfd_settime(question->clock, 0, &time, NULL);
}

// After the prompt began or went on: if there is none, the daemon is told.
static int after_prompt(thumbturn_question *question) {
    watch_prompt(question);
    if (question->prompt.stage != TT_PROMPT_NONE) return THUMBTURN_OK;
    return tt_refuse_prompt(question->t, question->call, question->prompt.ticket);
}

static int begin_prompt(thumbturn_question *question, struct tt_frame *frame) {
    thumbturn *t = question->t;
    uint8_t ticket[TT_TICKET_BYTES];
    if (!tt_read_ticket(&frame->in, ticket)) return tt_broken(t);
    bool is_at_display = frame->kind == TT_WINDOW_NEEDED;
    tt_received(t);
    unwatch_prompt(question);
    tt_prompt_end(&question->prompt, false);
    tt_prompt_begin(&question->prompt, ticket, t->socket, is_at_display, t->mode == TT_MODE_SYSTEM);
    return after_prompt(question);
}

// Reads what has come. THUMBTURN_PENDING: no answer yet.
static int read_on(thumbturn_question *question) {
    thumbturn *t = question->t;
    while (true) {
        struct tt_frame frame;
        int error = tt_receive(t, &frame);
        if (error) return error;
        // Whatever it says, it is there.
        end_probe(question);
        rest(question);
        if (frame.kind == TT_REFUSED) return tt_refused(t, &frame);
        if (frame.call != question->call) {
            if (t->abandoned && frame.call >= t->abandoned && frame.call < question->call) continue;
            return tt_broken(t);
        }
        if (frame.kind == TT_PROMPT_NEEDED || frame.kind == TT_WINDOW_NEEDED) {
            if ((error = begin_prompt(question, &frame))) {
                // Its answer would come in the midst of the next call.
                tt_disconnect(t);
                return error;
            }
            continue;
        }
        int result = frame.kind == TT_EVALUATED ? tt_read_evaluated(&frame.in, &question->factor) : TT_NOT_UNDERSTOOD;
        if (result == TT_NOT_UNDERSTOOD) return tt_broken(t);
        tt_received(t);
        t->abandoned = 0;
        return result == THUMBTURN_OK ? THUMBTURN_OK : tt_failed(t, result);
    }
}

static int end(thumbturn_question *question, int error) {
    question->t->question = NULL;
    tt_prompt_end(&question->prompt, question->t->fd < 0);
    free_question(question);
    return error;
}

int thumbturn_question_finish(thumbturn_question **place, thumbturn_factor *factor) {
    thumbturn_question *question = place ? *place : NULL;
    if (!question) return THUMBTURN_ARGUMENT;
    thumbturn *t = question->t;
    if (t->process != getpid()) return tt_failed(t, THUMBTURN_FORKED);
    // What it says doesn't matter: the prompt is looked at in any case.
    is_due(question->clock);
    int error = THUMBTURN_OK;
    if (question->prompt.ready >= 0) {
        unwatch_prompt(question);
        tt_prompt_step(&question->prompt);
        error = after_prompt(question);
        if (error && t->fd >= 0) tt_disconnect(t);
    }
    if (!error) error = read_on(question);
    if (error == THUMBTURN_PENDING) error = look(question);
    if (error == THUMBTURN_PENDING) return error;
    *place = NULL;
    if (!error && factor) *factor = (thumbturn_factor)question->factor;
    if (question->is_own_context) tt_release(t, question->context);
    return end(question, error);
}

void thumbturn_question_cancel(thumbturn_question **place) {
    thumbturn_question *question = place ? *place : NULL;
    if (!question) return;
    *place = NULL;
    thumbturn *t = question->t;
    if (t->process != getpid()) {
        // The prompt, and what is to be said, are the parent's.
        t->question = NULL;
        if (question->prompt.ready >= 0) close(question->prompt.ready);
        free_question(question);
        return;
    }
    if (t->fd >= 0) {
        tt_release(t, question->context);
        if (t->fd >= 0 && !t->abandoned) t->abandoned = question->call;
    }
    end(question, THUMBTURN_OK);
}
