/* SPDX-License-Identifier: Apache-2.0 */
/* Random programs of legal words on the model: nothing crashes, every record keeps its invariants, and a second model
 * that follows the records of the first, block by block and warp by warp, makes the same records.
 *
 *     SEED=7 build/cmodel/test/test_random           repeats a failure */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "draw.h"
#include "fixture.h"

enum { PROGRAMS = 1000, WORDS = DRAW_WORDS, MAX_STEPS = 400 };

static void check_subset(uint32_t mask, uint32_t of, const char *what) {
    if ((mask & ~of) != 0) fail_msg("%s %08x is not within %08x", what, mask, of);
}

static void check_record(const struct retire *r, unsigned stack_depth) {
    check_subset(r->exec, r->active, "exec");
    check_subset(r->dst_mask, r->exec, "dst_mask");
    check_subset(r->c_mask, r->exec, "c_mask");
    check_subset(r->a_mask, r->exec, "a_mask");
    check_subset(r->mem_mask, r->exec, "mem_mask");
    assert_true(r->depth <= stack_depth);
    assert_int_not_equal(r->active, 0);
    if (r->trap != TRAP_NONE) {
        assert_int_equal(r->state, RETIRE_TRAPPED);
        assert_int_equal(r->exec | r->mem_kind | r->dst_kind | r->next_pc | r->next_active, 0);
    }
    assert_true((r->next_active != 0) == (r->trap == TRAP_NONE && r->state != RETIRE_FINISHED));
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        assert_true((r->dst_mask >> lane & 1) != 0 || r->dst[lane] == 0);
        assert_true((r->mem_mask >> lane & 1) != 0 || (r->addr[lane] == 0 && r->data[lane] == 0));
        assert_true(r->dst_kind != RETIRE_DST_REG16 || r->dst[lane] <= 0xffff);
        assert_true(r->c[lane] <= 15 && r->a[lane] <= 0xffff);
    }
}

static void start(struct fixture *f, const uint32_t *words, uint32_t seed) {
    static uint8_t bank[64];
    fixture_setup(f, words, WORDS);
    f->machine.has_atomics = true;
    f->machine.global_bytes = 4096;
    f->machine.stack_depth = 8 + seed % 57;
    f->image.block[0] = 32 + seed % 3 * 20;
    f->image.grid[0] = 1 + seed % 2;
    f->image.local_bytes = 64;
    f->image.shared_bytes = 256;
    f->image.bank[1].bytes = bank;
    f->image.bank[1].size = sizeof bank;
    fixture_launch(f);
}

/* Runs one program on both models; returns the number of instructions that retired without a trap. */
static unsigned run_program(uint32_t seed) {
    struct fixture own, following;
    struct retire a, b;
    uint32_t words[WORDS];
    unsigned retired = 0;
    for (unsigned i = 0; i < WORDS; i += 2) draw_words(&seed, &words[i], &words[i + 1]);
    start(&own, words, seed);
    start(&following, words, seed);
    for (unsigned i = 0; i < MAX_STEPS && model_run_step(own.m, &a) == MODEL_RETIRED; i++) {
        check_record(&a, own.machine.stack_depth);
        if (model_step_follow(following.m, &a, &b) != MODEL_RETIRED)
            fail_msg("following was refused: %s", model_why(following.m));
        assert_memory_equal(&a, &b, retire_size(&a));
        retired += a.trap == TRAP_NONE ? 1 : 0;
    }
    assert_memory_equal(model_global(own.m), model_global(following.m), own.machine.global_bytes);
    assert_int_equal(model_finished(own.m), model_finished(following.m));
    fixture_teardown(&own);
    fixture_teardown(&following);
    return retired;
}

static void test_random_programs(void **state) {
    (void)state;
    const char *given = getenv("SEED");
    uint32_t seed = given != NULL ? (uint32_t)strtoul(given, NULL, 0) : (uint32_t)time(NULL);
    seed = seed != 0 ? seed : 1;
    print_message("SEED=%u\n", seed);
    unsigned long retired = 0;
    for (unsigned i = 0; i < PROGRAMS; i++) retired += run_program(draw(&seed));
    print_message("%u programs, %lu instructions\n", (unsigned)PROGRAMS, retired);
    assert_true(retired > PROGRAMS); /* they do not all trap at once */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
