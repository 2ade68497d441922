/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions in the syntax of docs/assembly.md. */
#ifndef CALCULATOR_SASS_H
#define CALCULATOR_SASS_H

#include "instruction.h"
#include "text.h"

/* Bytes of the instruction that begins with this text: 4 or 8; 0 if it names none. */
unsigned sass_size(const char *text);

/* Reads one instruction. NULL, or the error. */
const char *sass_read(const char *text, const struct names *labels, struct instruction *i);

#endif
