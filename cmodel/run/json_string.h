/* SPDX-License-Identifier: Apache-2.0 */
/* A string of a JSON object, in quotes. */
#ifndef WARPSTEP_JSON_STRING_H
#define WARPSTEP_JSON_STRING_H

#include <stdio.h>

void json_print_string(const char *text, FILE *out);

#endif
