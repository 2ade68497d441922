/* SPDX-License-Identifier: Apache-2.0 */
#include "twins.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "kernel.h"

void twins_start(struct twins *t, const char *const *kernel, unsigned sms, unsigned blocks) {
    struct diag d = {0};
    struct machine machine = MACHINE_DEFAULT;
    machine.sms = sms;
    machine.blocks = blocks;
    t->run = kernel_make(kernel, 2, 32, &machine);
    t->run.image->grid[1] = 2;
    t->options = (struct lockstep_options){.run = &t->run, .machine = machine};
    t->checker = lockstep_create(&t->options, &d);
    t->rtl = model_create(&machine);
    assert_true(t->checker != NULL && t->rtl != NULL);
    assert_int_equal(model_launch(t->rtl, t->run.image, &d), STATUS_OK);
}

void twins_stop(struct twins *t) {
    lockstep_destroy(t->checker);
    model_destroy(t->rtl);
    kernel_release(&t->run);
}

bool twins_step(const struct twins *t, unsigned sm, unsigned block, uint32_t wrong) {
    const struct retire name = {.sm = sm, .block_x = block % 2, .block_y = block / 2};
    struct retire record;
    assert_int_equal(model_step_follow(t->rtl, &name, &record), MODEL_RETIRED);
    record.dst[5] ^= wrong;
    return lockstep_check(t->checker, &record);
}
