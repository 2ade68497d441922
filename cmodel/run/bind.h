/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of a compiled kernel, from --arg: numbers become parameters, buffers get addresses.
 *
 *     const char *const texts[] = {"zero:400,out=y.bin", "x.bin", "2.5"};
 *     if (bind_arguments(&run, texts, 3, &machine, &d) != STATUS_OK) return diag_report(stderr, &d);
 */
#ifndef WARPSTEP_BIND_H
#define WARPSTEP_BIND_H

#include "launch.h"

/* One text for each parameter of the image's signature, in order:
 *
 *     NUMBER                      a value, converted to the type of the parameter
 *     FILE, zero:BYTES            a buffer in global memory, or a structure that is passed by value
 *     ...,out=FILE                its bytes are dumped to FILE after the run
 *     local:BYTES                 memory of a block
 *
 * Sets the parameters of the image, and adds initial memory, at free addresses, and dumps for the buffers. A wrong
 * count, kind or number: STATUS_BAD_INPUT; the message ends with the signature. */
enum status bind_arguments(struct launch *run, const char *const *texts, size_t count, const struct machine *limits,
                           struct diag *d);

#endif
