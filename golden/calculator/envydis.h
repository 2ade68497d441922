/* SPDX-License-Identifier: Apache-2.0 */
/* Reads instructions in the syntax of envydis, as used in golden/vectors. */
#ifndef CALCULATOR_ENVYDIS_H
#define CALCULATOR_ENVYDIS_H

#include "instruction.h"

/* Reads one integer instruction. NULL, or the error. */
const char *envydis_read(const char *text, struct instruction *i);

#endif
