/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines. */
#include "options.h"

#include <stdio.h>
#include <string.h>

#include "diag.h"
#include "outfile.h"
#include "version.h"

int options_error(const struct options_tool *tool, const char *text, const char *what) {
    fprintf(stderr, "%s: error: %s%s%s%s; --help shows the usage\n", tool->name, text, what != NULL ? " '" : "",
            what != NULL ? what : "", what != NULL ? "'" : "");
    return STATUS_BAD_INPUT;
}

static const char **find_value(const struct options_tool *tool, const char *arg) {
    for (const struct options_value *v = tool->values; v->name != NULL; v++)
        if (strcmp(v->name, arg) == 0) return v->value;
    return NULL;
}

static bool set_flag(const struct options_tool *tool, const char *arg) {
    for (const struct options_flag *f = tool->flags; f->name != NULL; f++)
        if (strcmp(f->name, arg) == 0) return *f->set = true;
    return tool->other != NULL && tool->other(tool->state, arg);
}

int options_parse(const struct options_tool *tool, int argc, char **argv, const char **file) {
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i], **value = find_value(tool, arg);
        if (value != NULL) {
            if (++i == argc) return options_error(tool, "a value is missing after", arg);
            *value = argv[i];
        } else if (strcmp(arg, "--help") == 0) {
            fputs(tool->usage, stdout);
            return outfile_finish(0);
        } else if (strcmp(arg, "--version") == 0) {
            printf("%s (Warpstep) %s\n", tool->name, WARPSTEP_VERSION);
            return outfile_finish(0);
        } else if (arg[0] == '-' && arg[1] != '\0') {
            if (!set_flag(tool, arg)) return options_error(tool, "unknown option", arg);
        } else if (*file != NULL) {
            return options_error(tool, "more than one file:", arg);
        } else {
            *file = arg;
        }
    }
    return -1;
}
