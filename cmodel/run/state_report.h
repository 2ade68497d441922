/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a model in readable lines: an instruction with its place in the source, every warp, reads of unwritten
 * values.
 *
 *     state_report_place(image, trap.pc, trap.word_lo, trap.word_hi, stderr);  // pc 0x10: MOV R3, R1 (kernel.sass:25)
 *     state_report_warps(m, image, &machine, stderr);
 */
#ifndef WARPSTEP_STATE_REPORT_H
#define WARPSTEP_STATE_REPORT_H

#include <stdio.h>

#include "../model.h"
#include "launch.h"

/* The rest of a line: the instruction of these words at pc (bytes), or of the code at pc. */
void state_report_place(const struct image *image, uint32_t pc, uint32_t lo, uint32_t hi, FILE *out);
void state_report_code(const struct image *image, uint32_t pc, FILE *out);

/* Copies line `number` of a file, from 1, without its newline; false if there is none. */
enum { STATE_REPORT_LINE_MAX = 400 };
bool state_report_read_line(const char *path, unsigned number, char line[STATE_REPORT_LINE_MAX]);

/* The source line of a pc in a compiled kernel, "saxpy.cl:5: y[i] = a * x[i];", after `indent`, if the file exists.
 * False, with nothing written, for other kernels. */
bool state_report_source(const struct image *image, uint32_t pc, const char *indent, FILE *out);

/* "ready", "waits at barrier", ...; "SYNC", "DIVERGE", "CALL", "BREAK"; "load", "store", "atomic". */
const char *state_report_state(const struct model_warp *warp);
const char *state_report_token(enum model_token token);
const char *state_report_access(enum model_access_kind kind);

/* A line for each resident warp, of one slot or of all. */
void state_report_warp(const struct model *m, const struct image *image, unsigned sm, unsigned slot, FILE *out);
void state_report_warps(const struct model *m, const struct image *image, const struct machine *machine, FILE *out);

/* A line for each of the loops that have run most often, of a kernel that does not end. */
void state_report_loops(const struct model *m, const struct image *image, FILE *out);

/* Values that were read before they were written, errors with --strict: the first place of each, at most 20 in all. */
void state_report_undefined(const struct model *m, const struct launch *run, FILE *out);

/* The same as the member "undefined" of a JSON object. */
void state_report_undefined_json(const struct model *m, FILE *out);

#endif
