/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a trace for Konata, "Kanata 0004": the events of each cycle in order, cycles ascending. An instruction has one
 * stage in each of its lanes; a stage ends when the lane's next one begins.
 *
 *     struct kanata k = {.out = stream};
 *     kanata_open(&k);
 *     kanata_go_to(&k, 5);
 *     id = kanata_begin(&k, thread, "IADD R1, R2, R3");
 *     kanata_stage(&k, id, 0, "X1");
 *     kanata_go_to(&k, 6);
 *     kanata_end(&k, id, 0, "X1");
 *     kanata_leave(&k, id, KANATA_RETIRED);
 */
#ifndef WARPSTEP_KANATA_H
#define WARPSTEP_KANATA_H

#include <stdint.h>
#include <stdio.h>

struct kanata {
    FILE *out;
    uint64_t cycle;
    uint64_t begun, left; /* instructions begun and left; both orders are numbered */
};

enum kanata_fate { KANATA_RETIRED, KANATA_FLUSHED };

void kanata_open(struct kanata *k);
void kanata_go_to(struct kanata *k, uint64_t cycle); /* not before the current cycle */
uint64_t kanata_begin(struct kanata *k, unsigned thread, const char *label);
void kanata_stage(struct kanata *k, uint64_t id, unsigned lane, const char *stage);
void kanata_end(struct kanata *k, uint64_t id, unsigned lane, const char *stage);
void kanata_leave(struct kanata *k, uint64_t id, enum kanata_fate fate);

#endif
