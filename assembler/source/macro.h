/* SPDX-License-Identifier: Apache-2.0 */
/* Macros: the line that defines one, the call that gives its parameters values, and the body with the values inserted.
 *
 *     .macro NAME first, second=0x4     // macro_define: parameters, some with a default
 *         IADD \first, R1, \second      // the body: \first is replaced, \@ is the number of this expansion,
 *     again\@:                          // \() is nothing and ends a name
 *     .endm
 *     NAME R2, second=R3                // macro_bind: by position or by name
 */
#ifndef WARPSTEP_MACRO_H
#define WARPSTEP_MACRO_H

#include "../isa/isa.h"
#include "flow.h"

enum { MACRO_PARAMETERS_MAX = 32 };

struct span {
    const char *text; /* NULL: not given */
    size_t length;
};

struct macro {
    struct flow line; /* "NAME first, second=0x4", which the spans point into */
    struct flow body;
    struct span name;
    struct {
        struct span name, value; /* value: the default, or not given */
    } parameter[MACRO_PARAMETERS_MAX];
    size_t parameter_count;
};

/* A name to be replaced in a body, and its text. */
struct substitution {
    struct span name, value;
};

/* Reads start..end of a flow, the text after ".macro". On failure *error has the message and its offset in the flow;
 * release the macro in any case. */
bool macro_define(struct macro *macro, const struct flow *from, size_t start, size_t end, struct isa_error *error);

/* Reads the arguments start..end of a call into one substitution a parameter. */
bool macro_bind(const struct macro *macro, const struct flow *call, size_t start, size_t end, struct substitution *list,
                struct isa_error *error);

/* Appends the body to `to` with the names replaced, up to `limit` bytes. */
void macro_substitute(struct flow *to, const struct flow *body, const struct substitution *list, size_t count,
                      uint32_t number, uint32_t use, size_t limit);

void macro_release(struct macro *macro);

#endif
