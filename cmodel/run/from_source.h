/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel of a source in C or PTX, compiled for a run. */
#ifndef WARPSTEP_FROM_SOURCE_H
#define WARPSTEP_FROM_SOURCE_H

#include "../../assembler/image/image.h"
#include "../../compiler/driver.h"

/* Compiles all of the file; the kernel that is chosen goes to *img. What the compiler has to say goes to
 * choice->messages, where there is one and it is not quiet. */
enum status from_source_load(const char *path, const struct image_choice *choice, const struct driver_options *options,
                             struct image **img, struct diag *d);

#endif
