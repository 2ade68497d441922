/* SPDX-License-Identifier: Apache-2.0 */
/* An RTL with permanent bugs: a second model that executes other instructions than those of the code, and reports those
 * of the code. The environment lists them, as PC=TEXT pairs:
 *
 *     CROOKED='0x8=SHR R1, R0, 0x1;0x10=NOP'           // of the same length each
 *
 * A '!' before TEXT sets its END marker. With CROOKED_HIDES, a list of fields separated by blanks, it declares that it
 * does not report these fields, and fills them with ones; with CROOKED_FILLS, that the library fills them in. */
#ifndef WARPSTEP_TEST_CROOKED_H
#define WARPSTEP_TEST_CROOKED_H

#include "../port/sim.h"

#define CROOKED       "CROOKED"
#define CROOKED_HIDES "CROOKED_HIDES"
#define CROOKED_FILLS "CROOKED_FILLS"

const struct sim_api *crooked_sim_api(void);

#endif
