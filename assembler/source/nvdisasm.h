/* SPDX-License-Identifier: Apache-2.0 */
/* Handles the text that NVIDIA's tools print around instructions.
 *
 * nvdisasm prints a cubin section by section. `.section .text.NAME` begins the kernel NAME; the constants of
 * `.nv.constantN` and `.nv.constantN.NAME`, and the sizes of `.nv.shared.NAME` and `.nv.local.NAME`, go to the kernels.
 * Other sections, and descriptions of symbols, are skipped.
 *
 * `cuobjdump -ptx -sass` prints PTX as well, under its own heading: it is skipped up to the next heading. */
#ifndef WARPSTEP_NVDISASM_H
#define WARPSTEP_NVDISASM_H

#include "context.h"

/* True for a line outside a kernel's statements, which it then handles. */
bool nvdisasm_line(struct assembler *a, const char *s, size_t length);

/* Gives the kernels their constants, after all have been read. */
void nvdisasm_finish(struct assembler *a);

#endif
