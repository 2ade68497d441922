/* SPDX-License-Identifier: Apache-2.0 */
/* PTX text to tokens. A word takes its dots along: "ld.global.u32", "%tid.x", ".reg"; so does a number: "1.5". */
#ifndef WARPSTEP_CC_LEX_H
#define WARPSTEP_CC_LEX_H

#include "ptx.h"

enum ptx_token_kind { PTX_END, PTX_WORD, PTX_NUMBER, PTX_STRING, PTX_PUNCTUATION };

struct ptx_token {
    enum ptx_token_kind kind;
    const char *text;
    uint32_t length;
    uint32_t line, column;
};

struct ptx_lexer {
    struct cc *cc;
    const char *at, *end, *line_start;
    uint32_t line;
    struct ptx_token token;                    /* the current one */
    uint32_t file, source_line, source_column; /* of the last .loc */
    bool in_assembly;                          /* of the source, as clang's comments around it say */
};

void ptx_lex_start(struct ptx_lexer *lexer, struct cc *cc, const char *text, size_t size);
void ptx_next(struct ptx_lexer *lexer); /* to the next token */

/* Whether the token is this word, or this sign of punctuation. */
bool ptx_is(const struct ptx_lexer *lexer, const char *text);
bool ptx_take(struct ptx_lexer *lexer, const char *text);   /* if so, goes to the next token */
void ptx_expect(struct ptx_lexer *lexer, const char *text); /* takes it, or fails */

struct cc_place ptx_place(const struct ptx_lexer *lexer);
void ptx_fail(const struct ptx_lexer *lexer, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));

/* A float has the bits of a double, or those of a single if it was written as 0f.... */
struct ptx_constant {
    uint64_t value;
    bool is_float, single, is_unsigned;
};

struct ptx_constant ptx_number(struct ptx_lexer *lexer);    /* the token is one */
uint32_t ptx_count(struct ptx_lexer *lexer, uint32_t most); /* a number without sign, up to `most` */

#endif
