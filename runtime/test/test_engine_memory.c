/* SPDX-License-Identifier: Apache-2.0 */
/* Memory runs out at each allocation in turn, of an engine and of memory that lasts in lockstep: what was asked says
 * so, or does what it does otherwise; nothing crashes and (under the address sanitizer) nothing leaks. */
// link: -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup,--wrap=strndup
// link: -Wl,--wrap=fopen,--wrap=fdopen,--wrap=fmemopen
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* cmocka.h needs the headers above */
#include <cmocka.h>

#include "../../checker/test/fake_sim.h"
#include "../../checker/verdict/lasting.h"
#include "../../testbench/robust/test/fail_alloc.h"
#include "../engine.h"
#include "kernels.h"

enum { MOST_ALLOCATIONS = 10000, A = 0x1000, THREADS = 64, CORES = 8, HOST_BYTES = 196608, LAUNCHES = 2 };

/* True where it went as it does with memory; where not, it must have been said why. */
typedef bool job(struct image *image);

static bool use_engine(struct engine *e, struct image *image, struct diag *d) {
    const uint32_t word = 5;
    uint32_t after = 0;
    enum status status = engine_write(e, A, &word, sizeof word, d);
    for (unsigned n = 0; n < LAUNCHES && status == STATUS_OK; n++) {
        struct engine_report report;
        status = engine_launch(e, image, &report, d);
        if (status == STATUS_OK) assert_int_equal(report.outcome, ENGINE_DONE);
        engine_report_release(&report);
    }
    if (status == STATUS_OK) status = engine_fill(e, A + 64, &word, 1, 100, d);
    if (status == STATUS_OK) status = engine_read(e, A, &after, sizeof after, d);
    if (status == STATUS_OK) assert_int_equal(after, word + LAUNCHES);
    return status == STATUS_OK;
}

static bool on_the_model(struct image *image) {
    const struct engine_options options = {.races = true, .limit = 1000};
    struct engine *e = NULL;
    struct diag d = {0};
    bool fine = engine_open("model:1M", &options, &e, &d) == STATUS_OK;
    if (fine) fine = use_engine(e, image, &d);
    if (!fine) assert_int_equal(d.status, STATUS_NO_MEMORY);
    engine_close(e);
    return fine;
}

/* One launch; true where it passed. One that could not be checked is none that passed. */
static bool launch(struct lasting *memory, const struct launch *run, const struct machine *machine, struct diag *d) {
    const struct lockstep_options options = {.run = run, .machine = *machine, .lasting = memory};
    struct lockstep *l = lockstep_create(&options, d);
    if (l == NULL) return false;
    const bool stays = lasting_run(memory, l, d);
    const struct lockstep_result *r = lockstep_result(l);
    const bool passed = stays && r->status == LOCKSTEP_PASS;
    if (!passed && r->status != LOCKSTEP_RUNNING && r->status != LOCKSTEP_PASS) assert_true(r->text[0] != '\0');
    if (!passed) d->status = STATUS_NO_MEMORY;
    lockstep_destroy(l);
    return passed;
}

static bool in_lockstep(struct image *image) {
    struct machine machine = MACHINE_DEFAULT;
    struct lasting *memory = NULL;
    struct diag d = {0};
    struct launch run = {.path = image->name, .image = image};
    const struct sim_options options = {.cores = CORES, .machine = machine};
    uint8_t bytes[4] = {5};
    bool fine = lasting_open(fake_telling_api(), &options, HOST_BYTES, &memory, &d) == STATUS_OK;
    if (fine) fine = lasting_write(memory, A, bytes, sizeof bytes, &d) == STATUS_OK;
    for (unsigned n = 0; n < LAUNCHES && fine; n++) fine = launch(memory, &run, &machine, &d);
    if (fine) fine = lasting_read(memory, A, bytes, sizeof bytes, &d) == STATUS_OK;
    if (fine) assert_int_equal(bytes[0], 5 + LAUNCHES);
    if (!fine) assert_true(d.status != STATUS_OK);
    lasting_close(memory);
    return fine;
}

static void starve(job *work, enum fail_alloc_mode mode) {
    unsigned long k = 0;
    for (bool failed = true; failed; k++) {
        struct image *image = kernel_image(KERNEL_COUNT);
        kernel_shape(image, 1, THREADS);
        kernel_params(image, &(uint32_t){A}, 1);
        image->regs = 8;
        image->shared_bytes = 20;
        assert_true(k < MOST_ALLOCATIONS);
        fail_alloc_arm(k + 1, mode);
        const bool fine = work(image);
        failed = fail_alloc_disarm();
        assert_true(fine || failed);
        image_destroy(image);
    }
    assert_true(k > 10);
}

static void test_engine_short_of_memory(void **state) {
    (void)state;
    starve(on_the_model, FAIL_ONCE);
    starve(on_the_model, FAIL_ALWAYS);
}

static void test_lasting_short_of_memory(void **state) {
    (void)state;
    starve(in_lockstep, FAIL_ONCE);
    starve(in_lockstep, FAIL_ALWAYS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_engine_short_of_memory),
        cmocka_unit_test(test_lasting_short_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
