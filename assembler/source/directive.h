/* SPDX-License-Identifier: Apache-2.0 */
/* The directives that describe a kernel and its launch. */
#ifndef WARPSTEP_DIRECTIVE_H
#define WARPSTEP_DIRECTIVE_H

#include "context.h"

/* Executes the directive offset..offset+length of the text. */
void assembler_directive(struct assembler *a, size_t offset, size_t length);

#endif
