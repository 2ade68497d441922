/* SPDX-License-Identifier: Apache-2.0 */
/* The data of .const, .global and .expect. */
#ifndef WARPSTEP_DATA_H
#define WARPSTEP_DATA_H

#include "context.h"

/* "= ..." at the lexeme `at` of the statement offset..offset+length. Puts the bytes into *bytes, which the caller frees
 * in any case. False if they are wrong; the error is reported. */
bool assembler_data(struct assembler *a, size_t at, size_t offset, size_t length, uint8_t **bytes, size_t *size);

#endif
