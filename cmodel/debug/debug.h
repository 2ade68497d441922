/* SPDX-License-Identifier: Apache-2.0 */
/* Step by hand: a prompt between warp instructions, the same for the model alone and for RTL in lockstep with it. The
 * caller runs the instructions and tells it after each; when the prompt is wanted, commands are read until one lets
 * the run go on.
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

/* The next line of commands, without its end, to be freed; NULL: there is none. */
typedef char *debug_read_fn(void *reader, const char *prompt);

struct debug_options {
    struct model *model;
    const struct image *image;     /* what was launched */
    const struct machine *machine; /* all three stay valid */
    FILE *out;                     /* what commands print */
    debug_read_fn *read;
    void *reader;
    const char *script; /* the file that commands come from, where a mistake ends the run; NULL: somebody types them */
};

struct debug *debug_create(const struct debug_options *options); /* NULL when memory is out */
void debug_destroy(struct debug *d);

/* Before the first instruction. All three: false when the run is to end. */
bool debug_start(struct debug *d);

/* After an instruction, whose record this is. */
bool debug_record(struct debug *d, const struct retire *r);

/* The run has ended, `how` in words: what is left can be looked at. */
void debug_end(struct debug *d, const char *how);

/* The prompt comes after the next instruction. */
void debug_interrupt(struct debug *d);

/* The same without a prompt, for a caller that has a line when it has one: executes it, and says what is wrong with it.
 * True: the run goes on, until debug_stops after an instruction. */
bool debug_execute(struct debug *d, const char *line);
bool debug_stops(struct debug *d, const struct retire *r);

/* The warp that commands are about. */
void debug_get_warp(const struct debug *d, unsigned *sm, unsigned *slot);

/* A mistake in a script: STATUS_BAD_INPUT, with its line. */
enum status debug_status(const struct debug *d, struct diag *diag);

/* Names of commands, for completion; NULL behind the last. */
const char *debug_command_name(size_t i);

#endif
