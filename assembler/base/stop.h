/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that end a tool: Ctrl-C, SIGTERM, SIGHUP and SIGQUIT. A tool that writes files installs the handlers first;
 * from then on these signals, and SIGPIPE, remove the noted files before they end the process. While signals are held,
 * the first one is only recorded, so that the tool can finish its work; the next one ends the process. A signal that
 * was ignored before (nohup) stays ignored.
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

/* Also ignores SIGXFSZ: at the file size limit the write fails, and the process continues. */
void stop_install(void);

/* Holds nest. The outermost one forgets an earlier signal. */
void stop_hold(void);
void stop_release(void);

/* The signal that arrived during the hold, 0: none. */
int stop_signal(void);
/* "SIGTERM"; "the prompt" without a signal. */
const char *stop_name(void);
/* The exit code of shells: 128 plus the signal's number; that of SIGINT if the prompt ended the run. */
int stop_code(void);
/* The prompt consumes Ctrl-C; true if the signal was Ctrl-C. */
bool stop_take_interrupt(void);

/* Between the two, a signal interrupts a read, and Ctrl-C calls `interrupt` unless it is NULL. */
void stop_begin_read(void (*interrupt)(int number));
void stop_end_read(void);

/* Ignores all signals, in a child whose parent ends it. */
void stop_ignore(void);

/* Blocks the signals in this thread, from before the making of a file until it is noted. */
struct stop_blocked {
    unsigned long mask[16]; /* a sigset_t */
};
void stop_block(struct stop_blocked *before);
void stop_unblock(const struct stop_blocked *before);

/* A file that is removed when a signal ends the process; the path must stay valid until it is forgotten. Only a few
 * files at a time are noted. */
void stop_note_file(const char *path);
void stop_forget_file(const char *path);

#endif
