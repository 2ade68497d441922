/* SPDX-License-Identifier: Apache-2.0 */
#include "last_store.h"

#include <inttypes.h>

#include "../../cmodel/core/lanes.h"
#include "../../cmodel/run/state_report.h"
#include "../record/look.h"
#include "lockstep.h"

void last_store_ask(struct last_store *s, const struct lockstep_result *r) {
    const struct retire *e = &r->expected;
    *s = (struct last_store){.asked = false};
    if (r->fault == FAULT_MEMORY && r->memory.memory == SIM_GLOBAL) {
        s->asked = true;
        s->addr = r->memory.first;
        s->bytes = 1;
    }
    if (r->fault != FAULT_FIELD || e->mem_kind != RETIRE_MEM_GLOBAL_LOAD) return;
    for (size_t i = 0; i < r->differences.count && !s->asked; i++) {
        const struct compare_diff *d = &r->differences.diff[i];
        if (strncmp(d->field->name, "dst", 3) != 0 || d->lanes == 0 || (d->lanes & e->mem_mask) != d->lanes) continue;
        s->asked = true;
        s->addr = e->addr[lanes_first(d->lanes)];
        s->bytes = e->mem_bytes;
        retire_copy(&s->until, &r->actual);
    }
}

static bool is_end(const struct last_store *s, const struct retire *record) {
    return s->until.cycle == record->cycle && s->until.sm == record->sm && s->until.slot == record->slot &&
           s->until.pc == record->pc;
}

void last_store_see(struct last_store *s, const struct retire *record) {
    s->over = s->over || is_end(s, record);
    if (!s->asked || s->over) return;
    if (record->mem_kind != RETIRE_MEM_GLOBAL_STORE && record->mem_kind != RETIRE_MEM_GLOBAL_ATOMIC) return;
    for (uint32_t left = record->mem_mask; left != 0; left = lanes_rest(left)) {
        const unsigned lane = lanes_first(left);
        const uint64_t from = record->addr[lane];
        if (from >= (uint64_t)s->addr + s->bytes || from + record->mem_bytes <= s->addr) continue;
        s->found = true;
        s->lane = lane;
        retire_copy(&s->record, record);
    }
}

void last_store_print(const struct last_store *s, const struct image *image, FILE *out) {
    const struct retire *r = &s->record;
    struct isa_insn insn;
    if (!s->asked) return;
    if (!s->found) {
        fprintf(out, "  nobody stored at 0x%" PRIx32 " before\n", s->addr);
        return;
    }
    fprintf(out,
            "  the last store at 0x%" PRIx32 ": cycle %" PRIu64 ", block (%" PRIu32 ",%" PRIu32 ") warp %" PRIu32
            " lane %u, ",
            s->addr, r->cycle, r->block_x, r->block_y, r->warp, s->lane);
    state_report_code(image, r->pc, out);
    if (isa_decode(r->word_lo, r->word_hi, &insn) != ISA_OK) return;
    const struct look look = look_for(&insn, "");
    if (look.rtl != NULL) fprintf(out, "    its stages: %s, in rtl/: %s\n", look.stages, look.rtl);
}
