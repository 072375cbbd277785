// Whether each error has a text: `errors HEADER`, where thumbturn.h lies.
#include <thumbturn.h>

#include "check.h"

int main(int count, char **words) {
    CHECK(count == 2);
    FILE *header = fopen(words[1], "r");
    CHECK(header);
    const char *unknown = thumbturn_error_text(-1);
    char line[512], name[64];
    int error, known = 0;
    while (fgets(line, sizeof line, header) && strcmp(line, "} thumbturn_error;\n") != 0) {
        if (sscanf(line, " THUMBTURN_%63[A-Z_] = %d,", name, &error) != 2) continue;
        if (strcmp(thumbturn_error_text(error), unknown) == 0) fprintf(stderr, "%s has no text\n", name);
        CHECK(strcmp(thumbturn_error_text(error), unknown) != 0);
        known++;
    }
    fclose(header);
    printf("%d errors have a text\n", known);
    return 0;
}
