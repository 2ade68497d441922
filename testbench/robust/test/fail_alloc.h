/* SPDX-License-Identifier: Apache-2.0 */
/* Makes memory run out at a chosen call. The linker redirects the allocating calls of the code under test to this file
 * (--wrap, see ALLOCATORS in the Makefile); those of libraries are unaffected.
 *
 *     fail_alloc_arm(k, FAIL_ONCE);          // the k-th call from here fails, k from 1
 *     status = assemble_text(...);
 *     if (!fail_alloc_disarm()) ...          // there were fewer than k
 */
#ifndef WARPSTEP_FAIL_ALLOC_H
#define WARPSTEP_FAIL_ALLOC_H

#include <stdbool.h>

enum fail_alloc_mode {
    FAIL_ONCE,  /* that call only */
    FAIL_ALWAYS /* that call and all later ones */
};

void fail_alloc_arm(unsigned long k, enum fail_alloc_mode mode);

/* Disarms it; true if a call has failed. */
bool fail_alloc_disarm(void);

#endif
