/* SPDX-License-Identifier: Apache-2.0 */
/* Two dependent instructions with NOPs between them: each hazard on each kind of register, each class of instruction
 * first and second, each distance. They share R20, C2 and A2. R20 always holds an address and C2 Z, so that loads at
 * R20 are legal and guards on C2 hold. */
#include "pairs.h"

#include "../space.h"

enum { TARGET_BANK = 9, A_BEFORE = 0x20, A_STEP = 4 };

/* For each resource, how a class writes R20, a half of it, C2, A2; NULL: it cannot. */
static const char *const WRITE_R[] = {"MOV R20, R40", "MOV R20, g [0x1c]", "GLD.U32 R20, global14 [R42]", NULL, NULL};
static const char *const WRITE_HALF[] = {"MOV.U16 R20L, R40L", "MOV.U16 R20L, g [0x1c].U16", NULL, NULL, NULL};
static const char *const WRITE_C[] = {"IADD.C2 o [0x7f], R51, R51", "LOP.AND.C2 o [0x7f], g [0x4], R51", NULL, NULL,
                                      NULL};
static const char *const WRITE_A[] = {"ADA A2, A0, 0x20", "MOV R21, g [A2+++0x1]", "LLD.U32 R21, local [A2+++0x4]",
                                      "LST.U32 local [A2+++0x4], R1", NULL};
static const char *const *const WRITES[RESOURCE_COUNT] = {
    [RESOURCE_R] = WRITE_R, [RESOURCE_HALF] = WRITE_HALF, [RESOURCE_C] = WRITE_C, [RESOURCE_A] = WRITE_A};

/* How a class reads them; branches get their target later. */
static const char *const READ_R[] = {"IADD R22, R20, R2", "IADD R22, g [0x4], R20", "GLD.U32 R22, global14 [R20]",
                                     "GST.U32 global14 [R40], R20", NULL};
static const char *const READ_HALF[] = {"MOV.U16 R22L, R20L", "IADD.U16 R22L, g [0x8].U16, R20L", NULL,
                                        "R2G.U16.U16 g [0x10], R20L", NULL};
static const char *const READ_C[] = {"IADD R22 (C2.EQU), R1, R2", "IADD R22 (C2.EQU), g [0x4], R2",
                                     "GLD.U32 R22 (C2.EQU), global14 [R40]", "GST.U32 global14 [R40] (C2.EQU), R1",
                                     "BRA C2.EQU, "};
static const char *const READ_A[] = {"A2R R22, A2", "MOV R22, g [A2+0x1]", "LLD.U32 R22, local [A2+0x4]",
                                     "LST.U32 local [A2+0x4], R1", "BRX c [0x9] [A2+"};
static const char *const *const READS[RESOURCE_COUNT] = {
    [RESOURCE_R] = READ_R, [RESOURCE_HALF] = READ_HALF, [RESOURCE_C] = READ_C, [RESOURCE_A] = READ_A};

struct pair {
    enum hazard hazard;
    enum resource resource;
    unsigned first, second; /* classes */
};

/* The text of the first or the second of the pair. If they share part of a register, one of them names a half: the
 * writer (the first of two), unless it is a load. */
static const char *text_of(const struct pair *pair, bool is_second) {
    const bool writes = is_second ? pair->hazard != HAZARD_RAW : pair->hazard != HAZARD_WAR;
    const unsigned class = is_second ? pair->second : pair->first;
    const bool writer_is_second = pair->hazard == HAZARD_WAR;
    enum resource r = pair->resource;
    if (r == RESOURCE_PART) {
        const bool writer_is_half = (writer_is_second ? pair->second : pair->first) != CLASS_LOAD;
        r = (is_second == writer_is_second) == writer_is_half ? RESOURCE_HALF : RESOURCE_R;
    }
    return writes ? WRITES[r][class] : READS[r][class];
}

/* A branch goes to the next instruction; BRX finds its address in a constant at A2. */
static void emit_branch(struct program *p, const char *text, bool indexed, unsigned areg) {
    if (!indexed) {
        program_text(p, "%s0x%x", text, p->pc + SWEEP_LONG);
        return;
    }
    const unsigned slot = program_slot(p, TARGET_BANK);
    p->bank[TARGET_BANK][slot] = p->pc + SWEEP_LONG;
    program_text(p, "%s0x%x]", text, slot - areg / 4);
}

static void emit(struct program *p, const struct pair *pair, bool is_second, unsigned areg) {
    const char *text = text_of(pair, is_second);
    if ((is_second ? pair->second : pair->first) == CLASS_FLOW)
        emit_branch(p, text, pair->resource == RESOURCE_A, areg);
    else
        program_text(p, "%s", text);
}

static void emit_pair(struct program *p, const struct pair *pair, unsigned distance) {
    if (text_of(pair, false) == NULL || text_of(pair, true) == NULL) return;
    const bool steps = pair->hazard != HAZARD_WAR && pair->resource == RESOURCE_A && pair->first != CLASS_ALU;
    program_text(p, "MOV R20, R40");
    program_restore_areg(p, 2);
    emit(p, pair, false, A_BEFORE);
    for (unsigned i = 1; i < distance; i++) program_text(p, "NOP");
    emit(p, pair, true, A_BEFORE + (steps ? A_STEP : 0));
}

void pairs_emit(struct program *p) {
    struct pair pair;
    program_text(p, "IADD32I R42, R40, 0x2000");
    program_text(p, "GST.U32 global14 [R42], R40");
    program_text(p, "R2G.U32.U32 g [0x1c], R40");
    program_text(p, "IADD.C2 o [0x7f], R51, R51");
    for (unsigned h = 0; h < HAZARD_COUNT; h++)
        for (unsigned r = 0; r < RESOURCE_COUNT; r++)
            for (pair.first = 0; pair.first < CLASS_COUNT; pair.first++)
                for (pair.second = 0; pair.second < CLASS_COUNT; pair.second++)
                    for (unsigned distance = 1; distance <= PAIR_DISTANCES; distance++) {
                        pair.hazard = (enum hazard)h;
                        pair.resource = (enum resource)r;
                        emit_pair(p, &pair, distance);
                    }
}
