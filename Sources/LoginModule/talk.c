#define _GNU_SOURCE
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "talk.h"
#include "words.h"

static const char SOCKET[] = "/run/thumbturn/login";
enum { ROLE_PROMPT = 2, ROLE_LOGIN = 4, SURFACE_TERMINAL = 1 };

void talk_none(struct talk *talk) { *talk = (struct talk){.t = {.fd = -1}, .stage = TALK_CLOSED}; }

void talk_end(struct talk *talk) {
    if (talk->t.fd >= 0) tt_disconnect(&talk->t);
    talk->stage = TALK_CLOSED;
}

// Sends a frame at once, or ends the talk: a daemon that doesn't read isn't waited for.
static void say(struct talk *talk, struct tt_out *out) {
    if (talk->stage != TALK_CLOSED) {
        talk->call = ++talk->t.last_call;
        bool is_whole = tt_out_end(out);
        if (is_whole) tt_out_number(out, talk->call);
        ssize_t count = is_whole ? send(talk->t.fd, out->bytes, out->count, MSG_DONTWAIT | MSG_NOSIGNAL) : -1;
        if (count != (ssize_t)out->count) talk_end(talk);
    }
    tt_out_free(out);
}

void talk_wake(void) {
    int fd = tt_connect(SOCKET, TT_AT_ONCE);
    if (fd >= 0) close(fd);
}

static void begin(struct talk *talk) {
    talk->t.process = getpid();
    talk->t.fd = tt_connect(SOCKET, TT_AT_ONCE);
    // Whoever listens there without being root gets no word.
    if (talk->t.fd < 0 || !tt_is_peer(talk->t.fd, 0)) return talk_end(talk);
    talk->stage = TALK_WHOSE;
    struct tt_out out;
    tt_out_begin(&out, TT_WHOSE, 0);
    tt_put_u32(&out, talk->uid);
    say(talk, &out);
}

void talk_ask(struct talk *talk, const struct deed *deed) {
    talk_none(talk);
    talk->deed = deed;
    talk->uid = deed->uid;
    begin(talk);
}

void talk_prompt(struct talk *prompt, const struct talk *asked) {
    talk_none(prompt);
    prompt->deed = asked->deed;
    prompt->uid = asked->uid;
    prompt->about = TALK_PROMPT;
    memcpy(prompt->ticket, asked->ticket, sizeof prompt->ticket);
    begin(prompt);
}

void talk_offer(struct talk *talk, uid_t uid, const char *password, bool is_new) {
    talk_none(talk);
    talk->about = TALK_PASSWORD;
    talk->uid = uid;
    talk->password = password;
    talk->is_new = is_new;
    begin(talk);
}

static void greet(struct talk *talk) {
    struct tt_out out;
    tt_out_begin(&out, TT_HELLO, 0);
    tt_put_u16(&out, TT_VERSION);
    tt_put_u16(&out, TT_VERSION);
    bool is_prompt = talk->about == TALK_PROMPT, has_terminal = is_prompt && !talk->deed->is_greeter;
    tt_put_u8(&out, is_prompt ? ROLE_PROMPT : ROLE_LOGIN);
    tt_put_u8(&out, 0); // no label
    tt_put_u8(&out, 0); // no face usage
    tt_put_u8(&out, is_prompt);
    if (is_prompt) tt_put_bytes(&out, talk->ticket, sizeof talk->ticket);
    tt_put_u8(&out, has_terminal);
    if (has_terminal) tt_put_u8(&out, SURFACE_TERMINAL);
    talk->stage = TALK_HELLO;
    say(talk, &out);
}

static void put_text_if(struct tt_out *out, const char *text) { tt_put_text_if(out, text[0] ? text : NULL, TT_WORDS_BYTES); }

static void ask(struct talk *talk) {
    struct tt_out out;
    tt_out_begin(&out, TT_ASK_OWNER, 0);
    tt_put_u32(&out, talk->uid);
    tt_put_text(&out, talk->deed->service, TT_WORDS_BYTES);
    put_text_if(&out, talk->deed->command);
    put_text_if(&out, talk->deed->person);
    put_text_if(&out, talk->deed->becomes);
    put_text_if(&out, talk->deed->terminal);
    say(talk, &out);
}

// The frame's memory is cleared when it is freed.
static void offer(struct talk *talk) {
    struct tt_out out;
    tt_out_begin(&out, TT_OFFER_PASSCODE, 0);
    tt_put_u32(&out, talk->uid);
    tt_put_bytes(&out, talk->password, strlen(talk->password));
    tt_put_u8(&out, talk->is_new);
    say(talk, &out);
}

// What a frame means at this stage; a frame that doesn't belong here ends the talk.
static enum talk_word understand(struct talk *talk, struct tt_frame *frame) {
    int mode;
    uint8_t factor;
    switch (talk->stage) {
    case TALK_WHOSE:
        if (frame->kind != TT_DONE || !tt_in_end(&frame->in)) return TALK_OVER;
        greet(talk);
        // The device may take a while to start, and hears this even if nobody is left by then.
        if (talk->about == TALK_PASSWORD) offer(talk);
        return TALK_NOTHING;
    case TALK_HELLO:
        if (frame->kind != TT_WELCOME || !tt_read_welcome(&frame->in, &mode)) return TALK_OVER;
        talk->stage = TALK_OPEN;
        if (talk->about == TALK_QUESTION) ask(talk);
        return TALK_NOTHING;
    case TALK_OPEN: break;
    case TALK_CLOSED: return TALK_OVER;
    }
    // Whatever the answer to a password is, there is nothing to do about it here.
    if (talk->about == TALK_PASSWORD) return TALK_OVER;
    if (talk->about == TALK_PROMPT) {
        switch (frame->kind) {
        case TT_SHOW: return shown_read(&frame->in, &talk->shown) ? TALK_SHOW : TALK_OVER;
        case TT_WAIT: return TALK_NOTHING;
        case TT_DISMISS: return TALK_DISMISS;
        default: return TALK_OVER;
        }
    }
    if (frame->call != talk->call) return TALK_OVER;
    switch (frame->kind) {
    case TT_PROMPT_NEEDED: return tt_read_ticket(&frame->in, talk->ticket) ? TALK_PROMPT_NEEDED : TALK_OVER;
    case TT_WINDOW_NEEDED: return tt_read_ticket(&frame->in, talk->ticket) ? TALK_WINDOW_NEEDED : TALK_OVER;
    // The answer to this one call, read whole: nothing else is a yes.
    case TT_EVALUATED:
        talk->error = tt_read_evaluated(&frame->in, &factor);
        if (talk->error) return TALK_OVER;
        return factor == THUMBTURN_BY_SENSOR ? TALK_YES : TALK_OVER;
    default: return TALK_OVER;
    }
}

enum talk_word talk_next(struct talk *talk) {
    while (talk->stage != TALK_CLOSED) {
        struct tt_frame frame;
        int error = tt_receive(&talk->t, &frame);
        if (error == THUMBTURN_PENDING) return TALK_NOTHING;
        enum talk_word word = error ? TALK_OVER : understand(talk, &frame);
        if (word == TALK_OVER || word == TALK_DISMISS || talk->stage == TALK_CLOSED) {
            talk_end(talk);
            return word == TALK_NOTHING ? TALK_OVER : word;
        }
        tt_received(&talk->t);
        if (word != TALK_NOTHING) return word;
    }
    return TALK_NOTHING;
}

void talk_shown(struct talk *prompt) {
    struct tt_out out;
    tt_out_begin(&out, TT_SHOWN, 0);
    say(prompt, &out);
}

void talk_here(struct talk *prompt) {
    struct tt_out out;
    tt_out_begin(&out, TT_HERE, 0);
    tt_put_u8(&out, 0);
    say(prompt, &out);
}

void talk_stands(struct talk *asked) {
    struct tt_out out;
    tt_out_begin(&out, TT_LOGIN_STANDS, 0);
    say(asked, &out);
}

void talk_refuse_prompt(struct talk *asked) {
    // The answer comes under the number of the question, so this word doesn't take its place.
    uint32_t call = asked->call;
    struct tt_out out;
    tt_write_prompt_unavailable(&out, call, asked->ticket);
    say(asked, &out);
    asked->call = call;
}
