// What the words of thumbturn.h become. `rules table` holds each of them to the numbers of the wire. On a device, `rules keep`
// stores a secret for each time at which one can be had, and `rules read` says which of them can be had now.
#include <thumbturn.h>

#include "check.h"
#include "words.h"

// The rules, in the order of their numbers, as docs/PROTOCOL.md has them: Apple's bits.
static const uint64_t CONSTRAINTS[] = {0, 1 << 0, 1 << 4, 1 << 1, 1 << 3, 1 << 5};
#define RULES (sizeof CONSTRAINTS / sizeof *CONSTRAINTS)

// The times, in the order of their numbers: while unlocked, after the first unlock, always, while a passcode is set.
static const uint8_t MOVES[] = {1, 2, 3, 7}, STAYS[] = {4, 5, 6, 7};
static const uint64_t OF_PRIVATE_KEY = 1 << 30;

static void table(void) {
    struct tt_rule made;
    for (unsigned rule = 0; rule < RULES; rule++) {
        for (unsigned when = 0; when < 4; when++) {
            for (unsigned others = 0; others < 128; others += 16) {
                unsigned options = when | others;
                CHECK(tt_rule_of(rule, options, false, &made));
                CHECK(made.accessibility == (options & THUMBTURN_ONLY_HERE ? STAYS : MOVES)[when]);
                CHECK(made.constraints == CONSTRAINTS[rule]);
                CHECK(tt_rule_named(&made) == rule);
                // A key stays in any case.
                CHECK(tt_rule_of(rule, options, true, &made));
                CHECK(made.accessibility == STAYS[when]);
                CHECK(made.constraints == (CONSTRAINTS[rule] | (options & THUMBTURN_IN_STORE ? 0 : OF_PRIVATE_KEY)));
                CHECK(tt_rule_named(&made) == rule);
            }
        }
    }
    static const unsigned unknown[] = {4, 8, 128, 1 << 20, 1u << 31};
    for (size_t index = 0; index < sizeof unknown / sizeof *unknown; index++) {
        CHECK(!tt_rule_of(THUMBTURN_RULE_NONE, unknown[index], false, &made));
        CHECK(!tt_rule_of(THUMBTURN_RULE_NONE, unknown[index] | THUMBTURN_ONLY_HERE, true, &made));
    }
    CHECK(!tt_rule_of((thumbturn_rule)RULES, 0, false, &made) && !tt_rule_of(THUMBTURN_RULE_OTHER, 0, false, &made));
    CHECK(!tt_rule_of((thumbturn_rule)-1, 0, false, &made));
    puts("every rule is right");
}

static void keep(thumbturn *t, const char *account, unsigned when) {
    EXPECT(THUMBTURN_OK, thumbturn_store(t, "times", account, account, 1, NULL, THUMBTURN_RULE_NONE, when, NULL));
}

static void read_all(thumbturn *t) {
    for (char account[] = "0"; account[0] < '4'; account[0]++) {
        thumbturn_secret *secret;
        int error = thumbturn_read(t, "times", account, NULL, &secret);
        putchar(error ? '-' : *(char *)thumbturn_secret_bytes(secret));
        if (!error) thumbturn_secret_free(secret);
    }
    putchar('\n');
}

int main(int count, char **words) {
    CHECK(count == 2);
    if (strcmp(words[1], "table") == 0) {
        table();
        return 0;
    }
    thumbturn *t;
    EXPECT(THUMBTURN_OK, thumbturn_open("org.example.times", &t));
    if (strcmp(words[1], "keep") == 0) {
        keep(t, "0", THUMBTURN_WHEN_UNLOCKED);
        keep(t, "1", THUMBTURN_AFTER_FIRST_UNLOCK);
        keep(t, "2", THUMBTURN_ALWAYS);
        keep(t, "3", THUMBTURN_WHEN_PASSCODE_SET);
    } else {
        read_all(t);
    }
    thumbturn_close(t);
    return 0;
}
