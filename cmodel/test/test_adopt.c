/* SPDX-License-Identifier: Apache-2.0 */
/* Adoption: for which undefined values, guards and addresses of the RTL the model takes over values from its record,
 * and for which not. The "RTL" of these tests is a record made by hand. */
#include <string.h>

#include "fixture.h"

/* The last of `count` instructions of a source, which adopts from its record. */
static struct retire follow_last(struct fixture *f, const char *text, unsigned count, const struct retire *last) {
    fixture_source(f, text);
    f->image.local_bytes = 16;
    fixture_launch(f);
    return fixture_follow(f, count, last);
}

static uint64_t adopted(const struct fixture *f) {
    struct model_counts counts;
    model_get_counts(f->m, &counts);
    return counts.adopted;
}

static void test_adopt_results_of_undefined_operands(void **state) {
    (void)state;
    struct fixture f;
    struct retire rtl = fixture_record(0, 0, 0, 0, 0);
    for (unsigned i = 0; i < WARP_LANES; i++) {
        rtl.dst[i] = 1000 + i;
        rtl.c[i] = i % 16;
    }
    struct retire out = follow_last(&f, "IADD.C1 R1, R0, R5\n!NOP\n", 1, &rtl);
    assert_int_equal(out.dst[7], 1007);
    assert_int_equal(out.c[7], 7);
    assert_int_equal(model_peek_reg(f.m, 0, 0, 7, 1), 1007);
    assert_int_equal(model_peek_creg(f.m, 0, 0, 7, 1), 7);
    assert_int_equal(adopted(&f), 64);
    assert_int_equal(model_undefined_count(f.m), 1);
    fixture_teardown(&f);

    /* a defined result is the model's own, whatever the RTL says */
    out = follow_last(&f, "IADD R1, R0, R0\n!NOP\n", 1, &rtl);
    assert_int_equal(out.dst[7], 14);
    assert_int_equal(adopted(&f), 0);
    fixture_teardown(&f);

    out = follow_last(&f, "MOV.U16 R2H, R3L\n!NOP\n", 1, &rtl);
    assert_int_equal(out.dst[7], 1007);
    fixture_teardown(&f);
}

/* Only lanes that read an undefined register or cell of shared memory are adopted; lanes 16..31 have written both. */
static void test_adopt_lane_by_lane(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t lane_20;
    } CASES[] = {
        {"MVI R2, 0x10\nI2I.U32.U16 R3, R0L\nISET.C0 o [0x7f], R3, R2, GE\n"
         "MOV R1 (C0.NE), R0\nIADD R4, R1, R1\n!NOP\n",                            40},
        {"MVI R2, 0x10\nISET.C0 o [0x7f], R0, R2, GE\nR2A A1, R0\n"
         "R2G.U16.U8 g [A1+0x20] (C0.NE), R0\nG2R.U32.U8 R1, g [A1+0x20]\n!NOP\n", 20},
    };
    struct retire rtl = fixture_record(0, 0, 0, 0, 0);
    rtl.dst[3] = 33;
    rtl.dst[20] = 2020;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct fixture f;
        const struct retire out = follow_last(&f, CASES[i].text, 5, &rtl);
        assert_int_equal(out.dst[3], 33);
        assert_int_equal(out.dst[20], CASES[i].lane_20);
        assert_int_equal(adopted(&f), 16);
        fixture_teardown(&f);
    }
}

/* R6 is defined in lanes 16..31, where addresses, flags, A registers, data and atomics are the model's own. */
static void test_adopt_nothing_of_the_other_lanes(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t values; /* of the record */
        uint32_t lane_20;
    } CASES[] = {
        {"IADD.C1 R1, R6, R6",              offsetof(struct retire, c),    0     }, /* neither zero nor negative */
        {"R2A A1, R6, 0x1",                 offsetof(struct retire, a),    2 * 20},
        {"GST.U32 global14 [R7], R6",       offsetof(struct retire, data), 20    },
        {"GRED.IADD.U32 global14 [R7], R6", offsetof(struct retire, data), 20    },
        {"GST.U8 global14 [R6], R0",        offsetof(struct retire, addr), 20    },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct fixture f;
        struct retire out, rtl = fixture_record(0, 0, 0, 0, 0);
        char text[256];
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            rtl.c[lane] = rtl.a[lane] = rtl.data[lane] = rtl.addr[lane] = 15;
        snprintf(text, sizeof text,
                 "SHL R7, R0, 0x2\nMVI R2, 0x10\nISET.C0 o [0x7f], R0, R2, GE\nMOV R6 (C0.NE), R0\n%s\n!NOP\n",
                 CASES[i].text);
        fixture_source(&f, text);
        f.machine.has_atomics = true;
        fixture_launch(&f);
        for (unsigned step = 0; step < 5; step++) assert_int_equal(model_step_follow(f.m, &rtl, &out), MODEL_RETIRED);
        uint32_t values[WARP_LANES];
        memcpy(values, (const char *)&out + CASES[i].values, sizeof values);
        assert_int_equal(values[3], 15);
        assert_int_equal(values[20], CASES[i].lane_20);
        fixture_teardown(&f);
    }
}

static void test_adopt_guards(void **state) {
    (void)state;
    struct fixture f;
    struct retire rtl = fixture_record(0, 0, 0, 0, 0);
    rtl.exec = 0x0000ff00;
    struct retire out = follow_last(&f, "MOV R1 (C2.NE), R0\n!NOP\n", 1, &rtl);
    assert_int_equal(out.exec, 0x0000ff00);
    assert_int_equal(out.dst_mask, 0x0000ff00);
    assert_int_equal(out.dst[9], 9);
    fixture_teardown(&f);

    out = follow_last(&f, "BRA C2.NE, 0x10\n!NOP\n!NOP\n", 1, &rtl);
    assert_int_equal(out.next_pc, 0x10);
    assert_int_equal(out.next_active, 0x0000ff00);
    assert_int_equal(out.depth, 1);
    fixture_teardown(&f);

    /* absent threads do not execute, whatever the RTL's record says */
    fixture_source(&f, "MOV R1 (C2.NE), R0\n!NOP\n");
    f.image.block[0] = 12;
    fixture_launch(&f);
    out = fixture_follow(&f, 1, &rtl);
    assert_int_equal(out.exec, 0x00000f00);
    fixture_teardown(&f);

    /* C2 is known to hold NE in lanes 16..31, whatever the RTL's record says */
    out = follow_last(
        &f, "MVI R2, 0x10\nISET.C0 o [0x7f], R0, R2, GE\nR2C C2 (C0.NE), R124\nMOV R1 (C2.NE), R0\n!NOP\n", 4, &rtl);
    assert_int_equal(out.exec, 0xffffff00);
    fixture_teardown(&f);

    /* and now it is known not to hold there */
    rtl.exec = 0xff00ff00;
    out = follow_last(&f, "MVI R2, 0x11\nISET.C0 o [0x7f], R0, R2, GE\nR2C C2 (C0.NE), R2\nMOV R1 (C2.NE), R0\n!NOP\n",
                      4, &rtl);
    assert_int_equal(out.exec, 0x0000ff00);
    fixture_teardown(&f);
}

static void test_adopt_addresses_and_data(void **state) {
    (void)state;
    struct fixture f;
    struct retire rtl = fixture_record(0, 0, 0, 0, 0);
    for (unsigned i = 0; i < WARP_LANES; i++) {
        rtl.addr[i] = 0x400 + 4 * i;
        rtl.data[i] = 0xd000 + i;
    }
    struct retire out = follow_last(&f, "GST.U32 global14 [R5], R6\n!NOP\n", 1, &rtl);
    assert_int_equal(out.addr[3], 0x40c);
    assert_int_equal(out.data[3], 0xd003);
    assert_memory_equal(model_global(f.m) + 0x40c, "\x03\xd0\0\0", 4);
    fixture_teardown(&f);

    /* undefined data does not affect the address */
    out = follow_last(&f, "ADA A1, A0, 0x24\nR2G.U32.U32 g [A1+0x0], R5\n!NOP\n", 2, &rtl);
    assert_int_equal(out.addr[3], 0x24);
    assert_int_equal(out.data[3], 0xd003);
    fixture_teardown(&f);

    /* an adopted address is loaded from the model's memory: only the address was undefined */
    rtl.dst[3] = 77;
    out = follow_last(&f, "GLD.U32 R1, global14 [R5]\n!NOP\n", 1, &rtl);
    assert_int_equal(out.addr[3], 0x40c);
    assert_int_equal(out.dst[3], 0);
    fixture_teardown(&f);

    /* the same for local memory */
    struct retire local = fixture_record(0, 0, 0, 0, 0);
    for (unsigned i = 0; i < WARP_LANES; i++) {
        local.addr[i] = 4;
        local.dst[i] = 77;
    }
    out = follow_last(&f, "LST.U32 local [0x4], R0\nLLD.U32 R1, local [A2+0x0]\n!NOP\n", 2, &local);
    assert_int_equal(out.dst[3], 3);
    fixture_teardown(&f);

    /* undefined bytes of local memory come from the RTL */
    out = follow_last(&f, "LLD.U32 R1, local [0x4]\n!NOP\n", 1, &rtl);
    assert_int_equal(out.dst[3], 77);
    fixture_teardown(&f);

    /* adopted data is defined from then on */
    out = follow_last(&f, "LST.U32 local [0x4], R9\nLLD.U32 R1, local [0x4]\n!NOP\n", 2, &rtl);
    assert_int_equal(out.dst[3], 0);
    fixture_teardown(&f);
}

static void test_adopt_address_registers(void **state) {
    (void)state;
    struct fixture f;
    struct retire rtl = fixture_record(0, 0, 0, 0, 0);
    for (unsigned i = 0; i < WARP_LANES; i++) {
        rtl.a[i] = 0x20 + i;
        rtl.dst[i] = 5;
    }
    struct retire out = follow_last(&f, "R2A A1, R5\n!NOP\n", 1, &rtl);
    assert_int_equal(out.a[3], 0x23);
    assert_int_equal(model_peek_areg(f.m, 0, 0, 3, 1), 0x23);
    assert_int_equal(model_peek_areg(f.m, 0, 0, 1, 5), 0); /* there is no A5 */
    fixture_teardown(&f);
    out = follow_last(&f, "MOV R1, g [A2+++0x1]\n!NOP\n", 1, &rtl);
    assert_int_equal(out.a[3], 0x23);
    assert_int_equal(out.dst[3], 5);
    fixture_teardown(&f);

    /* if only the loaded value is undefined, A2 is the model's */
    out = follow_last(&f, "ADA A2, A0, 0x24\nMOV R1, g [A2+++0x1]\n!NOP\n", 2, &rtl);
    assert_int_equal(out.a[3], 0x28);
    assert_int_equal(out.dst[3], 5);
    fixture_teardown(&f);
}

/* The model's trap for a trap of the RTL in the last of `count` instructions. */
static enum trap adopted_trap(const char *text, unsigned count, enum trap trap) {
    struct fixture f;
    struct retire rtl = fixture_record(0, 0, 0, 0, 0);
    rtl.trap = trap;
    rtl.exec = rtl.dst_mask = rtl.c_mask = rtl.a_mask = rtl.mem_mask = 0;
    const struct retire out = follow_last(&f, text, count, &rtl);
    fixture_teardown(&f);
    return (enum trap)out.trap;
}

/* An undefined address that trapped in the RTL traps in the model, if such an access can trap so; a defined address
 * does not, whatever the RTL's record says. */
static void test_adopt_traps_of_undefined_addresses(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum trap rtl, model;
    } CASES[] = {
        {"GLD.U32 R1, global14 [R5]\n!NOP\n",   TRAP_GLOBAL_RANGE,    TRAP_GLOBAL_RANGE},
        {"GLD.U32 R1, global14 [R5]\n!NOP\n",   TRAP_GLOBAL_ALIGN,    TRAP_GLOBAL_ALIGN},
        {"GLD.U32 R1, global14 [R5]\n!NOP\n",   TRAP_SHARED_RANGE,    TRAP_NONE        },
        {"GLD.U32 R1, global14 [R5]\n!NOP\n",   TRAP_LOCAL_ALIGN,     TRAP_NONE        },
        {"GLD.U32 R1, global14 [R5]\n!NOP\n",   TRAP_STACK_OVERFLOW,  TRAP_NONE        },
        {"GLD.U8 R1, global14 [R5]\n!NOP\n",    TRAP_GLOBAL_ALIGN,    TRAP_NONE        }, /* a byte is always aligned */
        {"GLD.U8 R1, global14 [R5]\n!NOP\n",    TRAP_GLOBAL_RANGE,    TRAP_GLOBAL_RANGE},
        {"GLD.U32 R1, global14 [R124]\n!NOP\n", TRAP_GLOBAL_RANGE,    TRAP_NONE        },
        {"GST.U32 global14 [R124], R5\n!NOP\n", TRAP_GLOBAL_RANGE,    TRAP_NONE        }, /* defined */
        {"MOV R1, g [A2+0x1]\n!NOP\n",          TRAP_SHARED_RANGE,    TRAP_SHARED_RANGE},
        {"MOV R1, g [A2+0x1f]\n!NOP\n",         TRAP_NONE,            TRAP_NONE        }, /* A2 comes from the RTL */
        {"MOV R1, g [A2+0x1]\n!NOP\n",          TRAP_GLOBAL_RANGE,    TRAP_NONE        },
        {"MOV R1, g [A2+0x1]\n!NOP\n",          TRAP_BARRIER_PARTIAL, TRAP_NONE        },
        {"LLD.U16 R1, local [A2+0x2]\n!NOP\n",  TRAP_LOCAL_ALIGN,     TRAP_LOCAL_ALIGN },
        {"LLD.U16 R1, local [A2+0x2]\n!NOP\n",  TRAP_SHARED_ALIGN,    TRAP_NONE        },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const enum trap trap = adopted_trap(CASES[i].text, 1, CASES[i].rtl);
        if (trap != CASES[i].model) print_error("%strap %u gave %u\n", CASES[i].text, CASES[i].rtl, trap);
        assert_int_equal(trap, CASES[i].model);
    }
}

/* In a sum with an undefined register, the constant's address is still defined. */
static void test_adopt_no_trap_of_undefined_data(void **state) {
    (void)state;
    static uint8_t zero[4];
    struct fixture f;
    struct retire rtl = fixture_record(0, 0, 0, 0, 0);
    rtl.trap = TRAP_CONST_RANGE;
    fixture_source(&f, "R2A A1, R124\nIADD R2, R5, c [0x1] [A1+0x0]\n!NOP\n");
    f.image.bank[1].bytes = zero;
    f.image.bank[1].size = sizeof zero;
    fixture_launch(&f);
    assert_int_equal(fixture_follow(&f, 2, &rtl).trap, TRAP_NONE);
    fixture_teardown(&f);
}

/* An undefined guard: the trap must be one that some lane raises if it executes. R0 is 0 .. 31. */
static void test_adopt_traps_of_undefined_guards(void **state) {
    (void)state;
    assert_int_equal(adopted_trap("GLD.U32 R1 (C1.NE), global14 [R0]\n!NOP\n", 1, TRAP_GLOBAL_ALIGN),
                     TRAP_GLOBAL_ALIGN);
    assert_int_equal(adopted_trap("GLD.U32 R1 (C1.NE), global14 [R124]\n!NOP\n", 1, TRAP_GLOBAL_ALIGN), TRAP_NONE);
    assert_int_equal(adopted_trap("GLD.U32 R1 (C1.NE), global14 [R5]\n!NOP\n", 1, TRAP_GLOBAL_RANGE),
                     TRAP_GLOBAL_RANGE);
    /* lane 1 would be misaligned, lane 4 out of range: the RTL's trap decides which of them executed */
    assert_int_equal(adopted_trap("SHL R1, R0, 0x1d\nIADD R1, R1, R0\nGLD.U32 R2 (C1.NE), global14 [R1]\n!NOP\n", 3,
                                  TRAP_GLOBAL_RANGE),
                     TRAP_GLOBAL_RANGE);
    assert_int_equal(
        adopted_trap("SHL R1, R0, 0x1d\nIADD R1, R1, R0\nGLD.U32 R2, global14 [R1]\n!NOP\n", 3, TRAP_GLOBAL_RANGE),
        TRAP_GLOBAL_ALIGN); /* all lanes execute */
    assert_int_equal(adopted_trap("IADD R1 (C1.NE), R0, R0\n!NOP\n", 1, TRAP_GLOBAL_RANGE), TRAP_NONE);
    /* lanes 16..31, which would be misaligned, are known not to execute */
    assert_int_equal(adopted_trap("MVI R2, 0x10\nISET.C0 R5, R0, R2, GE\nMVI R3, 0x1\nR2C C1 (C0.NE), R3\n"
                                  "GLD.U32 R1 (C1.NE), global14 [R5]\n!NOP\n",
                                  5, TRAP_GLOBAL_ALIGN),
                     TRAP_NONE);
    assert_int_equal(adopted_trap("BRK C1.NE\n!NOP\n", 1, TRAP_STACK_MISMATCH), TRAP_STACK_MISMATCH);
    assert_int_equal(adopted_trap("BPT C1.NE\n!NOP\n", 1, TRAP_BREAKPOINT), TRAP_BREAKPOINT);
    assert_int_equal(adopted_trap("PBK 0x10\nBRK C1.NE\n!NOP\n", 2, TRAP_STACK_MISMATCH), TRAP_NONE);
    assert_int_equal(adopted_trap("BRA C1.NE, 0x10\n!NOP\n!NOP\n", 1, TRAP_STACK_OVERFLOW), TRAP_NONE);
}

/* A full stack of 64 entries: a branch with an undefined guard may overflow it. */
static void test_adopt_the_overflow_of_an_undefined_branch(void **state) {
    (void)state;
    char text[64 * sizeof "SSY 0x0\n" + sizeof "BRA C1.NE, 0x0\n"] = "";
    for (unsigned i = 0; i < 64; i++) strcat(text, "SSY 0x0\n");
    strcat(text, "BRA C1.NE, 0x0\n");
    assert_int_equal(adopted_trap(text, 65, TRAP_STACK_OVERFLOW), TRAP_STACK_OVERFLOW);
    assert_int_equal(adopted_trap(text, 65, TRAP_STACK_MISMATCH), TRAP_NONE);
    strcpy(strstr(text, "BRA"), "RET C1.NE\n"); /* pushes nothing */
    assert_int_equal(adopted_trap(text, 65, TRAP_STACK_OVERFLOW), TRAP_NONE);

    /* one thread with an undefined guard is enough: all but lane 0 take the branch */
    char one[sizeof text + 128] = "MVI R1, 0x1\nISET.C0 o [0x7f], R0, R1, GE\nR2C C1 (C0.NE), R124\n";
    for (unsigned i = 0; i < 64; i++) strcat(one, "SSY 0x0\n");
    assert_int_equal(adopted_trap(strcat(one, "BRA C1.NE, 0x0\n"), 68, TRAP_STACK_OVERFLOW), TRAP_STACK_OVERFLOW);
}

/* Two active threads are enough to diverge, one is not. The guard of the branch is undefined in every lane. */
static void test_adopt_the_overflow_of_few_threads(void **state) {
    (void)state;
    char text[64 * sizeof "SSY 0x0\n" + sizeof "BRA C1.NE, 0x0\n"] = "";
    for (unsigned i = 0; i < 64; i++) strcat(text, "SSY 0x0\n");
    strcat(text, "BRA C1.NE, 0x0\n");
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct fixture f;
        struct retire rtl = fixture_record(0, 0, 0, 0, 0);
        rtl.trap = TRAP_STACK_OVERFLOW;
        rtl.exec = 0;
        fixture_source(&f, text);
        f.image.block[0] = threads;
        fixture_launch(&f);
        assert_int_equal(fixture_follow(&f, 65, &rtl).trap, threads == 1 ? TRAP_NONE : TRAP_STACK_OVERFLOW);
        fixture_teardown(&f);
    }
}

/* An atomic stores the model's own result, unless an operand is undefined in that lane. */
static void test_adopt_results_of_atomics(void **state) {
    (void)state;
    struct fixture f;
    struct retire rtl = fixture_record(0, 0, 0, 0, 0), out;
    for (unsigned i = 0; i < WARP_LANES; i++) rtl.data[i] = rtl.dst[i] = 0x5000 + i;
    fixture_source(&f, "SHL R1, R0, 0x2\nGRED.IADD.U32 global14 [R1], R0\nGRED.IADD.U32 global14 [R1], R5\n"
                       "GATOM.IADD.U32 R2, global14 [R1], R5\n"
                       "GATOM.CAS.U32 R2, global14 [R1], R0, R5\nGATOM.EXCH.U32 R2, global14 [R6], R5\n!NOP\n");
    f.machine.has_atomics = true;
    fixture_launch(&f);
    assert_int_equal(model_step_follow(f.m, &rtl, &out), MODEL_RETIRED);
    assert_int_equal(model_step_follow(f.m, &rtl, &out), MODEL_RETIRED);
    assert_int_equal(out.data[7], 7); /* 0 + 7 */
    assert_int_equal(adopted(&f), 0);
    assert_memory_equal(model_global(f.m) + 28, "\7\0\0\0", 4);
    assert_int_equal(model_step_follow(f.m, &rtl, &out), MODEL_RETIRED);
    assert_int_equal(out.data[7], 0x5007); /* R5 was never written */
    for (unsigned i = 0; i < WARP_LANES; i++) rtl.dst[i] = rtl.data[i] = 0x6000 + i;
    assert_int_equal(model_step_follow(f.m, &rtl, &out), MODEL_RETIRED);
    assert_int_equal(out.data[7], 0x6007);
    assert_int_equal(out.dst[7], 0x5007); /* the old word comes from the model */
    assert_int_equal(model_step_follow(f.m, &rtl, &out), MODEL_RETIRED);
    assert_int_equal(out.data[7], 0x6007); /* likewise CAS may store its new value */
    for (unsigned i = 0; i < WARP_LANES; i++) {
        rtl.addr[i] = 4 * i;
        rtl.dst[i] = rtl.data[i] = 0x7000 + i;
    }
    assert_int_equal(model_step_follow(f.m, &rtl, &out), MODEL_RETIRED);
    assert_int_equal(out.data[7], 0x7007);
    assert_int_equal(out.dst[7], 0x6007); /* wherever the RTL's record has it */
    assert_int_equal(model_undefined_count(f.m), 4);
    fixture_teardown(&f);
}

static void test_adopt_the_clock(void **state) {
    (void)state;
    struct fixture f;
    struct retire rtl = fixture_record(0, 0, 0, 0, 0);
    rtl.dst[3] = 12345;
    const struct retire out = follow_last(&f, "S2R R1, SR1\n!NOP\n", 1, &rtl);
    assert_int_equal(out.dst[3], 12345);
    assert_int_equal(model_undefined_count(f.m), 0);
    fixture_teardown(&f);
    assert_int_equal(follow_last(&f, "S2R R1, SR4\n!NOP\n", 1, &rtl).dst[3], 0); /* counts nothing */
    fixture_teardown(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adopt_results_of_undefined_operands),
        cmocka_unit_test(test_adopt_lane_by_lane),
        cmocka_unit_test(test_adopt_nothing_of_the_other_lanes),
        cmocka_unit_test(test_adopt_guards),
        cmocka_unit_test(test_adopt_addresses_and_data),
        cmocka_unit_test(test_adopt_address_registers),
        cmocka_unit_test(test_adopt_traps_of_undefined_addresses),
        cmocka_unit_test(test_adopt_no_trap_of_undefined_data),
        cmocka_unit_test(test_adopt_traps_of_undefined_guards),
        cmocka_unit_test(test_adopt_the_overflow_of_an_undefined_branch),
        cmocka_unit_test(test_adopt_the_overflow_of_few_threads),
        cmocka_unit_test(test_adopt_results_of_atomics),
        cmocka_unit_test(test_adopt_the_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
