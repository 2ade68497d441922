/* SPDX-License-Identifier: Apache-2.0 */
/* Moves: MOV, MVI, MVC and G2R, which copy a source; moves between the R, A and C register files; S2R. Source:
 * docs/isa.md 4, 5.3. */
#include "../../spec/memory.h"
#include "read.h"
#include "units.h"

enum { SHORT_MASK = 0xffff };

EXEC(exec_mov) { memcpy(out->value, in->a, sizeof out->value); }

/* A = (R << shift) mod 2^16. */
void unit_r2a(struct step *s) {
    uint32_t room[WARP_LANES];
    const uint32_t *value = read_source(s, 0, room);
    for (unsigned i = 0; i < WARP_LANES; i++) s->a[i] = value[i] << s->insn->shift & SHORT_MASK;
}

/* A = A + constant mod 2^16. */
void unit_ada(struct step *s) {
    const uint32_t *value = read_areg(s, s->insn->areg);
    for (unsigned i = 0; i < WARP_LANES; i++) s->a[i] = (value[i] + s->insn->src[1].value) & SHORT_MASK;
}

void unit_a2r(struct step *s) {
    s->write = s->exec;
    memcpy(s->out.value, read_areg(s, s->insn->areg), sizeof s->out.value);
}

void unit_c2r(struct step *s) {
    const struct flags *flags = read_creg(s, s->insn->creg);
    s->write = s->exec;
    for (unsigned i = 0; i < WARP_LANES; i++) s->out.value[i] = flags_get(flags, i);
}

void unit_r2c(struct step *s) {
    uint32_t room[WARP_LANES];
    const uint32_t *value = read_source(s, 0, room);
    s->write = s->exec;
    s->flags = (struct flags){
        .zero = lanes_where_set(value, 1),
        .sign = lanes_where_set(value, 2),
        .carry = lanes_where_set(value, 4),
        .overflow = lanes_where_set(value, 8),
    };
}

/* In lockstep the clock is the RTL's; alone, the model counts warp instructions. SR1 counts every second tick. */
static uint32_t read_clock(const struct step *s) { return (uint32_t)(s->m->counts.warp_instructions / 2); }

void unit_s2r(struct step *s) {
    s->write = s->exec;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        switch (s->insn->sreg) {
        case SREG_PHYSID: s->out.value[lane] = lane | (uint32_t)s->warp->slot << 8 | (uint32_t)s->warp->sm << 16; break;
        case SREG_CLOCK: s->out.value[lane] = read_clock(s); break;
        default: s->out.value[lane] = 0; break;
        }
    }
    s->m->counts.places += s->insn->sreg == SREG_PHYSID;
    if (s->insn->sreg != SREG_CLOCK) return;
    s->undefined = s->rtl != NULL ? s->exec : 0;
    s->warp->touched = true;
    s->m->clock_reads++;
}
