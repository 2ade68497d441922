/* SPDX-License-Identifier: Apache-2.0 */
/* One token of a pattern against the lexemes of a line. */
#ifndef WARPSTEP_ISA_PARSE_OPERAND_H
#define WARPSTEP_ISA_PARSE_OPERAND_H

#include "parse_state.h"

/* Matches one token of a pattern at lex[*at], sets its fields and moves *at behind it. */
bool parse_token(struct parse *p, const struct token *token, size_t *at);

#endif
