/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two retire records, field by field as in retire.def: lanes outside a field's mask are ignored, INFO fields
 * are not compared.
 *
 *     struct compare_result result;
 *     if (!compare_records(&model, &rtl, &result))
 *         for (size_t i = 0; i < result.count; i++) puts(result.diff[i].field->name);
 */
#ifndef WARPSTEP_COMPARE_H
#define WARPSTEP_COMPARE_H

#include <stdbool.h>

#include "../../assembler/base/linkage.h"
#include "field.h"

C_LINKAGE_BEGIN

struct compare_diff {
    const struct retire_field *field;
    uint32_t lanes; /* FIELD_MASK and FIELD_LANES: the lanes that differ */
};

struct compare_result {
    size_t count; /* 0: the records agree */
    struct compare_diff diff[RETIRE_FIELD_COUNT];
};

/* True if the records agree. A lane of a FIELD_LANES field is compared if both masks have it; if only one has it, the
 * mask itself is the difference. */
bool compare_records(const struct retire *expected, const struct retire *actual, struct compare_result *result);

C_LINKAGE_END

#endif
