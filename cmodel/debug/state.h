/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of the prompt: debug.c decides when it appears, commands.c executes commands, show.c prints. */
#ifndef WARPSTEP_DEBUG_STATE_H
#define WARPSTEP_DEBUG_STATE_H

#include "../machine.h"
#include "debug.h"
#include "value.h"

enum { DEBUG_STOPS_MAX = 32 };

enum relation { RELATION_NONE, RELATION_EQ, RELATION_NE, RELATION_LT, RELATION_LE, RELATION_GT, RELATION_GE };

/* A stop: a place, a condition or a watched value. */
struct stop {
    enum stop_kind { STOP_UNUSED, STOP_PC, STOP_CYCLE, STOP_WATCH } kind;
    uint64_t at;               /* pc or cycle */
    enum relation relation;    /* relation of a condition */
    struct value value;        /* value of the condition, or watched value */
    uint32_t operand;          /* operand of the condition */
    unsigned sm, slot;         /* warp of the watched value */
    uint32_t seen[WARP_LANES]; /* the last value seen */
};

struct debug {
    struct debug_options options;
    enum { PROMPT, STEP, NEXT, GO_ON, QUIT } mode;
    uint64_t left;     /* instructions left until the prompt, for STEP and NEXT */
    unsigned sm, slot; /* the warp that commands refer to */
    bool interrupted;
    struct stop stops[DEBUG_STOPS_MAX];
    unsigned line; /* line of the script */
    char mistake[224];
    char *repeat; /* the command that an empty line repeats */
};

/* Executes a line; d->mistake describes a wrong command. Commands that resume the run change `mode`. */
void debug_command(struct debug *d, char *line);

/* "pc 0x18: IADD ..." of the selected warp, with its masks. */
void debug_show_warp(struct debug *d);
void debug_show_value(struct debug *d, const struct value *v);
void debug_show_words(struct debug *d, struct value v, uint64_t words);
void debug_show_code(struct debug *d, uint32_t pc);
void debug_show_stack(struct debug *d);
void debug_show_stops(struct debug *d);

bool debug_fetch(struct debug *d, const struct value *v, unsigned lane, uint32_t *word);

#endif
