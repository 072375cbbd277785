/* Asks the owner while the program goes on: one descriptor in the program's own loop.
 *
 *     cc meanwhile.c -o meanwhile $(pkg-config --cflags --libs thumbturn)
 */
#include <poll.h>
#include <stdio.h>
#include <thumbturn.h>

int main(void) {
    thumbturn *t;
    thumbturn_question *question;
    thumbturn_factor factor;
    thumbturn_asking asking = THUMBTURN_ASKING("show that nothing else waits");
    int error = thumbturn_open("org.example.meanwhile", &t);
    if (!error) error = thumbturn_verify_begin(t, THUMBTURN_OWNER, &asking, &question);
    if (!error) {
        do {
            struct pollfd wait = {.fd = thumbturn_question_fd(question), .events = POLLIN};
            if (poll(&wait, 1, 1000) == 0) puts("still working");
            error = thumbturn_question_finish(&question, &factor);
        } while (error == THUMBTURN_PENDING);
    }
    if (error) fprintf(stderr, "%s\n  %s\n", thumbturn_error_text(error), thumbturn_advice(t));
    else puts(factor == THUMBTURN_BY_SENSOR ? "the owner, by a finger" : "the owner");
    thumbturn_close(t);
    return error != 0;
}
