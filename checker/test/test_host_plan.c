/* SPDX-License-Identifier: Apache-2.0 */
/* The place of a launch's local memory in global memory, and the number of warp slots that have some. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "../port/host_plan.h"
#include "../verdict/lockstep.h"
#include "kernel.h"

enum { WARP = 32, GLOBAL = 262144 };

static const uint8_t BYTES[] = {1, 2};
static const struct machine MACHINE = MACHINE_DEFAULT;
static const char *const TEXT[] = {"MVI R1, 0x1", "LST.U32 local [0x0], R1", NULL};

/* 20 blocks of 64 threads with 64 bytes of local memory a thread: a warp slot takes 2048 bytes. */
static struct launch start(void) {
    struct launch run = kernel_make(TEXT, 20, 64, &MACHINE);
    run.image->local_bytes = 64;
    return run;
}

static struct host_local plan(const struct launch *run, const struct machine *machine) {
    struct host_local local;
    assert_true(host_plan_local(run, machine, &local));
    assert_int_equal(local.size, local.warps * machine->sms * local.bytes * WARP);
    assert_int_equal(local.base % 128, 0);
    return local;
}

static void test_host_plan_without_local_memory(void **state) {
    (void)state;
    struct launch run = start();
    run.image->local_bytes = 0;
    const struct host_local local = plan(&run, &MACHINE);
    assert_int_equal(local.base, GLOBAL);
    assert_int_equal(local.bytes, 0);
    kernel_release(&run);
}

/* As many slots as blocks can be resident: by block slots, grid, warps, registers, shared memory. */
static void test_host_plan_no_more_than_can_be_resident(void **state) {
    (void)state;
    struct launch run = start();
    assert_int_equal(plan(&run, &MACHINE).warps, 16); /* 8 block slots */
    assert_int_equal(plan(&run, &MACHINE).base, GLOBAL - 16 * 2048);
    run.image->grid[0] = 3;
    assert_int_equal(plan(&run, &MACHINE).warps, 6);
    run.image->grid[0] = 20;
    run.image->block[0] = 300;
    assert_int_equal(plan(&run, &MACHINE).warps, 30); /* 32 warp slots hold three blocks of ten */
    run.image->block[0] = 32;
    run.image->block[2] = 3;
    assert_int_equal(plan(&run, &MACHINE).warps, 24); /* 8 blocks of three */
    run.image->block[0] = 64;
    run.image->block[2] = 1;
    run.image->regs = 100;
    assert_int_equal(plan(&run, &MACHINE).warps, 4); /* 16384 registers hold two blocks of 6400 */
    run.image->block[0] = 33;
    run.image->regs = 128;
    assert_int_equal(plan(&run, &MACHINE).warps, 4); /* the same of whole warps of 32 */
    run.image->block[0] = 64;
    run.image->regs = 1;
    run.image->shared_bytes = 5000;
    assert_int_equal(plan(&run, &MACHINE).warps, 6); /* 16384 bytes hold three */
    kernel_release(&run);
}

/* As many as fit above the memory that the launch names, in whole blocks. */
static void test_host_plan_no_more_than_there_is_room_for(void **state) {
    (void)state;
    struct launch run = start();
    run.image->local_bytes = 1022; /* 1024: a block takes 65536 bytes, and kernel_make's data one such part */
    assert_int_equal(plan(&run, &MACHINE).warps, 6);
    assert_int_equal(plan(&run, &MACHINE).bytes, 1024);
    assert_int_equal(image_add_expect(run.image, GLOBAL / 2 - 1, BYTES, 2), STATUS_OK);
    assert_int_equal(plan(&run, &MACHINE).warps, 2);
    struct launch_dump dump = {.addr = 0, .bytes = GLOBAL};
    run.dumps = &dump;
    run.dump_count = 1; /* is overwritten if nothing else would be left */
    assert_int_equal(plan(&run, &MACHINE).warps, 2);
    run.dumps = NULL;
    run.dump_count = 0;
    struct machine two = MACHINE;
    two.sms = 2;
    struct host_local local;
    assert_false(host_plan_local(&run, &two, &local)); /* a block for each of two SMs */
    assert_int_equal(local.room, GLOBAL / 2 - 128);    /* after the byte that is expected in the middle */
    run.image->local_bytes = 512;
    assert_int_equal(plan(&run, &two).warps, 2);
    kernel_release(&run);
}

/* A word at the top of memory leaves the gap below it. */
static void test_host_plan_takes_the_largest_gap(void **state) {
    (void)state;
    struct launch run = start();
    assert_int_equal(image_add_global(run.image, GLOBAL - 4, BYTES, 2), STATUS_OK);
    struct host_local local = plan(&run, &MACHINE);
    assert_int_equal(local.warps, 16);
    assert_int_equal(local.base + local.size, GLOBAL - 128);
    assert_int_equal(image_add_global(run.image, GLOBAL - 0x9000, BYTES, 2), STATUS_OK);
    local = plan(&run, &MACHINE); /* 0x8000 bytes find room above that word */
    assert_int_equal(local.base + local.size, GLOBAL - 128);
    assert_int_equal(image_add_expect(run.image, GLOBAL - 0x4001, BYTES, 2), STATUS_OK);
    local = plan(&run, &MACHINE); /* below local memory */
    assert_int_equal(local.warps, 16);
    assert_int_equal(local.base + local.size, GLOBAL - 0x9000);
    kernel_release(&run);
}

/* Local memory avoids dumps while there is another gap, and a piece that extends into the next one. */
static void test_host_plan_keeps_clear_of_all_that_is_named(void **state) {
    (void)state;
    struct launch run = start();
    struct launch_dump dump = {.addr = GLOBAL - 0x1000, .bytes = 0x1000};
    run.dumps = &dump;
    run.dump_count = 1;
    struct host_local local = plan(&run, &MACHINE);
    assert_int_equal(local.warps, 16);
    assert_int_equal(local.base + local.size, GLOBAL - 0x1000);
    run.dumps = NULL;
    run.dump_count = 0;
    kernel_release(&run);

    run = start();
    static const uint8_t pieces[0x20000] = {0};
    assert_int_equal(image_add_global(run.image, 0x1000, pieces, 0x20000), STATUS_OK);
    assert_int_equal(image_add_global(run.image, 0x20000, pieces, 0x1e000), STATUS_OK);
    local = plan(&run, &MACHINE);
    assert_int_equal(local.warps, 4);
    assert_int_equal(local.base, 0x3e000);
    kernel_release(&run);
}

static void test_host_plan_refused_before_the_run(void **state) {
    (void)state;
    struct launch run = start();
    run.image->local_bytes = 8192;
    const struct lockstep_options options = {.run = &run, .machine = MACHINE};
    struct diag d = {0};
    assert_null(lockstep_create(&options, &d));
    assert_int_equal(d.status, STATUS_BAD_INPUT);
    assert_non_null(strstr(d.text, "of one block on each of 1 sm takes 524288 bytes"));
    kernel_release(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_host_plan_without_local_memory),
        cmocka_unit_test(test_host_plan_no_more_than_can_be_resident),
        cmocka_unit_test(test_host_plan_no_more_than_there_is_room_for),
        cmocka_unit_test(test_host_plan_takes_the_largest_gap),
        cmocka_unit_test(test_host_plan_keeps_clear_of_all_that_is_named),
        cmocka_unit_test(test_host_plan_refused_before_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
