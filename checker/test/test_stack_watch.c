/* SPDX-License-Identifier: Apache-2.0 */
/* The stack around one instruction, of a machine with stages SELECT ROWS RESOLVE WRITE; entry 0 counts the cycles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the headers above */
#include <cmocka.h>

#include "../report/stack_watch.h"

enum { SELECT, ROWS, RESOLVE, WRITE };

static uint32_t now;

static void entry(struct sim *s, unsigned sm, unsigned slot, unsigned i, struct sim_stack_entry *entry) {
    (void)s;
    *entry = (struct sim_stack_entry){sm, slot, now + 100 * i};
}

static const struct sim_api API = {.version = SIM_API_VERSION, .stages = "SELECT ROWS RESOLVE WRITE ", .entry = entry};

/* A warp slot's instruction in a stage. */
struct hold {
    uint32_t cycle;
    unsigned stage, slot;
    uint32_t pc;
};

static struct stack_watch watched(const struct hold *holds, size_t count, uint64_t cycle) {
    struct stack_watch w = {.api = &API, .launch = 1, .sm = 1, .slot = 3, .pc = 8, .cycle = cycle};
    for (now = 1; now < 40; now++) {
        for (unsigned sm = 0; sm < 2; sm++) {
            struct sim_look look = {.cycle = now, .launch = 1, .sm = sm};
            for (size_t i = 0; sm == 1 && i < count; i++)
                if (holds[i].cycle == now)
                    look.stage[holds[i].stage] =
                        (struct sim_stage){.valid = true, .last = true, .slot = holds[i].slot, .pc = holds[i].pc};
            stack_watch_look(&w, NULL, &look);
            look.launch = 2;
            stack_watch_look(&w, NULL, &look);
        }
    }
    return w;
}

/* Another warp's instructions do not count; one stays in ROWS for two cycles. */
static void test_stack_watch_ends_with_the_next(void **state) {
    (void)state;
    static const struct hold HOLDS[] = {
        {5,  ROWS,  3, 8 },
        {6,  ROWS,  3, 8 },
        {7,  ROWS,  2, 8 },
        {8,  WRITE, 2, 8 },
        {9,  ROWS,  3, 16},
        {12, WRITE, 3, 8 },
        {16, WRITE, 3, 16}
    };
    assert_true(stack_watch_can(&API));
    const struct stack_watch w = watched(HOLDS, sizeof HOLDS / sizeof HOLDS[0], 12);
    assert_true(w.found);
    assert_int_equal(w.before.entry[0].pc, 5);
    assert_int_equal(w.after.entry[0].pc, 9);
    assert_int_equal(w.after.entry[63].pc, 9 + 6300);
    assert_int_equal(w.after.entry[0].token, 1);
    assert_int_equal(w.after.entry[0].mask, 3);
}

/* No instruction follows before it retires; and the second iteration of a loop, with the first still in the
 * pipeline. */
static void test_stack_watch_ends_where_it_retires(void **state) {
    (void)state;
    static const struct hold HOLDS[] = {
        {5,  ROWS,  3, 8},
        {11, ROWS,  3, 8},
        {14, WRITE, 3, 8},
        {20, WRITE, 3, 8}
    };
    const struct stack_watch first = watched(HOLDS, 4, 14), second = watched(HOLDS, 4, 20),
                             none = watched(HOLDS, 4, 13);
    assert_int_equal(first.before.entry[0].pc, 5);
    assert_int_equal(first.after.entry[0].pc, 11);
    assert_int_equal(second.before.entry[0].pc, 11);
    assert_int_equal(second.after.entry[0].pc, 20);
    assert_false(none.found);
}

static void test_stack_watch_needs_entries(void **state) {
    (void)state;
    struct sim_api api = API;
    api.entry = NULL;
    assert_false(stack_watch_can(&api));
    api = API;
    api.stages = NULL;
    assert_false(stack_watch_can(&api));
    api = API;
    api.version = SIM_API_LOOK - 1;
    assert_false(stack_watch_can(&api));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stack_watch_ends_with_the_next),
        cmocka_unit_test(test_stack_watch_ends_where_it_retires),
        cmocka_unit_test(test_stack_watch_needs_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
