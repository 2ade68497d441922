/* SPDX-License-Identifier: Apache-2.0 */
/* See fixture.h. */
#include "fixture.h"

#include <string.h>

void fixture_setup(struct fixture *f, const uint32_t *words, size_t count) {
    static char name[] = "test";
    memset(f, 0, sizeof *f);
    f->machine = (struct machine)MACHINE_DEFAULT;
    f->image.name = name;
    f->image.code = test_malloc(count * sizeof *words);
    memcpy(f->image.code, words, count * sizeof *words);
    f->image.code_words = count;
    f->image.regs = 16;
    f->image.shared_bytes = 64;
    f->image.grid[0] = f->image.grid[1] = 1;
    f->image.block[0] = 32;
    f->image.block[1] = f->image.block[2] = 1;
    f->run.image = &f->image;
    f->run.max_cycles = 10000;
}

void fixture_launch(struct fixture *f) {
    struct diag d = {0};
    if (f->m == NULL) {
        f->m = model_create(&f->machine);
    }
    assert_non_null(f->m);
    assert_int_equal(model_launch(f->m, &f->run, &d), STATUS_OK);
}

void fixture_teardown(struct fixture *f) {
    model_destroy(f->m);
    test_free(f->image.code);
    memset(f, 0, sizeof *f);
}

struct retire fixture_step(struct fixture *f) {
    struct retire r;
    assert_int_equal(model_run_step(f->m, &r), MODEL_RETIRED);
    return r;
}

enum model_result fixture_run(struct fixture *f) {
    uint64_t steps;
    return model_run(f->m, 10000, &steps);
}

void fixture_poke(struct fixture *f, unsigned reg, uint32_t value, uint32_t step) {
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        model_poke_reg(f->m, 0, 0, lane, reg, value + lane * step);
    }
}
