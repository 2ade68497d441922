/* SPDX-License-Identifier: Apache-2.0 */
/* Routines for what sm_10 has no instruction for: PTX text, line by line, made of compiler/support/ at build time. */
#ifndef WARPSTEP_CC_SUPPORT_H
#define WARPSTEP_CC_SUPPORT_H

#include <stddef.h>

extern const char *const lower_routines[]; /* ends with NULL */

#endif
