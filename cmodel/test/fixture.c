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
}

void fixture_source(struct fixture *f, const char *text) {
    enum { MAX_WORDS = 512 };
    uint32_t words[MAX_WORDS];
    size_t count = 0;
    for (const char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        const bool end = *line == '!';
        uint32_t lo, hi;
        struct isa_error error = {0};
        if (!isa_parse(line + end, length - end, NULL, &lo, &hi, &error))
            fail_msg("'%.*s': %s", (int)length, line, error.text);
        assert_true(count + 2 <= MAX_WORDS);
        words[count++] = lo;
        if (isa_is_long(lo)) words[count++] = hi | (end ? 1u : 0u);
        line += line[length] == '\n' ? length + 1 : length;
    }
    fixture_setup(f, words, count);
}

void fixture_launch(struct fixture *f) {
    struct diag d = {0};
    if (f->m == NULL) f->m = model_create(&f->machine);
    assert_non_null(f->m);
    assert_int_equal(model_launch(f->m, &f->image, &d), STATUS_OK);
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

struct retire fixture_steps(struct fixture *f, unsigned count) {
    struct retire r = {0};
    for (unsigned i = 0; i < count; i++) r = fixture_step(f);
    return r;
}

struct retire fixture_record(unsigned sm, unsigned slot, unsigned x, unsigned y, unsigned warp) {
    struct retire r;
    memset(&r, 0, sizeof r);
    r.sm = sm;
    r.slot = slot;
    r.block_x = x;
    r.block_y = y;
    r.warp = warp;
    r.exec = r.dst_mask = r.c_mask = r.a_mask = r.mem_mask = 0xffffffff;
    return r;
}

struct retire fixture_follow(struct fixture *f, unsigned count, const struct retire *last) {
    struct retire out = {0};
    const struct retire plain = fixture_record(0, 0, 0, 0, 0);
    for (unsigned i = 1; i <= count; i++)
        assert_int_equal(model_step_follow(f->m, i == count ? last : &plain, &out), MODEL_RETIRED);
    return out;
}

enum trap fixture_trap_of(const char *text) {
    struct fixture f;
    fixture_source(&f, text);
    fixture_launch(&f);
    assert_int_equal(fixture_run(&f), MODEL_TRAPPED);
    const enum trap trap = model_get_trap(f.m).code;
    fixture_teardown(&f);
    return trap;
}

enum model_result fixture_run(struct fixture *f) {
    uint64_t steps;
    return model_run(f->m, 10000, &steps);
}

void fixture_poke(struct fixture *f, unsigned reg, uint32_t value, uint32_t step) {
    for (unsigned lane = 0; lane < WARP_LANES; lane++) model_poke_reg(f->m, 0, 0, lane, reg, value + lane * step);
}

void fixture_poke_c(struct fixture *f, unsigned creg, uint8_t nibble) {
    for (unsigned lane = 0; lane < WARP_LANES; lane++) model_poke_creg(f->m, 0, 0, lane, creg, nibble);
}
