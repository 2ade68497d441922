/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles a kernel in C or PTX for a run. */
#ifndef WARPSTEP_FROM_SOURCE_H
#define WARPSTEP_FROM_SOURCE_H

#include "../../assembler/image/image.h"
#include "../../compiler/driver.h"

/* Compiles the whole file and puts the chosen kernel into *img. Messages of the compiler go to choice->messages, unless
 * it is NULL or quiet. */
enum status from_source_load(const char *path, const struct image_choice *choice, const struct driver_options *options,
                             struct image **img, struct diag *d);

#endif
