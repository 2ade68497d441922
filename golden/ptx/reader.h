/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of the reader. An error leaves by longjmp, to module_read. */
#ifndef GOLDEN_PTX_READER_H
#define GOLDEN_PTX_READER_H

#include "lexer.h"
#include "ptx.h"

#include <setjmp.h>

/* { } of a function; names of a scope hide those of its parents. */
struct scope {
    struct scope *parent;
};

enum entry_kind { REGISTERS, VARIABLE, FUNCTION, LABELS, TABLE };

struct entry {
    const char *name;
    struct scope *scope;
    enum entry_kind kind;
    bool is_range;                /* .reg .b32 %r<8>: the name is %r */
    unsigned first, count, width; /* REGISTERS; width: of a vector */
    struct variable *variable;
    struct function *function;
    size_t target; /* LABELS */
    struct table *table;
    struct entry *next;
};

enum { BUCKETS = 4096 };

struct reader {
    struct module *module;
    struct lexer lexer;
    struct token token; /* the next one */
    struct problem *problem;
    jmp_buf failed;
    struct scope *scope;
    struct function *function; /* whose body is read, or NULL */
    struct function **functions_end;
    unsigned depth; /* of nesting */
    struct entry *buckets[BUCKETS];
};

_Noreturn void reader_fail(struct reader *r, struct place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
_Noreturn void reader_unexpected(struct reader *r, const char *wanted);

void reader_advance(struct reader *r);
bool next_is(const struct reader *r, const char *text);
bool reader_accept(struct reader *r, const char *text);
void expect(struct reader *r, const char *text);
const char *take_name(struct reader *r);
uint64_t take_integer(struct reader *r); /* with a sign, or in parentheses with + - * */
char *token_copy(struct reader *r);
void skip_line(struct reader *r); /* skips the tokens on the line of the next one */

/* Around recursive constructs. */
void reader_enter(struct reader *r);
void reader_leave(struct reader *r);

struct entry *declare(struct reader *r, const char *name, enum entry_kind kind, struct place place);
/* In the scope or its parents, NULL if missing. A range's entry is found by its members; *index is the member's
 * number. */
struct entry *look_up(struct reader *r, struct scope *scope, const char *name, unsigned *index);

/* The list, with room for one more. */
void *module_enlarge(struct module *module, void *list, size_t count, size_t *room, size_t bytes);

/* types.c */
bool type_of(const char *text, struct type *type);
enum space space_of(const char *text);

/* declare.c */
void read_registers(struct reader *r);                   /* behind .reg */
void read_variables(struct reader *r, enum space space); /* after its space, up to the semicolon */
void read_parameters(struct reader *r, struct operand **list, unsigned *count);
unsigned add_registers(struct reader *r, struct type type, unsigned count);

/* statement.c */
void read_body(struct reader *r, struct function *f);

#endif
