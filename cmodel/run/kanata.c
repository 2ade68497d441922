/* SPDX-License-Identifier: Apache-2.0 */
#include "kanata.h"

#include <inttypes.h>

void kanata_open(struct kanata *k) { fputs("Kanata\t0004\nC=\t0\n", k->out); }

void kanata_go_to(struct kanata *k, uint64_t cycle) {
    if (cycle <= k->cycle) return;
    fprintf(k->out, "C\t%" PRIu64 "\n", cycle - k->cycle);
    k->cycle = cycle;
}

uint64_t kanata_begin(struct kanata *k, unsigned thread, const char *label) {
    const uint64_t id = k->begun++;
    fprintf(k->out, "I\t%" PRIu64 "\t%" PRIu64 "\t%u\nL\t%" PRIu64 "\t0\t%s\n", id, id, thread, id, label);
    return id;
}

void kanata_stage(struct kanata *k, uint64_t id, unsigned lane, const char *stage) {
    fprintf(k->out, "S\t%" PRIu64 "\t%u\t%s\n", id, lane, stage);
}

void kanata_end(struct kanata *k, uint64_t id, unsigned lane, const char *stage) {
    fprintf(k->out, "E\t%" PRIu64 "\t%u\t%s\n", id, lane, stage);
}

void kanata_leave(struct kanata *k, uint64_t id, enum kanata_fate fate) {
    fprintf(k->out, "R\t%" PRIu64 "\t%" PRIu64 "\t%d\n", id, fate == KANATA_RETIRED ? k->left++ : 0, (int)fate);
}
