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

const char *options_split(const char *arg, char name[OPTIONS_NAME_MAX]) {
    const char *equals = strncmp(arg, "--", 2) == 0 ? strchr(arg, '=') : NULL;
    name[0] = '\0';
    if (equals == NULL || equals - arg >= OPTIONS_NAME_MAX) return NULL;
    memcpy(name, arg, (size_t)(equals - arg));
    name[equals - arg] = '\0';
    return equals + 1;
}

static int answer(const struct options_tool *tool, bool help) {
    if (help)
        fputs(tool->usage, stdout);
    else
        printf("%s (Warpstep) %s\n", tool->name, WARPSTEP_VERSION);
    return outfile_finish(0);
}

/* Takes an argument that is an option, and the next one (NULL: none). Returns how many of the two it used, -1 with
 * *code after an answer or an error. */
static int take_option(const struct options_tool *tool, const char *arg, const char *next, int *code) {
    char name[OPTIONS_NAME_MAX];
    const char *joined = options_split(arg, name);
    const char **value = find_value(tool, joined != NULL ? name : arg);
    if (value != NULL) {
        *value = joined != NULL ? joined : next;
        if (*value != NULL) return joined != NULL ? 1 : 2;
        *code = options_error(tool, "a value is missing after", arg);
        return -1;
    }
    const bool help = strcmp(arg, "--help") == 0;
    if (help || strcmp(arg, "--version") == 0) {
        *code = answer(tool, help);
        return -1;
    }
    if (set_flag(tool, arg)) return 1;
    *code = joined != NULL && set_flag(tool, name) ? options_error(tool, "takes no value:", arg)
                                                   : options_error(tool, "unknown option", arg);
    return -1;
}

int options_parse(const struct options_tool *tool, int argc, char **argv, const char **file) {
    int code = 0;
    bool only_files = false;
    for (int i = 1, used; i < argc; i += used) {
        used = 1;
        if (!only_files && options_is(argv[i])) {
            only_files = strcmp(argv[i], "--") == 0;
            used = only_files ? 1 : take_option(tool, argv[i], argv[i + 1], &code);
            if (used < 0) return code;
        } else if (*file != NULL) {
            return options_error(tool, "more than one file:", argv[i]);
        } else {
            *file = argv[i];
        }
    }
    return -1;
}
