/* SPDX-License-Identifier: Apache-2.0 */
/* The interface between the checker and a simulation of the RTL. A simulation is a shared object that exports `const
 * struct sim_api *warpstep_sim(void)`: the Verilator build, the GHDL build, a user's own RTL. The checker uses nothing
 * else of it.
 *
 *     const struct sim_api *api = warpstep_sim();
 *     struct sim *s = api->open(&options, why, sizeof why);
 *     api->load(s, &run);                              // code, constants, global memory, launch registers, start
 *     while (api->next(s, &record, limit) == SIM_RECORD) check(&record);
 *     api->peek(s, SIM_GLOBAL, 0, bytes, size);
 *     api->close(s);
 *
 * Or launch after launch with persistent global memory:
 *
 *     api->clear(s);
 *     api->poke(s, 0x1000, bytes, size);
 *     api->load_again(s, &run);                        // code, constants, launch registers, start
 */
#ifndef WARPSTEP_SIM_H
#define WARPSTEP_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../assembler/base/linkage.h"
#include "../../cmodel/retire.h"
#include "../../cmodel/run/launch.h"

C_LINKAGE_BEGIN

enum {
    SIM_API_VERSION = 8,
    SIM_API_OLDEST = 3, /* oldest supported version */
    SIM_API_BUS = 5,    /* knows sim_options.bus */
    SIM_API_WAVES = 6,  /* has waves */
    SIM_API_LOOK = 7,   /* has stages and entry, and knows sim_options.look */
    SIM_API_AGAIN = 8,  /* has load_again, clear, poke, stored and wave */
};

struct sim;

/* The contents of a stage of the pipeline. Values that an early stage does not know yet are 0. */
struct sim_stage {
    bool valid;    /* it holds an instruction */
    bool last;     /* it is the last beat of the instruction */
    unsigned part; /* word of a wide access */
    unsigned row, slot;
    uint32_t pc;
};

enum { SIM_STAGES_MOST = 32, SIM_PAGE_BYTES = 4096 };

/* The state of an SM in a cycle, for callers that request it. */
struct sim_look {
    uint64_t cycle;                          /* cycle of the launch, counted as in records */
    unsigned launch, sm;                     /* launches count from 1 */
    unsigned delay;                          /* cycles from the last but one stage to the last; 1: no others between */
    struct sim_stage stage[SIM_STAGES_MOST]; /* in the order of sim_api.stages */
};

/* Global memory of the RTL behind a bus instead of block RAM: the simulation's memory and its speed. */
struct sim_bus {
    bool used;
    unsigned words;   /* of 32 bits, of a beat; 0 without a bus */
    unsigned latency; /* cycles from address to data */
    unsigned stall;   /* percent of the cycles in which a channel is not ready */
    uint32_t seed;    /* draws these */
};

struct sim_options {
    unsigned cores;              /* 8, 16, 32 scalar processors per SM */
    struct machine machine;      /* sizes; the simulation is built with these, or takes them */
    uint32_t seed;               /* initial contents of registers and memories that the architecture leaves undefined */
    const char *wave_path;       /* file of waves, in the format of its suffix, or NULL */
    uint64_t wave_from, wave_to; /* cycles to record, from launch */
    bool unchecked;              /* the caller needs no records: next runs to the end */
    struct sim_bus bus;          /* since version 5 */
    /* Since version 7: called in every cycle of a launch, for each SM, in the order of cycles; NULL: no observer. */
    void (*look)(void *looker, struct sim *s, const struct sim_look *look);
    void *looker;
};

struct sim_stack_entry {
    unsigned token; /* enum model_token */
    uint32_t mask, pc;
};

enum sim_event {
    SIM_RECORD,  /* *record is the next warp instruction, in issue order of that SM */
    SIM_DONE,    /* the machine has reported that the grid is done, and every record was delivered */
    SIM_TRAPPED, /* the machine has reported that a trap stopped the grid, and every record was delivered */
    SIM_SILENT,  /* `limit` cycles passed without a record */
    SIM_FAILED,  /* the simulation itself failed (assertion, X, crash): see sim_api.why */
};

enum sim_memory { SIM_GLOBAL, SIM_CODE, SIM_CONST };

/* The use of each cycle of an SM: it issues a row of an instruction, or exactly one cause explains why it does not.
 * docs/architecture.md defines the causes; the RTL's numbers come from the same list. */
enum sim_cause {
#define CAUSE(id, number, name, text) SIM_CAUSE_##id = (number),
#include "../../spec/cause.def"
#undef CAUSE
    SIM_CAUSES
};
extern const char *const sim_cause_names[SIM_CAUSES]; /* "issue", "no_warp", ... */

enum { SIM_MAX_SMS = 8 };

struct sim_counters {
    uint64_t cycles; /* from launch to done */
    uint64_t warp_instructions, thread_instructions;
    uint64_t cause[SIM_MAX_SMS][SIM_CAUSES]; /* the counts of each SM sum to `cycles` */
};

struct sim_trap { /* the status registers after SIM_TRAPPED */
    unsigned code, sm, slot;
    uint32_t pc;
};

struct sim_api {
    unsigned version; /* SIM_API_VERSION at build time */
    const char *name; /* "verilator", "ghdl", ... */
    struct sim *(*open)(const struct sim_options *options, char *why, size_t why_size); /* NULL: why is filled */
    int (*load)(struct sim *s, const struct launch *run); /* 0, or -1: see why. Only the first load resets */
    enum sim_event (*next)(struct sim *s, struct retire *record, uint64_t limit); /* limit 0: only pending records */
    int (*peek)(struct sim *s, enum sim_memory memory, uint32_t addr, uint8_t *bytes, size_t size);
    void (*counters)(struct sim *s, struct sim_counters *counters); /* NULL: not offered */
    void (*trap)(struct sim *s, struct sim_trap *trap);
    uint64_t (*cycle)(struct sim *s); /* since launch; `limit` counts from it */
    const char *(*why)(struct sim *s);
    void (*close)(struct sim *s);
    /* Since version 4: names of retire.def with blanks between, or NULL. */
    const char *unreported; /* fields that the records lack: they are taken from the model, and not compared */
    const char *filled;     /* fields that follow from the instruction word, which the checker fills in */
    /* Since version 6: suffixes of the wave files that it can write, the best one first; NULL: .fst; "": none. */
    const char *waves;
    /* Since version 7, both NULL if it does not offer them. */
    const char *stages; /* names of the stages, separated by blanks, from the scheduler's to the retiring stage */
    /* Entry i of a warp's stack, 0 the bottom, in the current cycle; to be called by sim_options.look. */
    void (*entry)(struct sim *s, unsigned sm, unsigned slot, unsigned i, struct sim_stack_entry *entry);
    /* Since version 8, for global memory that persists over launches; the first three are NULL if not offered. Each
     * returns 0, or -1: see why. Not while a grid runs. */
    int (*clear)(struct sim *s);                                /* fills global memory with 0 */
    int (*load_again)(struct sim *s, const struct launch *run); /* like load, but global memory is unchanged */
    int (*poke)(struct sim *s, uint32_t addr, const uint8_t *bytes, size_t size); /* multiples of 4 */
    /* The pages of global memory to which the memory itself has seen stores since the last load: numbers of pages of
     * SIM_PAGE_BYTES, each once, valid until the next call of any function. SIZE_MAX: out of memory, any page may have
     * changed. NULL: not offered; otherwise every store is recorded. */
    size_t (*stored)(struct sim *s, const uint32_t **pages);
    /* From the next load on waves go to this file; 0, or -1. NULL: not offered. */
    int (*wave)(struct sim *s, const char *path);
};

const struct sim_api *warpstep_sim(void);

C_LINKAGE_END

#endif
