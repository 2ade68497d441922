/* SPDX-License-Identifier: Apache-2.0 */
/* The collector on records made by hand: it marks the right bins, for the side that retired the record, and no others.
 * The coverage of a run survives its file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../collect.h"
#include "../runfile.h"

struct fixture {
    struct space *space;
    struct words *words;
    struct collector *c;
};

static int create(void **state) {
    static struct fixture f;
    const struct setting setting = {.cores = 8, .sms = 1, .warps = 32, .block_warps = 2};
    f.space = space_create();
    f.words = words_create(f.space);
    f.c = collector_create(f.space, &setting);
    *state = &f;
    return f.c == NULL;
}

static int destroy(void **state) {
    struct fixture *f = *state;
    collector_destroy(f->c);
    words_destroy(f->words);
    space_destroy(f->space);
    return 0;
}

/* A record of the instruction with this text, executed by all lanes of a full warp. */
static struct retire record_of(const char *text, uint32_t pc) {
    struct retire r = {.pc = pc, .active = UINT32_MAX, .exec = UINT32_MAX, .next_active = UINT32_MAX};
    struct isa_error error;
    assert_true(isa_parse(text, strlen(text), NULL, &r.word_lo, &r.word_hi, &error));
    return r;
}

static void note(struct fixture *f, const struct retire *r) {
    collector_note(f->c, words_at(f->words, r->pc, r->word_lo, r->word_hi), r);
}

static bool covered(const struct fixture *f, const char *name) {
    char text[SPACE_NAME_MAX];
    for (uint32_t bin = 1; bin < f->space->bins; bin++)
        if (space_exists(f->space, bin) && strcmp(space_name(f->space, bin, text), name) == 0)
            return (collector_bits(f->c)[bin / 64] >> (bin % 64) & 1) != 0;
    fail_msg("there is no bin %s", name);
    return false;
}

/* Exactly these bins of a section are covered, over all its rows. */
static void expect_only(const struct fixture *f, const char *section, const char *expected) {
    char name[SPACE_NAME_MAX], text[2048] = "";
    const size_t length = strlen(section);
    for (uint32_t bin = 1; bin < f->space->bins; bin++) {
        if (!space_exists(f->space, bin) || (collector_bits(f->c)[bin / 64] >> (bin % 64) & 1) == 0) continue;
        if (strncmp(space_name(f->space, bin, name), section, length) != 0 || name[length] != '/') continue;
        assert_true(strlen(text) + strlen(name) < sizeof text);
        if (text[0] != 0) strcat(text, " ");
        strcat(text, name + length + 1);
    }
    assert_string_equal(text, expected);
}

/* Retires an instruction of warp 0, executed by these of the active lanes. */
static void retire(struct fixture *f, const char *text, uint32_t pc, uint32_t active, uint32_t exec) {
    struct retire r = record_of(text, pc);
    r.active = active;
    r.exec = exec;
    note(f, &r);
}

static void test_coverage_names_are_unique_by_number(void **state) {
    const struct fixture *f = *state;
    char text[SPACE_NAME_MAX], before[SPACE_NAME_MAX] = "";
    for (uint32_t bin = 1; bin < f->space->bins; bin++) {
        if (!space_exists(f->space, bin)) continue;
        assert_string_not_equal(space_name(f->space, bin, text), before);
        strcpy(before, text);
    }
}

static void test_coverage_marks_options_and_operands(void **state) {
    struct fixture *f = *state;
    const struct retire r = record_of("IADD.SAT R100, R1, -R2", 0);
    note(f, &r);
    assert_true(covered(f, "rows/iadd32_sub_rr/executed"));
    assert_true(covered(f, "options/iadd32_sub_rr/sat=.SAT"));
    assert_false(covered(f, "options/iadd32_sub_rr/sat=0"));
    assert_true(covered(f, "operands/iadd32_sub_rr/d=high"));
    assert_false(covered(f, "operands/iadd32_sub_rr/d=low"));
    assert_false(covered(f, "rows/iadd32_add_rr/executed"));
    assert_true(covered(f, "masks/iadd32_sub_rr/full"));
    assert_false(covered(f, "operands/iadd32_sub_rr/d-is-a"));
}

static void test_coverage_tells_guards_apart(void **state) {
    struct fixture *f = *state;
    struct retire r = record_of("IADD R3 (C1.LT), R1, R2", 0);
    r.exec = 0;
    note(f, &r);
    assert_true(covered(f, "guards/iadd32_add_rr/nobody"));
    assert_true(covered(f, "options/iadd32_add_rr/cond=LT"));
    assert_false(covered(f, "rows/iadd32_add_rr/executed")); /* by nobody */
    r.exec = 5;
    note(f, &r);
    assert_true(covered(f, "guards/iadd32_add_rr/part"));
    assert_false(covered(f, "guards/iadd32_add_rr/all"));
    assert_false(covered(f, "guards/iadd32_add_rr/none"));
}

static void test_coverage_marks_nibbles_of_lanes_that_write(void **state) {
    struct fixture *f = *state;
    struct retire r = record_of("IADD.C0 R3, R1, R2", 0);
    r.c_mask = 1u << 4;
    r.c[4] = 5;
    r.c[5] = 2; /* of a lane that does not write */
    note(f, &r);
    assert_true(covered(f, "flags/iadd32_add_rr/0101"));
    assert_false(covered(f, "flags/iadd32_add_rr/0010"));
    assert_false(covered(f, "flags/iadd32_add_rr/0000"));
}

static void test_coverage_measures_distances(void **state) {
    struct fixture *f = *state;
    static const char *const TEXTS[] = {"IADD R3, R1, R2", "NOP", "IADD R4, R3, R2", "IADD R3, R1, R4"};
    for (uint32_t i = 0; i < 4; i++) {
        const struct retire r = record_of(TEXTS[i], 8 * i);
        note(f, &r);
    }
    assert_true(covered(f, "pairs/raw-r/alu-alu-2")); /* R3 */
    assert_true(covered(f, "pairs/raw-r/alu-alu-1")); /* R4 */
    assert_false(covered(f, "pairs/raw-r/alu-alu-3"));
    assert_true(covered(f, "pairs/war-r/alu-alu-1"));
    assert_true(covered(f, "pairs/waw-r/alu-alu-3"));
    assert_false(covered(f, "pairs/raw-half/alu-alu-2"));
}

static void test_coverage_follows_the_stack(void **state) {
    struct fixture *f = *state;
    struct retire ssy = record_of("SSY 0x10", 0), join = record_of("NOP.S", 16);
    struct retire bra = record_of("BRA C0.EQ, 0x10", 8);
    ssy.depth = 1;
    bra.exec = 0xff;
    bra.depth = 2;
    join.depth = 1;
    note(f, &ssy);
    note(f, &bra);
    note(f, &join);
    assert_true(covered(f, "stack/pair/+sync+diverge"));
    assert_true(covered(f, "stack/pair/+diverge-diverge"));
    assert_true(covered(f, "stack/triple/+sync+diverge-diverge"));
    assert_false(covered(f, "stack/pair/-diverge-sync"));
    assert_true(covered(f, "stack/depth/2"));
    assert_false(covered(f, "stack/depth/0"));
}

static void test_coverage_counts_lines_and_passes(void **state) {
    struct fixture *f = *state;
    struct retire load = record_of("GLD.U32 R3, global14 [R1]", 0);
    struct retire store = record_of("R2G.U32.U32 g [0x4], R1", 8);
    load.mem_kind = RETIRE_MEM_GLOBAL_LOAD;
    store.mem_kind = RETIRE_MEM_SHARED_STORE;
    load.mem_bytes = store.mem_bytes = 4;
    load.mem_mask = store.mem_mask = 0xff; /* one row */
    for (uint32_t lane = 0; lane < 8; lane++) {
        load.addr[lane] = 32 + 8 * lane;               /* two lines of 32 bytes */
        store.addr[lane] = lane < 3 ? 32 * lane : 0x4; /* three words of one bank */
    }
    note(f, &load);
    note(f, &store);
    assert_true(covered(f, "lines/load-4/lines-2"));
    assert_false(covered(f, "lines/load-4/lines-1"));
    assert_true(covered(f, "lines/load-4/order-stride"));
    assert_true(covered(f, "banks/8-banks/r2g-3"));
    assert_false(covered(f, "banks/8-banks/r2g-2"));
    assert_false(covered(f, "banks/8-banks/r2g-broadcast"));
}

static void test_coverage_sees_who_ends_a_barrier(void **state) {
    struct fixture *f = *state;
    struct retire first = record_of("BAR.ARV.WAIT b2, 0xfff", 0), second = first, next = record_of("NOP", 8);
    first.state = RETIRE_BARRIER;
    first.warp = first.slot = 1;
    note(f, &first);
    note(f, &second);
    next.warp = next.slot = 1;
    note(f, &next);
    assert_true(covered(f, "barriers/id/2-wait"));
    assert_true(covered(f, "barriers/order/descending"));
    assert_false(covered(f, "barriers/order/ascending"));
    assert_true(covered(f, "barriers/warps/2"));
    assert_true(covered(f, "barriers/event/by-arrival"));
    assert_false(covered(f, "barriers/event/by-exit"));
}

static void test_coverage_names_causes_of_traps(void **state) {
    struct fixture *f = *state;
    struct retire r = record_of("GST.U32 global14 [R1], R2", 0);
    r.trap = TRAP_GLOBAL_ALIGN;
    r.exec = 0;
    r.state = RETIRE_TRAPPED;
    note(f, &r);
    assert_true(covered(f, "traps/global-align/gst"));
    assert_false(covered(f, "traps/global-align/gld"));
    assert_false(covered(f, "rows/gst/executed"));
}

static void must_refuse(const struct fixture *f, const char *path, uint64_t *const bits[SIDES], const char *why) {
    char test[16];
    struct diag d = {0};
    assert_int_equal(runfile_read(path, f->space, test, sizeof test, bits, &d), STATUS_BAD_INPUT);
    assert_string_equal(d.file, path);
    assert_string_equal(d.text, why);
}

static void test_coverage_reads_what_a_run_has_written(void **state) {
    const struct fixture *f = *state;
    const size_t words = runfile_words(f->space);
    uint64_t *const bits[SIDES] = {calloc(words, sizeof(uint64_t)), calloc(words, sizeof(uint64_t))};
    uint64_t *const back[SIDES] = {calloc(words, sizeof(uint64_t)), calloc(words, sizeof(uint64_t))};
    char path[] = "/tmp/test_coverage.XXXXXX", test[16];
    struct diag d = {0};
    const int file = mkstemp(path);
    assert_true(file >= 0 && bits[0] != NULL && bits[1] != NULL && back[0] != NULL && back[1] != NULL);
    bits[SIDE_MODEL][0] = 0x10;
    bits[SIDE_RTL][words - 1] = 0x2;
    const uint64_t *const written[SIDES] = {bits[0], bits[1]};
    assert_int_equal(runfile_write(path, f->space, "a test", written, &d), STATUS_OK);
    assert_int_equal(runfile_read(path, f->space, test, sizeof test, back, &d), STATUS_OK);
    assert_string_equal(test, "a test");
    for (unsigned side = 0; side < SIDES; side++)
        assert_memory_equal(back[side], bits[side], words * sizeof *bits[side]);

    assert_int_equal(ftruncate(file, (off_t)(2 * words * sizeof(uint64_t))), 0); /* the first line makes it longer */
    must_refuse(f, path, back, "no coverage of these bins");
    const struct space *const one = f->space;
    struct space other = *one;
    other.blocks = malloc(one->block_count * sizeof *one->blocks);
    memcpy(other.blocks, one->blocks, one->block_count * sizeof *one->blocks);
    other.blocks[7].part ^= 1; /* equally many bins, one with another meaning */
    assert_int_equal(runfile_write(path, &other, "a test", written, &d), STATUS_OK);
    free(other.blocks);
    must_refuse(f, path, back, "no coverage of these bins");
    assert_int_equal(pwrite(file, "W", 1, 0), 1);
    must_refuse(f, path, back, "no coverage of these bins");
    unlink(path);
    must_refuse(f, path, back, "No such file or directory");
    assert_int_equal(runfile_write("/tmp/no/such/directory", f->space, "a test", written, &d), STATUS_BAD_INPUT);
    close(file);
    for (unsigned side = 0; side < SIDES; side++) {
        free(bits[side]);
        free(back[side]);
    }
}

/* The nearer instruction hides the farther one, but not from a writer of the register that both read; an instruction
 * without lanes forms no pair.
 * */
static void test_coverage_counts_no_hidden_pairs(void **state) {
    struct fixture *f = *state;
    retire(f, "IADD R3, R1, R2", 0, UINT32_MAX, UINT32_MAX);
    retire(f, "IADD R3, R3, R4", 8, UINT32_MAX, UINT32_MAX);
    retire(f, "IADD R5, R3, R4", 16, UINT32_MAX, UINT32_MAX);
    retire(f, "IADD R3, R6, R6", 24, UINT32_MAX, UINT32_MAX);
    expect_only(f, "pairs", "raw-r/alu-alu-1 waw-r/alu-alu-1 waw-r/alu-alu-2 war-r/alu-alu-1 war-r/alu-alu-2");
    retire(f, "IADD R7 (C0.EQ), R5, R5", 32, UINT32_MAX, 0);
    for (uint32_t pc = 40; pc < 64; pc += 8) retire(f, "NOP", pc, UINT32_MAX, UINT32_MAX);
    retire(f, "IADD R8, R7, R7", 64, UINT32_MAX, UINT32_MAX);
    expect_only(f, "pairs", "raw-r/alu-alu-1 waw-r/alu-alu-1 waw-r/alu-alu-2 war-r/alu-alu-1 war-r/alu-alu-2");
}

/* A field without effect has no value, and two registers can be equal in three ways. */
static void test_coverage_marks_what_is_in_force(void **state) {
    struct fixture *f = *state;
    retire(f, "IADD R125, R9, R9", 0, UINT32_MAX, UINT32_MAX);
    expect_only(f, "options/iadd32_add_rr", "od=0 sat=0 mark=0 ce=0 cond=TRUE");
    expect_only(f, "operands/iadd32_add_rr", "d=high a=low b=low a-is-b");
    retire(f, "LOP.AND R4, R1, R4", 8, UINT32_MAX, UINT32_MAX);
    expect_only(f, "operands/lop32_rr", "d=low a=low b=low d-is-b");
    expect_only(f, "guards", "iadd32_add_rr/none lop32_rr/none");
}

static void test_coverage_names_shapes_of_masks(void **state) {
    struct fixture *f = *state;
    retire(f, "IADD R3, R1, R2", 0, 0xfffff, 0xfffff); /* of a last warp of 20 threads */
    retire(f, "LOP.AND R3, R1, R2", 8, 0xf0, 0xf0);
    retire(f, "ISET R3, R1, R2, LT", 16, 0x10, 0x10);
    retire(f, "IADD.SAT R3, R1, -R2", 24, 0x3fffff, 0x3fffff); /* more than it has */
    expect_only(f, "masks", "iadd32_add_rr/last-warp iadd32_sub_rr/other iset_u32_rr/single lop32_rr/other");
}

/* A branch that all lanes take pushes nothing, and neither does a trapping instruction; three events make the first
 * triple. */
static void test_coverage_counts_no_token_that_is_none(void **state) {
    struct fixture *f = *state;
    struct retire ssy = record_of("SSY 0x20", 0), bra = record_of("BRA C0.EQ, 0x10", 8),
                  pbk = record_of("PBK 0x20", 16);
    struct retire join = record_of("NOP.S", 32);
    ssy.depth = bra.depth = 1;
    note(f, &ssy);
    note(f, &bra);
    note(f, &join);
    expect_only(f, "stack", "depth/0 depth/1 pair/+sync-sync");
    pbk.trap = TRAP_STACK_OVERFLOW;
    pbk.depth = 5;
    note(f, &pbk);
    expect_only(f, "stack", "depth/0 depth/1 pair/+sync-sync");
}

/* Words that share a place of the cache are distinguished by their pc: the branch goes ahead, then behind. */
static void test_coverage_tells_places_apart(void **state) {
    struct fixture *f = *state;
    retire(f, "BRA 0x8", 0, UINT32_MAX, UINT32_MAX);
    expect_only(f, "operands", "bra/tgt=ahead");
    retire(f, "BRA 0x8", 0x10000, UINT32_MAX, UINT32_MAX);
    expect_only(f, "operands", "bra/tgt=ahead bra/tgt=behind");
}

/* An arrival of two warps without a wait, at two barriers in turn. */
static void test_coverage_counts_arrivals(void **state) {
    struct fixture *f = *state;
    struct retire r = record_of("BAR.ARV b3, 0xfff", 0);
    note(f, &r);
    expect_only(f, "barriers", "id/3-arrive");
    r.warp = r.slot = 1;
    note(f, &r);
    expect_only(f, "barriers", "id/3-arrive warps/2 order/ascending event/by-arrival");
    r = record_of("BAR.ARV b4, 0xfff", 8);
    note(f, &r);
    r.warp = r.slot = 1;
    note(f, &r);
    expect_only(f, "barriers", "id/3-arrive id/4-arrive warps/2 order/ascending event/by-arrival");
    r = record_of("BAR.ARV b4, 0xfff", 16);
    note(f, &r);
    r = record_of("BAR.ARV b5, 0xfff", 24);
    note(f, &r);
    expect_only(f, "barriers",
                "id/3-arrive id/4-arrive id/5-arrive warps/2 order/ascending event/by-arrival "
                "event/two-ids-pending");
}

/* Three warps arrive as 1, 0, 2: in no order. */
static void test_coverage_sees_an_order_that_is_none(void **state) {
    struct fixture *f = *state;
    const struct setting setting = {.cores = 8, .sms = 1, .warps = 32, .block_warps = 3};
    collector_destroy(f->c);
    f->c = collector_create(f->space, &setting);
    assert_non_null(f->c);
    static const unsigned order[] = {1, 0, 2};
    for (unsigned i = 0; i < 3; i++) {
        struct retire r = record_of("BAR.ARV b0, 0xfff", 0);
        r.warp = r.slot = order[i];
        note(f, &r);
    }
    expect_only(f, "barriers", "id/0-arrive warps/3 order/mixed event/by-arrival");
}

/* Two lanes have no order, and one lane alone shares with none. With post-increment the operand is at A alone: of eight
 * lanes at 0, 32, .. 224 each takes a pass. */
static void test_coverage_counts_rows_as_they_are(void **state) {
    struct fixture *f = *state;
    struct retire load = record_of("GLD.U32 R3, global14 [R1]", 0), store = record_of("R2G.U32.U32 g [0x4], R1", 8);
    load.mem_kind = RETIRE_MEM_GLOBAL_LOAD;
    store.mem_kind = RETIRE_MEM_SHARED_STORE;
    load.mem_bytes = store.mem_bytes = 4;
    load.mem_mask = 3;
    store.mem_mask = 1 << 9;
    note(f, &load);
    note(f, &store);
    expect_only(f, "lines", "load-4/lines-1");
    expect_only(f, "banks", "8-banks/r2g-1");
    struct retire r2a = record_of("R2A A1, R2", 16);
    r2a.a_reg = 1;
    r2a.a_mask = 0xff;
    for (unsigned lane = 0; lane < 8; lane++) r2a.a[lane] = 32 * lane;
    note(f, &r2a);
    struct retire mov = record_of("MOV R3, g [A1+0x4]", 24);
    mov.exec = 0xff;
    note(f, &mov);
    expect_only(f, "banks", "8-banks/operand-8 8-banks/r2g-1");
}

/* Retires an instruction that writes a value to a register, or half of one, in these lanes. */
static void write_register(struct fixture *f, const char *text, unsigned kind, unsigned reg, uint32_t lanes,
                           uint32_t value) {
    struct retire r = record_of(text, 8);
    r.exec = r.dst_mask = lanes;
    r.dst_kind = kind;
    r.dst_reg = reg;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) r.dst[lane] = value;
    note(f, &r);
}

/* Sources are those of the executing lanes, if they were written. */
static void test_coverage_sees_classes_of_numbers(void **state) {
    struct fixture *f = *state;
    write_register(f, "MVI R1, 0x7f800000", RETIRE_DST_REG32, 1, 0x00ffffff, 0x7f800000);
    write_register(f, "MVI R2, 0x80000001", RETIRE_DST_REG32, 2, UINT32_MAX, 0x80000001);
    write_register(f, "FADD R3, R4, R5", RETIRE_DST_REG32, 3, UINT32_MAX, 0x80000000);
    expect_only(f, "values", "fadd_rr/result=-0");
    write_register(f, "FMAX R3, R1, -R2", RETIRE_DST_REG32, 3, 0xff000000, 0x00000000);
    expect_only(f, "values", "fadd_rr/result=-0 fmax_rr/b=-denormal fmax_rr/result=+0");
    write_register(f, "FMAX R3, R1, -R2", RETIRE_DST_REG32, 3, 0x00000001, 0x7f800000);
    expect_only(f, "values",
                "fadd_rr/result=-0 fmax_rr/a=+infinity fmax_rr/b=-denormal "
                "fmax_rr/a=+infinity,b=-denormal fmax_rr/result=+0 fmax_rr/result=+infinity "
                "fmax_rr/na=0,a=+infinity fmax_rr/nb=-,a=+infinity fmax_rr/xa=0,a=+infinity "
                "fmax_rr/xb=0,a=+infinity");
}

/* A half is part of its register, and has classes of its own. */
static void test_coverage_sees_classes_of_halves(void **state) {
    struct fixture *f = *state;
    write_register(f, "MVI R1, 0x7e01ffff", RETIRE_DST_REG32, 1, UINT32_MAX, 0x7e01ffff);
    write_register(f, "MVI.U16 R1L, 0x8000", RETIRE_DST_REG16, 2, UINT32_MAX, 0x8000);
    write_register(f, "F2F.F32.F16 R3, R1H", RETIRE_DST_REG32, 3, 1, 0x7fffffff);
    assert_true(covered(f, "values/f2f_f32_f16_r/a=nan"));
    assert_false(covered(f, "values/f2f_f32_f16_r/a=-0"));
    write_register(f, "F2F.F32.F16 R3, R1L", RETIRE_DST_REG32, 3, 1, 0x80000000);
    assert_true(covered(f, "values/f2f_f32_f16_r/a=-0"));
    write_register(f, "F2F.F16.F32 R1L, R2", RETIRE_DST_REG16, 2, 1, 0x83ff);
    assert_true(covered(f, "values/f2f_f16_f32_r/result=-denormal"));
    write_register(f, "I2F.F32.S16 R3, R1L", RETIRE_DST_REG32, 3, 2, 0xc7000000);
    assert_true(covered(f, "values/i2f_f32_s16_r/a=least"));
    assert_false(covered(f, "values/i2f_f32_s16_r/a=negative"));
    assert_true(covered(f, "values/i2f_f32_s16_r/result=-normal"));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, create, destroy)
    const struct CMUnitTest tests[] = {
        TEST(test_coverage_names_are_unique_by_number), TEST(test_coverage_marks_options_and_operands),
        TEST(test_coverage_tells_guards_apart),         TEST(test_coverage_marks_nibbles_of_lanes_that_write),
        TEST(test_coverage_measures_distances),         TEST(test_coverage_follows_the_stack),
        TEST(test_coverage_counts_lines_and_passes),    TEST(test_coverage_sees_who_ends_a_barrier),
        TEST(test_coverage_names_causes_of_traps),      TEST(test_coverage_reads_what_a_run_has_written),
        TEST(test_coverage_counts_no_hidden_pairs),     TEST(test_coverage_marks_what_is_in_force),
        TEST(test_coverage_names_shapes_of_masks),      TEST(test_coverage_counts_no_token_that_is_none),
        TEST(test_coverage_tells_places_apart),         TEST(test_coverage_counts_arrivals),
        TEST(test_coverage_sees_an_order_that_is_none), TEST(test_coverage_counts_rows_as_they_are),
        TEST(test_coverage_sees_classes_of_numbers),    TEST(test_coverage_sees_classes_of_halves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
