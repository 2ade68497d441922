/* SPDX-License-Identifier: Apache-2.0 */
/* Tells whether this system has pseudo-terminals; a test that needs one skips without them:
 *
 *     if (!terminals_exist()) skip();
 */
#ifndef WARPSTEP_TEST_TERMINAL_H
#define WARPSTEP_TEST_TERMINAL_H

#include <stdbool.h>

/* Opens both ends of one, and closes them. */
bool terminals_exist(void);

#endif
