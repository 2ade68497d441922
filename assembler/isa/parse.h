/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction parser, for lines already cut into lexemes; isa_parse (isa.h) takes a text. parse.c follows the tree
 * of patterns, parse_operand.c matches one token of a pattern, parse_error.c writes the message. */
#ifndef WARPSTEP_ISA_PARSE_H
#define WARPSTEP_ISA_PARSE_H

#include "lex.h"

enum { PARSE_LEXEMES_MAX = 128 }; /* of a line for isa_parse */

/* isa_parse for lexemes that end in LEX_END. */
bool isa_parse_lexemes(const struct lexeme *lex, const struct isa_scope *scope, uint32_t *lo, uint32_t *hi,
                       struct isa_error *error);

#endif
