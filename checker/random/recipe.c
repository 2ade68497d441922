/* SPDX-License-Identifier: Apache-2.0 */
#include "recipe.h"

#include <assert.h>

bool recipe_keep(struct kernel *k, const struct kernel_mark *mark, bool last) {
    const char *lacking = k->lacking;
    const bool kept = kernel_keep(k, mark);
    if (!kept && last) k->lacking = lacking;
    return kept;
}

static unsigned masks_bank(const struct kernel *k) { return k->bank[1].number; }

static void set_by_constant(struct kernel *k, const char *text, unsigned to, uint32_t value) {
    unsigned word = 0;
    if (!kernel_constant(k, value, &word))
        k->lacking = "constants";
    else
        kernel_add(k, NO_LABEL, text, to, masks_bank(k), word);
}

void recipe_set(struct kernel *k, unsigned to, uint32_t value) {
    WAYS(k, 4) {
        switch (way) {
        case 0: kernel_add(k, NO_LABEL, "MVI R%u, 0x%x", to, value); break;
        case 1: set_by_constant(k, "MVC R%u, c [0x%x] [0x%x]", to, value); break;
        case 2: set_by_constant(k, "IADD R%u, R124, c [0x%x] [0x%x]", to, value); break;
        default: set_by_constant(k, "LOP.OR R%u, R124, c [0x%x] [0x%x]", to, value); break;
        }
    }
}

void recipe_copy(struct kernel *k, unsigned to, unsigned from) {
    WAYS(k, 7) {
        switch (way) {
        case 0: kernel_add(k, NO_LABEL, "MOV R%u, R%u", to, from); break;
        case 1: kernel_add(k, NO_LABEL, "IADD R%u, R%u, R124", to, from); break;
        case 2: kernel_add(k, NO_LABEL, "LOP.OR R%u, R%u, R%u", to, from, from); break;
        case 3: kernel_add(k, NO_LABEL, "SHL R%u, R%u, 0x0", to, from); break;
        case 4: kernel_add(k, NO_LABEL, "SHR R%u, R%u, 0x0", to, from); break;
        case 5: kernel_add(k, NO_LABEL, "IMAX R%u, R%u, R%u", to, from, from); break;
        default: kernel_add(k, NO_LABEL, "I2I.U32.U32 R%u, R%u", to, from); break;
        }
    }
}

void recipe_add(struct kernel *k, unsigned to, unsigned a, unsigned b) {
    WAYS(k, 3) {
        switch (way) {
        case 0: kernel_add(k, NO_LABEL, "IADD R%u, R%u, R%u", to, a, b); break;
        case 1: kernel_add(k, NO_LABEL, "ISAD R%u, R%u, R124, R%u", to, a, b); break;
        default:
            kernel_add(k, NO_LABEL, "IADD R%d, R124, -R%u", REG_HELP, b);
            kernel_add(k, NO_LABEL, "IADD R%u, R%u, -R%d", to, a, REG_HELP);
            break;
        }
    }
}

void recipe_add_number(struct kernel *k, unsigned to, unsigned a, uint32_t value) {
    WAYS(k, 2) {
        if (way == 0) {
            kernel_add(k, NO_LABEL, "IADD32I R%u, R%u, 0x%x", to, a, value);
        } else {
            recipe_set(k, REG_HELP, value);
            recipe_add(k, to, a, REG_HELP);
        }
    }
}

void recipe_join(struct kernel *k, unsigned to, unsigned a, unsigned b) {
    WAYS(k, 3) {
        switch (way) {
        case 0: recipe_add(k, to, a, b); break;
        case 1: kernel_add(k, NO_LABEL, "LOP.OR R%u, R%u, R%u", to, a, b); break;
        default: kernel_add(k, NO_LABEL, "LOP.XOR R%u, R%u, R%u", to, a, b); break;
        }
    }
}

void recipe_shift_left(struct kernel *k, unsigned to, unsigned a, unsigned count) {
    WAYS(k, 2) {
        if (way == 0) {
            kernel_add(k, NO_LABEL, "SHL R%u, R%u, 0x%x", to, a, count);
        } else {
            recipe_add(k, to, a, a);
            for (unsigned i = 1; i < count; i++) recipe_add(k, to, to, to);
        }
    }
}

void recipe_shift_right(struct kernel *k, unsigned to, unsigned a, unsigned count) {
    kernel_add(k, NO_LABEL, "SHR R%u, R%u, 0x%x", to, a, count);
}

void recipe_mask(const struct rules *r, struct kernel *k, unsigned to, unsigned from, enum mask mask) {
    const uint32_t value = r->mask[mask];
    const unsigned low = (unsigned)__builtin_ctz(value), high = (unsigned)__builtin_clz(value); /* its zeros */
    assert(value << high >> (high + low) == (UINT32_MAX >> (high + low)));
    WAYS(k, 3) {
        switch (way) {
        case 0: kernel_add(k, NO_LABEL, "LOP.AND R%u, R%u, c [0x%x] [0x%x]", to, from, masks_bank(k), mask); break;
        case 1:
            recipe_set(k, REG_HELP, value);
            kernel_add(k, NO_LABEL, "LOP.AND R%u, R%u, R%d", to, from, REG_HELP);
            break;
        default:
            kernel_add(k, NO_LABEL, "SHL R%u, R%u, 0x%x", to, from, high);
            kernel_add(k, NO_LABEL, "SHR R%u, R%u, 0x%x", to, to, high + low);
            if (low != 0) kernel_add(k, NO_LABEL, "SHL R%u, R%u, 0x%x", to, to, low);
            break;
        }
    }
}

void recipe_flags(struct kernel *k, unsigned creg, unsigned reg) {
    WAYS(k, 6) {
        switch (way) {
        case 0: kernel_add(k, NO_LABEL, "I2I.U32.U32.C%u o [0x7f], R%u", creg, reg); break;
        case 1: kernel_add(k, NO_LABEL, "IADD.C%u o [0x7f], R%u, R124", creg, reg); break;
        case 2: kernel_add(k, NO_LABEL, "LOP.OR.C%u o [0x7f], R%u, R%u", creg, reg, reg); break;
        case 3: kernel_add(k, NO_LABEL, "SHL.C%u o [0x7f], R%u, 0x0", creg, reg); break;
        case 4: kernel_add(k, NO_LABEL, "ISET.C%u o [0x7f], R%u, R124, NE", creg, reg); break;
        default: kernel_add(k, NO_LABEL, "IMAX.C%u o [0x7f], R%u, R%u", creg, reg, reg); break;
        }
    }
}

void recipe_any_flags(struct kernel *k, unsigned creg, unsigned reg) {
    WAYS(k, 3) {
        switch (way) {
        case 0: kernel_add(k, NO_LABEL, "R2C C%u, R%u", creg, reg); break;
        case 1: kernel_add(k, NO_LABEL, "I2I.S32.S32.C%u o [0x7f], R%u", creg, reg); break;
        default: recipe_flags(k, creg, reg); break;
        }
    }
}

/* Moves the masked scratch register into the A register; for shared memory into the warp's slice. */
static void move_to_areg(const struct rules *r, struct kernel *k, unsigned areg, unsigned from) {
    const struct areg_rule *rule = &r->areg[areg];
    recipe_mask(r, k, REG_SCRATCH, from, rule->unit == 4 ? MASK_A4 : rule->unit == 2 ? MASK_A2 : MASK_A);
    if (rule->shared) recipe_add(k, REG_SCRATCH, REG_SCRATCH, REG_SLICE);
    kernel_add(k, NO_LABEL, "R2A A%u, R%d", areg, REG_SCRATCH);
}

void recipe_areg(const struct rules *r, struct kernel *k, unsigned areg) {
    const bool shared = r->areg[areg].shared;
    WAYS(k, 4) {
        switch (way) {
        case 0:
            kernel_add(k, NO_LABEL, "A2R R%d, A%u", REG_SCRATCH, areg);
            move_to_areg(r, k, areg, REG_SCRATCH);
            break;
        case 1: move_to_areg(r, k, areg, REG_THREAD); break;
        case 2: kernel_add(k, NO_LABEL, "R2A A%u, R%d", areg, shared ? REG_SLICE : ISA_REG_ZERO); break;
        default:
            if (shared && !r->alone) k->lacking = "R2A";
            kernel_add(k, NO_LABEL, "ADA A%u, A0, 0x%x", areg, shared ? r->shared_read : 0);
            break;
        }
    }
}
