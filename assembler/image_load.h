/* SPDX-License-Identifier: Apache-2.0 */
/* Reads any file that holds a kernel, recognised by its content.
 *
 *     struct image *img = NULL; struct diag d = {0};
 *     if (image_load(path, NULL, &img, &d) != STATUS_OK) return diag_report(stderr, &d);
 */
#ifndef WARPSTEP_IMAGE_LOAD_H
#define WARPSTEP_IMAGE_LOAD_H

#include "base/linkage.h"
#include "image/image.h"

C_LINKAGE_BEGIN

/* Reads a kernel of any format that the tools accept, by content and suffix: image or ELF cubin, text cubin, .sass or
 * cuobjdump listing (assembled), .hex. `kernel` selects one of several by name, NULL the only one. On failure *img is
 * NULL. */
enum status image_load(const char *path, const char *kernel, struct image **img, struct diag *d);

/* Like image_load, with all choices. */
enum status image_load_as(const char *path, const struct image_choice *choice, struct image **img, struct diag *d);

/* Like image_load_as, for a file in memory: text[size] must be 0. */
enum status image_read(const char *path, char *text, size_t size, const struct image_choice *choice, struct image **img,
                       struct diag *d);

C_LINKAGE_END

#endif
