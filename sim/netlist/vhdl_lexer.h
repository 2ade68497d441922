// SPDX-License-Identifier: Apache-2.0
// Cuts VHDL into words. A comment is one of them.
//
//     struct lexer lexer = lexer_of(text);
//     struct token t = vhdl_next(&lexer);
#ifndef WARPSTEP_NETLIST_VHDL_LEXER_H
#define WARPSTEP_NETLIST_VHDL_LEXER_H

#include "lexer.h"

struct token vhdl_next(struct lexer *lexer);
// The next word that is not a comment.
struct token vhdl_next_word(struct lexer *lexer);

#endif
