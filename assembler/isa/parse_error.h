/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the notes of the parser into the message for the user. */
#ifndef WARPSTEP_ISA_PARSE_ERROR_H
#define WARPSTEP_ISA_PARSE_ERROR_H

#include "parse_state.h"

/* No pattern of the mnemonic fits: fills p->error. */
void parse_word_error(struct parse *p, const struct lexeme *mnemonic);

/* The word is no mnemonic: fills *error. */
void parse_word_unknown(const struct lexeme *word, struct isa_error *error);

#endif
