/* SPDX-License-Identifier: Apache-2.0 */
/* The fields of the retire record as a table, made from retire.def: code that compares, prints or unpacks records walks
 * it instead of naming the fields again.
 *
 *     for (size_t i = 0; i < retire_field_count(); i++) {
 *         const struct retire_field *f = retire_field_at(i);
 *         if (f->kind == FIELD_SCALAR) printf("%s = %llx\n", f->name, field_scalar(f, &record));
 *     }
 */
#ifndef WARPSTEP_FIELD_H
#define WARPSTEP_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../assembler/base/linkage.h"
#include "../../cmodel/retire.h"

C_LINKAGE_BEGIN

enum field_kind { FIELD_HARNESS, FIELD_SCALAR, FIELD_MASK, FIELD_LANES };
enum field_compare { FIELD_EXACT, FIELD_INFO };

struct retire_field {
    const char *name;
    unsigned bits; /* width; of one lane for FIELD_LANES, 32 for FIELD_MASK */
    enum field_kind kind;
    enum field_compare compare;
    unsigned word;      /* FIELD_LANES: the word of a wide access, see field_is_in */
    size_t offset;      /* offset in struct retire */
    size_t mask_offset; /* FIELD_LANES: the mask of the lanes that hold a value */
};

enum {
    RETIRE_FIELD_COUNT = 0
#define HARNESS(name, bits)              +1
#define SCALAR(name, bits, compare)      +1
#define MASK(name, compare)              +1
#define LANES(name, bits, mask, compare) +1
#define WORDS(name, of, mask, compare)   +RETIRE_WORDS - 1
#include "../../spec/retire.def"
};

size_t retire_field_count(void);
const struct retire_field *retire_field_at(size_t i); /* i < retire_field_count(), in the order of retire.def */

const struct retire_field *retire_field_named(const char *name); /* NULL: none */
size_t retire_field_index(const struct retire_field *f);         /* the index with which retire_field_at returns f */

/* True if `of` is *, the name of the field, or the name of the first of its words. */
bool retire_field_is_meant(const char *of, const char *name);

/* False for a word that this record's memory access lacks. */
bool field_is_in(const struct retire_field *f, const struct retire *r);

/* Value of a HARNESS, SCALAR or MASK field; the 32 values and the mask of a LANES field. */
uint64_t field_scalar(const struct retire_field *f, const struct retire *r);
const uint32_t *field_lanes(const struct retire_field *f, const struct retire *r);
uint32_t field_mask(const struct retire_field *f, const struct retire *r);

C_LINKAGE_END

#endif
