/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_machine.h"

#include <stdlib.h>
#include <string.h>

#include "../../assembler/base/word_at.h"
#include "../../assembler/isa/isa.h"
#include "../../checker/port/host_plan.h"
#include "../../checker/port/sim_library.h"
#include "../../cmodel/model.h"
#include "../../spec/host_regs.h"
#include "fake_hash.h"

enum {
    WORD = 4,
    REG_WORDS = 0x400 / WORD,
    PARAM_MOST = 60,
    START = 1,
    CLEAR = 2,
    DONE = 2,
    TRAPPED = 3,
    RUNNING = 1,
    WINDOW = 0x0fffffff
};

struct fake_machine {
    struct machine machine;
    unsigned cores;
    struct fake_stuck stuck;
    struct sim_library lib; /* api NULL: the model */
    struct sim *sim;
    struct model *model;
    struct fake_hash hash;
    bool hashes; /* hashes were requested */
    uint32_t regs[REG_WORDS];
    uint8_t *code, *constant, *global;
};

void fake_machine_destroy(struct fake_machine *m) {
    if (m == NULL) return;
    if (m->sim != NULL) m->lib.api->close(m->sim);
    if (m->lib.api != NULL) sim_library_close(&m->lib);
    model_destroy(m->model);
    free(m->code);
    free(m->constant);
    free(m->global);
    free(m);
}

/* Memories begin with arbitrary contents. */
static uint8_t *make_memory(uint32_t bytes) {
    uint8_t *memory = malloc(bytes);
    if (memory != NULL) memset(memory, 0xa5, bytes);
    return memory;
}

static bool open_sim(struct fake_machine *m, const char *name) {
    const struct sim_options options = {.cores = m->cores, .machine = m->machine, .seed = 1, .unchecked = true};
    char why[256];
    struct diag d;
    if (sim_library_open(&m->lib, name, m->cores, &m->machine, 0, &d) != STATUS_OK) return false;
    m->sim = m->lib.api->open(&options, why, sizeof why);
    return m->sim != NULL;
}

struct fake_machine *fake_machine_create(unsigned cores, const struct machine *machine, const char *sim,
                                         const struct fake_stuck *stuck) {
    struct fake_machine *m = calloc(1, sizeof *m);
    if (m == NULL) return NULL;
    m->machine = *machine;
    m->cores = cores;
    m->stuck = *stuck;
    m->code = make_memory(machine->code_bytes);
    m->constant = make_memory(machine->const_bytes);
    m->global = make_memory(machine->global_bytes);
    if (sim == NULL) m->model = model_create(machine);
    const bool ready = m->code != NULL && m->constant != NULL && m->global != NULL &&
                       (sim == NULL ? m->model != NULL : open_sim(m, sim));
    if (ready) return m;
    fake_machine_destroy(m);
    return NULL;
}

/* The cell of a window, or NULL: a register, or unmapped. */
static uint8_t *cell_of(struct fake_machine *m, uint32_t adr) {
    const uint32_t at = adr & WINDOW;
    if (adr < HOST_CODE) return NULL;
    if (adr >= HOST_GLOBAL) return m->global + at % m->machine.global_bytes;
    if (adr >= HOST_CONST) return m->constant + at % m->machine.const_bytes;
    return m->code + at % m->machine.code_bytes;
}

static uint32_t reg(const struct fake_machine *m, uint32_t adr) { return m->regs[adr / WORD]; }
static void set(struct fake_machine *m, uint32_t adr, uint32_t value) { m->regs[adr / WORD] = value; }

/* The launch that the registers describe. False: the machine would refuse it. */
static bool find_launch(struct fake_machine *m, struct image *img) {
    img->arch = reg(m, HOST_FEATURES) != 0 ? 11 : 10;
    img->regs = reg(m, HOST_REGS);
    img->shared_bytes = reg(m, HOST_SHARED);
    img->local_bytes = reg(m, HOST_LOCAL_BYTES);
    img->grid[0] = reg(m, HOST_GRID) & 0xffff;
    img->grid[1] = reg(m, HOST_GRID) >> 16;
    img->block[0] = reg(m, HOST_BLOCK_XY) & 0xffff;
    img->block[1] = reg(m, HOST_BLOCK_XY) >> 16;
    img->block[2] = reg(m, HOST_BLOCK_Z);
    img->code_words = reg(m, HOST_CODE_BYTES) / WORD;
    if (img->code_words * WORD > m->machine.code_bytes || reg(m, HOST_PARAM_WORDS) > PARAM_MOST) return false;
    img->code = calloc(img->code_words + 1, WORD);
    for (size_t i = 0; i < img->code_words; i++) img->code[i] = word_at(m->code + WORD * i);
    for (unsigned i = 0; i < reg(m, HOST_PARAM_WORDS); i++) image_add_param(img, reg(m, HOST_PARAMS + WORD * i));
    for (unsigned b = 0; b < IMAGE_CONST_BANKS; b++) {
        const uint32_t place = reg(m, HOST_CONST_BANK + WORD * b);
        if ((place & 0xffff) + (place >> 16) > m->machine.const_bytes) return false;
        image_set_const(img, b, 0, m->constant + (place & 0xffff), place >> 16);
    }
    return image_add_global(img, 0, m->global, m->machine.global_bytes) == STATUS_OK;
}

static void tell_trap(struct fake_machine *m, unsigned code, unsigned sm, unsigned slot, uint32_t pc) {
    set(m, HOST_STATUS, TRAPPED | code << 8);
    set(m, HOST_TRAP_WHERE, sm << 8 | slot);
    set(m, HOST_TRAP_PC, pc);
}

static void tell_counters(struct fake_machine *m, const struct sim_counters *c) {
    set(m, HOST_CYCLES_LO, (uint32_t)c->cycles);
    set(m, HOST_CYCLES_HI, (uint32_t)(c->cycles >> 32));
    set(m, HOST_WARP_INSNS, (uint32_t)c->warp_instructions);
    set(m, HOST_THREAD_INSNS, (uint32_t)c->thread_instructions);
    for (unsigned sm = 0; sm < m->machine.sms; sm++)
        for (unsigned i = 0; i < SIM_CAUSES; i++)
            set(m, HOST_CAUSES + HOST_CAUSES_OF_SM * sm + WORD * i, (uint32_t)c->cause[sm][i]);
}

static void apply_stuck(struct fake_machine *m, struct retire *r) {
    struct isa_insn insn;
    if (r->dst_kind != RETIRE_DST_REG32 || isa_decode(r->word_lo, r->word_hi, &insn) != ISA_OK) return;
    if (insn.op != m->stuck.op) return;
    for (unsigned lane = m->stuck.core; lane < WARP_LANES; lane += m->cores)
        if ((r->dst_mask >> lane & 1) != 0) {
            r->dst[lane] |= m->stuck.bits;
            model_poke_reg(m->model, (unsigned)r->sm, (unsigned)r->slot, lane, r->dst_reg, r->dst[lane]);
        }
}

static enum model_result run_steps(struct fake_machine *m, uint64_t most) {
    struct retire r;
    uint64_t steps;
    enum model_result result = MODEL_RETIRED;
    if (m->stuck.bits == 0 && !m->hashes) return model_run(m->model, most, &steps);
    for (steps = 0; steps < most && result == MODEL_RETIRED; steps++) {
        result = model_run_step(m->model, &r);
        if (result != MODEL_RETIRED) continue;
        apply_stuck(m, &r);
        if (m->hashes) fake_hash_take(&m->hash, &r, reg(m, HOST_REGS));
    }
    return result;
}

static void run_model(struct fake_machine *m, const struct image *img) {
    enum { STEPS_MOST = 1000000 };
    struct model_counts counts;
    struct diag d;
    if (model_launch(m->model, img, &d) != STATUS_OK) {
        set(m, HOST_STATUS, TRAPPED);
        return;
    }
    const enum model_result result = run_steps(m, STEPS_MOST);
    const struct model_trap trap = model_get_trap(m->model);
    model_get_counts(m->model, &counts);
    struct sim_counters c = {.cycles = counts.warp_instructions + 1,
                             .warp_instructions = counts.warp_instructions,
                             .thread_instructions = counts.thread_instructions};
    c.cause[0][SIM_CAUSE_ISSUE] = c.cycles;
    tell_counters(m, &c);
    set(m, HOST_STATUS, result == MODEL_DONE ? DONE : RUNNING);
    if (result == MODEL_TRAPPED) tell_trap(m, trap.code, trap.sm, trap.slot, trap.pc);
    if (result == MODEL_RETIRED || result == MODEL_STUCK) set(m, HOST_CYCLES_HI, 1); /* for ever, as time goes here */
    memcpy(m->global, model_global(m->model), m->machine.global_bytes);
}

static void run_sim(struct fake_machine *m, struct image *img) {
    enum { CYCLES_MOST = 2000000 };
    const struct launch run = {.path = "", .image = img};
    const struct sim_api *api = m->lib.api;
    struct retire record;
    struct sim_counters c = {0};
    struct sim_trap trap;
    enum sim_event event = api->load(m->sim, &run) == 0 ? SIM_RECORD : SIM_FAILED;
    while (event == SIM_RECORD) event = api->next(m->sim, &record, CYCLES_MOST);
    set(m, HOST_STATUS, event == SIM_DONE ? DONE : RUNNING);
    api->trap(m->sim, &trap);
    if (event == SIM_TRAPPED) tell_trap(m, trap.code, trap.sm, trap.slot, trap.pc);
    api->counters(m->sim, &c);
    tell_counters(m, &c);
    api->peek(m->sim, SIM_GLOBAL, 0, m->global, m->machine.global_bytes);
}

static void start(struct fake_machine *m) {
    struct image *img = image_create();
    if (img == NULL) abort();
    if (!find_launch(m, img))
        set(m, HOST_STATUS, TRAPPED);
    else if (m->sim != NULL)
        run_sim(m, img);
    else
        run_model(m, img);
    image_destroy(img);
}

void fake_machine_write(struct fake_machine *m, uint32_t adr, uint32_t word) {
    uint8_t *cell = cell_of(m, adr);
    for (unsigned i = 0; cell != NULL && i < WORD; i++) cell[i] = (uint8_t)(word >> 8 * i);
    if (cell != NULL) return;
    if (fake_hash_is(adr)) {
        m->hashes = true;
        fake_hash_write(&m->hash, adr, word);
        return;
    }
    adr %= REG_WORDS * WORD;
    if (adr == HOST_CONTROL && (word & CLEAR) != 0) memset(m->global, 0, m->machine.global_bytes);
    if (adr == HOST_CONTROL && (word & START) != 0) start(m);
    if (adr >= HOST_GRID && adr < HOST_CAUSES) set(m, adr, word);
}

uint32_t fake_machine_read(struct fake_machine *m, uint32_t adr) {
    const uint8_t *cell = cell_of(m, adr);
    if (cell != NULL) return word_at(cell);
    if (fake_hash_is(adr)) return fake_hash_read(&m->hash, adr);
    adr %= REG_WORDS * WORD;
    if (adr == HOST_ID) return HOST_ID_VALUE;
    return adr == HOST_CONFIG ? host_config(m->cores, &m->machine) : reg(m, adr);
}

void fake_machine_reset(struct fake_machine *m) { set(m, HOST_STATUS, 0); }
