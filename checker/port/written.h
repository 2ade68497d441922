/* SPDX-License-Identifier: Apache-2.0 */
/* The code and constants that the host wrote last, so that a launch of the same kernel need not load them again.
 *
 *     if (written_differs(w, adr, value)) host_write(h, adr, value);
 */
#ifndef WARPSTEP_WRITTEN_H
#define WARPSTEP_WRITTEN_H

#include <stdbool.h>
#include <stdint.h>

#include "../../assembler/base/linkage.h"
#include "../../cmodel/machine.h"

C_LINKAGE_BEGIN

struct written;
struct written *written_create(const struct machine *machine); /* NULL if out of memory */
void written_destroy(struct written *w);                       /* NULL is allowed */

/* Drops all knowledge of the contents. */
void written_forget(struct written *w);

/* Notes the word. False if it belongs to code or constants and is written already. */
bool written_differs(struct written *w, uint32_t adr, uint32_t value);

C_LINKAGE_END

#endif
