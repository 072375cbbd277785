/* A note that only the owner can read.
 *
 *     cc vault.c -o vault $(pkg-config --cflags --libs thumbturn)
 *     echo 'the key is under the third pot' | ./vault keep
 *     ./vault show
 */
#include <stdio.h>
#include <string.h>
#include <thumbturn.h>

/* Says what went wrong and what to do about it. */
static int failed(thumbturn *t, int error) {
    fprintf(stderr, "%s\n  %s\n", thumbturn_error_text(error), thumbturn_advice(t));
    return 1;
}

static int keep(thumbturn *t) {
    /* The note is read into memory that is locked, and erased when it is freed. */
    thumbturn_secret *note;
    int error = thumbturn_secret_new(4096, &note);
    if (error) return failed(t, error);
    size_t size = fread(thumbturn_secret_bytes(note), 1, thumbturn_secret_size(note), stdin);
    if (size == thumbturn_secret_size(note) && getchar() != EOF) {
        thumbturn_secret_free(note);
        fputs("The note is longer than 4,096 bytes.\n", stderr);
        return 1;
    }
    thumbturn_asking asking = THUMBTURN_ASKING("replace the note");
    error = thumbturn_store(
        t, "note", NULL, thumbturn_secret_bytes(note), size, "The note", THUMBTURN_RULE_PRESENCE, THUMBTURN_REPLACE, &asking);
    thumbturn_secret_free(note);
    if (error) return failed(t, error);
    puts("kept");
    return 0;
}

static int show(thumbturn *t) {
    thumbturn_secret *note;
    thumbturn_asking asking = THUMBTURN_ASKING("show the note");
    int error = thumbturn_read(t, "note", NULL, &asking, &note);
    if (error) return failed(t, error);
    fwrite(thumbturn_secret_bytes(note), 1, thumbturn_secret_size(note), stdout);
    thumbturn_secret_free(note);
    return 0;
}

int main(int count, char **words) {
    int keeps = count == 2 && strcmp(words[1], "keep") == 0;
    if (!keeps && (count != 2 || strcmp(words[1], "show") != 0)) {
        fputs("say keep or show\n", stderr);
        return 64;
    }
    /* Without stdio's own buffer the note is nowhere else. */
    setvbuf(stdin, NULL, _IONBF, 0);
    setvbuf(stdout, NULL, _IONBF, 0);
    thumbturn *t;
    int error = thumbturn_open("org.example.vault", &t);
    if (error) return failed(NULL, error);
    int status = keeps ? keep(t) : show(t);
    thumbturn_close(t);
    return status;
}
