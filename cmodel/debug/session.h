/* SPDX-License-Identifier: Apache-2.0 */
/* The prompt of a tool: its options, and the source of its commands: a terminal, with history and completion (libedit),
 * or a file or pipe, one command a line. Not part of the library: only tools use it.
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
    struct debug *debug; /* NULL: not requested, or not open */
    FILE *in;            /* NULL: a terminal */
};

/* --debug, --debug-script FILE: the number of arguments consumed, 0 for other options, -1 with *d filled. */
int session_take_option(struct session *s, const char *option, const char *value, struct diag *d);
void session_print_help(FILE *out);

/* Standard input cannot be both the kernel and the source of commands. */
enum status session_check(const struct session *s, const char *kernel, struct diag *d);

/* Does nothing without a request for a prompt. All three pointers stay valid until session_close. */
enum status session_open(struct session *s, struct model *m, const struct image *image, const struct machine *machine,
                         struct diag *d);

/* STATUS_BAD_INPUT: a mistake in a script ended the run. */
enum status session_close(struct session *s, struct diag *d);

#endif
