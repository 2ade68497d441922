/* SPDX-License-Identifier: Apache-2.0 */
/* The command lines of warp-as, warp-dis and warp-view: options with a value, flags, and one file. A value is the next
 * argument, of any form, or follows a =; after -- there are only files, and - is a file.
 *
 *     const struct options_tool tool = {"warp-as", USAGE, values, flags, NULL, NULL};
 *     int code = options_parse(&tool, argc, argv, &file);
 *     if (code >= 0) return code;                       // --help, --version, or an error that has been printed
 */
#ifndef WARPSTEP_OPTIONS_H
#define WARPSTEP_OPTIONS_H

#include <stdbool.h>

struct options_value {
    const char *name; /* NULL: the end of the list */
    const char **value;
};

struct options_flag {
    const char *name; /* NULL: the end of the list */
    bool *set;
};

struct options_tool {
    const char *name, *usage;
    const struct options_value *values;
    const struct options_flag *flags;
    bool (*other)(void *state, const char *arg); /* handles any other option; false: unknown. May be NULL */
    void *state;
};

/* Returns -1 to go on, or the exit code. *file is unchanged if no file is given. */
int options_parse(const struct options_tool *tool, int argc, char **argv, const char **file);

enum { OPTIONS_NAME_MAX = 40 };

/* The value of "--name=value", with "--name" in `name`; NULL for any other argument, with "" in `name`. */
const char *options_split(const char *arg, char name[OPTIONS_NAME_MAX]);

/* True if an argument is an option, not a file. */
static inline bool options_is(const char *arg) { return arg[0] == '-' && arg[1] != '\0'; }

/* Prints "TOOL: error: text 'what'" (what may be NULL) and returns the exit code. */
int options_error(const struct options_tool *tool, const char *text, const char *what);

#endif
