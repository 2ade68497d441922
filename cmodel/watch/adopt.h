/* SPDX-License-Identifier: Apache-2.0 */
/* Undefined values in lockstep. Where an instruction consumes a value that was never written, no result is wrong: the
 * model takes over what the RTL made of it, lane by lane, and goes on from there. */
#ifndef WARPSTEP_ADOPT_H
#define WARPSTEP_ADOPT_H

#include "../core/watch.h"

extern const struct adoption ADOPTION;

#endif
