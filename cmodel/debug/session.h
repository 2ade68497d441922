/* SPDX-License-Identifier: Apache-2.0 */
/* The prompt of a tool: its options, and where its commands come from: a terminal, with history and completion
 * (libedit), or a file or pipe, a line each. Not a part of the library: tools alone have it.
 *
 *     struct session s = {.wanted = false};
 *     used = session_take_option(&s, option, value, &d);               // of the command line
 *     if (session_open(&s, model, image, machine, &d) != STATUS_OK) ...
 *     ... debug_start(s.debug), debug_record(s.debug, &record), debug_end(s.debug, "...")
 *     status = session_close(&s, &d);
 */
#ifndef WARPSTEP_SESSION_H
#define WARPSTEP_SESSION_H

#include "debug.h"

struct session {
    bool wanted;
    const char *script;  /* a file of commands; NULL: standard input */
    struct debug *debug; /* NULL: not wanted, or not open */
    FILE *in;            /* NULL: a terminal */
};

/* --debug, --debug-script FILE: how many arguments it took, 0 for other options, -1 with *d filled. */
int session_take_option(struct session *s, const char *option, const char *value, struct diag *d);
void session_print_help(FILE *out);

/* Standard input cannot be both the kernel, by its path, and where commands come from. */
enum status session_check(const struct session *s, const char *kernel, struct diag *d);

/* Does nothing where no prompt is wanted. All three pointers stay valid until session_close. */
enum status session_open(struct session *s, struct model *m, const struct image *image, const struct machine *machine,
                         struct diag *d);

/* STATUS_BAD_INPUT: a mistake in a script has ended the run. */
enum status session_close(struct session *s, struct diag *d);

#endif
