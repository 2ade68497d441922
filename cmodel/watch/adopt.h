/* SPDX-License-Identifier: Apache-2.0 */
/* Undefined values in lockstep. If an instruction consumes a value that was never written, no result is wrong: the
 * model takes the RTL's value, lane by lane, and continues with it. */
#ifndef WARPSTEP_ADOPT_H
#define WARPSTEP_ADOPT_H

#include "../core/watch.h"

extern const struct adoption ADOPTION;

#endif
