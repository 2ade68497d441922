/* SPDX-License-Identifier: Apache-2.0 */
/* The second pass: turns instructions into words. */
#ifndef WARPSTEP_EMIT_H
#define WARPSTEP_EMIT_H

#include "context.h"

/* Writes the words and the line table of a kernel into its image. */
void assembler_emit(struct assembler *a, uint32_t kernel);

#endif
