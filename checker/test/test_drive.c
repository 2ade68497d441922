/* SPDX-License-Identifier: Apache-2.0 */
/* Driving a simulation: the limit of cycles without a record, messages when it does not open, and the run with a wave.
 * The simulation here follows the test's orders and keeps the calls' arguments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../verdict/lockstep.h"
#include "kernel.h"

struct sim {
    bool opens, loads;
    uint64_t first_record; /* a record at this cycle, 0: none; then silence */
    const char *why;
    struct sim_options options;     /* as given to open */
    uint64_t cycle, limit;          /* the last limit */
    bool ends, fails;               /* at once, instead of silence */
    unsigned loaded, asked, closed; /* calls */
    const struct launch *first;     /* launch loaded */
};

static struct sim simulation;

static struct sim *told_open(const struct sim_options *options, char *why, size_t why_size) {
    simulation.options = *options;
    if (simulation.opens) return &simulation;
    snprintf(why, why_size, "there is none");
    return NULL;
}

static int told_load(struct sim *s, const struct launch *run) {
    if (s->loaded++ == 0) s->first = run;
    return s->loads ? 0 : -1;
}

static enum sim_event told_next(struct sim *s, struct retire *record, uint64_t limit) {
    s->limit = limit;
    if (s->asked++ == 0 && s->first_record != 0) {
        memset(record, 0, sizeof *record);
        s->cycle = record->cycle = s->first_record;
        return SIM_RECORD;
    }
    if (s->fails) return SIM_FAILED;
    if (s->ends) return SIM_DONE;
    s->cycle += limit;
    return SIM_SILENT;
}

static int told_peek(struct sim *s, enum sim_memory memory, uint32_t addr, uint8_t *bytes, size_t size) {
    (void)s, (void)memory, (void)addr, (void)bytes, (void)size;
    return -1;
}

static void told_trap(struct sim *s, struct sim_trap *trap) { (void)s, (void)trap; }
static uint64_t told_cycle(struct sim *s) { return s->cycle; }
static const char *told_why(struct sim *s) { return s->why; }
static void told_close(struct sim *s) { s->closed++; }

static const struct sim_api API = {.version = SIM_API_VERSION,
                                   .name = "told",
                                   .open = told_open,
                                   .load = told_load,
                                   .next = told_next,
                                   .peek = told_peek,
                                   .trap = told_trap,
                                   .cycle = told_cycle,
                                   .why = told_why,
                                   .close = told_close};

static const struct machine MACHINE = MACHINE_DEFAULT;

static int set_up(void **state) {
    (void)state;
    simulation = (struct sim){.opens = true, .loads = true, .why = ""};
    return 0;
}

static const struct sim_options SIM = {.cores = 8, .machine = MACHINE_DEFAULT};

/* Drives the simulation through a kernel that never ends; after `before`, if that is not NULL. */
static bool drive_after(struct launch *before, const struct sim_api *api, uint64_t silence, uint64_t max_cycles,
                        struct lockstep_result *result, struct diag *d) {
    struct launch run = kernel_make(KERNEL_LOOP, 1, 32, &MACHINE);
    const struct lockstep_options options = {
        .run = &run, .before = before, .machine = MACHINE, .silence = silence, .max_cycles = max_cycles};
    struct lockstep *l = lockstep_create(&options, d);
    assert_non_null(l);
    const bool good = lockstep_run(l, api, &SIM, d);
    *result = *lockstep_result(l);
    lockstep_destroy(l);
    kernel_release(&run);
    return good;
}

static bool drive(const struct sim_api *api, uint64_t silence, uint64_t max_cycles, struct lockstep_result *result,
                  struct diag *d) {
    return drive_after(NULL, api, silence, max_cycles, result, d);
}

/* A kernel that never ends is not launched again; its own limit of cycles counts. */
static void test_drive_launches_after_the_end_of_another(void **state) {
    (void)state;
    struct lockstep_result result;
    struct diag d = {0};
    struct launch before = kernel_make(KERNEL_LOOP, 2, 32, &MACHINE);
    simulation.first_record = 10;
    assert_true(drive_after(&before, &API, 1000, 600, &result, &d));
    assert_int_equal(simulation.loaded, 1);
    assert_ptr_equal(simulation.first, &before);
    assert_int_equal(simulation.asked, 2);
    assert_int_equal(simulation.limit, 1000);
    assert_int_equal(result.status, LOCKSTEP_HANG);
    assert_int_equal(result.fault, FAULT_BEFORE);
    assert_int_equal(result.cycle, 1010);
    assert_non_null(strstr(result.text, ", launched first, did not end"));

    set_up(NULL);
    before.max_cycles = 600;
    assert_true(drive_after(&before, &API, 1000, 0, &result, &d));
    assert_int_equal(simulation.limit, 600);
    assert_int_equal(result.fault, FAULT_BEFORE);

    set_up(NULL);
    simulation.fails = true;
    simulation.why = "assertion planted";
    assert_true(drive_after(&before, &API, 1000, 0, &result, &d));
    assert_int_equal(simulation.loaded, 1);
    assert_string_equal(result.text, "assertion planted");

    set_up(NULL);
    simulation.ends = true;
    assert_true(drive_after(&before, &API, 1000, 0, &result, &d));
    assert_int_equal(simulation.loaded, 2);
    assert_int_equal(result.status, LOCKSTEP_MISMATCH);
    assert_string_equal(result.text, "the RTL reports done, but nothing was compared");
    kernel_release(&before);
}

/* Without a record the simulation runs to the end of the silence or of the allowed cycles, whichever comes first; if
 * both end together, the message names the user's limit. */
static void test_drive_waits_no_longer_than_allowed(void **state) {
    (void)state;
    static const struct {
        uint64_t max_cycles, ends;
        enum lockstep_fault fault;
        const char *text;
    } CASES[] = {
        {0,    1000, FAULT_SILENT, "the RTL retires nothing for 1000 cycles while the model could go on"},
        {5000, 1000, FAULT_SILENT, "the RTL retires nothing for 1000 cycles while the model could go on"},
        {600,  600,  FAULT_CYCLES, "the kernel did not end within 600 cycles"                           },
        {1000, 1000, FAULT_CYCLES, "the kernel did not end within 1000 cycles"                          },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct lockstep_result result;
        struct diag d = {0};
        set_up(NULL);
        assert_true(drive(&API, 1000, CASES[i].max_cycles, &result, &d));
        assert_int_equal(simulation.asked, 1);
        assert_int_equal(simulation.limit, CASES[i].ends);
        assert_int_equal(simulation.closed, 1);
        assert_int_equal(result.status, LOCKSTEP_HANG);
        assert_int_equal(result.fault, CASES[i].fault);
        assert_int_equal(result.cycle, CASES[i].ends);
        assert_string_equal(result.text, CASES[i].text);
    }
}

static void test_drive_tells_what_the_simulation_says(void **state) {
    (void)state;
    struct lockstep_result result;
    struct diag d = {0};
    simulation.why = "no clock";
    assert_true(drive(&API, 1000, 0, &result, &d));
    assert_string_equal(result.text, "the RTL retires nothing for 1000 cycles while the model could go on; no clock");
    simulation.fails = true;
    assert_true(drive(&API, 1000, 0, &result, &d));
    assert_string_equal(result.text, "no clock");
    simulation.why = ""; /* nothing */
    assert_true(drive(&API, 1000, 0, &result, &d));
    assert_string_equal(result.text, "the simulation failed");
}

/* The message names no file, and so no line. */
static void test_drive_says_why_nothing_opens(void **state) {
    (void)state;
    struct lockstep_result result;
    struct diag d = {0};
    simulation.opens = false;
    assert_false(drive(&API, 1000, 0, &result, &d));
    assert_int_equal(d.status, STATUS_BAD_INPUT);
    assert_string_equal(d.text, "simulation 'told': there is none");
    assert_string_equal(d.file, "");
    assert_int_equal(d.line, 0);
    assert_int_equal(d.column, 0);

    struct sim_api other = API;
    char text[128];
    other.version = SIM_API_VERSION + 1;
    d = (struct diag){0};
    assert_false(drive(&other, 1000, 0, &result, &d));
    snprintf(text, sizeof text, "the simulation has version %u of the interface, the checker has version %u",
             SIM_API_VERSION + 1u, (unsigned)SIM_API_VERSION);
    assert_int_equal(d.status, STATUS_BAD_INPUT);
    assert_string_equal(d.text, text);
    assert_string_equal(d.file, "");
    assert_int_equal(d.line, 0);
    assert_int_equal(d.column, 0);
}

/* Runs with a wave of cycles 20 .. 99 into an existing file, or a missing one. */
static bool record_wave(bool there, char *why, size_t why_size) {
    char path[] = "/tmp/drive.XXXXXX";
    struct launch run = kernel_make(KERNEL_LOOP, 1, 32, &MACHINE);
    struct diag d = {0};
    struct lockstep *l = lockstep_create(&(struct lockstep_options){.run = &run, .machine = MACHINE}, &d);
    assert_non_null(l);
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    if (!there) unlink(path);
    const int lowest = dup(0); /* the lowest free descriptor is free again afterwards */
    assert_true(lowest >= 0);
    close(lowest);
    const bool good = lockstep_record_wave(l, &API, &SIM, 20, 99, path, why, why_size);
    const int after = dup(0);
    close(after);
    assert_int_equal(after, lowest);
    assert_int_equal(simulation.options.wave_from, 20);
    assert_int_equal(simulation.options.wave_to, 99);
    if (there) unlink(path);
    lockstep_destroy(l);
    kernel_release(&run);
    return good;
}

static void test_drive_records_a_wave_to_its_end(void **state) {
    (void)state;
    char why[128] = "";
    simulation.first_record = 10;
    assert_true(record_wave(true, why, sizeof why));
    assert_int_equal(simulation.asked, 2);
    assert_int_equal(simulation.limit, 90); /* cycle 99 included */
    assert_int_equal(simulation.closed, 1);

    set_up(NULL);
    simulation.first_record = 100; /* beyond the wave */
    assert_true(record_wave(true, why, sizeof why));
    assert_int_equal(simulation.asked, 1);
    assert_int_equal(simulation.limit, 100);

    set_up(NULL);
    assert_false(record_wave(false, why, sizeof why));
    assert_string_equal(why, "the simulation wrote no wave file");
    simulation.opens = false;
    assert_false(record_wave(true, why, sizeof why));
    assert_string_equal(why, "there is none");
}

/* A wave does not change the result, even if the first launch fails now. */
static void test_drive_records_a_wave_of_what_was_found(void **state) {
    (void)state;
    char why[128];
    struct launch run = kernel_make(KERNEL_LOOP, 1, 32, &MACHINE);
    struct diag d = {0};
    struct lockstep *l =
        lockstep_create(&(struct lockstep_options){.run = &run, .before = &run, .machine = MACHINE}, &d);
    assert_non_null(l);
    simulation.ends = true;
    simulation.cycle = 10;
    assert_true(lockstep_run(l, &API, &SIM, &d));
    assert_int_equal(lockstep_result(l)->fault, FAULT_EMPTY);
    assert_int_equal(lockstep_result(l)->cycle, 10);
    simulation.fails = true;
    simulation.cycle = 77;
    lockstep_record_wave(l, &API, &SIM, 1, 10, "/tmp/none", why, sizeof why);
    assert_int_equal(lockstep_result(l)->fault, FAULT_EMPTY);
    assert_int_equal(lockstep_result(l)->cycle, 10);
    lockstep_destroy(l);
    kernel_release(&run);
}

/* A launch that cannot be loaded is not clocked. */
static void test_drive_clocks_no_wave_without_a_kernel(void **state) {
    (void)state;
    char why[128] = "";
    simulation.loads = false;
    (void)record_wave(true, why, sizeof why);
    assert_int_equal(simulation.asked, 0);
    assert_int_equal(simulation.closed, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_drive_waits_no_longer_than_allowed, set_up),
        cmocka_unit_test_setup(test_drive_tells_what_the_simulation_says, set_up),
        cmocka_unit_test_setup(test_drive_launches_after_the_end_of_another, set_up),
        cmocka_unit_test_setup(test_drive_says_why_nothing_opens, set_up),
        cmocka_unit_test_setup(test_drive_records_a_wave_to_its_end, set_up),
        cmocka_unit_test_setup(test_drive_records_a_wave_of_what_was_found, set_up),
        cmocka_unit_test_setup(test_drive_clocks_no_wave_without_a_kernel, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
