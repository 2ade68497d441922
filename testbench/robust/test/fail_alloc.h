/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that runs out at a chosen moment. The linker sends the allocating calls of the code under test here
 * (--wrap, see ALLOCATORS in the Makefile); those of libraries go on as ever.
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
    FAIL_ALWAYS /* that call and all behind it */
};

void fail_alloc_arm(unsigned long k, enum fail_alloc_mode mode);

/* Ends it; true when a call has failed. */
bool fail_alloc_disarm(void);

#endif
