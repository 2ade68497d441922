/* SPDX-License-Identifier: Apache-2.0 */
#include "expected.h"

#include <stdlib.h>

#include "../assembler/base/grow.h"
#include "../assembler/isa/isa.h"
#include "../cmodel/run/trace.h"
#include "../spec/memory.h"

static enum status no_memory(struct diag *d) { return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory"); }

/* Instructions whose result only the machine knows: the time, and its place. */
static bool reads_what_only_a_board_knows(const struct retire *r) {
    struct isa_insn insn;
    return isa_decode(r->word_lo, r->word_hi, &insn) == ISA_OK && insn.op == OP_S2R && r->exec != 0 &&
           (insn.sreg == SREG_CLOCK || insn.sreg == SREG_PHYSID);
}

static enum status note(struct expected *e, const struct launch *run, const struct retire *r, struct diag *d) {
    char text[TRACE_TEXT_MAX];
    if (reads_what_only_a_board_knows(r))
        return diag_set(d, STATUS_BAD_INPUT, run->path, 0, 0, "cannot be checked: only the board knows what %s gives",
                        trace_instruction(r->pc, r->word_lo, r->word_hi, text));
    struct expected_step *steps = grow_array(e->steps, e->count, &e->capacity, sizeof *steps);
    if (steps == NULL) return no_memory(d);
    e->steps = steps;
    struct expected_step *s = &e->steps[e->count];
    *s = (struct expected_step){.block = r->block_y << 16 | r->block_x, .warp = r->warp};
    if (e->count == 0 || s->block != s[-1].block) e->block_count++;
    e->count++;
    return STATUS_OK;
}

static enum status run_model(struct model *m, const struct launch *run, struct expected *e, struct diag *d) {
    struct retire r;
    struct model_counts counts;
    enum model_result result;
    uint32_t numbers[WARP_LANES] = {0}; /* one for each warp of this block */
    while ((result = model_run_step(m, &r)) == MODEL_RETIRED && r.trap == TRAP_NONE) {
        const size_t blocks = e->block_count;
        if (e->count >= run->max_cycles)
            return diag_set(d, STATUS_BAD_INPUT, run->path, 0, 0,
                            "cannot be checked: on the model it takes more instructions than --max-cycles");
        const enum status status = note(e, run, &r, d);
        if (status != STATUS_OK) return status;
        if (e->block_count != blocks)
            for (unsigned i = 0; i < WARP_LANES; i++) numbers[i] = 0;
        struct expected_step *s = &e->steps[e->count - 1];
        s->number = numbers[s->warp]++;
        hash_add(&s->hash, &r, s->number, run->image->regs);
    }
    if (result != MODEL_DONE)
        return diag_set(d, STATUS_BAD_INPUT, run->path, 0, 0, "cannot be checked: on the model it %s, see warp-run",
                        result == MODEL_STUCK ? "hangs" : "traps");
    model_get_counts(m, &counts);
    e->undefined = counts.undefined_reads;
    model_races(m, &e->races);
    return STATUS_OK;
}

/* Finds the beginnings of the blocks. */
static enum status find_blocks(struct expected *e, struct diag *d) {
    size_t found = 0;
    e->blocks = calloc(e->block_count + 1, sizeof *e->blocks);
    if (e->blocks == NULL) return no_memory(d);
    for (size_t i = 0; i < e->count; i++)
        if (i == 0 || e->steps[i].block != e->steps[i - 1].block) e->blocks[found++] = i;
    e->blocks[found] = e->count;
    return STATUS_OK;
}

enum status expected_make(const struct launch *run, const struct machine *machine, struct expected *e, struct diag *d) {
    *e = (struct expected){.machine = *machine};
    e->machine.sms = e->machine.blocks = 1;
    struct model *m = model_create(&e->machine);
    enum status status = m != NULL ? model_launch(m, run->image, d) : no_memory(d);
    if (status == STATUS_OK && !model_check_races(m)) status = no_memory(d);
    if (status == STATUS_OK) status = run_model(m, run, e, d);
    if (status == STATUS_OK) status = find_blocks(e, d);
    model_destroy(m);
    if (status != STATUS_OK) expected_release(e);
    return status;
}

void expected_release(struct expected *e) {
    free(e->steps);
    free(e->blocks);
    e->steps = NULL;
    e->blocks = NULL;
}
