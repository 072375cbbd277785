// Which texts are taken: those that are UTF-8, tried with each byte that a rule of it turns on, in up to four places.
#include <thumbturn.h>

#include "check.h"

// Each byte at which a range begins or ends, and its neighbours.
static const unsigned char BYTES[] = {0x01, 0x7F, 0x80, 0x81, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0,
                                      0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFC, 0xFE, 0xFF};
enum { KINDS = sizeof BYTES };

// As Unicode's definition has it: the number that the bits make, written again, has to be the same bytes.
static int is_text(const unsigned char *at) {
    while (*at) {
        static const unsigned least[] = {0, 0x80, 0x800, 0x10000};
        unsigned more = *at < 0x80 ? 0 : *at >> 5 == 6 ? 1 : *at >> 4 == 14 ? 2 : *at >> 3 == 30 ? 3 : 9;
        if (more == 9) return 0;
        unsigned number = more ? *at & (0x3F >> more) : *at;
        for (unsigned index = 1; index <= more; index++) {
            if (at[index] >> 6 != 2) return 0;
            number = number << 6 | (at[index] & 0x3F);
        }
        if (number < least[more] || number > 0x10FFFF || (number >= 0xD800 && number <= 0xDFFF)) return 0;
        at += more + 1;
    }
    return 1;
}

int main(void) {
    unsigned long tried = 0, taken = 0;
    for (int length = 1; length <= 4; length++) {
        unsigned long all = 1;
        for (int place = 0; place < length; place++) all *= KINDS;
        for (unsigned long which = 0; which < all; which++, tried++) {
            unsigned char text[5] = {0};
            unsigned long rest = which;
            for (int place = 0; place < length; place++, rest /= KINDS) text[place] = BYTES[rest % KINDS];
            thumbturn *t = NULL;
            int error = thumbturn_open((const char *)text, &t);
            if (is_text(text)) EXPECT(THUMBTURN_OK, error); else EXPECT(THUMBTURN_ARGUMENT, error);
            taken += error == THUMBTURN_OK;
            thumbturn_close(t);
        }
    }
    CHECK(taken > 100 && taken < tried);
    printf("%lu tried\n", tried);
    return 0;
}
