/* SPDX-License-Identifier: Apache-2.0 */
/* Routines for operations that sm_10 lacks, as lines of PTX text, built from compiler/support/. */
#ifndef WARPSTEP_CC_SUPPORT_H
#define WARPSTEP_CC_SUPPORT_H

#include <stddef.h>

extern const char *const lower_routines[]; /* terminated by NULL */

#endif
