/* SPDX-License-Identifier: Apache-2.0 */
/* The warp stack: the pushes of each instruction follow from its operation, the pops from the depth. */
#include "../../cmodel/model.h"
#include "parts.h"

static void note_event(struct collector *c, struct warp_watch *warp, unsigned token, bool popped) {
    const unsigned event = 2 * token + (popped ? 1 : 0);
    if (warp->event_count >= 1) mark(c, c->space->token_pairs + (unsigned)warp->event[0] * EVENTS + event);
    if (warp->event_count >= 2)
        mark(c, c->space->token_triples + ((unsigned)warp->event[1] * EVENTS + warp->event[0]) * EVENTS + event);
    warp->event[1] = warp->event[0];
    warp->event[0] = (uint8_t)event;
    warp->event_count++;
}

/* The token that the instruction pushes, -1 for none. BRX pushes if it leaves lanes behind, BRA if some lanes go. */
static int pushed_token(const struct isa_insn *insn, const struct retire *r) {
    switch (insn->op) {
    case OP_SSY: return TOKEN_SYNC;
    case OP_PBK: return TOKEN_BREAK;
    case OP_CAL:
    case OP_PRET: return TOKEN_CALL;
    case OP_BRA: return r->exec != 0 && r->exec != r->active ? (int)TOKEN_DIVERGE : -1;
    case OP_BRX: return r->next_active != r->active ? (int)TOKEN_DIVERGE : -1;
    default: return -1;
    }
}

void note_tokens(struct collector *c, struct warp_watch *warp, const struct word *w, const struct retire *r) {
    if (r->trap != TRAP_NONE) return;
    const int token = pushed_token(&w->insn, r);
    if (token >= 0 && warp->depth < STACK_MAX) {
        note_event(c, warp, (unsigned)token, false);
        warp->token[warp->depth++] = (uint8_t)token;
    }
    while (warp->depth > r->depth) note_event(c, warp, warp->token[--warp->depth], true);
    if (r->depth < STACK_DEPTHS) mark(c, c->space->depths + r->depth);
}
