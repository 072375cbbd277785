// Everything that the library does with secrets, against a device whose owner says yes.
#include <errno.h>
#include <thumbturn.h>
#include <unistd.h>

#include "check.h"
#include "connection.h"

static void names_and_bytes(thumbturn *t) {
    static const unsigned char bytes[] = {0, 1, '\n', 255, 0};
    EXPECT(THUMBTURN_NOT_FOUND, thumbturn_remove(t, "mail", NULL));
    CHECK(strlen(thumbturn_advice(t)) > 0);
    EXPECT(THUMBTURN_OK, thumbturn_store(t, "mail", NULL, bytes, sizeof bytes, "Mail", THUMBTURN_RULE_NONE, 0, NULL));
    EXPECT(THUMBTURN_DUPLICATE, thumbturn_store(t, "mail", "", bytes, 1, NULL, THUMBTURN_RULE_NONE, 0, NULL));
    EXPECT(THUMBTURN_OK, thumbturn_store(t, "mail", "anna", "", 0, NULL, THUMBTURN_RULE_NONE, THUMBTURN_ONLY_HERE, NULL));
    thumbturn_secret *secret;
    EXPECT(THUMBTURN_OK, thumbturn_read(t, "mail", NULL, NULL, &secret));
    CHECK(thumbturn_secret_size(secret) == sizeof bytes && memcmp(thumbturn_secret_bytes(secret), bytes, sizeof bytes) == 0);
    thumbturn_secret_free(secret);
    EXPECT(THUMBTURN_OK, thumbturn_read(t, "mail", "anna", NULL, &secret));
    CHECK(secret && thumbturn_secret_size(secret) == 0 && thumbturn_secret_bytes(secret));
    thumbturn_secret_free(secret);
    EXPECT(THUMBTURN_NOT_FOUND, thumbturn_read(t, "mail", "bert", NULL, &secret));
    CHECK(!secret);
}

static void replaced(thumbturn *t) {
    EXPECT(THUMBTURN_OK, thumbturn_store(t, "mail", "anna", "new", 3, "Anna's", THUMBTURN_RULE_NONE, THUMBTURN_REPLACE, NULL));
    EXPECT(THUMBTURN_OK, thumbturn_store(t, "other", NULL, "x", 1, NULL, THUMBTURN_RULE_PRESENCE, THUMBTURN_REPLACE, NULL));
    thumbturn_secret *secret;
    EXPECT(THUMBTURN_OK, thumbturn_read(t, "mail", "anna", NULL, &secret));
    CHECK(thumbturn_secret_size(secret) == 3 && memcmp(thumbturn_secret_bytes(secret), "new", 3) == 0);
    thumbturn_secret_free(secret);
}

static void listed(thumbturn *t) {
    thumbturn_items *items;
    EXPECT(THUMBTURN_OK, thumbturn_list(t, "mail", &items));
    CHECK(thumbturn_items_count(items) == 2);
    int found = 0;
    for (size_t index = 0; index < 2; index++) {
        size_t size;
        const char *account = thumbturn_items_text(items, index, THUMBTURN_ACCOUNT, &size);
        double made, changed;
        thumbturn_items_times(items, index, &made, &changed);
        CHECK(account && size == strlen(account) && made > 1e9 && changed >= made);
        CHECK(strcmp(thumbturn_items_text(items, index, THUMBTURN_SERVICE, NULL), "mail") == 0);
        CHECK(thumbturn_items_rule(items, index) == THUMBTURN_RULE_NONE);
        CHECK(!thumbturn_items_text(items, index, THUMBTURN_NAME, NULL));
        const char *label = thumbturn_items_text(items, index, THUMBTURN_LABEL, NULL);
        if (strcmp(account, "anna") == 0) found += strcmp(label, "Anna's") == 0;
        if (strcmp(account, "") == 0) found += strcmp(label, "Mail") == 0;
    }
    CHECK(found == 2);
    CHECK(!thumbturn_items_text(items, 2, THUMBTURN_LABEL, NULL));
    thumbturn_items_free(items);
    EXPECT(THUMBTURN_OK, thumbturn_list(t, NULL, &items));
    CHECK(thumbturn_items_count(items) == 3);
    thumbturn_items_free(items);
    EXPECT(THUMBTURN_OK, thumbturn_list(t, "nothing", &items));
    CHECK(thumbturn_items_count(items) == 0);
    thumbturn_items_free(items);
}

static void rules(thumbturn *t) {
    static const thumbturn_rule all[] = {
        THUMBTURN_RULE_NONE, THUMBTURN_RULE_PRESENCE, THUMBTURN_RULE_PASSCODE, THUMBTURN_RULE_ANY_FINGER,
        THUMBTURN_RULE_CURRENT_FINGERS, THUMBTURN_RULE_COMPANION};
    for (size_t index = 0; index < 6; index++) {
        char account[2] = {(char)('a' + index), 0};
        EXPECT(THUMBTURN_OK, thumbturn_store(t, "rules", account, account, 1, NULL, all[index], 0, NULL));
    }
    thumbturn_items *items;
    EXPECT(THUMBTURN_OK, thumbturn_list(t, "rules", &items));
    CHECK(thumbturn_items_count(items) == 6);
    for (size_t index = 0; index < 6; index++) {
        const char *account = thumbturn_items_text(items, index, THUMBTURN_ACCOUNT, NULL);
        CHECK(thumbturn_items_rule(items, index) == all[account[0] - 'a']);
    }
    thumbturn_items_free(items);
    // Whose rule doesn't ask, nobody is asked for; whose does, may not be had in silence.
    thumbturn_asking silent = THUMBTURN_ASKING("read it");
    silent.permission = THUMBTURN_FAIL_INSTEAD;
    thumbturn_secret *secret;
    EXPECT(THUMBTURN_OK, thumbturn_read(t, "rules", "a", &silent, &secret));
    thumbturn_secret_free(secret);
    EXPECT(THUMBTURN_MAY_NOT_ASK, thumbturn_read(t, "rules", "b", &silent, &secret));
    thumbturn_asking asking = THUMBTURN_ASKING("read it");
    EXPECT(THUMBTURN_OK, thumbturn_read(t, "rules", "b", &asking, &secret));
    CHECK(thumbturn_secret_size(secret) == 1 && *(char *)thumbturn_secret_bytes(secret) == 'b');
    thumbturn_secret_free(secret);
}

// 1 MiB is stored and listed over pages; one byte more isn't.
static void sizes(thumbturn *t) {
    thumbturn_secret *large, *read;
    EXPECT(THUMBTURN_OK, thumbturn_secret_new((1 << 20) + 1, &large));
    unsigned char *bytes = thumbturn_secret_bytes(large);
    for (size_t index = 0; index < thumbturn_secret_size(large); index++) bytes[index] = (unsigned char)(index * 31);
    EXPECT(THUMBTURN_OK, thumbturn_store(t, "large", NULL, bytes, 1 << 20, NULL, THUMBTURN_RULE_NONE, 0, NULL));
    EXPECT(THUMBTURN_OK, thumbturn_read(t, "large", NULL, NULL, &read));
    CHECK(thumbturn_secret_size(read) == 1 << 20 && memcmp(thumbturn_secret_bytes(read), bytes, 1 << 20) == 0);
    thumbturn_secret_free(read);
    EXPECT(THUMBTURN_TOO_LARGE, thumbturn_store(t, "larger", NULL, bytes, (1 << 20) + 1, NULL, THUMBTURN_RULE_NONE, 0, NULL));
    // More than a frame has room for is refused here, and the connection goes on.
    EXPECT(THUMBTURN_TOO_LARGE, thumbturn_store(t, "larger", NULL, bytes, (size_t)3 << 20, NULL, THUMBTURN_RULE_NONE, 0, NULL));
    EXPECT(THUMBTURN_OK, thumbturn_remove(t, "large", NULL));
    thumbturn_secret_free(large);
    static char label[4000];
    memset(label, 'x', sizeof label - 1);
    for (int index = 0; index < 100; index++) {
        char account[16];
        snprintf(account, sizeof account, "%d", index);
        EXPECT(THUMBTURN_OK, thumbturn_store(t, "pages", account, "s", 1, label, THUMBTURN_RULE_NONE, 0, NULL));
    }
    thumbturn_items *items;
    EXPECT(THUMBTURN_OK, thumbturn_list(t, "pages", &items));
    CHECK(thumbturn_items_count(items) == 100);
    CHECK(strcmp(thumbturn_items_text(items, 99, THUMBTURN_LABEL, NULL), label) == 0);
    thumbturn_items_free(items);
}

static void wrong_calls(thumbturn *t) {
    thumbturn_secret *secret;
    thumbturn_items *items;
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_store(t, "", NULL, "x", 1, NULL, THUMBTURN_RULE_NONE, 0, NULL));
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_store(t, NULL, NULL, "x", 1, NULL, THUMBTURN_RULE_NONE, 0, NULL));
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_store(t, "s", NULL, NULL, 1, NULL, THUMBTURN_RULE_NONE, 0, NULL));
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_store(t, "s", NULL, "x", 1, NULL, THUMBTURN_RULE_OTHER, 0, NULL));
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_store(t, "s", NULL, "x", 1, NULL, THUMBTURN_RULE_NONE, 1 << 20, NULL));
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_store(t, "\xff", NULL, "x", 1, NULL, THUMBTURN_RULE_NONE, 0, NULL));
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_read(t, "s", NULL, NULL, NULL));
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_read(NULL, "s", NULL, NULL, &secret));
    thumbturn_asking other = THUMBTURN_ASKING("x");
    other.size = 1;
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_read(t, "s", NULL, &other, &secret));
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_list(t, "", &items));
    static char reason[4098];
    memset(reason, 'x', sizeof reason - 1);
    thumbturn_asking longest = THUMBTURN_ASKING(reason);
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_read(t, "mail", NULL, &longest, &secret));
    reason[4096] = 0;
    EXPECT(THUMBTURN_OK, thumbturn_read(t, "mail", NULL, &longest, &secret));
    thumbturn_secret_free(secret);
    // A rule that a place for a passcode excludes is the daemon's to refuse, and it isn't an end.
    thumbturn_status status = {.size = sizeof status};
    EXPECT(THUMBTURN_OK, thumbturn_get_status(t, &status));
}

// What a program has taken and freed is nowhere else: the frame that it came in is erased when it was taken.
static void erased(thumbturn *t) {
    static const char words[] = "tulips in spring";
    EXPECT(THUMBTURN_OK, thumbturn_store(t, "erased", NULL, words, sizeof words, NULL, THUMBTURN_RULE_NONE, 0, NULL));
    thumbturn_secret *secret;
    EXPECT(THUMBTURN_OK, thumbturn_read(t, "erased", NULL, NULL, &secret));
    CHECK(thumbturn_secret_size(secret) == sizeof words && memcmp(thumbturn_secret_bytes(secret), words, sizeof words) == 0);
    const thumbturn_secret *room = t->inbox.room;
    CHECK(room && room->size >= sizeof words);
    for (size_t index = 0; index < room->size; index++) CHECK(room->bytes[index] == 0);
    thumbturn_secret_free(secret);
    EXPECT(THUMBTURN_OK, thumbturn_remove(t, "erased", NULL));
}

// `secrets memory`, which needs no device: how the kernel treats a secret's pages.
static void guarded(void) {
    thumbturn_secret *secret;
    EXPECT(THUMBTURN_OK, thumbturn_secret_new(32, &secret));
    uintptr_t place = (uintptr_t)thumbturn_secret_bytes(secret);
    FILE *file = fopen("/proc/self/smaps", "r");
    CHECK(file);
    char line[512], flags[512] = "";
    bool is_inside = false;
    while (fgets(line, sizeof line, file)) {
        unsigned long low, high;
        if (sscanf(line, "%lx-%lx ", &low, &high) == 2) is_inside = low <= place && place < high;
        else if (is_inside && strncmp(line, "VmFlags:", 8) == 0) memcpy(flags, line, sizeof flags);
    }
    fclose(file);
    // Locked, left out of core files, wiped in a child.
    CHECK(strstr(flags, " lo") && strstr(flags, " dd") && strstr(flags, " wf"));
    // Nobody may touch the pages around it, in which the first byte behind it lies. A call of the kernel's fails there.
    size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
    const char *bytes = thumbturn_secret_bytes(secret), *page = bytes - place % page_size;
    int ends[2];
    CHECK(pipe(ends) == 0 && write(ends[1], page, 1) == 1 && write(ends[1], bytes + 31, 1) == 1);
    CHECK(write(ends[1], page - 1, 1) < 0 && errno == EFAULT);
    CHECK(write(ends[1], bytes + 32, 1) < 0 && errno == EFAULT);
    close(ends[0]);
    close(ends[1]);
    thumbturn_secret_free(secret);
}

int main(int count, char **words) {
    if (count == 2 && strcmp(words[1], "memory") == 0) {
        guarded();
        puts("the memory is guarded");
        return 0;
    }
    thumbturn *t;
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_open("\xc3", &t));
    EXPECT(THUMBTURN_OK, thumbturn_open("org.example.test", &t));
    thumbturn_status status = {0};
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_get_status(t, &status));
    status.size = sizeof status;
    EXPECT(THUMBTURN_OK, thumbturn_get_status(t, &status));
    CHECK(status.mode == 3 && status.sensor == THUMBTURN_SENSOR_FINGER && status.is_enrolled && status.is_passcode_set);
    names_and_bytes(t);
    replaced(t);
    listed(t);
    rules(t);
    sizes(t);
    wrong_calls(t);
    erased(t);
    EXPECT(THUMBTURN_OK, thumbturn_remove(t, "mail", NULL));
    EXPECT(THUMBTURN_NOT_FOUND, thumbturn_remove(t, "mail", NULL));
    thumbturn_close(t);
    thumbturn_close(NULL);
    puts("all secrets are right");
    return 0;
}
