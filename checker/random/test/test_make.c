/* SPDX-License-Identifier: Apache-2.0 */
/* The generator: every row that the machine executes is drawn, every kernel is what it claims, a seed gives one kernel,
 * and the order of warps does not change a kernel's results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../../cmodel/model.h"
#include "../bounds.h"
#include "../judge.h"
#include "../make.h"
#include "features.h"

enum {
    ENOUGH = 1000,
    ORDERED = 60,
    BRIEF = 60,
    EXTENDED = 20,
    WITHOUT_SEEDS = 3,
    SUBSETS = 40,
    DECLARED_SEEDS = 200,
    REFUSALS_MOST = 20000,
    WARPS_MOST = 256
};

static const struct make_options any = {MAKE_ANY, JUDGE_STEPS};
static const struct make_options trapping = {MAKE_TRAP, JUDGE_STEPS};
static const struct make_options wild = {MAKE_WILD, JUDGE_STEPS};
static const struct make_options running = {MAKE_RUNS, JUDGE_STEPS};

static struct machine machine_with(unsigned wide, unsigned dividers) {
    struct machine machine = MACHINE_DEFAULT;
    machine.has_atomics = true;
    machine.wide = wide;
    machine.dividers = dividers;
    return machine;
}

static struct kernel *make(uint64_t seed, const struct make_options *options, const struct table *table) {
    char why[JUDGE_WHY] = "";
    struct kernel *k = malloc(sizeof *k);
    assert_non_null(k);
    if (!make_kernel(k, seed, options, table, why)) fail_msg("seed %u: %s", (unsigned)seed, why);
    return k;
}

static const struct table *rows(void) {
    struct table *table = malloc(sizeof *table);
    assert_non_null(table);
    table_find(table);
    return table;
}

static void count_rows(const struct kernel *k, unsigned *seen) {
    struct isa_insn insn;
    for (size_t i = 0; i < k->line_count; i++) {
        const struct kernel_line *line = &k->line[i];
        if (isa_decode(line->lo, line->hi, &insn) == ISA_OK) seen[insn.row]++;
        if (!isa_is_long(line->lo) && isa_decode(line->hi, 0, &insn) == ISA_OK) seen[insn.row]++;
    }
}

/* The machine executes the rows on which the model does not trap: found here without the generator's own table. Jumps
 * are rows, too. */
static bool is_executed(size_t row, const struct machine *machine) {
    for (unsigned size = 0; size < 8; size++) {
        struct isa_fields fields;
        uint32_t lo, hi;
        isa_default_fields(row, &fields);
        fields.value[ISA_FIELD_sz] = size;
        if (isa_encode(row, &fields, &lo, &hi) && words_trap(lo, hi, machine) == TRAP_NONE) return true;
    }
    return false;
}

static unsigned count_missing(const unsigned *seen, bool tell) {
    const struct machine plain = machine_with(0, 0);
    unsigned missing = 0;
    for (size_t row = 0; row < isa_row_count(); row++) {
        if (seen[row] == 0 && is_executed(row, &plain)) {
            missing++;
            if (tell) print_message("# %s is not drawn\n", isa_row_id(row));
        }
    }
    return missing;
}

static void test_make_draws_everything(void **state) {
    (void)state;
    const struct table *table = rows();
    struct features f = {0};
    unsigned *seen = calloc(isa_row_count(), sizeof *seen);
    for (uint64_t seed = 1; seed <= ENOUGH && count_missing(seen, false) + features_missing(&f, false) != 0; seed++) {
        const struct make_options *const kinds[] = {&any, &trapping, &any, &wild};
        struct kernel *k = make(seed, kinds[seed % 4], table);
        count_rows(k, seen);
        features_note(&f, k);
        free(k);
    }
    assert_int_equal(count_missing(seen, true), 0);
    assert_int_equal(features_missing(&f, true), 0);
    free(seen);
    free((void *)table);
}

/* The number of rows of sm_10x that are executed but not drawn, or drawn but not executed. */
static unsigned count_wrong(const unsigned *seen, const struct machine *machine) {
    const struct machine plain = machine_with(0, 0), extended = machine_with(8, 8);
    unsigned wrong = 0;
    for (size_t row = 0; row < isa_row_count(); row++)
        if (is_executed(row, &extended) && !is_executed(row, &plain))
            wrong += (seen[row] != 0) != is_executed(row, machine);
    return wrong;
}

static void test_make_draws_sm_10x(void **state) {
    (void)state;
    const struct machine machines[] = {machine_with(8, 0), machine_with(0, 1)};
    for (size_t i = 0; i < 2; i++) {
        struct table *table = malloc(sizeof *table);
        unsigned *seen = calloc(isa_row_count(), sizeof *seen), seed = 1;
        assert_true(table != NULL && seen != NULL);
        table_extend(table, machines[i].wide, machines[i].dividers);
        assert_int_not_equal(count_wrong(seen, &machines[i]), 0);
        for (; seed <= ENOUGH && (seed < EXTENDED || count_wrong(seen, &machines[i]) != 0); seed++) {
            struct kernel *k = make(seed, &running, table);
            count_rows(k, seen);
            free(k);
        }
        assert_int_equal(count_wrong(seen, &machines[i]), 0);
        free(seen);
        free(table);
    }
}

static char *text_of(const struct kernel *k) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    kernel_print(k, out);
    fclose(out);
    return text;
}

static void test_make_depends_on_the_seed_alone(void **state) {
    (void)state;
    const struct table *table = rows();
    char *first[10];
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct kernel *k = make(seed, &any, table);
        first[seed] = text_of(k);
        free(k);
    }
    for (uint64_t seed = 10; seed-- > 0;) {
        struct kernel *k = make(seed, &any, table);
        char *again = text_of(k);
        assert_string_equal(first[seed], again);
        free(again);
        free(first[seed]);
        free(k);
    }
    free((void *)table);
}

static void test_make_keeps_to_the_least_steps(void **state) {
    (void)state;
    const struct table *table = rows();
    for (uint64_t seed = 0; seed < BRIEF; seed++) {
        const struct make_options brief = {(enum make_kind)(seed % (MAKE_WILD + 1)), MAKE_STEPS_LEAST};
        struct kernel *k = make(seed, &brief, table);
        char why[JUDGE_WHY] = "";
        if (judge_kernel(k, MAKE_STEPS_LEAST, why) != JUDGED_LEGAL) fail_msg("seed %u: %s", (unsigned)seed, why);
        free(k);
    }
    free((void *)table);
}

static void test_make_traps_in_every_way(void **state) {
    (void)state;
    const uint32_t all = ((uint32_t)2 << TRAP_BREAKPOINT) - 2;
    const struct table *table = rows();
    uint32_t seen = 0;
    for (uint64_t seed = 1; seed <= ENOUGH && seen != all; seed++) {
        struct kernel *k = make(seed, &trapping, table);
        seen |= (uint32_t)1 << k->trap;
        free(k);
    }
    assert_int_equal(seen, all);
    free((void *)table);
}

/* ----------------------------------------------------------------------------------------------------- judgement */

static enum judgement judge(struct kernel *k, unsigned steps, const char *const *lines) {
    char why[JUDGE_WHY];
    k->grid[0] = k->grid[1] = k->block[0] = k->block[1] = k->block[2] = 1;
    k->regs = 20;
    k->global_bytes = 4096;
    k->line_count = 0;
    for (; *lines != NULL; lines++) kernel_add(k, NO_LABEL, "%s", *lines);
    return judge_kernel(k, steps, why);
}

static void test_make_judges_its_kernels(void **state) {
    (void)state;
    static const char *const ends[] = {"MVI R13, 0x1", "RET", NULL}, *const reads[] = {"MOV R13, R14", "RET", NULL};
    static const char *const traps[] = {"TRAP", NULL}, *const loops[] = {"BRA 0x0", NULL};
    struct kernel *k = calloc(1, sizeof *k);
    assert_non_null(k);
    assert_int_equal(judge(k, 2, ends), JUDGED_LEGAL);
    assert_int_equal(judge(k, 1, ends), JUDGED_LONG);
    assert_int_equal(judge(k, 100, loops), JUDGED_LONG);
    assert_int_equal(judge(k, 100, reads), JUDGED_WRONG);
    assert_int_equal(judge(k, 100, traps), JUDGED_WRONG);
    k->undefined = true;
    assert_int_equal(judge(k, 100, reads), JUDGED_LEGAL);
    k->undefined = false;
    k->trap = TRAP_BREAKPOINT;
    assert_int_equal(judge(k, 100, traps), JUDGED_LEGAL);
    assert_int_equal(judge(k, 100, ends), JUDGED_UNTRUE);
    k->trap = TRAP_FETCH;
    assert_int_equal(judge(k, 100, traps), JUDGED_UNTRUE);
    k->trap = TRAP_NONE;
    k->wild = true;
    assert_int_equal(judge(k, 100, traps), JUDGED_LEGAL);
    free(k);
}

/* ----------------------------------------------------------------------------------------------- orders of warps */

/* Steps warps of the first unfinished blocks, as many as there are places, in an order drawn from the seed. */
struct order {
    struct model *m;
    const struct kernel *k;
    struct rng rng;
    unsigned warps, places, blocks;
    unsigned block_at[32]; /* of each place */
    uint32_t left[32];     /* unfinished warps of each block */
    uint64_t *digest;      /* of each warp of the grid */
};

/* A warp's results: they must be the same in every order. */
static void add_to_digest(uint64_t *digest, const struct retire *r) {
    const uint64_t prime = 0x100000001b3;
    *digest = (*digest ^ r->pc ^ (uint64_t)r->exec << 32) * prime;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint64_t value = (r->dst_mask >> lane & 1) != 0 ? r->dst[lane] : 0;
        const uint64_t flags = (r->c_mask >> lane & 1) != 0 ? r->c[lane] : 0;
        *digest = (*digest ^ value ^ flags << 32) * prime;
    }
}

static void step_one(struct order *o, unsigned place, unsigned warp, unsigned *refused) {
    const unsigned block = o->block_at[place];
    struct retire name = {.slot = place * o->warps + warp,
                          .block_x = block % o->k->grid[0],
                          .block_y = block / o->k->grid[0],
                          .warp = warp};
    struct retire out;
    if (model_step_follow(o->m, &name, &out) != MODEL_RETIRED) {
        assert_true(++*refused < REFUSALS_MOST);
        return;
    }
    *refused = 0;
    add_to_digest(&o->digest[block * o->warps + warp], &out);
    if (out.state == RETIRE_FINISHED) {
        o->left[place] &= ~((uint32_t)1 << warp);
        if (o->left[place] == 0) {
            o->block_at[place] += o->places;
            o->left[place] = UINT32_MAX >> (32 - o->warps);
        }
    }
}

static void run_in_order(const struct kernel *k, uint64_t seed, uint8_t *memory, uint64_t *digest) {
    const struct machine machine = judge_machine(k);
    struct launch run;
    struct diag d = {0};
    char why[JUDGE_WHY];
    assert_true(judge_launch(k, &run, why));
    struct order o = {.m = model_create(&machine), .k = k, .rng = {seed}, .warps = kernel_warps(k), .digest = digest};
    assert_int_equal(model_launch(o.m, run.image, &d), STATUS_OK);
    o.blocks = k->grid[0] * k->grid[1];
    o.places = machine.warps / o.warps < machine.blocks ? machine.warps / o.warps : machine.blocks;
    for (unsigned place = 0; place < o.places; place++) {
        o.block_at[place] = place;
        o.left[place] = UINT32_MAX >> (32 - o.warps);
    }
    for (unsigned refused = 0; !model_finished(o.m);) {
        const unsigned place = rng_below(&o.rng, o.places), warp = rng_below(&o.rng, o.warps);
        const unsigned burst = 1 + rng_below(&o.rng, 30);
        for (unsigned i = 0; i < burst && o.block_at[place] < o.blocks && (o.left[place] >> warp & 1) != 0; i++)
            step_one(&o, place, warp, &refused);
    }
    memcpy(memory, model_global(o.m), machine.global_bytes);
    model_destroy(o.m);
    launch_release(&run);
}

static void test_make_has_no_races(void **state) {
    (void)state;
    const struct table *table = rows();
    const size_t size = ((struct machine)MACHINE_DEFAULT).global_bytes;
    uint8_t *first = malloc(size), *second = malloc(size);
    uint64_t *did = calloc(2 * WARPS_MOST, sizeof *did);
    unsigned several = 0;
    for (uint64_t seed = 1; seed <= ORDERED; seed++) {
        struct kernel *k = make(seed, &running, table);
        if (!k->clocked && !k->undefined && kernel_warps(k) > 1) {
            several++;
            memset(did, 0, 2 * WARPS_MOST * sizeof *did);
            run_in_order(k, seed, first, did);
            run_in_order(k, seed + ORDERED, second, did + WARPS_MOST);
            if (memcmp(first, second, size) != 0 || memcmp(did, did + WARPS_MOST, WARPS_MOST * sizeof *did) != 0)
                fail_msg("seed %u: another order of warps, another result", (unsigned)seed);
        }
        free(k);
    }
    assert_true(several > ORDERED / 4);
    free(did);
    free(first);
    free(second);
    free((void *)table);
}

/* ---- a declared machine ---- */

static const char DECLARED[] = "registers 20\nregister_file 1280\nwarps 2\nblocks 2\nthreads 64\nlocal 0\n"
                               "whole_warps\nlacks R2C C2R GRED PRET BRX PBK BRK CAL S2R isad* *24*\n";

static bool names_lacked(const char *text) {
    static const char *const LACKED[] = {"R2C", "C2R", "GRED", "PRET", "BRX",  "PBK",
                                         "BRK", "CAL", "S2R",  "ISAD", ".U24", ".S24"};
    for (size_t i = 0; i < sizeof LACKED / sizeof LACKED[0]; i++)
        if (strstr(text, LACKED[i]) != NULL) return true;
    return false;
}

/* Only R124 and R127 lie beyond. */
static void check_declared_text(const struct isa_insn *insn) {
    char text[ISA_TEXT_MAX];
    isa_print(insn, ISA_DIALECT_5, text, sizeof text);
    if (names_lacked(text)) fail_msg("'%s' on a machine that lacks it", text);
    if (insn->op == OP_R2G) return; /* a half register's number, printed as a register */
    for (const char *at = strchr(text, 'R'); at != NULL; at = strchr(at + 1, 'R')) {
        const bool is_register = at > text && strchr(" [-~|", at[-1]) != NULL && at[1] >= '0' && at[1] <= '9';
        const unsigned long number = is_register ? strtoul(at + 1, NULL, 10) : 0;
        if (number >= 20 && number != ISA_REG_ZERO && number != ISA_REG_SINK && number / 2 < 62)
            fail_msg("'%s' on a machine of 20 registers", text);
    }
}

static void check_declared(const struct kernel *k) {
    struct isa_insn insn;
    const unsigned threads = kernel_threads(k);
    assert_true(threads == 32 || threads == 64);
    assert_true(k->regs <= 20 && k->regs * threads <= 1280);
    assert_int_equal(k->local_bytes, 0);
    for (size_t i = 0; i < k->line_count; i++) {
        const struct kernel_line *line = &k->line[i];
        if (isa_decode(line->lo, line->hi, &insn) == ISA_OK) check_declared_text(&insn);
        if (!isa_is_long(line->lo) && isa_decode(line->hi, 0, &insn) == ISA_OK) check_declared_text(&insn);
    }
}

/* Kernels that need more tokens are drawn again, shorter. */
static void test_make_keeps_to_a_small_stack(void **state) {
    (void)state;
    struct declared machine;
    struct diag d = {0};
    struct table *table = (struct table *)rows();
    assert_int_equal(declared_read_text("flat", "stack 6\n", &machine, &d), STATUS_OK);
    table_restrict(table, &machine);
    for (uint64_t seed = 1; seed <= DECLARED_SEEDS; seed++) free(make(seed, &running, table));
    free(table);
}

static void test_make_keeps_to_a_declared_machine(void **state) {
    (void)state;
    struct declared machine;
    struct diag d = {0};
    struct table *table = (struct table *)rows();
    unsigned traps = 0;
    assert_int_equal(declared_read_text("small", DECLARED, &machine, &d), STATUS_OK);
    table_restrict(table, &machine);
    for (uint64_t seed = 1; seed <= DECLARED_SEEDS; seed++) {
        struct kernel *k = make(seed, &any, table);
        if (!k->wild) check_declared(k);
        traps += k->trap != TRAP_NONE;
        free(k);
    }
    assert_true(traps > 0);
    free(table);
}

/* Rows for a machine that a text declares; the text must stay valid. */
static struct table *declared_rows(const char *text, struct declared *machine) {
    struct diag d = {0};
    struct table *table = (struct table *)rows();
    if (declared_read_text("declared", text, machine, &d) != STATUS_OK) fail_msg("%s", d.text);
    table_restrict(table, machine);
    return table;
}

static unsigned count_op(const struct kernel *k, enum isa_op op) {
    struct isa_insn insn;
    unsigned count = 0;
    for (size_t i = 0; i < k->line_count; i++) {
        const struct kernel_line *line = &k->line[i];
        count += isa_decode(line->lo, line->hi, &insn) == ISA_OK && insn.op == op;
        count += !isa_is_long(line->lo) && isa_decode(line->hi, 0, &insn) == ISA_OK && insn.op == op;
    }
    return count;
}

/* The number of instructions whose mnemonic has this prefix. */
static unsigned count_mnemonic(const struct kernel *k, const char *name) {
    unsigned count = 0;
    for (size_t i = 0; i < k->line_count; i++) {
        const struct kernel_line *line = &k->line[i];
        count += strncmp(bounds_name(line->lo, line->hi), name, strlen(name)) == 0;
        count += !isa_is_long(line->lo) && strncmp(bounds_name(line->hi, 0), name, strlen(name)) == 0;
    }
    return count;
}

/* No single operation is needed by every kernel. */
static void test_make_does_without_any_operation(void **state) {
    (void)state;
    for (unsigned op = 0; op < OP_COUNT; op++) {
        char text[64];
        struct declared machine;
        snprintf(text, sizeof text, "lacks %s*\n", isa_op_name((enum isa_op)op));
        struct table *table = declared_rows(text, &machine);
        for (uint64_t seed = 1; seed <= WITHOUT_SEEDS; seed++) {
            struct kernel *k = make(seed, &any, table);
            if (count_mnemonic(k, isa_op_name((enum isa_op)op)) > 0)
                fail_msg("%s on a machine that lacks it", isa_op_name((enum isa_op)op));
            free(k);
        }
        free(table);
    }
}

/* Nor is any small set of operations: a word for each set bit. */
static void test_make_does_without_many_operations(void **state) {
    (void)state;
    struct rng rng = {2026};
    for (unsigned n = 0; n < SUBSETS; n++) {
        char text[2048] = "lacks TEX";
        struct declared machine;
        const uint32_t percent = 10 + 20 * rng_below(&rng, 5);
        for (unsigned op = 0; op < OP_COUNT; op++)
            if (op != OP_RET && rng_percent(&rng, percent))
                snprintf(text + strlen(text), sizeof text - strlen(text), " %s*", isa_op_name((enum isa_op)op));
        snprintf(text + strlen(text), sizeof text - strlen(text), "\nbanks %u\n%s", rng_below(&rng, 16),
                 rng_percent(&rng, 30) ? "constant 0\n" : "");
        struct table *table = declared_rows(text, &machine);
        char why[JUDGE_WHY] = "";
        struct kernel *k = malloc(sizeof *k);
        for (uint64_t seed = 1; seed <= 2; seed++)
            if (!make_kernel(k, seed, &any, table, why)) fail_msg("%s: %s", text, why);
        free(k);
        free(table);
    }
}

/* The faults of FlexGripPlus deprive kernels of neither control flow, nor memory, nor defined values. */
static void test_make_keeps_what_does_not_need_what_is_lacking(void **state) {
    (void)state;
    struct declared machine;
    struct table *table = declared_rows("lacks A2R I2I IADD* LOP*\nbanks 1\n", &machine);
    unsigned undefined = 0, warps = 0, loops = 0, stores = 0, shared = 0;
    for (uint64_t seed = 1; seed <= DECLARED_SEEDS; seed++) {
        struct kernel *k = make(seed, &running, table);
        undefined += k->undefined;
        warps += kernel_warps(k) > 1;
        loops += count_op(k, OP_BRA);
        stores += count_op(k, OP_GST);
        shared += count_op(k, OP_R2G);
        assert_int_equal(k->bank[1].number, 1);
        assert_int_equal(k->bank[0].words + k->bank[2].words, 0);
        free(k);
    }
    free(table);
    assert_true(undefined * 3 < DECLARED_SEEDS); /* 15 % are undefined on purpose */
    assert_true(warps * 4 > DECLARED_SEEDS && loops > DECLARED_SEEDS && stores > DECLARED_SEEDS);
    assert_true(shared > DECLARED_SEEDS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_make_judges_its_kernels),
        cmocka_unit_test(test_make_draws_everything),
        cmocka_unit_test(test_make_draws_sm_10x),
        cmocka_unit_test(test_make_depends_on_the_seed_alone),
        cmocka_unit_test(test_make_keeps_to_the_least_steps),
        cmocka_unit_test(test_make_traps_in_every_way),
        cmocka_unit_test(test_make_has_no_races),
        cmocka_unit_test(test_make_keeps_to_a_declared_machine),
        cmocka_unit_test(test_make_does_without_any_operation),
        cmocka_unit_test(test_make_does_without_many_operations),
        cmocka_unit_test(test_make_keeps_what_does_not_need_what_is_lacking),
        cmocka_unit_test(test_make_keeps_to_a_small_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
