/* SPDX-License-Identifier: Apache-2.0 */
/* Variables of a compiled kernel's file by name, as accepted by --global, --expect and --dump.
 *
 *     const struct image_variable *v; uint8_t *bytes; size_t size;
 *     if (variable_find(image, "--global", "gain=2.5", 4, &v, &d) != STATUS_OK ||
 *         variable_bytes(v, "--global", "2.5", &bytes, &size, &d) != STATUS_OK) return diag_report(stderr, &d);
 */
#ifndef WARPSTEP_VARIABLE_H
#define WARPSTEP_VARIABLE_H

#include <stdbool.h>

#include "../../assembler/image/image.h"

/* True if a place is given by a name, not by an address. */
bool variable_is_name(const char *text);

/* STATUS_BAD_INPUT if no variable has this name; the message lists all names. */
enum status variable_find(const struct image *image, const char *option, const char *name, size_t length,
                          const struct image_variable **v, struct diag *d);

/* The bytes of the value, which the caller frees: a NUMBER, converted to the type of a single value; or hex digits or
 * @FILE as in argument.h, at most as many as the variable has. */
enum status variable_bytes(const struct image_variable *v, const char *option, const char *source, uint8_t **bytes,
                           size_t *size, struct diag *d);

#endif
