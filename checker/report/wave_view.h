/* SPDX-License-Identifier: Apache-2.0 */
/* Files for viewers of a wave file, written beside it: FILE.gtkw for GTKWave, FILE.sucl for Surfer, and FILE.pc.txt,
 * with which GTKWave shows a pc as its instruction. They show the stages of the pipeline in order, the lanes in
 * question, the warp and the pending loads, with the cursor on a cycle.
 *
 *     const struct wave_view view = {.path = "x.fst", .sim = "verilator", .image = image, .cycle = 125, ...};
 *     if (wave_view_knows(&view)) status = wave_view_write(&view, &d);
 */
#ifndef WARPSTEP_WAVE_VIEW_H
#define WARPSTEP_WAVE_VIEW_H

#include <stdbool.h>

#include "../../assembler/base/diag.h"
#include "../../assembler/image/image.h"

struct wave_view {
    const char *path; /* of the waves */
    const char *sim;  /* sim_api.name */
    const struct image *image;
    uint64_t cycle; /* of the cursor */
    bool second;    /* the launch is the second one */
    unsigned cores, sm, slot;
    uint32_t lanes; /* lanes of the warp; the first few are shown */
};

enum { WAVE_VIEW_PATH = 1024 };

/* True if the waves are of our RTL, in a format with its records. */
bool wave_view_knows(const struct wave_view *v);

/* Writes all three files; a file that fails is removed. */
enum status wave_view_write(const struct wave_view *v, struct diag *d);

/* "x.gtkw" of "x.fst". Returns text. */
const char *wave_view_path(const char *wave, const char *suffix, char text[WAVE_VIEW_PATH]);

#endif
