/* SPDX-License-Identifier: Apache-2.0 */
/* Replays single-instruction semantic vectors: registers and flags before, one instruction, destination and flags
 * after; nothing else may change. The vectors come from functions that were checked on silicon.
 *
 * Rows with canon = 1 must pass. Rows with canon = 0 have bits that silicon ignores, or reserved aliases: each must
 * give silicon's result, and so must the words that the assembler would write instead. Rows whose h22 G80 still
 * ignores, but sm_13 takes for double precision (column alt: f64form), trap; without that bit they must pass. */
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "table.h"

#define VECTORS "golden/vectors/"

enum { VECTOR_REGS = 8, LANE = 5 }; /* any lane will do */

struct tally {
    unsigned passed, failed, trapped, rows;
    unsigned f64; /* rows that are double precision on sm_13 */
};

struct vector {
    uint32_t lo, hi;
    uint32_t reg[VECTOR_REGS];
    uint8_t c[4];
    bool canon;
    bool f64;
};

/* Selection of rows, and the mode of replay. */
struct selection {
    bool canon;
    bool canonical; /* replay the assembler's words instead of the vector's */
};

static void make_canonical(struct vector *v) {
    struct isa_insn insn;
    if (v->f64) v->hi &= ~(1u << 22);
    if (isa_decode(v->lo, v->hi, &insn) != ISA_OK) return;
    uint32_t hi;
    isa_canonical(&insn, &v->lo, &hi);
    v->hi = isa_is_long(v->lo) ? hi : v->hi;
}

static void read_vector(const struct table *t, struct vector *v) {
    memset(v, 0, sizeof *v);
    v->lo = table_hex(t, "op_lo");
    v->hi = table_hex(t, "op_hi");
    for (unsigned i = 0; i < VECTOR_REGS; i++) {
        const char name[] = {'r', (char)('0' + i), '\0'};
        v->reg[i] = table_hex(t, name);
    }
    v->c[0] = (uint8_t)table_hex(t, "c0_in");
    v->c[1] = (uint8_t)table_hex(t, "c1_in");
    v->canon = strcmp(table_text(t, "canon"), "0") != 0;
    v->f64 = strstr(table_text(t, "alt"), "f64form") != NULL;
}

static void load_vector(struct fixture *f, const struct vector *v) {
    for (unsigned i = 0; i < VECTOR_REGS; i++) fixture_poke(f, i, v->reg[i], 0);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (unsigned c = 0; c < 4; c++) model_poke_creg(f->m, 0, 0, lane, c, v->c[c]);
}

/* The written C register. Rows of special functions leave its contents open. */
static unsigned flags_register(const struct table *t, const struct vector *v) {
    const char *cc = table_text(t, "cc_reg");
    struct isa_insn insn;
    if (cc[0] == 'c') return (unsigned)atoi(cc + 1);
    return isa_decode(v->lo, v->hi, &insn) == ISA_OK && insn.set_c ? insn.cdst : 4;
}

/* Prints the faults of the state after the vector; true if there are none. */
static bool check_state(const struct fixture *f, const struct table *t, const struct vector *v) {
    const char *dst = table_text(t, "dst");
    const unsigned dst_reg = dst[0] == 'r' ? (unsigned)atoi(dst + 1) : VECTOR_REGS;
    const unsigned cc_reg = flags_register(t, v);
    const uint32_t mask = table_hex(t, "dst_mask");
    bool good = true;
    for (unsigned i = 0; i < VECTOR_REGS; i++) {
        const uint32_t changes = i == dst_reg ? mask : 0;
        const uint32_t expected = (v->reg[i] & ~changes) | (table_hex(t, "dst_val") & changes);
        const uint32_t actual = model_peek_reg(f->m, 0, 0, LANE, i);
        if (actual != expected) {
            print_error("%s: r%u is %08x, expected %08x (%s)\n", table_text(t, "id"), i, actual, expected,
                        table_text(t, "asm"));
            good = false;
        }
    }
    for (unsigned c = 0; c < 4; c++) {
        const bool read_back = c == cc_reg && table_hex(t, "cc_mask") != 0;
        const uint8_t expected = read_back ? (uint8_t)table_hex(t, "cc_val") : v->c[c];
        const uint8_t actual = model_peek_creg(f->m, 0, 0, LANE, c);
        if (actual != expected && (c != cc_reg || read_back)) {
            print_error("%s: c%u is %x, expected %x (%s)\n", table_text(t, "id"), c, actual, expected,
                        table_text(t, "asm"));
            good = false;
        }
    }
    return good;
}

static void check_named(const struct vector *v) {
    char text[ISA_TEXT_MAX];
    const char *what = isa_later(v->lo, v->hi, ISA_DIALECT_3, text);
    if (what == NULL) fail_msg("%08x %08x has no name", v->lo, v->hi);
    assert_string_equal(what, "double precision: sm_13");
}

static void replay(const struct table *t, const struct selection *select, struct tally *tally) {
    struct vector v;
    struct fixture f;
    read_vector(t, &v);
    if (select->canonical) make_canonical(&v);
    if (v.f64 && !select->canonical) check_named(&v);
    fixture_setup(&f, (uint32_t[]){v.lo, v.hi}, 2);
    f.machine.has_fpu = f.machine.has_sfu = true;
    f.image.regs = VECTOR_REGS;
    fixture_launch(&f);
    load_vector(&f, &v);
    const struct retire r = fixture_step(&f);
    tally->rows++;
    tally->f64 += v.f64 ? 1 : 0;
    if (r.trap != TRAP_NONE) {
        (*(r.trap == TRAP_UNDEFINED ? &tally->trapped : &tally->failed))++;
        if (v.canon || r.trap != TRAP_UNDEFINED)
            print_error("%s: trap: %s (%s)\n", table_text(t, "id"), trap_name((enum trap)r.trap), table_text(t, "asm"));
    } else if (check_state(&f, t, &v)) {
        tally->passed++;
    } else {
        tally->failed++;
    }
    fixture_teardown(&f);
}

/* In a graphics mode, which no instruction of ours sets, a zero factor wins over a NaN. These rows need that mode: one
 * with canon = 1, one with canon = 0. */
static bool needs_mode(const struct table *t) {
    const char *id = table_text(t, "id");
    return strcmp(id, "fmad_i.0228") == 0 || strcmp(id, "fmad_i.0017") == 0;
}

static void replay_group(const char *path, const struct selection *select, struct tally *tally) {
    struct table t;
    assert_true(table_open(&t, path));
    while (table_next(&t)) {
        const bool row_canon = strcmp(table_text(&t, "canon"), "0") != 0;
        if (row_canon == select->canon && !needs_mode(&t)) replay(&t, select, tally);
    }
}

static const char *const GROUPS[] = {
    "int_i2i",    "int_iadd",    "int_iadd_i",    "int_iadd_s",    "int_icmp",     "int_imad",     "int_imad_i",
    "int_imad_s", "int_iminmax", "int_imul",      "int_imul_i",    "int_imul_s",   "int_isad",     "int_isad_s",
    "int_logop",  "int_logop_i", "int_shift",     "fp_fadd",       "fp_fadd_i",    "fp_fadd_s",    "fp_fmul",
    "fp_fmul_i",  "fp_fmul_s",   "fp_fmad",       "fp_fmad_i",     "fp_fmad_s",    "fp_fcmp",      "fp_fminmax",
    "fp_fslct",   "fp_i2f",      "fp_f2i",        "fp_f2f",        "fp_sfu_rcp",   "fp_sfu_rcp_s", "fp_sfu_rsqrt",
    "fp_sfu_lg2", "fp_sfu_ex2",  "fp_sfu_sincos", "fp_sfu_sfupre", "../float/edge"};

static struct tally replay_groups(struct selection select) {
    struct tally total = {0};
    for (size_t i = 0; i < sizeof GROUPS / sizeof GROUPS[0]; i++) {
        char path[128];
        struct tally tally = {0};
        snprintf(path, sizeof path, VECTORS "%s.tsv", GROUPS[i]);
        replay_group(path, &select, &tally);
        print_message("%s canon=%d: %u rows, %u passed, %u failed, %u undefined\n", GROUPS[i], select.canon, tally.rows,
                      tally.passed, tally.failed, tally.trapped);
        total.rows += tally.rows;
        total.passed += tally.passed;
        total.failed += tally.failed;
        total.trapped += tally.trapped;
        total.f64 += tally.f64;
    }
    print_message("canon=%d: %u of %u rows passed, %u undefined\n", select.canon, total.passed, total.rows,
                  total.trapped);
    assert_int_not_equal(total.rows, 0);
    return total;
}

static void test_semantics_of_canonical_words(void **state) {
    (void)state;
    const struct tally total = replay_groups((struct selection){.canon = true});
    assert_int_equal(total.passed, total.rows);
}

static void test_semantics_of_words_with_ignored_bits(void **state) {
    (void)state;
    const struct tally total = replay_groups((struct selection){.canon = false});
    assert_int_equal(total.failed, 0);
    assert_int_equal(total.trapped, total.f64); /* all others are in the table */
    assert_int_not_equal(total.f64, 0);
}

static void test_semantics_without_the_ignored_bits(void **state) {
    (void)state;
    const struct tally total = replay_groups((struct selection){.canon = false, .canonical = true});
    assert_int_equal(total.passed, total.rows);
}

/* The check itself must be able to fail: a wrong value, a wrong flag, a changed register. */
static void test_semantics_check_can_fail(void **state) {
    (void)state;
    struct fixture f;
    struct vector v = {
        .lo = 0x20000405, .hi = 0x0400c780, .reg = {0, 0, 2, 3},
                .canon = true
    }; /* IADD R1, R2, R3 */
    const char *const names[] = {"id", "asm", "dst", "dst_mask", "dst_val", "cc_reg", "cc_val", "cc_mask"};
    struct table t = {.columns = 8};
    memcpy(t.name, names, sizeof names);
    const char *const right[] = {"right", "", "r1", "ffffffff", "5", "c0", "0", "f"};
    const char *const wrong_value[] = {"(meant to fail)", "", "r1", "ffffffff", "6", "c0", "0", "f"};
    const char *const wrong_flag[] = {"(meant to fail)", "", "r1", "ffffffff", "5", "c0", "1", "f"};
    const char *const wrong_place[] = {"(meant to fail)", "", "r2", "ffffffff", "2", "c0", "0", "f"};
    fixture_setup(&f, (uint32_t[]){v.lo, v.hi}, 2);
    fixture_launch(&f);
    load_vector(&f, &v);
    fixture_step(&f);
    memcpy(t.cell, right, sizeof right);
    assert_true(check_state(&f, &t, &v));
    memcpy(t.cell, wrong_value, sizeof wrong_value);
    assert_false(check_state(&f, &t, &v));
    memcpy(t.cell, wrong_flag, sizeof wrong_flag);
    assert_false(check_state(&f, &t, &v));
    memcpy(t.cell, wrong_place, sizeof wrong_place);
    assert_false(check_state(&f, &t, &v));
    fixture_teardown(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_semantics_of_canonical_words),
        cmocka_unit_test(test_semantics_of_words_with_ignored_bits),
        cmocka_unit_test(test_semantics_without_the_ignored_bits),
        cmocka_unit_test(test_semantics_check_can_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
