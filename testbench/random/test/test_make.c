/* SPDX-License-Identifier: Apache-2.0 */
/* The generator: every row that the machine executes is drawn, every kernel is what it says of itself, a seed means one
 * kernel, and the order of warps does not change what a kernel computes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../../cmodel/model.h"
#include "../draw.h"
#include "../judge.h"
#include "../make.h"

enum { ENOUGH = 1000, ORDERED = 60, WHY_BYTES = 256, REFUSALS_MOST = 20000, WARPS_MOST = 256 };

static const struct make_options any = {MAKE_ANY, JUDGE_STEPS};
static const struct make_options trapping = {MAKE_TRAP, JUDGE_STEPS};
static const struct make_options running = {MAKE_RUNS, JUDGE_STEPS};

static struct kernel *make(uint64_t seed, const struct make_options *options, const struct table *table) {
    char why[WHY_BYTES] = "";
    struct kernel *k = malloc(sizeof *k);
    assert_non_null(k);
    if (!make_kernel(k, seed, options, table, why)) {
        fail_msg("seed %u: %s", (unsigned)seed, why);
    }
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
        if (isa_decode(line->lo, line->hi, &insn) == ISA_OK) {
            seen[insn.row]++;
        }
        if (!isa_is_long(line->lo) && isa_decode(line->hi, 0, &insn) == ISA_OK) {
            seen[insn.row]++;
        }
    }
}

/* What the machine executes is what the model does not trap on: found here without the generator's own table. Jumps are
 * rows, too. */
static bool is_executed(size_t row) {
    for (unsigned size = 0; size < 8; size++) {
        struct isa_fields fields;
        uint32_t lo, hi;
        isa_default_fields(row, &fields);
        fields.value[ISA_FIELD_sz] = size;
        if (isa_encode(row, &fields, &lo, &hi) && words_trap(lo, hi, true) == TRAP_NONE) {
            return true;
        }
    }
    return false;
}

static unsigned count_missing(const unsigned *seen, bool tell) {
    unsigned missing = 0;
    for (size_t row = 0; row < isa_row_count(); row++) {
        if (seen[row] == 0 && is_executed(row)) {
            missing++;
            if (tell) {
                print_message("# %s is not drawn\n", isa_row_id(row));
            }
        }
    }
    return missing;
}

/* ------------------------------------------------------------------------------------------------------- features
 * What docs/fuzz.md says that kernels are made of, by name, with the kernels that have it. */

enum { FEATURES_MAX = 160 };

struct features {
    struct {
        char name[32];
        unsigned kernels;
        uint64_t last; /* seed */
    } at[FEATURES_MAX];
    size_t count;
    uint64_t seed;
};

__attribute__((format(printf, 3, 4))) static void note(struct features *f, bool has, const char *format, ...) {
    char name[32];
    va_list args;
    if (!has) return;
    va_start(args, format);
    vsnprintf(name, sizeof name, format, args);
    va_end(args);
    size_t i = 0;
    while (i < f->count && strcmp(f->at[i].name, name) != 0) i++;
    assert_true(i < FEATURES_MAX);
    if (i == f->count) strcpy(f->at[f->count++].name, name);
    if (f->at[i].kernels == 0 || f->at[i].last != f->seed) f->at[i].kernels++;
    f->at[i].last = f->seed;
}

static void note_operand(struct features *f, const struct kernel *k, const struct isa_insn *insn,
                         const struct isa_operand *o, bool written) {
    static const char *const memories[] = {[ISA_SHARED] = "shared", [ISA_CONST] = "const", [ISA_LOCAL] = "local"};
    switch (o->kind) {
    case ISA_REG32:
        note(f, o->reg == 124, "R124");
        note(f, written && o->reg == 127, "bucket");
        note(f, o->reg >= k->regs && o->reg < 124, written ? "beyond, written" : "beyond, read");
        break;
    case ISA_REG16: note(f, true, "half %s", o->reg % 2 != 0 ? "H" : "L"); break;
    case ISA_GLOBAL:
        note(f, true, "%s of %u", isa_op_name(insn->op), o->bytes);
        note(f, insn->op == OP_GLD && insn->dst.reg == o->reg, "load over its address");
        break;
    case ISA_SHARED:
    case ISA_CONST:
    case ISA_LOCAL:
        note(f, o->indexed, "%s of %u by A", memories[o->kind], o->bytes);
        note(f, o->indexed && insn->areg_inc, "%s, then A + n", memories[o->kind]);
        note(f, o->kind == ISA_CONST, "bank %s", o->bank == 0 ? "0" : o->bank == 1 ? "1" : "far");
        break;
    default: break;
    }
}

static void note_instruction(struct features *f, const struct kernel *k, const struct isa_insn *insn) {
    const struct isa_operand *all[] = {&insn->dst, &insn->src[0], &insn->src[1], &insn->src[2]};
    const bool memory = insn->unit == UNIT_GLOBAL, flow = insn->unit == UNIT_FLOW;
    const bool guarded = insn->guarded && insn->cond != ISA_COND_TRUE;
    for (size_t i = 0; i < 4; i++) note_operand(f, k, insn, all[i], i == 0);
    note(f, insn->ignored != 0, "ignored bits");
    note(f, insn->marker == ISA_MARK_END, "END on %s", memory ? "memory" : flow ? "flow" : "others");
    note(f, insn->marker == ISA_MARK_JOIN, "JOIN on %s", memory ? "memory" : flow ? "flow" : "others");
    note(f, guarded && !flow, "guard on %s", memory ? "memory" : "others");
    note(f, guarded && flow, "guarded %s", isa_op_name(insn->op));
    note(f, insn->op == OP_BRX, insn->src[0].indexed ? "BRX by A" : "BRX");
    note(f, insn->op == OP_CAL || insn->op == OP_PRET || insn->op == OP_PBK || insn->op == OP_SSY, "%s",
         isa_op_name(insn->op));
    note(f, insn->op == OP_BAR && insn->barrier_wait, "wait at b%u", insn->barrier);
    note(f, insn->op == OP_BAR && !insn->barrier_wait, "arrive only");
    note(f, insn->lane_mask != 15, "lane mask");
    note(f, insn->op == OP_S2R && insn->sreg == 1, "clock");
}

static void note_launch(struct features *f, const struct kernel *k) {
    const unsigned threads = kernel_threads(k), blocks = k->grid[0] * k->grid[1];
    note(f, threads == 1, "one thread");
    note(f, threads > 128, "more than 128 threads");
    note(f, threads % 32 != 0, "a last warp in part");
    note(f, k->block[1] > 1 && k->block[2] > 1, "three dimensions");
    note(f, k->grid[1] > 1, "two dimensions of blocks");
    note(f, blocks > 8, "more than 8 blocks");
    note(f, k->regs > 64, "more than 64 registers");
    note(f, k->param_count == 0, "no parameters");
    note(f, k->param_count == 4, "4 parameters");
    note(f, k->local_bytes == 0, "no local memory");
    note(f, k->local_bytes > 0 && k->local_bytes <= 32, "little local memory");
    note(f, k->local_bytes > 128, "much local memory");
    note(f, k->atomics, "sm_11");
    note(f, k->undefined, "undefined");
    note(f, k->clocked, "clocked");
    note(f, k->wild, "wild");
    note(f, k->trap != TRAP_NONE, "trap %u", (unsigned)k->trap);
}

static unsigned nesting(const struct kernel *k, unsigned part) {
    unsigned depth = 0;
    for (; part != KERNEL_WHOLE; part = k->part_around[part]) depth++;
    return depth;
}

/* The address of what is to trap goes wrong; the access is one of the next lines. */
static bool adds_fault(const struct isa_insn *insn) {
    return insn->op == OP_IADD && insn->dst.reg == REG_SCRATCH && insn->src[0].kind == ISA_REG32 &&
           insn->src[0].reg == REG_SCRATCH && insn->src[1].kind == ISA_REG32 &&
           insn->src[1].reg == REG_COUNTER + COUNTERS - 1;
}

static void note_kernel(struct features *f, const struct kernel *k) {
    unsigned deepest = 0;
    size_t fault = SIZE_MAX / 2;
    note_launch(f, k);
    for (size_t i = 0; i < k->line_count; i++) {
        const struct kernel_line *line = &k->line[i];
        struct isa_insn insn;
        const bool is_long = isa_is_long(line->lo);
        const enum trap trap = is_long ? words_trap(line->lo, line->hi, k->atomics) : TRAP_NONE;
        const unsigned depth = nesting(k, line->part);
        const bool tame = !k->wild && k->trap != TRAP_UNDEFINED && k->trap != TRAP_UNIMPLEMENTED;
        deepest = depth > deepest ? depth : deepest;
        note(f, k->wild && trap != TRAP_NONE, "wild trap %u", (unsigned)trap);
        if (isa_decode(line->lo, line->hi, &insn) == ISA_OK) {
            if (tame && trap == TRAP_NONE) note_instruction(f, k, &insn);
            if (adds_fault(&insn)) fault = i;
            note(f, i - fault <= 3 && insn.marker == ISA_MARK_END, "trap with END");
            note(f, i - fault <= 3 && insn.marker == ISA_MARK_JOIN, "trap with JOIN");
        }
        if (tame && !is_long && isa_decode(line->hi, 0, &insn) == ISA_OK) note_instruction(f, k, &insn);
    }
    note(f, deepest >= 5, "nested %u deep", deepest >= 15 ? 15 : deepest / 5 * 5);
}

/* What a change of the generator must not lose; numbers are barriers and traps. */
static const char *const FEATURES[] = {
    "R124",
    "bucket",
    "beyond, read",
    "beyond, written",
    "half L",
    "half H",
    "ignored bits",
    "lane mask",
    "clock",
    "GLD of 1",
    "GLD of 2",
    "GLD of 4",
    "GLD of 8",
    "GLD of 16",
    "load over its address",
    "GST of 1",
    "GST of 2",
    "GST of 4",
    "GST of 8",
    "GST of 16",
    "GRED of 4",
    "GATOM of 4",
    "shared of 1 by A",
    "shared of 2 by A",
    "shared of 4 by A",
    "shared, then A + n",
    "const of 1 by A",
    "const of 2 by A",
    "const of 4 by A",
    "const, then A + n",
    "bank 0",
    "bank 1",
    "bank far",
    "local of 1 by A",
    "local of 2 by A",
    "local of 4 by A",
    "local of 8 by A",
    "local of 16 by A",
    "local, then A + n",
    "END on memory",
    "END on others",
    "JOIN on memory",
    "JOIN on others",
    "guard on memory",
    "guard on others",
    "guarded BRA",
    "guarded BRK",
    "guarded RET",
    "BRX",
    "BRX by A",
    "CAL",
    "PRET",
    "PBK",
    "SSY",
    "nested 5 deep",
    "nested 15 deep",
    "wait at b0",
    "arrive only",
    "one thread",
    "more than 128 threads",
    "a last warp in part",
    "three dimensions",
    "two dimensions of blocks",
    "more than 8 blocks",
    "more than 64 registers",
    "no parameters",
    "4 parameters",
    "no local memory",
    "little local memory",
    "much local memory",
    "sm_11",
    "undefined",
    "clocked",
    "wild",
    "wild trap 1",
    "wild trap 2",
    "trap with END",
    "trap with JOIN",
};

static unsigned count_lost(const struct features *f, bool tell) {
    unsigned lost = 0;
    for (size_t i = 0; i < sizeof FEATURES / sizeof FEATURES[0]; i++) {
        size_t k = 0;
        while (k < f->count && strcmp(f->at[k].name, FEATURES[i]) != 0) k++;
        if (k < f->count) continue;
        lost++;
        if (tell) print_message("# %s is not drawn\n", FEATURES[i]);
    }
    return lost;
}

static void test_make_draws_everything(void **state) {
    (void)state;
    const struct table *table = rows();
    static struct features f;
    unsigned *seen = calloc(isa_row_count(), sizeof *seen);
    for (f.seed = 1; f.seed <= ENOUGH && (count_missing(seen, false) != 0 || count_lost(&f, false) != 0); f.seed++) {
        struct kernel *k = make(f.seed, f.seed % 2 == 0 ? &any : &trapping, table);
        count_rows(k, seen);
        note_kernel(&f, k);
        free(k);
    }
    assert_int_equal(count_missing(seen, true), 0);
    assert_int_equal(count_lost(&f, true), 0);
    free(seen);
    free((void *)table);
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
    char why[WHY_BYTES];
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

/* Steps warps of the first unfinished blocks, as many as there are places for, in an order drawn from the seed. */
struct order {
    struct model *m;
    const struct kernel *k;
    struct rng rng;
    unsigned warps, places, blocks;
    unsigned block_at[32]; /* of each place */
    uint32_t left[32];     /* warps of it that have not finished */
    uint64_t *digest;      /* of each warp of the grid */
};

/* What a warp did: it must be the same in every order. */
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
    assert_int_equal(judge_launch(k, "random.sass", &run, &d), STATUS_OK);
    struct order o = {.m = model_create(&machine), .k = k, .rng = {seed}, .warps = kernel_warps(k), .digest = digest};
    assert_int_equal(model_launch(o.m, &run, &d), STATUS_OK);
    o.blocks = k->grid[0] * k->grid[1];
    o.places = machine.warps / o.warps < machine.blocks ? machine.warps / o.warps : machine.blocks;
    for (unsigned place = 0; place < o.places; place++) {
        o.block_at[place] = place;
        o.left[place] = UINT32_MAX >> (32 - o.warps);
    }
    for (unsigned refused = 0; !model_finished(o.m);) {
        const unsigned place = rng_below(&o.rng, o.places), warp = rng_below(&o.rng, o.warps);
        const unsigned burst = 1 + rng_below(&o.rng, 30);
        for (unsigned i = 0; i < burst && o.block_at[place] < o.blocks && (o.left[place] >> warp & 1) != 0; i++) {
            step_one(&o, place, warp, &refused);
        }
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
            if (memcmp(first, second, size) != 0 || memcmp(did, did + WARPS_MOST, WARPS_MOST * sizeof *did) != 0) {
                fail_msg("seed %u: another order of warps, another result", (unsigned)seed);
            }
        }
        free(k);
    }
    assert_true(several > ORDERED / 4);
    free(did);
    free(first);
    free(second);
    free((void *)table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_make_judges_its_kernels),
        cmocka_unit_test(test_make_draws_everything),
        cmocka_unit_test(test_make_depends_on_the_seed_alone),
        cmocka_unit_test(test_make_traps_in_every_way),
        cmocka_unit_test(test_make_has_no_races),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
