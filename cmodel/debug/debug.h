/* SPDX-License-Identifier: Apache-2.0 */
/* Interactive stepping: a prompt between warp instructions, the same for the model alone and for RTL in lockstep. The
 * caller executes the instructions and reports each one; at a stop, commands are read until one resumes the run.
 *
 *     struct debug *d = debug_create(&options);
 *     bool go_on = debug_start(d);
 *     while (go_on && (result = model_run_step(m, &record)) == MODEL_RETIRED) go_on = debug_record(d, &record);
 *     debug_end(d, "the grid has finished");
 *     debug_destroy(d);
 *
 * docs/debug.md has the commands. */
#ifndef WARPSTEP_DEBUG_H
#define WARPSTEP_DEBUG_H

#include <stdio.h>

#include "../model.h"

struct debug;

/* Reads the next line of commands, without its newline; the caller frees it. NULL: no more lines. */
typedef char *debug_read_fn(void *reader, const char *prompt);

struct debug_options {
    struct model *model;
    const struct image *image;     /* the launched image */
    const struct machine *machine; /* all three must stay valid */
    FILE *out;                     /* output of the commands */
    debug_read_fn *read;
    void *reader;
    const char *script; /* name of the command file, in which a mistake ends the run; NULL: interactive */
};

struct debug *debug_create(const struct debug_options *options); /* NULL if out of memory */
void debug_destroy(struct debug *d);

/* To be called before the first instruction. All three return false if the run shall end. */
bool debug_start(struct debug *d);

/* To be called after each instruction, with its record. */
bool debug_record(struct debug *d, const struct retire *r);

/* The run has ended, for the reason `how`; commands can still show its state. */
void debug_end(struct debug *d, const char *how);

/* Requests the prompt after the next instruction. */
void debug_interrupt(struct debug *d);

/* Without a prompt, for a caller that has command lines at any time: executes one, and reports its mistakes. True: the
 * run continues until debug_stops after an instruction. */
bool debug_execute(struct debug *d, const char *line);
bool debug_stops(struct debug *d, const struct retire *r);

/* The warp that commands refer to. */
void debug_get_warp(const struct debug *d, unsigned *sm, unsigned *slot);

/* A mistake in a script: STATUS_BAD_INPUT, with its line. */
enum status debug_status(const struct debug *d, struct diag *diag);

/* Names of commands, for completion; NULL after the last. */
const char *debug_command_name(size_t i);

#endif
