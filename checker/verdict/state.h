/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of the checker, shared by lockstep.c (records), the judges, finish.c (the end of a run) and drive.c
 * (running a simulation). */
#ifndef WARPSTEP_LOCKSTEP_STATE_H
#define WARPSTEP_LOCKSTEP_STATE_H

#include "lockstep.h"
#include "overrule.h"
#include "race.h"

/* The last steps of one warp slot. */
struct history {
    uint16_t block_x, block_y;
    uint8_t warp;
    unsigned count, next; /* count up to LOCKSTEP_HISTORY; next: index of the next step */
    struct lockstep_step steps[LOCKSTEP_HISTORY];
};

struct lockstep {
    struct lockstep_options options;
    struct model *model;
    struct opinion *opinion;            /* the third opinion */
    struct history *history;            /* sms * warps */
    uint64_t after_trap;                /* records since the trap that stopped the grid */
    unsigned cores;                     /* of an SM; 0 unknown */
    uint64_t passes[SIM_MAX_SMS];       /* warp instructions through each SM's pipeline, a wide access once a word */
    uint64_t trap_cycle[SIM_MAX_SMS];   /* of each SM's trap: the cycle of its record */
    struct races *races;                /* NULL: a single SM has none */
    uint64_t settles;                   /* with several SMs: the last cycle in which a store may be on its way */
    bool settled;                       /* that cycle has passed */
    struct overrule *overrule;          /* NULL: every difference is a mismatch */
    struct retire own;                  /* the current record, if records are incomplete */
    struct lockstep_memory_diff memory; /* of the pages compared so far */
    struct lockstep_result result;
};

/* Notes the first fault; later ones are consequences. Always false, for `return lockstep_fault(...)`. */
bool lockstep_fault(struct lockstep *l, enum lockstep_status status, enum lockstep_fault fault, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same for result.expected and result.actual, which differ in result.differences. */
bool lockstep_differs(struct lockstep *l);

/* With persistent global memory: compares `size` bytes of the RTL's from byte `from` on, SIM_PAGE_BYTES at most, and
 * lets the model adopt allowed differences. False if any differed so far; lockstep_report_pages notes that. */
bool lockstep_check_page(struct lockstep *l, uint32_t from, const uint8_t *actual, size_t size);
bool lockstep_report_pages(struct lockstep *l);

/* The same for code or constants: `expected` and `actual` are `size` bytes from `from` on; and the complete contents of
 * code or constants, which the caller frees, NULL if out of memory (noted) or if there are none. */
bool lockstep_check_words(struct lockstep *l, enum sim_memory memory, uint32_t from, uint8_t *expected,
                          const uint8_t *actual, size_t size);
uint8_t *lockstep_expect_words(struct lockstep *l, enum sim_memory memory);

/* The launch has been loaded and started: runs it to its end, and a little longer, then reads its counters. */
void lockstep_run_records(struct lockstep *l, const struct sim_api *api, struct sim *s);
void lockstep_read_counters(struct lockstep *l, const struct sim_api *api, struct sim *s);

/* True if no fault has been found. */
bool lockstep_good(const struct lockstep *l);

/* False, with the fault noted, if a load is left that a race had to explain and that none has by cycle `now`. At the
 * end, and after another fault, `now` is UINT64_MAX: then that load is the first suspect. */
bool lockstep_races_settled(struct lockstep *l, uint64_t now);

/* False, with the fault noted, if the run was interrupted. */
bool lockstep_goes_on(struct lockstep *l, uint64_t cycle);

/* True if some warp of the model could execute an instruction, or blocks are left that never appeared. */
bool lockstep_model_could_go_on(const struct lockstep *l);

#endif
