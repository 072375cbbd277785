// Asking the owner, whose answers are scripted: `owner WORD …`, each word one thing to try.
#define _GNU_SOURCE
#include <poll.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <thumbturn.h>
#include <unistd.h>

#include "check.h"

static thumbturn *opened(void) {
    thumbturn *t;
    EXPECT(THUMBTURN_OK, thumbturn_open("org.example.test", &t));
    return t;
}

static const thumbturn_asking *asking(void) {
    static thumbturn_asking asking;
    asking = THUMBTURN_ASKING("try the library");
    return &asking;
}

// `verify:POLICY:ERROR:FACTOR`
static void verify(const char *words) {
    int policy, error, wanted;
    CHECK(sscanf(words, "verify:%d:%d:%d", &policy, &error, &wanted) == 3);
    thumbturn *t = opened();
    thumbturn_factor factor = 0;
    EXPECT(error, thumbturn_verify(t, (thumbturn_policy)policy, asking(), &factor));
    CHECK((int)factor == wanted);
    CHECK(!error || strcmp(thumbturn_advice(t), thumbturn_error_advice(error)) == 0);
    thumbturn_close(t);
}

// Polls until the question is over; at most as long as a prompt's turn.
static int finished(thumbturn_question *question, thumbturn_factor *factor) {
    for (int turn = 0; turn < 2000; turn++) {
        struct pollfd wait = {.fd = thumbturn_question_fd(question), .events = POLLIN};
        CHECK(poll(&wait, 1, 200000) == 1);
        int error = thumbturn_question_finish(&question, factor);
        CHECK(!question == (error != THUMBTURN_PENDING));
        if (error != THUMBTURN_PENDING) return error;
    }
    return -1;
}

static void asynchronous(void) {
    thumbturn *t = opened();
    thumbturn_question *question, *other;
    thumbturn_factor factor = 0;
    EXPECT(THUMBTURN_OK, thumbturn_verify_begin(t, THUMBTURN_OWNER, asking(), &question));
    thumbturn_status status = {.size = sizeof status};
    EXPECT(THUMBTURN_BUSY, thumbturn_get_status(t, &status));
    EXPECT(THUMBTURN_BUSY, thumbturn_verify_begin(t, THUMBTURN_OWNER, asking(), &other));
    EXPECT(THUMBTURN_OK, finished(question, &factor));
    CHECK(factor == THUMBTURN_BY_SENSOR);
    EXPECT(THUMBTURN_OK, thumbturn_get_status(t, &status));
    thumbturn_close(t);
}

// The owner does nothing, and the program takes each question back.
static void canceled(void) {
    thumbturn *t = opened();
    for (int turn = 0; turn < 3; turn++) {
        thumbturn_question *question;
        EXPECT(THUMBTURN_OK, thumbturn_verify_begin(t, THUMBTURN_OWNER, asking(), &question));
        struct pollfd wait = {.fd = thumbturn_question_fd(question), .events = POLLIN};
        int ready = poll(&wait, 1, 300);
        if (ready == 1) EXPECT(THUMBTURN_PENDING, thumbturn_question_finish(&question, NULL));
        thumbturn_question_cancel(&question);
        CHECK(!question);
        thumbturn_question_cancel(&question);
    }
    // What the daemon said about those is no answer to this.
    thumbturn_status status = {.size = sizeof status};
    EXPECT(THUMBTURN_OK, thumbturn_get_status(t, &status));
    thumbturn_question_cancel(NULL);
    thumbturn_close(t);
}

// One yes under a context is enough for what is read under it, and a context that has ended is none.
static void context(void) {
    thumbturn *t = opened();
    EXPECT(THUMBTURN_OK, thumbturn_store(t, "one", NULL, "1", 1, NULL, THUMBTURN_RULE_PRESENCE, 0, NULL));
    EXPECT(THUMBTURN_OK, thumbturn_store(t, "two", NULL, "2", 1, NULL, THUMBTURN_RULE_PRESENCE, 0, NULL));
    thumbturn_asking under = *asking();
    under.context = thumbturn_new_context(t);
    CHECK(under.context != 0 && thumbturn_new_context(t) != under.context);
    EXPECT(THUMBTURN_OK, thumbturn_verify(t, THUMBTURN_OWNER, &under, NULL));
    under.permission = THUMBTURN_FAIL_INSTEAD;
    thumbturn_secret *secret;
    EXPECT(THUMBTURN_OK, thumbturn_read(t, "one", NULL, &under, &secret));
    thumbturn_secret_free(secret);
    EXPECT(THUMBTURN_OK, thumbturn_read(t, "two", NULL, &under, &secret));
    thumbturn_secret_free(secret);
    EXPECT(THUMBTURN_OK, thumbturn_end_context(t, under.context));
    CHECK(thumbturn_read(t, "one", NULL, &under, &secret) != THUMBTURN_OK && !secret);
    EXPECT(THUMBTURN_CONTEXT_ENDED, thumbturn_verify(t, THUMBTURN_OWNER, &under, NULL));
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_end_context(t, 0));
    thumbturn_close(t);
}

static void capability(void) {
    thumbturn *t = opened();
    thumbturn_sensor sensor;
    size_t needed;
    unsigned char state[256], again[256];
    EXPECT(THUMBTURN_OK, thumbturn_capability(t, THUMBTURN_SENSOR, &sensor, NULL, 0, &needed));
    CHECK(sensor == THUMBTURN_SENSOR_FINGER && needed > 0 && needed <= sizeof state);
    state[0] = 7;
    EXPECT(THUMBTURN_BUFFER_TOO_SMALL, thumbturn_capability(t, THUMBTURN_SENSOR, NULL, state, needed - 1, &needed));
    EXPECT(THUMBTURN_OK, thumbturn_capability(t, THUMBTURN_SENSOR, NULL, state, needed, &needed));
    EXPECT(THUMBTURN_OK, thumbturn_capability(t, THUMBTURN_SENSOR, NULL, again, sizeof again, &needed));
    CHECK(memcmp(state, again, needed) == 0);
    EXPECT(THUMBTURN_OK, thumbturn_capability(t, THUMBTURN_OWNER, NULL, NULL, 0, NULL));
    EXPECT(THUMBTURN_UNKNOWN_POLICY, thumbturn_capability(t, (thumbturn_policy)99, &sensor, NULL, 0, NULL));
    EXPECT(THUMBTURN_UNKNOWN_POLICY, thumbturn_capability(t, (thumbturn_policy)258, &sensor, NULL, 0, NULL));
    thumbturn_close(t);
}

// A question without a context leaves none at the daemon, which takes ten thousand on a connection.
static void contexts(void) {
    thumbturn *t = opened();
    for (int turn = 0; turn < 10010; turn++) EXPECT(THUMBTURN_OK, thumbturn_verify(t, THUMBTURN_OWNER, asking(), NULL));
    for (int turn = 0; turn < 10010; turn++) {
        thumbturn_question *question;
        EXPECT(THUMBTURN_OK, thumbturn_verify_begin(t, THUMBTURN_OWNER, asking(), &question));
        EXPECT(THUMBTURN_OK, finished(question, NULL));
    }
    thumbturn_close(t);
}

// A child has neither the connection nor the secrets, and does no harm.
static void forked(void) {
    thumbturn *t = opened();
    thumbturn_status status = {.size = sizeof status};
    EXPECT(THUMBTURN_OK, thumbturn_get_status(t, &status));
    thumbturn_secret *secret;
    EXPECT(THUMBTURN_OK, thumbturn_secret_new(4, &secret));
    memcpy(thumbturn_secret_bytes(secret), "kept", 4);
    thumbturn_question *question;
    EXPECT(THUMBTURN_OK, thumbturn_verify_begin(t, THUMBTURN_OWNER, asking(), &question));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        EXPECT(THUMBTURN_FORKED, thumbturn_get_status(t, &status));
        EXPECT(THUMBTURN_FORKED, thumbturn_question_finish(&question, NULL));
        CHECK(memcmp(thumbturn_secret_bytes(secret), "\0\0\0\0", 4) == 0);
        thumbturn_question_cancel(&question);
        thumbturn_close(t);
        thumbturn_secret_free(secret);
        // A connection of its own is as good as any.
        t = opened();
        EXPECT(THUMBTURN_OK, thumbturn_get_status(t, &status));
        thumbturn_close(t);
        _exit(7);
    }
    int ended;
    CHECK(waitpid(child, &ended, 0) == child && WIFEXITED(ended) && WEXITSTATUS(ended) == 7);
    thumbturn_factor factor;
    EXPECT(THUMBTURN_OK, finished(question, &factor));
    EXPECT(THUMBTURN_OK, thumbturn_get_status(t, &status));
    CHECK(memcmp(thumbturn_secret_bytes(secret), "kept", 4) == 0);
    thumbturn_secret_free(secret);
    thumbturn_close(t);
}

static void wrong_calls(void) {
    thumbturn *t = opened();
    thumbturn_question *question;
    thumbturn_asking empty = THUMBTURN_ASKING("");
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_verify(t, THUMBTURN_OWNER, NULL, NULL));
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_verify(t, THUMBTURN_OWNER, &empty, NULL));
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_verify(t, (thumbturn_policy)0, asking(), NULL));
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_verify_begin(t, THUMBTURN_OWNER, asking(), NULL));
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_verify_begin(t, THUMBTURN_OWNER, &empty, &question));
    // As a program of an earlier version has it, in memory that ends there.
    thumbturn_asking *small = calloc(1, 16);
    CHECK(small);
    small->size = 16;
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_verify(t, THUMBTURN_OWNER, small, NULL));
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_verify_begin(t, THUMBTURN_OWNER, small, &question));
    free(small);
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_question_finish(NULL, NULL));
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_set_patience(t, -1));
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_set_patience(t, 3601));
    EXPECT(THUMBTURN_OK, thumbturn_set_patience(t, 3600));
    thumbturn_asking reusing = *asking();
    reusing.reuse_seconds = 301;
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_verify(t, THUMBTURN_OWNER, &reusing, NULL));
    char label[257];
    memset(label, 'x', 256);
    label[256] = 0;
    thumbturn *other;
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_open(label, &other));
    label[255] = 0;
    EXPECT(THUMBTURN_OK, thumbturn_open(label, &other));
    char why[1026];
    memset(why, 'x', 1025);
    why[1025] = 0;
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_set_face_usage(other, why));
    why[1024] = 0;
    EXPECT(THUMBTURN_OK, thumbturn_set_face_usage(other, why));
    thumbturn_status status = {.size = sizeof status};
    EXPECT(THUMBTURN_OK, thumbturn_get_status(other, &status));
    thumbturn_close(other);
    thumbturn_close(t);
}

int main(int count, char **words) {
    for (int index = 1; index < count; index++) {
        if (strncmp(words[index], "verify", 6) == 0) verify(words[index]);
        else if (strcmp(words[index], "asynchronous") == 0) asynchronous();
        else if (strcmp(words[index], "canceled") == 0) canceled();
        else if (strcmp(words[index], "context") == 0) context();
        else if (strcmp(words[index], "contexts") == 0) contexts();
        else if (strcmp(words[index], "capability") == 0) capability();
        else if (strcmp(words[index], "forked") == 0) forked();
        else if (strcmp(words[index], "wrong") == 0) wrong_calls();
        else CHECK(!"a word that is known");
    }
    puts("the owner was asked");
    return 0;
}
