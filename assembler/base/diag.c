/* SPDX-License-Identifier: Apache-2.0 */
/* One message: filled by libraries, printed by mains. */
#include "diag.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

enum status diag_set(struct diag *d, enum status status, const char *file, unsigned line, unsigned column,
                     const char *format, ...) {
    if (d == NULL) return status;
    d->status = status;
    d->line = line;
    d->column = column;
    snprintf(d->file, sizeof d->file, "%s", file != NULL ? file : "");
    va_list args;
    va_start(args, format);
    vsnprintf(d->text, sizeof d->text, format, args);
    va_end(args);
    return status;
}

enum status diag_errno(struct diag *d, const char *file, const char *what) {
    const int error = errno;
    if (error == ENOMEM) return diag_set(d, STATUS_NO_MEMORY, file, 0, 0, "out of memory");
    const char *why = error != 0 ? strerror(error) : "input or output error";
    return diag_set(d, STATUS_BAD_INPUT, file, 0, 0, "%s%s%s", what, what[0] != '\0' ? ": " : "", why);
}

static void print(FILE *out, const struct diag *d) {
    if (d->file[0] != '\0') fprintf(out, "%s:", d->file);
    if (d->file[0] != '\0' && d->line != 0) fprintf(out, "%u:", d->line);
    if (d->file[0] != '\0' && d->line != 0 && d->column != 0) fprintf(out, "%u:", d->column);
    fprintf(out, "%serror: %s\n", d->file[0] != '\0' ? " " : "", d->text);
}

int diag_report(FILE *out, const struct diag *d) {
    if (d->text[0] != '\0') print(out, d);
    return d->status == STATUS_NO_MEMORY ? STATUS_BAD_INPUT : (int)d->status;
}
