// Items' rules: the command line's words for them, in both directions.
#include "words.h"

// When an item can be had; three more than these keep it on the device.
enum { WHEN_UNLOCKED = 1, AFTER_FIRST_UNLOCK = 2, ALWAYS = 3, STAYS_HERE = 3, WHEN_PASSCODE_SET = 7 };
enum { WHEN = 3 };

bool tt_rule_of(thumbturn_rule rule, unsigned options, bool is_key, struct tt_rule *made) {
    static const uint64_t constraints[] = {0, TT_USER_PRESENCE, TT_PASSCODE, TT_BIOMETRY_ANY, TT_BIOMETRY_CURRENT, TT_COMPANION};
    static const uint8_t classes[] = {WHEN_UNLOCKED, AFTER_FIRST_UNLOCK, ALWAYS, WHEN_PASSCODE_SET};
    if ((unsigned)rule > THUMBTURN_RULE_COMPANION) return false;
    if (options & ~(unsigned)(WHEN | THUMBTURN_ONLY_HERE | THUMBTURN_REPLACE | THUMBTURN_IN_STORE)) return false;
    bool stays = is_key || options & THUMBTURN_ONLY_HERE;
    made->accessibility = classes[options & WHEN];
    if (stays && made->accessibility != WHEN_PASSCODE_SET) made->accessibility += STAYS_HERE;
    made->constraints = constraints[rule];
    if (is_key && !(options & THUMBTURN_IN_STORE)) made->constraints |= TT_PRIVATE_KEY_USAGE;
    return true;
}

thumbturn_rule tt_rule_named(const struct tt_rule *rule) {
    switch (rule->constraints & ~(uint64_t)TT_PRIVATE_KEY_USAGE) {
    case 0: return THUMBTURN_RULE_NONE;
    case TT_USER_PRESENCE: return THUMBTURN_RULE_PRESENCE;
    case TT_PASSCODE: return THUMBTURN_RULE_PASSCODE;
    case TT_BIOMETRY_ANY: return THUMBTURN_RULE_ANY_FINGER;
    case TT_BIOMETRY_CURRENT: return THUMBTURN_RULE_CURRENT_FINGERS;
    case TT_COMPANION: return THUMBTURN_RULE_COMPANION;
    default: return THUMBTURN_RULE_OTHER;
    }
}
