/* SPDX-License-Identifier: Apache-2.0 */
/* Directives that a compiler writes: the parameters of its kernel, and the variables of the file.
 *
 *     .linkage NAME                               the kernel's name for linkers
 *     .argument OFFSET = TYPE, SIZE, ALIGN, SPACE    a parameter; .argument none: there is none
 *     .variable NAME = TYPE, ADDR, SIZE, SPACE
 *
 * TYPE is one of PTX, SPACE value, global, constant, local or unused. */
#ifndef WARPSTEP_SIGNATURE_H
#define WARPSTEP_SIGNATURE_H

#include "context.h"

/* Each reads the current statement from lexeme `at` on. */
void signature_linkage(struct assembler *a, size_t at);
void signature_argument(struct assembler *a, size_t at);
void signature_variable(struct assembler *a, size_t at);

#endif
