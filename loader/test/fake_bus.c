/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_bus.h"

#include <stdlib.h>

#include "../../spec/host_regs.h"
#include "../crc.h"
#include "../identity.h"
#include "fake_sdram.h"

enum { WORD = 4, LATE_MOST = 8 };
enum { STATE = 3, DONE = 2, TRAPPED = 3 }; /* of HOST_STATUS */

/* Of global memory: one of those that the machine has taken, and a reset loses. */
struct write {
    uint32_t adr, word;
};

struct fake_bus {
    const struct fake_options *options;
    struct fake_machine *machine;
    uint32_t identity[IDENTITY_WORDS];
    struct fake_sdram sdram;
    uint32_t sums[2]; /* of writes, of reads */
    struct write late[LATE_MOST];
    unsigned late_count;
};

static bool is_sum(uint32_t adr) { return adr / 8 == BOARD_WRITES / 8; }

static void count(struct fake_bus *s, unsigned which, uint32_t adr, uint32_t word) {
    if (!is_sum(adr)) s->sums[which] = crc_word(crc_word(s->sums[which], adr), word);
}

static bool is_global(uint32_t adr) { return adr >= HOST_GLOBAL && adr < BOARD_IDENTITY; }

/* Passes on the oldest writes, all but some. */
static void pass_on(struct fake_bus *s, unsigned but) {
    const unsigned count = s->late_count > but ? s->late_count - but : 0;
    for (unsigned i = 0; i < count; i++) fake_machine_write(s->machine, s->late[i].adr, s->late[i].word);
    s->late_count -= count;
    for (unsigned i = 0; i < s->late_count; i++) s->late[i] = s->late[i + count];
}

static void reset(struct fake_bus *s) {
    s->late_count = 0;
    fake_machine_reset(s->machine);
}

static void write_machine(struct fake_bus *s, uint32_t adr, uint32_t word) {
    pass_on(s, is_global(adr) ? LATE_MOST - 1 : 0);
    if (is_global(adr))
        s->late[s->late_count++] = (struct write){adr, word};
    else
        fake_machine_write(s->machine, adr, word);
}

void fake_bus_write(struct fake_bus *s, uint32_t adr, uint32_t word) {
    count(s, 0, adr, word);
    if (s->options->other_design) return;
    if (adr == BOARD_WRITES)
        s->sums[0] = s->sums[1] = CRC_NOTHING;
    else if (adr == BOARD_RESET)
        reset(s);
    else if (adr < BOARD_IDENTITY && !(adr >= BOARD_WRITES && adr < BOARD_REGS_END))
        write_machine(s, adr, word);
    else
        fake_sdram_write(&s->sdram, adr, word);
}

static uint32_t look_up(struct fake_bus *s, uint32_t adr) {
    if (s->options->other_design) return 0xffffffff;
    if (is_sum(adr)) return s->sums[adr / WORD % 2];
    if (adr == BOARD_HASHES) return s->options->no_hashes ? 0 : 1;
    if (adr >= BOARD_SETUP) return fake_sdram_read(&s->sdram, adr);
    if (adr >= BOARD_IDENTITY) return s->identity[(adr - BOARD_IDENTITY) / WORD % IDENTITY_WORDS];
    if (is_global(adr)) pass_on(s, 0);
    uint32_t word = fake_machine_read(s->machine, adr);
    if (adr >= HOST_CODE && adr < HOST_CONST) word |= s->options->code_stuck;
    if (adr >= HOST_GRID && adr < HOST_PARAMS) word &= ~s->options->launch_stuck;
    if (adr == HOST_STATUS && s->options->no_traps && (word & STATE) == TRAPPED) word = DONE;
    if (adr == HOST_WARP_INSNS && s->options->miscounts) word++;
    return adr >= HOST_GLOBAL ? fake_sdram_seen(&s->sdram, word) : word;
}

uint32_t fake_bus_read(struct fake_bus *s, uint32_t adr) {
    const uint32_t word = look_up(s, adr);
    count(s, 1, adr, word);
    return word;
}

struct fake_bus *fake_bus_create(const struct fake_options *options) {
    struct machine machine = MACHINE_DEFAULT;
    struct fake_bus *s = calloc(1, sizeof *s);
    if (s == NULL) abort();
    s->options = options;
    if (options->global_bytes != 0) machine.global_bytes = options->global_bytes;
    if (options->registers != 0) machine.registers = options->registers;
    if (options->no_float) machine.has_fpu = machine.has_sfu = false;
    s->machine = fake_machine_create(8, &machine, options->sim, &options->stuck);
    if (s->machine == NULL) abort();
    s->identity[IDENTITY_CLOCK_HZ] = 25000000;
    s->identity[IDENTITY_FMAX_HZ] = 31250000;
    s->identity[IDENTITY_TIMING] = !options->misses_timing;
    s->identity[IDENTITY_COMMIT] = 0x12345678;
    s->identity[IDENTITY_CODE_BYTES] = machine.code_bytes;
    s->identity[IDENTITY_GLOBAL_BYTES] = machine.global_bytes;
    s->identity[IDENTITY_CONST_BYTES] = machine.const_bytes;
    s->identity[IDENTITY_SHARED_BYTES] = machine.shared_bytes;
    s->identity[IDENTITY_REGISTERS] = machine.registers;
    s->identity[IDENTITY_STACK_DEPTH] = machine.stack_depth;
    s->identity[IDENTITY_MEMORY] = options->memory;
    s->sdram = fake_sdram_make(options->memory, options->sdram_stuck);
    identity_set_name(s->identity, "fake");
    if (!options->unfinished) identity_seal(s->identity);
    return s;
}

void fake_bus_destroy(struct fake_bus *s) {
    fake_machine_destroy(s->machine);
    free(s);
}
