/* SPDX-License-Identifier: Apache-2.0 */
/* Names of machines: their meaning, and invalid names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../port/machine_build.h"

static void test_machine_name_says_what_is_not_usual(void **state) {
    (void)state;
    char name[MACHINE_NAME_BYTES];
    struct machine machine = MACHINE_DEFAULT;
    machine.has_atomics = true;
    struct machine_build build = machine_build_of(&machine, 8, 0);
    machine_name(&build, name);
    assert_string_equal(name, "C8-S1");
    machine.sms = 2;
    machine.global_bytes = 1 << 20;
    machine.has_fpu = machine.has_sfu = machine.has_atomics = false;
    machine.wide = 4;
    machine.dividers = 1;
    machine.registers = 8192;
    build = machine_build_of(&machine, 32, 16);
    machine_name(&build, name);
    assert_string_equal(name, "C32-S2-regs8192-G1048576-B16-noatomics-nofpu-nosfu-W4-D1");
}

static void test_machine_name_is_read_again(void **state) {
    (void)state;
    struct machine_build build;
    assert_true(machine_name_read("C16-B8-S4-nofpu-stack16-warps8-seed7", &build));
    assert_int_equal(build.cores, 16);
    assert_int_equal(build.bus_words, 8);
    assert_int_equal(build.stack_depth, 16);
    assert_int_equal(build.seed, 7);
    assert_true(build.has_sfu && build.has_atomics);
    const struct machine machine = machine_of_build(&build);
    assert_int_equal(machine.sms, 4);
    assert_int_equal(machine.warps, 8);
    assert_int_equal(machine.blocks, 8);
    assert_false(machine.has_fpu);
    assert_int_equal(machine.threads, 1024);
}

static void test_machine_name_refuses(void **state) {
    (void)state;
    static const char *const BAD[] = {"",
                                      "C8-",
                                      "-S1",
                                      "C",
                                      "C8-S9",
                                      "C8-S0",
                                      "C4-S1",
                                      "C8-nofp",
                                      "C8-S1x",
                                      "C8-S1 ",
                                      "c8-S1",
                                      "C8-nofpu1",
                                      "C8-X1",
                                      "C8--S1",
                                      "C8-G2048",
                                      "C8-W33",
                                      "C8-S99999999999999999999",
                                      "C8-regs32",
                                      "8-S1"};
    struct machine_build build;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
        if (machine_name_read(BAD[i], &build)) fail_msg("'%s' is no name", BAD[i]);
}

/* So that make builds what the tools look for. */
static void test_machine_name_is_one(void **state) {
    static const struct {
        const char *name, *says;
    } CASES[] = {
        {"C8-S1-nofpu-nosfu",   ""                                                              },
        {"C16-S1-G1048576-B16", ""                                                              },
        {"C8-S1-nosfu-nofpu",   "the machine 'C8-S1-nosfu-nofpu' has the name C8-S1-nofpu-nosfu"},
        {"S2-C8",               "the machine 'S2-C8' has the name C8-S2"                        },
        {"C8",                  "the machine 'C8' has the name C8-S1"                           },
        {"C8-S1-G262144",       "the machine 'C8-S1-G262144' has the name C8-S1"                },
        {"C8-S1-S2",            "the machine 'C8-S1-S2' has the name C8-S2"                     },
        {"C08-S1",              "the machine 'C08-S1' has the name C8-S1"                       },
        {"C8-S1-nofp",          "'C8-S1-nofp' is no machine"                                    },
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char command[128], text[256] = "";
        snprintf(command, sizeof command, "build/spec/gen/gen check_machine %s 2>&1", CASES[i].name);
        FILE *gen = popen(command, "r");
        assert_non_null(gen);
        const bool says = fgets(text, sizeof text, gen) != NULL;
        assert_true((pclose(gen) == 0) == !says);
        assert_true(says == (CASES[i].says[0] != '\0'));
        if (strstr(text, CASES[i].says) == NULL) fail_msg("'%s': %s", CASES[i].name, text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_machine_name_says_what_is_not_usual),
        cmocka_unit_test(test_machine_name_is_read_again),
        cmocka_unit_test(test_machine_name_refuses),
        cmocka_unit_test(test_machine_name_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
