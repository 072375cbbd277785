#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "connection.h"
#include "words.h"

// A frame's memory that is kept for the next one. Most frames are smaller.
enum { KEPT_ROOM = 16 << 10 };

int tt_failed(thumbturn *t, int error) { return tt_failed_with(t, error, "%s", thumbturn_error_advice(error)); }

int tt_failed_with(thumbturn *t, int error, const char *advice, ...) {
    va_list values;
    va_start(values, advice);
    if (vsnprintf(t->advice, sizeof t->advice, advice, values) < 0) t->advice[0] = 0;
    va_end(values);
    return error;
}

int tt_enter(thumbturn *t) {
    if (!t) return THUMBTURN_ARGUMENT;
    if (t->process != getpid()) return tt_failed(t, THUMBTURN_FORKED);
    if (t->question) return tt_failed(t, THUMBTURN_BUSY);
    t->advice[0] = 0;
    return THUMBTURN_OK;
}

void tt_disconnect(thumbturn *t) {
    tt_received(t);
    thumbturn_secret_free(t->inbox.room);
    t->inbox = (struct tt_inbox){0};
    if (t->fd >= 0) close(t->fd);
    t->fd = -1;
    t->abandoned = 0;
}

int tt_broken(thumbturn *t) {
    tt_disconnect(t);
    return tt_failed(t, THUMBTURN_PROTOCOL);
}

int tt_refused(thumbturn *t, struct tt_frame *frame) {
    int error = tt_read_refusal(&frame->in);
    if (!error) return tt_broken(t);
    tt_disconnect(t);
    return tt_failed(t, error);
}

int tt_ready(thumbturn *t) {
    if (t->fd >= 0) return THUMBTURN_OK;
    int error = tt_find(t);
    if (error) return error;
    struct tt_out hello;
    tt_write_hello(&hello, t->label, t->face_usage);
    uint32_t call;
    bool was_seen;
    error = tt_send_call(t, &hello, &call, &was_seen);
    tt_out_free(&hello);
    if (error && error != THUMBTURN_CONNECTION_LOST) {
        // The next call needs a connection that was greeted.
        tt_disconnect(t);
        return error;
    }
    // Even if it couldn't be sent: the daemon may have said why it refuses this program.
    struct tt_frame frame;
    error = tt_receive_waiting(t, &frame);
    if (error) return error;
    if (frame.kind == TT_REFUSED) return tt_refused(t, &frame);
    if (frame.kind != TT_WELCOME || frame.call != call || !tt_read_welcome(&frame.in, &t->mode)) return tt_broken(t);
    tt_received(t);
    return THUMBTURN_OK;
}

// Writes what is left of a frame, with the secret between its two halves.
static ssize_t send_rest(int fd, const struct tt_out *out, size_t sent) {
    size_t ends[] = {out->secret_place, out->secret_place + out->secret_size, out->count + out->secret_size};
    const uint8_t *starts[] = {out->bytes, out->secret, out->bytes + out->secret_place};
    if (!out->secret) ends[0] = ends[1] = 0;
    struct iovec parts[3];
    size_t count = 0, begin = 0;
    for (size_t index = 0; index < 3; index++) {
        size_t skipped = sent > begin ? sent - begin : 0;
        if (begin + skipped < ends[index]) {
            parts[count].iov_base = (void *)(uintptr_t)(starts[index] + skipped);
            parts[count++].iov_len = ends[index] - begin - skipped;
        }
        begin = ends[index];
    }
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = count};
    return sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

// Waits until the connection is ready for that, or for somebody who gives up. Otherwise the connection is closed.
static int wait_for(thumbturn *t, short events) {
    double end = tt_now() + t->patience;
    while (true) {
        struct pollfd wait = {.fd = t->fd, .events = events};
        // After a signal only the rest of it is waited for.
        int limit = t->patience > 0 ? tt_milliseconds(end - tt_now()) : -1;
        int ready = poll(&wait, 1, limit);
        if (ready > 0) return THUMBTURN_OK;
        if (ready < 0 && errno != EINTR) {
            tt_disconnect(t);
            return tt_failed(t, THUMBTURN_CONNECTION_LOST);
        }
        if (ready < 0) continue;
        if (!tt_answers(t->socket, t->patience)) {
            tt_disconnect(t);
            return tt_failed(t, THUMBTURN_SILENT);
        }
        end = tt_now() + t->patience;
    }
}

int tt_send(thumbturn *t, struct tt_out *out, size_t *sent) {
    *sent = 0;
    size_t all = out->count + out->secret_size;
    while (*sent < all) {
        ssize_t count = send_rest(t->fd, out, *sent);
        if (count >= 0) {
            *sent += (size_t)count;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            int error = wait_for(t, POLLOUT);
            if (error) return error;
        } else if (errno != EINTR) {
            return tt_failed(t, THUMBTURN_CONNECTION_LOST);
        }
    }
    return THUMBTURN_OK;
}

int tt_send_call(thumbturn *t, struct tt_out *out, uint32_t *call, bool *was_seen) {
    *was_seen = false;
    if (!tt_out_end(out)) return tt_failed(t, out->error);
    // 0 is the number of calls that have no answer.
    if (++t->last_call == 0) t->last_call = 1;
    *call = t->last_call;
    tt_out_number(out, *call);
    size_t sent;
    int error = tt_send(t, out, &sent);
    *was_seen = sent > 0;
    return error;
}

void tt_received(thumbturn *t) {
    struct tt_inbox *inbox = &t->inbox;
    if (inbox->room && inbox->have_body > 0) explicit_bzero(inbox->room->bytes, inbox->have_body);
    if (inbox->room && inbox->room->size > KEPT_ROOM) {
        thumbturn_secret_free(inbox->room);
        inbox->room = NULL;
    }
    inbox->have_length = inbox->have_body = inbox->body = 0;
}

// Makes sure that there is locked memory for a frame of that length.
static int make_room(struct tt_inbox *inbox) {
    if (inbox->room && inbox->room->size >= inbox->body) return THUMBTURN_OK;
    thumbturn_secret_free(inbox->room);
    return thumbturn_secret_new(inbox->body > KEPT_ROOM ? inbox->body : KEPT_ROOM, &inbox->room);
}

int tt_receive(thumbturn *t, struct tt_frame *frame) {
    struct tt_inbox *inbox = &t->inbox;
    if (inbox->body > 0 && inbox->have_body == inbox->body) tt_received(t);
    while (true) {
        bool is_length = inbox->have_length < TT_LENGTH_BYTES;
        uint8_t *place = is_length ? inbox->length + inbox->have_length : inbox->room->bytes + inbox->have_body;
        size_t wanted = is_length ? TT_LENGTH_BYTES - inbox->have_length : inbox->body - inbox->have_body;
        ssize_t count = recv(t->fd, place, wanted, MSG_DONTWAIT);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return THUMBTURN_PENDING;
        if (count <= 0) {
            tt_disconnect(t);
            return tt_failed(t, THUMBTURN_CONNECTION_LOST);
        }
        if (is_length) {
            inbox->have_length += (size_t)count;
            if (inbox->have_length < TT_LENGTH_BYTES) continue;
            struct tt_in length = {.bytes = inbox->length, .count = TT_LENGTH_BYTES};
            inbox->body = tt_get_u32(&length);
            if (inbox->body < TT_HEAD_BYTES || inbox->body > TT_FRAME_BYTES) return tt_broken(t);
            int error = make_room(inbox);
            if (error) {
                inbox->body = 0;
                tt_disconnect(t);
                return tt_failed(t, error);
            }
            continue;
        }
        inbox->have_body += (size_t)count;
        if (inbox->have_body < inbox->body) continue;
        frame->in = (struct tt_in){.bytes = inbox->room->bytes, .count = inbox->body};
        frame->kind = tt_get_u8(&frame->in);
        frame->call = tt_get_u32(&frame->in);
        return THUMBTURN_OK;
    }
}

int tt_receive_waiting(thumbturn *t, struct tt_frame *frame) {
    int error;
    while ((error = tt_receive(t, frame)) == THUMBTURN_PENDING) {
        if ((error = wait_for(t, POLLIN))) return error;
    }
    return error;
}
