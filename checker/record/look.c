/* SPDX-License-Identifier: Apache-2.0 */
#include "look.h"

#include <string.h>

struct look look_for(enum isa_op op, const char *field) {
    static const struct look RESULTS[OP_COUNT] = {
#define RESULT(op, section, stages, rtl, model) [OP_##op] = {section, stages, rtl, model},
#define FIELD(name, stages, rtl)
#include "look.def"
    };
    static const struct {
        const char *name, *stages, *rtl;
    } FIELDS[] = {
#define RESULT(op, section, stages, rtl, model)
#define FIELD(name, stages, rtl) {#name, stages, rtl},
#include "look.def"
    };
    struct look look = op < OP_COUNT ? RESULTS[op] : (struct look){0};
    for (size_t i = 0; i < sizeof FIELDS / sizeof FIELDS[0]; i++) {
        if (strcmp(FIELDS[i].name, field) != 0) continue;
        look.stages = FIELDS[i].stages;
        look.rtl = FIELDS[i].rtl;
    }
    return look;
}
