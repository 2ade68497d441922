/* SPDX-License-Identifier: Apache-2.0 */
/* Hints for frequent mistakes. */
#ifndef WARPSTEP_ISA_PARSE_HELP_H
#define WARPSTEP_ISA_PARSE_HELP_H

#include "lex.h"

/* A hint for the lexeme found in place of an expected one, which may be a register, in the line of the mnemonic; NULL:
 * none. */
const char *parse_help(const struct lexeme *mnemonic, const struct lexeme *found, bool takes_register);

#endif
