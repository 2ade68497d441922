/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of the PTX reader: read.c modules, declare.c variables, body.c functions, insn.c instructions,
 * constant.c expressions. */
#ifndef WARPSTEP_CC_READER_H
#define WARPSTEP_CC_READER_H

#include "lex.h"
#include "names.h"

struct ptx_reader {
    struct cc *cc;
    struct ptx_lexer lexer;
    struct ptx_names names;
    struct ptx_names labels; /* of the current function */
    struct ptx_module *module;
    struct ptx_function *function; /* the current function, or NULL */
    bool in_call;                  /* '(' begins an argument list */
};

/* constant.c */
bool ptx_is_constant(const struct ptx_lexer *l); /* an expression begins at the token */
double ptx_constant_real(struct ptx_constant c); /* value of an integer or a float */
struct ptx_constant ptx_read_constant(struct ptx_lexer *l);
struct ptx_constant ptx_read_constant_after_not(struct ptx_lexer *l); /* the caller has taken a leading ! */
uint64_t ptx_read_integer(struct ptx_lexer *l);

/* declare.c */
enum ptx_space ptx_token_space(const struct ptx_lexer *lexer); /* of a token such as ".shared", else PTX_NO_SPACE */
enum ptx_type ptx_find_type(const char *name, size_t length);
void ptx_read_variable(struct ptx_reader *r, bool is_extern); /* from its memory to the ';' */
void ptx_read_registers(struct ptx_reader *r);                /* after .reg */
struct ptx_symbol *ptx_read_parameter(struct ptx_reader *r);
void ptx_declare(struct ptx_reader *r, struct ptx_symbol *symbol);
char *ptx_read_name(struct ptx_reader *r);

/* body.c */
void ptx_read_body(struct ptx_reader *r);
void ptx_read_loc(struct ptx_reader *r); /* after .loc */

/* insn.c */
void ptx_read_insn(struct ptx_reader *r);
const struct ptx_symbol *ptx_find_register(struct ptx_reader *r, const char *name, size_t length, uint8_t *component);
const struct ptx_symbol *ptx_find_label(struct ptx_reader *r, const char *name, size_t length);

#endif
