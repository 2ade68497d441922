/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions in the syntax of envydis, in which golden/vectors names those of its rows. */
#ifndef CALCULATOR_ENVYDIS_H
#define CALCULATOR_ENVYDIS_H

#include "instruction.h"

/* Reads one integer instruction. NULL, or what is wrong. */
const char *envydis_read(const char *text, struct instruction *i);

#endif
