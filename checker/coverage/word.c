/* SPDX-License-Identifier: Apache-2.0 */
#include "word.h"

#include <stdlib.h>

#include "../../assembler/isa/isa.h"
#include "../../spec/table.h"

enum { PLACES = 4096 }; /* of words by their pc; two on one place alternate */

struct words {
    const struct space *space;
    struct word at[PLACES];
};

struct words *words_create(const struct space *space) {
    struct words *words = calloc(1, sizeof *words);
    if (words != NULL) words->space = space;
    return words;
}

void words_destroy(struct words *words) { free(words); }

static enum class class_of(const struct isa_insn *insn) {
    switch (insn->op){
        case OP_GLD : case OP_LLD : case OP_GATOM : return CLASS_LOAD;
        case OP_GST : case OP_LST : case OP_R2G : case OP_GRED : return CLASS_STORE;
        case OP_G2R : return CLASS_SHARED;
        default : break;
    }
if (insn->unit == UNIT_FLOW) return CLASS_FLOW;
return insn->src[0].kind == ISA_SHARED ? CLASS_SHARED : CLASS_ALU;
}

static void add_set(struct register_set *set, const struct register_range *ranges, unsigned count) {
    for (unsigned i = 0; i < count; i++) set_add(set, ranges[i]);
}

/* R124 causes no dependence. */
static void drop_zero(struct register_set *set) { set_remove(set, (struct register_range){248, 8}); }

static void fill_registers(struct word *w) {
    const struct effects e = effects_of(&w->insn);
    add_set(&w->reads, e.read, e.reads);
    add_set(&w->writes, e.write, e.writes);
    drop_zero(&w->reads);
    drop_zero(&w->writes);
}

/* True if the value of the field has an effect. */
static bool is_in_force(const struct isa_insn *insn, enum isa_field name) {
    const bool asks = insn->cond != ISA_COND_TRUE || (insn->attr & ISA_CARRY) != 0 || insn->op == OP_C2R;
    if (name == ISA_FIELD_cd) return insn->set_c || insn->op == OP_R2C;
    return name != ISA_FIELD_cr || !insn->guarded || asks;
}

static void fill_field(struct word *w, unsigned place, unsigned field_id, uint64_t word) {
    const struct field *f = &isa_fields[field_id];
    const uint32_t value = field_get(f, word), first = w->row->field[place];
    int item = space_field_item(field_id, value);
    if (f->kind == KIND_TARGET) item = w->insn.target <= w->pc;
    if (item < 0 || !is_in_force(&w->insn, (enum isa_field)f->name)) return;
    const bool of_guard = f->name == ISA_FIELD_cond || f->name == ISA_FIELD_cr;
    if (of_guard)
        w->retired[w->retired_count++] = first + (uint32_t)item;
    else
        w->executed[w->executed_count++] = first + (uint32_t)item;
}

static void fill_same(struct word *w) {
    struct isa_fields f;
    isa_unpack(w->insn.row, w->lo, w->hi, &f);
    const uint32_t d = f.value[ISA_FIELD_d], a = f.value[ISA_FIELD_a], b = f.value[ISA_FIELD_b];
    if (d == a) w->executed[w->executed_count++] = w->row->same + SAME_D_A;
    if (d == b) w->executed[w->executed_count++] = w->row->same + SAME_D_B;
    if (a == b) w->executed[w->executed_count++] = w->row->same + SAME_A_B;
}

static void fill_word(const struct space *space, struct word *w) {
    w->defined = isa_decode(w->lo, w->hi, &w->insn) == ISA_OK;
    if (!w->defined) return;
    w->row = &space->row[w->insn.row];
    if (!w->row->executes) return;
    w->class = (uint8_t)class_of(&w->insn);
    fill_registers(w);
    w->executed[w->executed_count++] = w->row->executed;
    const struct format *format = row_format(w->insn.row);
    const uint64_t word = (uint64_t)w->hi << 32 | w->lo;
    for (unsigned i = 0; i < FORMAT_FIELDS_MAX && format->field[i] != NO_FIELD; i++)
        fill_field(w, i, format->field[i], word);
    for (unsigned i = 0; i < FORMAT_FIELDS_MAX && format->field[i] != NO_FIELD; i++)
        if (w->row->crossed[i] != SPACE_NONE)
            w->crossed[w->crossed_count++] =
                w->row->crossed[i] + VALUE_CLASSES * field_get(&isa_fields[format->field[i]], word);
    if (w->row->same != SPACE_NONE) fill_same(w);
}

const struct word *words_at(struct words *words, uint32_t pc, uint32_t lo, uint32_t hi) {
    struct word *w = &words->at[pc / 4 % PLACES];
    if (w->known && w->pc == pc && w->lo == lo && w->hi == hi) return w;
    *w = (struct word){.known = true, .pc = pc, .lo = lo, .hi = hi};
    fill_word(words->space, w);
    return w;
}
