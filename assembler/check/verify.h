/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the words that a listing's text assembles to with the words in the listing's comments, kernel by kernel. */
#ifndef WARPSTEP_VERIFY_H
#define WARPSTEP_VERIFY_H

#include "../source/messages.h"

/* The listing is the text that m was initialised with. Prints each difference with the fields of both words, and a
 * summary, to `out`. STATUS_DIFFERS if there is any, STATUS_BAD_INPUT with the messages filled if the listing is no
 * source or has no words; STATUS_NO_MEMORY likewise. */
enum status verify_listing(FILE *out, struct messages *m);

#endif
