/* SPDX-License-Identifier: Apache-2.0 */
/* The report as one HTML page without scripts: a table of sections, then each section with its groups, in which every
 * bin has its number of runs and the first of them. */
#ifndef WARPSTEP_COVERAGE_PAGE_H
#define WARPSTEP_COVERAGE_PAGE_H

#include <stdio.h>

#include "tally.h"

/* `parts`: files of HTML that follow. False if one cannot be read. */
bool page_print(const struct tally *t, char **parts, unsigned part_count, FILE *out);

#endif
