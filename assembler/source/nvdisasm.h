/* SPDX-License-Identifier: Apache-2.0 */
/* What NVIDIA's tools print around instructions.
 *
 * nvdisasm prints a cubin section by section. `.section .text.NAME` begins the kernel NAME; the constants of
 * `.nv.constantN` and `.nv.constantN.NAME`, and the sizes of `.nv.shared.NAME` and `.nv.local.NAME`, go to the kernels.
 * Other sections, and what describes symbols, are passed over.
 *
 * `cuobjdump -ptx -sass` prints PTX as well, under a heading of its own: it is passed over up to the next heading. */
#ifndef WARPSTEP_NVDISASM_H
#define WARPSTEP_NVDISASM_H

#include "context.h"

/* True for a line that is none of the kernel's: it has been acted upon. */
bool nvdisasm_line(struct assembler *a, const char *s, size_t length);

/* Gives the kernels their constants, when all have been read. */
void nvdisasm_finish(struct assembler *a);

#endif
