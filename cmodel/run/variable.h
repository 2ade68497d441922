/* SPDX-License-Identifier: Apache-2.0 */
/* Variables of a compiled kernel's file by name, as --global, --expect and --dump take them.
 *
 *     const struct image_variable *v; uint8_t *bytes; size_t size;
 *     if (variable_find(image, "--global", "gain=2.5", 4, &v, &d) != STATUS_OK ||
 *         variable_bytes(v, "--global", "2.5", &bytes, &size, &d) != STATUS_OK) return diag_report(stderr, &d);
 */
#ifndef WARPSTEP_VARIABLE_H
#define WARPSTEP_VARIABLE_H

#include <stdbool.h>

#include "../../assembler/image/image.h"

/* Whether a place is given by a name rather than by an address. */
bool variable_is_name(const char *text);

/* STATUS_BAD_INPUT where there is none of this name; the message lists those that there are. */
enum status variable_find(const struct image *image, const char *option, const char *name, size_t length,
                          const struct image_variable **v, struct diag *d);

/* Its bytes, which the caller frees: a NUMBER, converted to the type of a single value; or hex digits or @FILE as in
 * argument.h, no more than the variable has. */
enum status variable_bytes(const struct image_variable *v, const char *option, const char *source, uint8_t **bytes,
                           size_t *size, struct diag *d);

#endif
