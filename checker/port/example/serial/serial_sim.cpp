// SPDX-License-Identifier: Apache-2.0
// serial_sm.v behind checker/port/sim.h, through Verilator: the whole plug-in. How to build and run it:
// docs/bring-your-own-rtl.md.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "Vserial_sm.h"
#include "verilated.h"

#include "../../sim.h"

double sc_time_stamp() { return 0; }

enum { GLOBAL_BYTES = 65536 };

struct sim {
    VerilatedContext context;
    Vserial_sm top{&context};
    const struct launch *run = nullptr;
    uint64_t cycle = 0;
    struct retire last {}; // the trap, where there is one
    char why[128] = "";

    void clock() {
        top.clk = 0;
        top.eval();
        top.clk = 1;
        top.eval();
        cycle++;
    }
};

static struct sim *serial_open(const struct sim_options *options, char *why, size_t why_size) {
    const struct machine *m = &options->machine;
    if (m->sms != 1 || m->global_bytes != GLOBAL_BYTES) {
        snprintf(why, why_size, "this machine has one SM and 64 KB of global memory: see --machine serial.machine");
        return nullptr;
    }
    auto *s = new struct sim;
    s->context.randReset(2); // undefined registers differ from run to run
    s->context.randSeed(static_cast<int>(options->seed % 0x7fffffff) + 1);
    s->top.rst = 1;
    return s;
}

static void write_word(struct sim *s, bool code, size_t word, uint32_t data) {
    s->top.load_code = code;
    s->top.load_global = !code;
    s->top.load_word = static_cast<uint32_t>(word);
    s->top.load_data = data;
    s->clock();
    s->top.load_code = s->top.load_global = 0;
}

// Initial global memory may begin and end within words.
static void write_global(struct sim *s, const struct image *image) {
    std::vector<uint8_t> bytes(GLOBAL_BYTES);
    for (size_t i = 0; i < image->global_count; i++)
        memcpy(&bytes[image->global[i].addr], image->global[i].bytes, image->global[i].size);
    for (size_t word = 0; word < bytes.size() / 4; word++) {
        const uint8_t *b = &bytes[4 * word];
        write_word(s, false, word,
                   static_cast<uint32_t>(b[0] | b[1] << 8 | b[2] << 16) | static_cast<uint32_t>(b[3]) << 24);
    }
}

static int serial_load(struct sim *s, const struct launch *run) {
    const struct image *image = run->image;
    s->run = run;
    s->top.rst = 1;
    for (size_t i = 0; i < image->code_words; i++) write_word(s, true, i, image->code[i]);
    write_global(s, image);
    s->top.code_words = static_cast<uint32_t>(image->code_words);
    s->top.grid_x = static_cast<uint16_t>(image->grid[0]);
    s->top.grid_y = static_cast<uint16_t>(image->grid[1]);
    s->top.block_x = static_cast<uint16_t>(image->block[0]);
    s->top.block_y = static_cast<uint16_t>(image->block[1]);
    s->top.block_z = static_cast<uint16_t>(image->block[2]);
    s->top.regs = static_cast<uint8_t>(image->regs);
    s->clock();
    s->top.rst = 0;
    s->cycle = 0;
    s->last = {};
    return 0;
}

static void fill_record(const struct sim *s, struct retire *r) {
    const Vserial_sm &t = s->top;
    memset(r, 0, sizeof *r);
    r->cycle = s->cycle;
    r->slot = r->warp = t.t_warp; // one warp after the other: each has the slot of its number
    r->block_x = t.t_block_x;
    r->block_y = t.t_block_y;
    r->pc = t.t_pc;
    r->word_lo = t.t_word_lo;
    r->word_hi = t.t_word_hi;
    r->active = t.t_active;
    r->exec = t.t_exec;
    r->dst_kind = t.t_dst_kind;
    r->dst_reg = t.t_dst_reg;
    r->dst_mask = t.t_dst_mask;
    r->c_reg = t.t_c_reg;
    r->c_mask = t.t_c_mask;
    r->mem_kind = t.t_mem_kind;
    r->mem_bytes = t.t_mem_kind != 0 ? 4 : 0;
    r->mem_mask = t.t_mem_mask;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        r->dst[lane] = t.t_dst[lane];
        r->c[lane] = t.t_c[lane / 8] >> lane % 8 * 4 & 15;
        r->addr[lane] = t.t_addr[lane];
        r->data[lane] = t.t_data[lane];
    }
    r->next_pc = t.t_next_pc;
    r->next_active = t.t_next_active;
    r->depth = t.t_depth;
    r->state = t.t_state;
    r->trap = t.t_trap;
}

static enum sim_event serial_next(struct sim *s, struct retire *record, uint64_t limit) {
    if (s->last.trap != 0) return SIM_TRAPPED;
    for (uint64_t end = s->cycle + limit; s->cycle < end;) {
        s->clock();
        if (s->top.retire) {
            fill_record(s, record);
            if (record->trap != 0) s->last = *record;
            return SIM_RECORD;
        }
        if (s->top.done) return SIM_DONE;
    }
    return s->top.done ? SIM_DONE : SIM_SILENT;
}

// Code and constants are never written by this machine: what was loaded is what there is.
static int serial_peek(struct sim *s, enum sim_memory memory, uint32_t addr, uint8_t *bytes, size_t size) {
    const struct image *image = s->run->image;
    for (size_t i = 0; i < size; i++) {
        const size_t at = addr + i;
        if (memory == SIM_GLOBAL && (i == 0 || at % 4 == 0)) {
            s->top.peek_word = static_cast<uint32_t>(at / 4);
            s->top.eval();
        }
        const uint32_t word = memory == SIM_GLOBAL         ? s->top.peek_data
                              : at / 4 < image->code_words ? image->code[at / 4]
                                                           : 0;
        bytes[i] = static_cast<uint8_t>(word >> at % 4 * 8);
    }
    return memory == SIM_CONST ? -1 : 0; // there are none, and the machine's file says so
}

static void serial_trap(struct sim *s, struct sim_trap *trap) { *trap = {s->last.trap, 0, s->last.slot, s->last.pc}; }
static uint64_t serial_cycle(struct sim *s) { return s->cycle; }
static const char *serial_why(struct sim *s) { return s->why; }
static void serial_close(struct sim *s) { delete s; }

extern "C" const struct sim_api *warpstep_sim(void) {
    static const struct sim_api api = {
        SIM_API_VERSION, "serial",   serial_open,  serial_load, serial_next, serial_peek, nullptr, serial_trap,
        serial_cycle,    serial_why, serial_close, nullptr,     nullptr,     nullptr,     nullptr, nullptr};
    return &api;
}
