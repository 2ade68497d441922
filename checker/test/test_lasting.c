/* SPDX-License-Identifier: Apache-2.0 */
/* Launch after launch in lockstep over persistent memory, with a simulation that plants faults: lasting.h defines when
 * what is compared. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* cmocka.h needs the headers above */
#include <cmocka.h>

#include "../port/sim_library.h"
#include "../verdict/lasting_state.h"
#include "fake_sim.h"
#include "kernel.h"

enum { CORES = 8, HOST_BYTES = 196608, DATA = 0x40, THREADS = 64 };

struct bench {
    struct lasting *memory;
    struct machine machine;
    struct launch run;
};

static struct machine machine_of_test(void) {
    struct machine machine = MACHINE_DEFAULT;
    machine.has_atomics = true;
    return machine;
}

static struct bench bench_open(const struct sim_api *api, uint32_t seed, const char *const *kernel) {
    struct bench b = {.machine = machine_of_test()};
    struct diag d = {0};
    const struct sim_options options = {.cores = CORES, .machine = b.machine, .seed = seed};
    b.run = kernel_make(kernel, 1, THREADS, &b.machine);
    if (lasting_open(api, &options, HOST_BYTES, &b.memory, &d) != STATUS_OK) fail_msg("%s", d.text);
    return b;
}

static void bench_close(struct bench *b) {
    lasting_close(b->memory);
    kernel_release(&b->run);
}

/* One launch, and its result. */
static struct lockstep_result launch(struct bench *b) {
    struct diag d = {0};
    const struct lockstep_options options = {.run = &b->run, .machine = b->machine, .lasting = b->memory};
    struct lockstep *l = lockstep_create(&options, &d);
    assert_non_null(l);
    if (!lasting_run(b->memory, l, &d)) fail_msg("%s", d.text);
    const struct lockstep_result result = *lockstep_result(l);
    lockstep_destroy(l);
    return result;
}

static uint32_t word(struct bench *b, uint32_t addr) {
    uint8_t bytes[4];
    struct diag d = {0};
    if (lasting_read(b->memory, addr, bytes, sizeof bytes, &d) != STATUS_OK) fail_msg("%s", d.text);
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* KERNEL_MIXED adds the number of the thread to its word if the sum and the number share a bit: thread 3 turns 8 into
 * 11, 14 and 17. */
static void test_lasting_memory_stays(void **state) {
    const struct sim_api *const apis[] = {fake_sim_api(), fake_telling_api()};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct bench b = bench_open(apis[i], FAKE_NONE, KERNEL_MIXED);
        struct diag d = {0};
        const uint8_t words[4 * THREADS] = {[12] = 8};
        assert_int_equal(word(&b, 12), 0);
        assert_int_equal(lasting_write(b.memory, 0, words, sizeof words, &d), STATUS_OK);
        assert_int_equal(lasting_write(b.memory, 0x3001, words + 12, 1, &d), STATUS_OK);
        for (unsigned n = 1; n <= 3; n++) assert_int_equal(launch(&b).status, LOCKSTEP_PASS);
        assert_int_equal(word(&b, 0x3000), 0x800);
        assert_int_equal(word(&b, 12), 17);
        bench_close(&b);
    }
}

static void test_lasting_finds_a_store_astray_at_once(void **state) {
    (void)state;
    struct bench b = bench_open(fake_telling_api(), FAKE_ASTRAY, KERNEL_MIXED);
    const struct lockstep_result r = launch(&b);
    assert_int_equal(r.status, LOCKSTEP_MISMATCH);
    assert_int_equal(r.fault, FAULT_MEMORY);
    assert_int_equal(r.memory.first, FAKE_ASTRAY_AT);
    assert_int_equal(r.memory.count, 1);
    assert_int_equal(r.memory.expected[0], 0);
    assert_int_equal(r.memory.actual[0], 0x10);
    bench_close(&b);
}

/* A simulation without `stored`: found in the turn of its page, the sixth. */
static void test_lasting_finds_a_store_astray_in_turn(void **state) {
    (void)state;
    struct bench b = bench_open(fake_sim_api(), FAKE_ASTRAY, KERNEL_MIXED);
    for (unsigned n = 0; n < FAKE_ASTRAY_AT / SIM_PAGE_BYTES; n++) assert_int_equal(launch(&b).status, LOCKSTEP_PASS);
    const struct lockstep_result r = launch(&b);
    assert_int_equal(r.fault, FAULT_MEMORY);
    assert_int_equal(r.memory.first, FAKE_ASTRAY_AT);
    bench_close(&b);
}

static void test_lasting_finds_a_store_astray_by_a_read(void **state) {
    (void)state;
    struct bench b = bench_open(fake_sim_api(), FAKE_ASTRAY, KERNEL_MIXED);
    struct diag d = {0};
    uint8_t bytes[32];
    assert_int_equal(launch(&b).status, LOCKSTEP_PASS);
    assert_int_equal(lasting_read(b.memory, FAKE_ASTRAY_AT - 3, bytes, sizeof bytes, &d), STATUS_DIFFERS);
    assert_int_equal(bytes[3], 0x10);
    assert_non_null(strstr(d.text, "at 0x5123 the RTL has 0x10, the model 0x00"));
    assert_int_equal(lasting_read(b.memory, FAKE_ASTRAY_AT - 3, bytes, sizeof bytes, &d), STATUS_OK);
    bench_close(&b);
}

/* The next launch starts from the model's memory. */
static void test_lasting_goes_on_after_a_mismatch(void **state) {
    static const uint32_t faults[] = {FAKE_LOAD | 2u << 8, FAKE_FAILED | 3u << 8, FAKE_SILENT | 3u << 8};
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct bench b = bench_open(fake_telling_api(), faults[i], KERNEL_MIXED);
        struct diag d = {0};
        const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7};
        assert_int_equal(lasting_write(b.memory, 0x1fffe, bytes, sizeof bytes, &d), STATUS_OK);
        for (unsigned n = 0; n < 2; n++) {
            const enum lockstep_status status = launch(&b).status;
            assert_true(status == LOCKSTEP_MISMATCH || status == LOCKSTEP_HANG);
        }
        assert_int_equal(word(&b, 0x20000), 0x06050403);
        bench_close(&b);
    }
}

static void test_lasting_looks_at_code_and_constants(void **state) {
    static const uint32_t faults[] = {FAKE_CODE, FAKE_CONST};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct bench b = bench_open(fake_telling_api(), faults[i], KERNEL_MIXED);
        const struct lockstep_result r = launch(&b);
        assert_int_equal(r.fault, FAULT_MEMORY);
        assert_int_equal(r.memory.memory, i == 0 ? SIM_CODE : SIM_CONST);
        bench_close(&b);
    }
}

/* Bits of the RTL's memory that were never stored: in a word that the kernel loads, found by the record; in the page
 * that it stores to, at the end; elsewhere, when the host reads. */
static void plant(struct lasting *memory, uint32_t addr) {
    uint8_t word[4];
    assert_int_equal(memory->api->peek(memory->sim, SIM_GLOBAL, addr, word, sizeof word), 0);
    word[1] ^= 0x20;
    assert_int_equal(memory->api->poke(memory->sim, addr, word, sizeof word), 0);
}

static void find_planted(struct bench *b) {
    uint8_t word[4];
    struct diag d = {0};
    assert_int_equal(launch(b).status, LOCKSTEP_PASS);
    plant(b->memory, 12);
    struct lockstep_result r = launch(b);
    assert_int_equal(r.fault, FAULT_FIELD);
    assert_int_equal(r.expected.pc, r.actual.pc);
    assert_int_equal(launch(b).status, LOCKSTEP_PASS);
    plant(b->memory, 0xf00);
    r = launch(b);
    assert_int_equal(r.fault, FAULT_MEMORY);
    assert_int_equal(r.memory.first, 0xf01);
    assert_int_equal(r.memory.count, 1);
    plant(b->memory, 0x12340);
    assert_int_equal(lasting_read(b->memory, 0x12340, word, sizeof word, &d), STATUS_DIFFERS);
    assert_int_equal(word[1], 0x20);
    assert_int_equal(launch(b).status, LOCKSTEP_PASS);
}

static void test_lasting_on_the_rtl(void **state) {
    static const struct {
        uint32_t bytes;
        unsigned bus_words;
    } BUILDS[] = {
        {1 << 18, 0},
        {1 << 26, 8}
    };
    unsigned found = 0;
    (void)state;
    assert_int_equal(setenv("WARPSTEP_SIM_DIR", "build/sim", 0), 0);
    for (size_t i = 0; i < 2; i++) {
        struct bench b = {.machine = machine_of_test()};
        struct sim_library library;
        struct diag d = {0};
        b.machine.global_bytes = BUILDS[i].bytes;
        if (sim_library_open(&library, "verilator", CORES, &b.machine, BUILDS[i].bus_words, &d) != STATUS_OK) continue;
        const struct sim_options options = {
            .cores = CORES,
            .machine = b.machine,
            .seed = 1,
            .bus = {.used = BUILDS[i].bus_words != 0, .words = BUILDS[i].bus_words}
        };
        b.run = kernel_make(KERNEL_MIXED, 1, THREADS, &b.machine);
        if (lasting_open(library.api, &options, HOST_BYTES, &b.memory, &d) != STATUS_OK) fail_msg("%s", d.text);
        find_planted(&b);
        const uint32_t *pages;
        if (BUILDS[i].bus_words != 0) {
            assert_int_equal(library.api->stored(b.memory->sim, &pages), 1);
            assert_int_equal(pages[0], 0);
        }
        bench_close(&b);
        sim_library_close(&library);
        found++;
    }
    if (found == 0) skip();
}

static void test_lasting_traps(void **state) {
    (void)state;
    struct bench b = bench_open(fake_telling_api(), FAKE_NONE, KERNEL_TRAP);
    for (unsigned n = 0; n < 2; n++) assert_int_equal(launch(&b).status, LOCKSTEP_TRAP);
    bench_close(&b);
}

static void test_lasting_hangs(void **state) {
    (void)state;
    struct bench b = bench_open(fake_telling_api(), FAKE_NONE, KERNEL_STUCK);
    for (unsigned n = 0; n < 2; n++) assert_int_equal(launch(&b).status, LOCKSTEP_HANG);
    bench_close(&b);
}

static void test_lasting_takes_no_older_simulation(void **state) {
    struct sim_api old = *fake_sim_api();
    struct lasting *memory = NULL;
    struct diag d = {0};
    const struct sim_options options = {.cores = CORES, .machine = machine_of_test()};
    (void)state;
    old.version = SIM_API_AGAIN - 1;
    assert_int_equal(lasting_open(&old, &options, HOST_BYTES, &memory, &d), STATUS_BAD_INPUT);
    assert_null(memory);
    old.version = SIM_API_AGAIN;
    old.poke = NULL;
    assert_int_equal(lasting_open(&old, &options, HOST_BYTES, &memory, &d), STATUS_BAD_INPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lasting_memory_stays),
        cmocka_unit_test(test_lasting_finds_a_store_astray_at_once),
        cmocka_unit_test(test_lasting_finds_a_store_astray_in_turn),
        cmocka_unit_test(test_lasting_finds_a_store_astray_by_a_read),
        cmocka_unit_test(test_lasting_goes_on_after_a_mismatch),
        cmocka_unit_test(test_lasting_looks_at_code_and_constants),
        cmocka_unit_test(test_lasting_on_the_rtl),
        cmocka_unit_test(test_lasting_traps),
        cmocka_unit_test(test_lasting_hangs),
        cmocka_unit_test(test_lasting_takes_no_older_simulation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
