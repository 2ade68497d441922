/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of the table that need no computation: names, units, condition codes. */
#include "isa.h"

#include "../../spec/table.h"

static const struct {
    const char *name;
    enum isa_unit unit;
    enum isa_need needs;
} ops[OP_COUNT] = {
#define OP(name, unit, needs) [OP_##name] = {#name, UNIT_##unit, NEED_##needs},
#include "../../spec/ops.def"
#undef OP
};

static const struct {
    const char *name;
    uint16_t lut;
} conds[32] = {
#define COND(code, name, lut) [code] = {name, lut},
#include "../../spec/conds.def"
#undef COND
};

size_t isa_row_count(void) { return isa_rows_count; }
const char *isa_row_id(size_t row) { return isa_rows[row].id; }
const char *isa_row_mnemonic(size_t row) { return isa_rows[row].mnemonic; }
enum isa_shape isa_row_shape(size_t row) { return (enum isa_shape)row_format(row)->shape; }
uint64_t isa_row_ignored(size_t row) { return isa_rows[row].mask & ~derived_fixed[row]; }
char isa_row_class(size_t row) { return isa_rows[row].class; }

const char *isa_op_name(enum isa_op op) { return ops[op].name; }
enum isa_unit isa_op_unit(enum isa_op op) { return ops[op].unit; }
enum isa_need isa_op_needs(enum isa_op op) { return ops[op].needs; }

const char *isa_field_name(enum isa_field field) { return isa_field_names[field]; }

const char *isa_cond_name(unsigned cond) { return conds[cond & 31].name; }
bool isa_cond_holds(unsigned cond, unsigned nibble) { return (conds[cond & 31].lut >> (nibble & 15) & 1) != 0; }
