/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that end a tool: Ctrl-C, SIGTERM, SIGHUP and SIGQUIT. A tool that writes files installs this first; from then
 * on these signals, and SIGPIPE, remove the files that were noted before they end the process. While they are held the
 * first one is only remembered, so that the tool can end what it does; the next one ends the process all the same. A
 * signal that was ignored before (nohup) stays ignored.
 *
 *     stop_install();
 *     stop_hold();
 *     while (more && stop_signal() == 0) ...;
 *     stop_release();
 *     return stop_signal() != 0 ? stop_code() : 0;
 */
#ifndef WARPSTEP_STOP_H
#define WARPSTEP_STOP_H

#include <stdbool.h>

/* Also ignores SIGXFSZ: a file that may not grow is an error of the write, and not the end. */
void stop_install(void);

/* They nest. The first one forgets a signal that came before. */
void stop_hold(void);
void stop_release(void);

/* The signal that came while they were held, 0: none. */
int stop_signal(void);
/* "SIGTERM"; "the prompt" of no signal. */
const char *stop_name(void);
/* The exit code that shells have for it: 128 and its number; that of SIGINT where the prompt ended the run. */
int stop_code(void);
/* Ctrl-C was for the prompt; true when it was Ctrl-C. */
bool stop_take_interrupt(void);

/* Between the two a read ends when a signal comes, and Ctrl-C is for `interrupt`, if that is not NULL. */
void stop_begin_read(void (*interrupt)(int number));
void stop_end_read(void);

/* In a child, whose parent ends it: ignores them all. */
void stop_ignore(void);

/* Blocks them in this thread, from before a file is made until it is noted. */
struct stop_blocked {
    unsigned long mask[16]; /* a sigset_t */
};
void stop_block(struct stop_blocked *before);
void stop_unblock(const struct stop_blocked *before);

/* A file that goes when a signal ends the process; the path must stay until it is forgotten. Of a few at a time, later
 * ones are not noted. */
void stop_note_file(const char *path);
void stop_forget_file(const char *path);

#endif
