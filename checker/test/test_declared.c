/* SPDX-License-Identifier: Apache-2.0 */
/* Files that declare a machine: their meaning, errors with their place, and launches that exceed it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "../port/declared.h"
#include "kernel.h"

static void test_declared_reads_every_statement(void **state) {
    (void)state;
    struct declared m;
    struct diag d = {0};
    const char *text = "# a small one\n"
                       "registers 24     # of a thread\n"
                       "register_file 0x400\n\tblocks 2\nwarps 3\nthreads 96\nshared 2048\nconstant 4096\r\n"
                       "code 1024\nglobal 65536\nlocal 0\nstack 9\nparameters 8\nwhole_warps\nno_traps\n"
                       "lacks R2C C2R\nlacks imad_*24*\nlacks shl* SHR\nhas SHL shr_u32_ri\n";
    assert_int_equal(declared_read_text("m", text, &m, &d), STATUS_OK);
    assert_int_equal(m.registers, 24);
    assert_int_equal(m.machine.registers, 1024);
    assert_int_equal(m.machine.blocks, 2);
    assert_int_equal(m.machine.warps, 3);
    assert_int_equal(m.machine.threads, 96);
    assert_int_equal(m.machine.shared_bytes, 2048);
    assert_int_equal(m.machine.const_bytes, 4096);
    assert_int_equal(m.machine.code_bytes, 1024);
    assert_int_equal(m.machine.global_bytes, 65536);
    assert_int_equal(m.machine.stack_depth, 9);
    assert_int_equal(m.machine.param_words, 8);
    assert_int_equal(m.local_bytes, 0);
    assert_true(m.whole_warps && m.no_traps);
    assert_false(declared_has(&m, "R2C"));
    assert_false(declared_has(&m, "C2R"));
    assert_true(declared_has(&m, "R2A"));
    assert_true(declared_has(&m, "IMAD"));
    assert_true(declared_has(&m, "SHL") && declared_has(&m, "SHR"));
    const uint32_t shr_by_register[] = {0x30030405, 0xe4000780};
    uint32_t pc = 0;
    assert_string_equal(declared_find_lacking(&m, shr_by_register, 2, &pc), "SHR");
}

/* Patterns of mnemonics or of rows, in upper or lower case. */
static void test_declared_takes_patterns_of_mnemonics(void **state) {
    (void)state;
    static const char *const TEXTS[] = {"lacks RCP*", "lacks rcp*", "lacks RCP rcp32", "LACKS rCp*"};
    for (size_t n = 0; n < sizeof TEXTS / sizeof *TEXTS; n++) {
        struct declared m;
        struct diag d = {0};
        assert_int_equal(declared_read_text("m", TEXTS[n], &m, &d), STATUS_OK);
        assert_false(declared_has(&m, "RCP"));
        assert_false(declared_has(&m, "RCP32"));
        assert_true(declared_has(&m, "RSQ"));
    }
}

static void test_declared_names_constant_banks(void **state) {
    (void)state;
    static const char *const KERNEL[] = {"MVC R1, c[0x1] [0x0]", "MVC R2, c[0x4] [0x0]", "RET", NULL};
    const struct machine usual = MACHINE_DEFAULT;
    struct launch run = kernel_make(KERNEL, 1, 32, &usual);
    struct declared m;
    struct diag d = {0};
    assert_int_equal(declared_read_text("m", "banks 1 0x4", &m, &d), STATUS_OK);
    assert_int_equal(m.banks, 0x12);
    assert_int_equal(declared_check(&m, &run, &d), STATUS_OK);
    assert_int_equal(declared_read_text("m", "banks 1", &m, &d), STATUS_OK);
    assert_int_equal(declared_check(&m, &run, &d), STATUS_BAD_INPUT);
    assert_string_equal(d.text, "cannot run this: c [0x4] at pc 0x8, a bank that the machine lacks");
    run.image->code[2] = 0xf0000001; /* NOP */
    run.image->code[3] = 0xe0000780;
    run.image->code[0] = run.image->code[2];
    run.image->code[1] = run.image->code[3];
    assert_int_equal(declared_read_text("m", "banks 0", &m, &d), STATUS_OK);
    assert_int_equal(declared_check(&m, &run, &d), STATUS_BAD_INPUT);
    assert_string_equal(d.text, "cannot run this: constants in c [0x1], a bank that the machine lacks");
    kernel_release(&run);
}

static void test_declared_says_where_an_error_is(void **state) {
    static const struct {
        const char *text;
        unsigned line, column;
        const char *message;
    } ROWS[] = {
        {"registers 200",              1, 11, "registers '200'; expected a number from 1 to 128"                },
        {"registers",                  1, 10, "registers ''; expected a number from 1 to 128"                   },
        {"\n  warps x",                2, 9,  "warps 'x'; expected a number from 1 to 64"                       },
        {"warps 2\nshared 18 # bytes", 2, 8,  "shared '18'; expected a number from 16 to 65536, a multiple of 4"},
        {"# none\n\nregister 4",       3, 1,  "unknown 'register'; expected lacks, has, banks, registers"       },
        {"warps 2 3",                  1, 9,  "unexpected '3'; expected the end of the line"                    },
        {"lacks R2C FROB",             1, 11, "no instruction 'FROB'; expected a mnemonic"                      },
        {"lacks",                      1, 6,  "lacks ''; expected names of instructions"                        },
        {"banks",                      1, 6,  "banks ''; expected numbers of constant banks from 0 to 15"       },
        {"banks 1 16",                 1, 9,  "banks '16'; expected numbers of constant banks from 0 to 15"     },
        {"whole_warps yes",            1, 13, "unexpected 'yes'"                                                },
        {"warps 99999999999999999999", 1, 7,  "warps '99999999999999999999'; expected"                          },
    };
    (void)state;
    for (size_t n = 0; n < sizeof ROWS / sizeof *ROWS; n++) {
        struct declared m;
        struct diag d = {0};
        assert_int_equal(declared_read_text("m.machine", ROWS[n].text, &m, &d), STATUS_BAD_INPUT);
        if (strstr(d.text, ROWS[n].message) == NULL) fail_msg("'%s' instead of '%s'", d.text, ROWS[n].message);
        assert_int_equal(d.line, ROWS[n].line);
        assert_int_equal(d.column, ROWS[n].column);
        assert_string_equal(d.file, "m.machine");
    }
}

static void check(const char *machine, unsigned threads, const char *message) {
    static const char *const KERNEL[] = {"MVI R5, 0x1", "R2C C0, R5", "RET", NULL};
    const struct machine usual = MACHINE_DEFAULT;
    struct launch run = kernel_make(KERNEL, 1, threads, &usual);
    struct declared m;
    struct diag d = {0};
    assert_int_equal(declared_read_text("m", machine, &m, &d), STATUS_OK);
    const enum status status = declared_check(&m, &run, &d);
    assert_int_equal(status, message == NULL ? STATUS_OK : STATUS_BAD_INPUT);
    if (message != NULL) assert_string_equal(d.text, message);
    kernel_release(&run);
}

static void test_declared_refuses_what_goes_beyond(void **state) {
    (void)state;
    check("", 70, NULL);
    check("registers 6\nwhole_warps\nlocal 0\nwarps 2\nregister_file 384", 64, NULL);
    check("registers 5", 64, "cannot run this: registers a thread 6, the machine has 5");
    check("whole_warps", 70, "cannot run this: threads in a block 70, the machine has whole warps only");
    check("warps 2", 70, "cannot run this: warps in a block 3, an sm has 2");
    check("register_file 352", 64, "cannot run this: registers of a block's warps 384, an sm has 352");
    check("lacks R2C", 64, "cannot run this: R2C at pc 0x8, which the machine lacks");
    check("lacks mvi*", 64, "cannot run this: MVI at pc 0x0, which the machine lacks");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_declared_reads_every_statement),
        cmocka_unit_test(test_declared_takes_patterns_of_mnemonics),
        cmocka_unit_test(test_declared_names_constant_banks),
        cmocka_unit_test(test_declared_says_where_an_error_is),
        cmocka_unit_test(test_declared_refuses_what_goes_beyond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
