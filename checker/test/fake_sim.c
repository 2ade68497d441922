/* SPDX-License-Identifier: Apache-2.0 */
// link: -Xlinker --defsym=warpstep_sim=fake_sim_api
#include "fake_sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../cmodel/model.h"

enum { CYCLES_LATE = 50 }; /* of FAKE_LATE's record */

struct sim {
    struct sim_options options;
    enum fake_fault fault;
    uint64_t from; /* records before the fault can be planted */
    struct model *model;
    const struct launch *run;
    uint64_t records; /* steps taken */
    uint64_t rows[2]; /* rows of each SM's records; wide ones have a warp's rows for each word */
    bool planted;     /* the fault has happened */
    bool ended;
    struct retire again; /* to be delivered a second time */
    bool has_again;
    struct diag trouble; /* reason of a failed load */
    uint32_t *pages;     /* pages with stores */
};

/* Writes the wave's window in place of waves. */
static void write_wave(const struct sim_options *options) {
    FILE *out = options->wave_path != NULL ? fopen(options->wave_path, "w") : NULL;
    if (out == NULL) return;
    fprintf(out, "%llu %llu\n", (unsigned long long)options->wave_from, (unsigned long long)options->wave_to);
    fclose(out);
}

static struct sim *fake_open(const struct sim_options *options, char *why, size_t why_size) {
    struct sim *s = calloc(1, sizeof *s);
    write_wave(options);
    if (s != NULL) s->model = model_create(&options->machine);
    if (s == NULL || s->model == NULL) {
        snprintf(why, why_size, "out of memory");
        free(s);
        return NULL;
    }
    s->options = *options;
    s->fault = (enum fake_fault)(options->seed & 0xff);
    s->from = options->seed >> 8;
    return s;
}

static int fake_load(struct sim *s, const struct launch *run) {
    s->run = run;
    s->records = s->rows[0] = s->rows[1] = 0;
    s->planted = s->ended = s->has_again = false;
    struct machine machine = s->options.machine;
    machine.has_atomics = machine.has_atomics && launch_has_atomics(run);
    model_destroy(s->model);
    s->model = model_create(&machine);
    if (s->model == NULL) return diag_set(&s->trouble, STATUS_NO_MEMORY, "", 0, 0, "out of memory"), -1;
    if (s->fault == FAKE_UNLOADED) return diag_set(&s->trouble, STATUS_BAD_INPUT, "", 0, 0, "load planted"), -1;
    return model_launch(s->model, run->image, &s->trouble) == STATUS_OK ? 0 : -1;
}

static int fake_load_again(struct sim *s, const struct launch *run) {
    s->run = run;
    s->records = s->rows[0] = s->rows[1] = 0;
    s->ended = s->has_again = false;
    if (s->fault != FAKE_ASTRAY) s->planted = false;
    if (s->fault == FAKE_UNLOADED) return diag_set(&s->trouble, STATUS_BAD_INPUT, "", 0, 0, "load planted"), -1;
    return model_relaunch(s->model, run->image, &s->trouble) == STATUS_OK ? 0 : -1;
}

static int fake_clear(struct sim *s) {
    memset(model_global(s->model), 0, s->options.machine.global_bytes);
    return 0;
}

static int fake_poke(struct sim *s, uint32_t addr, const uint8_t *bytes, size_t size) {
    memcpy(model_global(s->model) + addr, bytes, size);
    return 0;
}

static size_t fake_stored(struct sim *s, const uint32_t **pages) {
    const uint32_t *stored;
    size_t count = model_stored_pages(s->model, &stored);
    free(s->pages);
    s->pages = count < SIZE_MAX ? calloc(count + 1, sizeof *s->pages) : NULL;
    *pages = s->pages;
    if (s->pages == NULL) return SIZE_MAX;
    if (count > 0) memcpy(s->pages, stored, count * sizeof *stored);
    if (s->fault == FAKE_ASTRAY && s->planted) s->pages[count++] = FAKE_ASTRAY_AT / SIM_PAGE_BYTES;
    return count;
}

static unsigned first_lane(uint32_t mask) { return (unsigned)__builtin_ctz(mask); }

/* Changes word `word` of a wide access, if the record has it. */
static bool spoil_word(struct retire *r, unsigned word, bool store) {
    if (retire_words(r) <= word || r->mem_mask == 0) return false;
    if (store != (r->mem_kind == RETIRE_MEM_GLOBAL_STORE)) return false;
    (store ? r->data_rest : r->dst_rest)[word - 1][31] ^= 0x100;
    return true;
}

/* Changes the record as the fault requires; false if this record cannot show it. */
static bool spoil(enum fake_fault fault, struct retire *r) {
    const bool store = r->mem_kind == RETIRE_MEM_GLOBAL_STORE;
    switch (fault) {
    case FAKE_LANE:
        if (r->dst_mask == 0 || r->mem_kind != RETIRE_MEM_NONE) return false;
        r->dst[first_lane(r->dst_mask)] ^= 4;
        return true;
    case FAKE_LOAD:
        if (r->mem_kind != RETIRE_MEM_GLOBAL_LOAD || r->dst_mask == 0) return false;
        r->dst[31] ^= 0x80000000;
        return true;
    case FAKE_FLAG:
        if (r->c_mask == 0) return false;
        r->c[first_lane(r->c_mask)] ^= 2;
        return true;
    case FAKE_MASK:
        if (r->exec == 0xffffffff) return false;
        r->exec |= r->exec + 1;
        return true;
    case FAKE_WRITE_MASK:
        if (r->dst_mask == 0) return false;
        r->dst[first_lane(r->dst_mask)] = 0;
        r->dst_mask &= r->dst_mask - 1;
        return true;
    case FAKE_NEXT_PC: r->next_pc += 8; return true;
    case FAKE_NEXT_ACTIVE: r->next_active ^= 1; return true;
    case FAKE_DEPTH: r->depth++; return true;
    case FAKE_STATE: r->state ^= RETIRE_FINISHED; return true;
    case FAKE_ADDRESS:
        if (!store || r->mem_mask == 0) return false;
        r->addr[first_lane(r->mem_mask)] += 4;
        return true;
    case FAKE_DATA:
        if (!store || r->mem_mask == 0) return false;
        r->data[first_lane(r->mem_mask)] ^= 1;
        return true;
    case FAKE_SHARED_DATA:
        if (r->mem_kind != RETIRE_MEM_SHARED_STORE || r->mem_mask == 0) return false;
        r->data[first_lane(r->mem_mask)] ^= 1;
        return true;
    case FAKE_WORD1: return spoil_word(r, 1, false);
    case FAKE_WORD2: return spoil_word(r, 2, false);
    case FAKE_WORD3: return spoil_word(r, 3, false);
    case FAKE_DATA1: return spoil_word(r, 1, true);
    case FAKE_DATA3: return spoil_word(r, 3, true);
    case FAKE_BEYOND:
        if (retire_words(r) != 2) return false;
        r->dst_rest[1][0] = r->data_rest[2][0] = 1;
        return true;
    case FAKE_RECORD_TRAP: r->trap = TRAP_UNDEFINED; return true;
    case FAKE_OUTSIDE: r->block_x = 1000; return true;
    case FAKE_SLOT: r->slot ^= 16; return true;
    default: return false;
    }
}

static enum sim_event end(struct sim *s) {
    const bool trapped = model_get_trap(s->model).code != TRAP_NONE;
    if (s->fault == FAKE_NEVER_DONE) return SIM_SILENT;
    if (s->fault == FAKE_LATE && s->ended && !s->planted) {
        s->planted = true;
        s->has_again = true;
    }
    if (s->fault == FAKE_ASTRAY && !s->planted) model_global(s->model)[FAKE_ASTRAY_AT] ^= 0x10;
    s->planted = s->planted || s->fault == FAKE_ASTRAY;
    s->ended = true;
    if (trapped) return s->fault == FAKE_TRAP_AS_DONE ? SIM_DONE : SIM_TRAPPED;
    return s->fault == FAKE_TRAP_STATUS ? SIM_TRAPPED : SIM_DONE;
}

/* The effect of the fault on a run before its next record; SIM_RECORD: none. */
static enum sim_event break_off(const struct sim *s) {
    if (s->records < s->from) return SIM_RECORD;
    if (s->fault == FAKE_EARLY || s->fault == FAKE_EMPTY) return SIM_DONE;
    if (s->fault == FAKE_SILENT) return SIM_SILENT;
    return s->fault == FAKE_FAILED ? SIM_FAILED : SIM_RECORD;
}

/* An RTL does not notice that its state repeats, and goes on. */
static enum model_result run_on(struct model *m, struct retire *record) {
    const enum model_result result = model_run_step(m, record);
    if (result != MODEL_STUCK) return result;
    model_forget_loops(m);
    return model_run_step(m, record);
}

static enum model_result run_in_order(struct sim *s, struct retire *record) {
    const uint8_t warp = s->records % 7 == 2 || s->records % 11 == 5;
    const struct retire first = {.slot = warp, .warp = warp}, second = {.slot = !warp, .warp = !warp};
    if (model_finished(s->model)) return MODEL_DONE;
    const enum model_result result = model_step_follow(s->model, &first, record);
    return result == MODEL_REFUSED ? model_step_follow(s->model, &second, record) : result;
}

static enum sim_event step(struct sim *s, struct retire *record) {
    switch (s->fault == FAKE_ORDER ? run_in_order(s, record) : run_on(s->model, record)) {
    case MODEL_RETIRED:
        s->records++;
        s->rows[record->sm] += retire_words(record) * WARP_LANES / s->options.cores;
        return SIM_RECORD;
    case MODEL_DONE:
    case MODEL_TRAPPED: return end(s);
    case MODEL_STUCK:
    case MODEL_REFUSED: break;
    }
    return SIM_SILENT;
}

static enum sim_event fake_next(struct sim *s, struct retire *record, uint64_t limit) {
    enum sim_event event = break_off(s);
    if (event != SIM_RECORD) return event;
    if (s->has_again && s->fault == FAKE_REPEATED) {
        s->has_again = false;
        *record = s->again;
        return SIM_RECORD;
    }
    event = step(s, record);
    if (event == SIM_RECORD && s->fault == FAKE_MISSING && s->records > s->from && !s->planted) {
        s->planted = true;
        event = step(s, record);
    }
    if (s->has_again && s->fault == FAKE_LATE) {
        if (limit < CYCLES_LATE) return SIM_SILENT;
        *record = s->again;
        return SIM_RECORD;
    }
    if (event != SIM_RECORD) return event;
    record->cycle = s->records * 4;
    s->again = *record;
    if (!s->planted && s->records > s->from && s->fault == FAKE_REPEATED) s->planted = s->has_again = true;
    if (!s->planted && s->records > s->from) s->planted = spoil(s->fault, record);
    return SIM_RECORD;
}

static void read_code(const struct image *img, uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        bytes[i] = i / 4 < img->code_words ? (uint8_t)(img->code[i / 4] >> (8 * (i % 4))) : 0;
}

static void read_const(const struct image *img, uint8_t *bytes, size_t size) {
    size_t at = 0;
    memset(bytes, 0, size);
    for (unsigned b = 0; b < IMAGE_CONST_BANKS; b++) {
        if (img->bank[b].size > 0) memcpy(bytes + at, img->bank[b].bytes, img->bank[b].size);
        at += (img->bank[b].size + 3) & ~(size_t)3;
    }
}

static int fake_peek(struct sim *s, enum sim_memory memory, uint32_t addr, uint8_t *bytes, size_t size) {
    if (s->fault == FAKE_UNREADABLE) return -1;
    if (memory == SIM_CODE) {
        read_code(s->run->image, bytes, size);
        if (s->fault == FAKE_CODE) bytes[size - 1] ^= 1;
    } else if (memory == SIM_CONST) {
        read_const(s->run->image, bytes, size);
        if (s->fault == FAKE_CONST) bytes[0] ^= 1;
    } else {
        memcpy(bytes, model_global(s->model) + addr, size);
        if (s->fault == FAKE_GLOBAL) bytes[0x123] ^= 0x10;
        if (s->fault == FAKE_GLOBAL_LAST) bytes[size - 1] ^= 1;
        if (s->fault == FAKE_PARTIAL_STORE) bytes[0] = bytes[4] = 0xee;
        if (s->fault == FAKE_STRAY_STORE) bytes[0x40] = 0xee;
    }
    return 0;
}

static void fake_counters(struct sim *s, struct sim_counters *counters) {
    struct model_counts counts;
    model_get_counts(s->model, &counts);
    *counters = (struct sim_counters){.cycles = s->rows[0] + s->rows[1],
                                      .warp_instructions = counts.warp_instructions,
                                      .thread_instructions = counts.thread_instructions};
    for (unsigned sm = 0; sm < 2; sm++) {
        counters->cause[sm][SIM_CAUSE_ISSUE] = s->rows[sm];
        counters->cause[sm][SIM_CAUSE_DRAIN] = counters->cycles - s->rows[sm];
    }
    const bool counted = s->fault == FAKE_TRAP_COUNTED;
    if (s->fault == FAKE_WARP_COUNT || s->fault == FAKE_TRAP_HALF || counted) counters->warp_instructions++;
    if (counted) counters->thread_instructions += WARP_LANES;
    if (s->fault == FAKE_THREAD_COUNT) counters->thread_instructions--;
    if (s->fault == FAKE_CAUSE_SUM) counters->cycles++;
    if (s->fault == FAKE_CAUSE_SM) counters->cause[0][SIM_CAUSE_FETCH]++;
    if (s->fault == FAKE_CAUSE_SM) counters->cause[1][SIM_CAUSE_DRAIN]--;
    if (s->fault == FAKE_CAUSE_SM1) counters->cause[1][SIM_CAUSE_FETCH]++;
    if (s->fault == FAKE_CAUSE_ISSUE) counters->cause[1][SIM_CAUSE_ISSUE]++;
    if (s->fault == FAKE_CAUSE_ISSUE) counters->cause[1][SIM_CAUSE_DRAIN]--;
    if (s->fault == FAKE_CAUSE_WAIT) counters->cause[0][SIM_CAUSE_ISSUE]--;
    if (s->fault == FAKE_CAUSE_WAIT) counters->cause[0][SIM_CAUSE_DRAIN]++;
}

static void fake_trap(struct sim *s, struct sim_trap *trap) {
    const struct model_trap t = model_get_trap(s->model);
    *trap = (struct sim_trap){.code = t.code, .sm = t.sm, .slot = t.slot, .pc = t.pc};
    if (s->fault == FAKE_TRAP_CODE) trap->code = TRAP_FETCH;
    if (s->fault == FAKE_TRAP_PC) trap->pc += 8;
    if (s->fault == FAKE_TRAP_SM) trap->sm ^= 1;
    if (s->fault == FAKE_TRAP_SLOT) trap->slot ^= 1;
}

static uint64_t fake_cycle(struct sim *s) { return s->records * 4; }
static const char *fake_why(struct sim *s) { return s->fault == FAKE_FAILED ? "assertion planted" : s->trouble.text; }

static void fake_close(struct sim *s) {
    model_destroy(s->model);
    free(s->pages);
    free(s);
}

const struct sim_api *fake_sim_api(void) {
    static const struct sim_api API = {
        SIM_API_VERSION, "fake",          fake_open,  fake_load, fake_next, fake_peek, fake_counters, fake_trap,
        fake_cycle,      fake_why,        fake_close, NULL,      NULL,      NULL,      NULL,          NULL,
        fake_clear,      fake_load_again, fake_poke,  NULL,      NULL};
    return &API;
}

const struct sim_api *fake_telling_api(void) {
    static const struct sim_api API = {
        SIM_API_VERSION, "fake",          fake_open,  fake_load,   fake_next, fake_peek, fake_counters, fake_trap,
        fake_cycle,      fake_why,        fake_close, NULL,        NULL,      NULL,      NULL,          NULL,
        fake_clear,      fake_load_again, fake_poke,  fake_stored, NULL};
    return &API;
}
