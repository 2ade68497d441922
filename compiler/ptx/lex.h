/* SPDX-License-Identifier: Apache-2.0 */
/* Splits PTX text into tokens. A word includes its dots: "ld.global.u32", "%tid.x", ".reg"; so does a number: "1.5". */
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
    struct ptx_token token;                    /* the current token */
    uint32_t file, source_line, source_column; /* position of the last .loc */
    bool in_assembly;                          /* within inline assembly of the source, by clang's comments */
};

void ptx_lex_init(struct ptx_lexer *lexer, struct cc *cc, const char *text, size_t size);
void ptx_next(struct ptx_lexer *lexer); /* advances to the next token */

/* Returns whether the current token is this word or punctuation. */
bool ptx_is(const struct ptx_lexer *lexer, const char *text);
bool ptx_accept(struct ptx_lexer *lexer, const char *text); /* if so, also advances */
void ptx_expect(struct ptx_lexer *lexer, const char *text); /* takes the token, or fails */

struct cc_place ptx_place(const struct ptx_lexer *lexer);
void ptx_fail(const struct ptx_lexer *lexer, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));

/* A float has the bits of a double, or of a single if it is written as 0f.... */
struct ptx_constant {
    uint64_t value;
    bool is_float, single, is_unsigned;
};

struct ptx_constant ptx_read_number(struct ptx_lexer *lexer);    /* value of the current token, which is a number */
uint32_t ptx_read_count(struct ptx_lexer *lexer, uint32_t most); /* takes an unsigned number up to `most` */

#endif
