/* SPDX-License-Identifier: Apache-2.0 */
#include "json_string.h"

void json_print_string(const char *text, FILE *out) {
    fputc('"', out);
    for (const char *c = text; *c != 0; c++)
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if ((unsigned char)*c < ' ')
            fprintf(out, "\\u%04x", (unsigned)(unsigned char)*c);
        else
            fputc(*c, out);
    fputc('"', out);
}
