/* SPDX-License-Identifier: Apache-2.0 */
/* Details of a memory trap: lane, address, end of the memory, and the operands of that lane. In words, for reports and
 * traces, and as members of the "trap" object of --json. Empty for other traps, and if the lane is unknown.
 *
 *     const struct model_trap trap = model_get_trap(m);
 *     char text[TRAP_REPORT_MAX];
 *     trap_report_access(&trap, image, text);         // "lane 3: 4 bytes at 0x40000, global memory ends at 0x40000"
 *     trap_report_operands(m, &trap, text);           // "R1 0x00000005, R2 0x00040000"
 */
#ifndef WARPSTEP_TRAP_REPORT_H
#define WARPSTEP_TRAP_REPORT_H

#include <stdio.h>

#include "../model.h"

enum { TRAP_REPORT_MAX = 256 };

/* Both return `text`, which holds TRAP_REPORT_MAX bytes. `image` is the launched image. */
const char *trap_report_access(const struct model_trap *trap, const struct image *image, char *text);
const char *trap_report_operands(const struct model *m, const struct model_trap *trap, char *text);

/* The lines of a report: the access, the operands; the end of the code; the cause of a partial barrier. */
void trap_report_print(const struct model *m, const struct model_trap *trap, const struct image *image, FILE *out);

/* The object: code, name, sm, slot, pc; for a memory trap the memory's name, lane, lanes, address, bytes, limit,
 * operands; for a read beyond the parameters their number of words. */
void trap_report_json(const struct model *m, const struct model_trap *trap, const struct image *image, FILE *out);

#endif
