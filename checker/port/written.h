/* SPDX-License-Identifier: Apache-2.0 */
/* What the host wrote to code and constants last, so that a launch of the same kernel need not load them again.
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
struct written *written_create(const struct machine *machine); /* NULL when memory is out */
void written_destroy(struct written *w);                       /* NULL is nothing */

/* Nothing is known to be there. */
void written_forget(struct written *w);

/* Notes the word. False where it is of code or constants and is there already. */
bool written_differs(struct written *w, uint32_t adr, uint32_t value);

C_LINKAGE_END

#endif
