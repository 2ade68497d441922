/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of the machine. */
#ifndef GOLDEN_PTX_THREAD_H
#define GOLDEN_PTX_THREAD_H

#include "machine.h"
#include "memory.h"

#include <setjmp.h>

/* Generic addresses of shared and local memory; global and constant addresses are generic themselves. */
enum { SHARED_WINDOW = 0x01000000, LOCAL_WINDOW = 0x02000000, WINDOW_BYTES = 0x01000000, FIRST_ADDRESS = 0x10000000 };

struct machine {
    const struct module *module;
    struct problem *problem;
    struct region *regions; /* GLOBAL and CONSTANT, by address */
    size_t region_count, region_room;
    uint64_t next_address;
    uint64_t dynamic_shared; /* after the module's shared variables */
    uint64_t shared_top;     /* after those of arguments */
    struct region shared;
    const struct launch *launch;
    uint32_t block_index[3];
    uint32_t block_number, phase;
    uint64_t steps;
    int approximate_line;
    struct place undefined_store; /* the first one in global memory; line 0: none */
    enum outcome outcome;
    jmp_buf failed;
};

struct frame {
    const struct function *function;
    size_t pc;
    struct value *registers;
    uint64_t local_base, param_base;
    struct frame *caller;
};

enum state { RUNS, WAITS, ENDED };

struct thread {
    struct machine *machine;
    uint32_t index[3], number;
    enum state state;
    uint64_t barrier;
    struct frame *frame;
    unsigned depth;
    struct value carry;
    struct region local, param;
    uint64_t local_top, param_top;
    uint64_t steps;
};

_Noreturn void thread_fail(struct thread *t, enum outcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* operands.c. A value has the type's bits. */
struct value operand_read(struct thread *t, const struct operand *o, struct type type);
void operand_write(struct thread *t, const struct operand *o, struct type type, struct value value);
uint64_t operand_address(struct thread *t, const struct operand *o);
struct value all_known(uint64_t bits);
bool is_known(struct value value, struct type type);

/* access.c */
void execute_access(struct thread *t, const struct instruction *i);
bool is_access(enum opcode opcode);
uint64_t space_base(struct thread *t, enum space space); /* of its generic addresses */
enum space generic_space(uint64_t address);

/* compute.c */
void execute_computation(struct thread *t, const struct instruction *i);

/* flow.c */
void thread_start(struct thread *t, struct machine *m, uint32_t number);
void thread_run(struct thread *t); /* up to a barrier or its end */
void thread_free(struct thread *t);

#endif
