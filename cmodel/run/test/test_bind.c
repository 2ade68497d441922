/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of compiled kernels: numbers as bits of their type, placement of buffers, refusals. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../test/fixture.h"
#include "../bind.h"
#include "../number.h"
#include "../state_report.h"

static const struct machine MACHINE = MACHINE_DEFAULT;

/* ---- numbers ---- */

static const struct {
    const char *text, *type;
    uint64_t bits;
} NUMBERS[] = {
    {"13",                     "u32", 13                },
    {"-1",                     "u32", 0xffffffff        },
    {"-2147483648",            "s32", 0x80000000        },
    {"+7",                     "s16", 7                 },
    {"0x7f",                   "u8",  0x7f              },
    {"-128",                   "s8",  0x80              },
    {"255",                    "s8",  0xff              },
    {"-0x10",                  "u16", 0xfff0            },
    {"18446744073709551615",   "u64", UINT64_MAX        },
    {"-9223372036854775808",   "s64", 0x8000000000000000},
    {"2.5",                    "f32", 0x40200000        },
    {"-1",                     "f32", 0xbf800000        },
    {"0x10",                   "f32", 0x41800000        },
    {"16777217",               "f32", 0x4b800000        }, /* to even */
    {"1e-45",                  "f32", 1                 },
    {"-inf",                   "f32", 0xff800000        },
    {"0.1",                    "f64", 0x3fb999999999999a},
    {"2.5",                    "b32", 0x40200000        },
    {"25",                     "b32", 25                },
    {"0x2e5",                  "b32", 0x2e5             },
    {"2.5",                    "f16", 0x4100            },
    {"-1.5",                   "b16", 0xbe00            },
    {"0x3c00",                 "b16", 0x3c00            },
    {"0",                      "f16", 0                 },
    {"-0",                     "f16", 0x8000            },
    {"2049",                   "f16", 0x6800            }, /* to even */
    {"2051",                   "f16", 0x6802            },
    {"65504",                  "f16", 0x7bff            },
    {"65519",                  "f16", 0x7bff            },
    {"65520",                  "f16", 0x7c00            },
    {"-inf",                   "f16", 0xfc00            },
    {"nan",                    "f16", 0x7fff            },
    {"6.103515625e-5",         "f16", 0x0400            }, /* 2^-14 */
    {"6.0975551605e-5",        "f16", 0x03ff            },
    {"5.9604644775390625e-8",  "f16", 1                 }, /* 2^-24 */
    {"2.98023223876953125e-8", "f16", 0                 }, /* half of it */
    {"8.94069671630859375e-8", "f16", 2                 },
    {"0.333251953125",         "f16", 0x3555            },
};

static void test_numbers_become_bits_of_their_type(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++) {
        char expected[96];
        uint64_t bits = 0;
        if (!number_convert(NUMBERS[i].text, NUMBERS[i].type, &bits, expected, sizeof expected) ||
            bits != NUMBERS[i].bits)
            fail_msg("%s as %s is 0x%llx", NUMBERS[i].text, NUMBERS[i].type, (unsigned long long)bits);
    }
}

static void test_numbers_beyond_their_type_are_refused(void **state) {
    (void)state;
    static const char *const WRONG[][2] = {
        {"256",                  "u8" },
        {"-129",                 "s8" },
        {"65536",                "u16"},
        {"4294967296",           "u32"},
        {"-2147483649",          "s32"},
        {"2.5",                  "s32"},
        {"1e3",                  "u32"},
        {"18446744073709551616", "u64"},
        {"",                     "u32"},
        {"-",                    "u32"},
        {"x",                    "f32"},
        {"",                     "f32"},
        {"1.5x",                 "f32"},
        {" 1",                   "f32"},
        {"1x",                   "f16"},
        {"65536",                "b16"},
        {"1",                    "f8" },
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        char expected[96] = "";
        uint64_t bits;
        if (number_convert(WRONG[i][0], WRONG[i][1], &bits, expected, sizeof expected) || expected[0] == '\0')
            fail_msg("'%s' was taken as %s", WRONG[i][0], WRONG[i][1]);
    }
}

/* ---- arguments ---- */

/* k(global buffer, f32, s8, u64, local), 40 bytes of static shared memory, a variable at 256. */
struct kernel {
    struct launch run;
    char directory[32], file[64];
};

static int setup(void **state) {
    static const struct image_parameter PARAMETERS[] = {
        {"u32", 4, 4, 0,  IMAGE_GLOBAL},
        {"f32", 4, 4, 4,  IMAGE_VALUE },
        {"s8",  1, 1, 8,  IMAGE_VALUE },
        {"u64", 8, 8, 16, IMAGE_VALUE },
        {"u32", 4, 4, 24, IMAGE_SHARED},
    };
    struct kernel *k = calloc(1, sizeof *k);
    assert_non_null(k);
    struct image *image = k->run.image = image_create();
    assert_non_null(image);
    assert_int_equal(image_set_name(image, "k", 1), STATUS_OK);
    for (size_t i = 0; i < sizeof PARAMETERS / sizeof *PARAMETERS; i++)
        assert_int_equal(image_add_parameter(image, &PARAMETERS[i]), STATUS_OK);
    image->shared_bytes = 40;
    assert_int_equal(image_add_global(image, 256, (const uint8_t *)"\1\2\3\4", 4), STATUS_OK);
    strcpy(k->directory, "/tmp/bind.XXXXXX");
    assert_non_null(mkdtemp(k->directory));
    snprintf(k->file, sizeof k->file, "%s/a,b.bin", k->directory);
    FILE *file = fopen(k->file, "w");
    assert_non_null(file);
    fputs("abcdef", file);
    fclose(file);
    *state = k;
    return 0;
}

static int teardown(void **state) {
    struct kernel *k = *state;
    launch_release(&k->run);
    unlink(k->file);
    rmdir(k->directory);
    free(k);
    return 0;
}

static void test_arguments_fill_the_parameters(void **state) {
    struct kernel *k = *state;
    struct diag d = {0};
    char buffer[128];
    snprintf(buffer, sizeof buffer, "%s,out=y,z.bin", k->file);
    const char *texts[] = {buffer, "2.5", "-2", "0x123456789a", "local:100"};
    assert_int_equal(bind_arguments(&k->run, texts, 5, &MACHINE, &d), STATUS_OK);
    const struct image *image = k->run.image;
    assert_int_equal(image->param_count, 7);
    assert_int_equal(image->params[0], 512); /* behind the variable, aligned to 256 */
    assert_int_equal(image->params[1], 0x40200000);
    assert_int_equal(image->params[2], 0xfe);
    assert_int_equal(image->params[4], 0x3456789a);
    assert_int_equal(image->params[5], 0x12);
    assert_int_equal(image->params[6], 48); /* behind the 40 bytes, aligned to 16 */
    assert_int_equal(image->shared_bytes, 148);
    assert_int_equal(image->global_count, 2);
    assert_int_equal(image->global[1].addr, 512);
    assert_memory_equal(image->global[1].bytes, "abcdef", 6);
    assert_int_equal(k->run.dump_count, 1);
    assert_int_equal(k->run.dumps[0].addr, 512);
    assert_int_equal(k->run.dumps[0].bytes, 6);
    assert_string_equal(k->run.dumps[0].path, "y,z.bin");
}

static void refuse(struct kernel *k, const char *const *texts, size_t count, const char *message) {
    struct diag d = {0};
    assert_int_equal(bind_arguments(&k->run, texts, count, &MACHINE, &d), STATUS_BAD_INPUT);
    if (strstr(d.text, message) == NULL) fail_msg("'%s' has no '%s'", d.text, message);
}

static void test_wrong_arguments_print_the_signature(void **state) {
    struct kernel *k = *state;
    static const char SIGNATURE[] = "the kernel is k(global buffer, f32, s8, u64, local)";
    const char *good[] = {"zero:8", "1", "1", "1", "local:4"};
    static const struct {
        size_t at;
        const char *text, *message;
    } WRONG[] = {
        {0, "13",            "--arg 1 '13': expected a buffer"                 },
        {0, "local:4",       "expected a buffer"                               },
        {0, "zero:0",        "expected zero:BYTES"                             },
        {0, "zero:x",        "expected zero:BYTES"                             },
        {0, "zero:8,out=",   "expected a buffer"                               },
        {0, ",out=y",        "expected a buffer"                               },
        {1, "zero:4",        "--arg 2 'zero:4': expected a number, of type f32"},
        {2, "300",           "expected an integer from -128 to 255, of type s8"},
        {3, "1.5",           "expected an integer"                             },
        {4, "zero:4",        "expected local:BYTES"                            },
        {4, "local:1000000", "expected local:BYTES"                            },
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        const char *texts[5];
        memcpy(texts, good, sizeof texts);
        texts[WRONG[i].at] = WRONG[i].text;
        refuse(k, texts, 5, WRONG[i].message);
        refuse(k, texts, 5, SIGNATURE);
    }
    refuse(k, good, 4, "4 arguments are given");
    refuse(k, good, 1, "1 argument is given");
    refuse(k, good, 0, SIGNATURE);
    const char *large[] = {"zero:262144", "1", "1", "1", "local:4"};
    refuse(k, large, 5, "do not fit into the 262144 bytes of global memory: --global-bytes 524288");
    const char *missing[] = {"/nonexistent/x.bin", "1", "1", "1", "local:4"};
    refuse(k, missing, 5, "No such file");
}

/* Structures are passed as bytes; memory that the kernel declares without a size has no parameter; a parameter that the
 * kernel does not read may be a value or a buffer. */
static void test_other_kinds_of_arguments(void **state) {
    struct kernel *k = *state;
    struct image *image = k->run.image;
    struct diag d = {0};
    image->signature_count = 0;
    const struct image_parameter structure = {"b8", 6, 8, 0, IMAGE_VALUE}, open = {"b8", 0, 16, 0, IMAGE_SHARED};
    image_add_parameter(image, &structure);
    image_add_parameter(image, &open);
    const char *texts[] = {k->file, "local:8"};
    assert_int_equal(bind_arguments(&k->run, texts, 2, &MACHINE, &d), STATUS_OK);
    assert_int_equal(image->param_count, 2);
    assert_int_equal(image->params[0], 0x64636261);
    assert_int_equal(image->params[1], 0x6665);
    assert_int_equal(image->shared_bytes, 56);
    const char *number[] = {"6", "local:8"}, *other[] = {"zero:5", "local:8"};
    refuse(k, number, 2, "expected a FILE of 6 bytes or zero:6; the kernel is k(b8[6], local)");
    refuse(k, other, 2, "expected a FILE of 6 bytes");
    image->signature_count = 0;
    const struct image_parameter unused = {"u32", 4, 4, 0, IMAGE_UNUSED};
    image_add_parameter(image, &unused);
    const char *value[] = {"7"}, *buffer[] = {"zero:4"};
    assert_int_equal(bind_arguments(&k->run, value, 1, &MACHINE, &d), STATUS_OK);
    assert_int_equal(image->params[0], 7);
    assert_int_equal(bind_arguments(&k->run, buffer, 1, &MACHINE, &d), STATUS_OK);
    assert_int_equal(image->params[0], 512);
    image->has_signature = false;
    refuse(k, texts, 2, "--arg goes with compiled kernels");
}

/* ---- from PTX to a launch ---- */

static const char PTX[] = ".version 3.2\n.target sm_20\n.address_size 32\n"
                          ".global .align 4 .u32 seven = 7;\n"
                          ".visible .entry _Z3addPii(.param .u32 a, .param .u32 n) {\n"
                          ".reg .u32 %r<6>;\nld.param.u32 %r1, [a];\nld.param.u32 %r2, [n];\n"
                          "ld.global.u32 %r3, [seven];\nld.global.u32 %r4, [%r1];\nadd.u32 %r4, %r4, %r3;\n"
                          "add.u32 %r4, %r4, %r2;\nst.global.u32 [%r1], %r4;\nret;\n}\n"
                          ".visible .entry none() { ret; }\n";

static enum status parse_text(struct kernel *k, const char *ptx, const char *words, struct launch *run,
                              struct diag *d) {
    char line[512], *argv[20], name[] = "warp-run", path[80];
    int argc = 0;
    snprintf(path, sizeof path, "%s/k.ptx", k->directory);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(ptx, file);
    fclose(file);
    snprintf(line, sizeof line, "%s", words);
    argv[argc++] = name;
    argv[argc++] = path;
    for (char *save = NULL, *word = strtok_r(line, " ", &save); word != NULL; word = strtok_r(NULL, " ", &save))
        argv[argc++] = word;
    argv[argc] = NULL;
    const enum status status = launch_parse(argc, argv, NULL, NULL, &MACHINE, NULL, run, d);
    unlink(path);
    return status;
}

static enum status parse(struct kernel *k, const char *words, struct launch *run, struct diag *d) {
    return parse_text(k, PTX, words, run, d);
}

static void test_ptx_is_compiled_and_bound(void **state) {
    struct kernel *k = *state;
    struct launch run;
    struct diag d = {0};
    static const char *const NAMES[] = {"add", "_Z3addPii"};
    for (size_t i = 0; i < 2; i++) {
        char words[128];
        snprintf(words, sizeof words, "--kernel %s --arg zero:8,out=y --arg -3", NAMES[i]);
        assert_int_equal(parse(k, words, &run, &d), STATUS_OK);
        assert_string_equal(run.image->name, "add");
        assert_int_equal(run.image->params[0], 512);
        assert_int_equal(run.image->params[1], 0xfffffffd);
        assert_int_equal(run.image->global[0].addr, 256);
        assert_int_equal(run.image->global[0].bytes[0], 7);
        assert_int_equal(launch_check(&run, &MACHINE, &d), STATUS_OK);
        launch_release(&run);
    }
    assert_int_equal(parse(k, "--kernel none", &run, &d), STATUS_OK);
    launch_release(&run);
    assert_int_equal(parse(k, "--kernel add --param 512,3", &run, &d), STATUS_OK);
    assert_int_equal(run.image->param_count, 2);
    launch_release(&run);
    assert_int_equal(parse(k, "--kernel add", &run, &d), STATUS_BAD_INPUT);
    assert_string_equal(d.text, "0 arguments are given, one --arg each; the kernel is add(global buffer, u32)");
    assert_int_equal(parse(k, "--arg zero:8 --arg 3", &run, &d), STATUS_BAD_INPUT);
    assert_string_equal(d.text, "file has several kernels (add, none); choose one with --kernel");
    assert_int_equal(parse(k, "--kernel add --arg zero:8 --arg 3 --param 3", &run, &d), STATUS_BAD_INPUT);
    assert_string_equal(d.text, "--arg and --param exclude each other");
}

/* Source lines travel with the code: the image names them, and prints their text if the file exists. */
static void test_lines_of_the_source(void **state) {
    struct kernel *k = *state;
    char source[64], ptx[64], text[512], name[] = "warp-run", *argv[] = {name, ptx, NULL};
    char shown[160] = "", expected[160];
    struct launch run;
    struct diag d = {0};
    unsigned line;
    snprintf(source, sizeof source, "%s/k.cl", k->directory);
    snprintf(ptx, sizeof ptx, "%s/k.ptx", k->directory);
    snprintf(text, sizeof text,
             ".version 3.2\n.target sm_20\n.address_size 32\n.file 1 \".\" \"%s\"\n.entry k() {\n.reg .u32 %%r;\n"
             ".loc 1 2 3\nmov.u32 %%r, %%tid.x;\n.loc 1 3 3\nst.shared.u32 [0], %%r;\nret;\n}\n",
             source);
    FILE *file = fopen(ptx, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    file = fopen(source, "w");
    assert_non_null(file);
    fputs("first\n  second;\r\nthird\n", file);
    fclose(file);
    const enum status status = launch_parse(2, argv, NULL, NULL, &MACHINE, NULL, &run, &d);
    if (status != STATUS_OK) fail_msg("%s", d.text);
    assert_string_equal(image_find_line(run.image, 0, &line), source);
    assert_int_equal(line, 2);
    FILE *out = fmemopen(shown, sizeof shown, "w");
    assert_non_null(out);
    assert_true(state_report_source(run.image, 0, "  ", out));
    fclose(out);
    snprintf(expected, sizeof expected, "  %s:2:   second;\n", source);
    assert_string_equal(shown, expected);
    unlink(source);
    assert_false(state_report_source(run.image, 0, "", NULL));
    unlink(ptx);
    launch_release(&run);
}

/* ---- variables by name ---- */

static const char VARIABLES[] =
    ".version 3.2\n.target sm_20\n.address_size 32\n.global .f32 gain = 1.0;\n.const .u16 shift = 3;\n"
    ".const .align 4 .b8 table[8] = {1, 2, 3, 4, 5, 6, 7, 8};\n.global .s8 _ZN1a5levelE = 1;\n"
    ".global .align 4 .b8 _ZL3sum[8];\n.global .u8 _ZN1b3oneE;\n.global .u8 _ZN1c3oneE;\n"
    ".entry k() {\n.reg .u32 a;\nld.const.u32 a, [table];\nst.global.u32 [_ZL3sum], a;\nret;\n}\n";

static const struct image_piece *last_piece(const struct launch *run) {
    return &run->image->global[run->image->global_count - 1];
}

static void test_variables_by_name(void **state) {
    struct kernel *k = *state;
    struct launch run;
    struct diag d = {0};
    char words[160];
    assert_int_equal(parse_text(k, VARIABLES, "--global gain=2.5 --dump sum=s.bin --dump gain", &run, &d), STATUS_OK);
    const struct image_variable *gain = image_find_variable(run.image, "gain", 4);
    assert_non_null(gain);
    assert_int_equal(last_piece(&run)->addr, gain->addr);
    assert_memory_equal(last_piece(&run)->bytes, "\0\0\x20\x40", 4);
    assert_int_equal(run.dumps[0].addr, image_find_variable(run.image, "sum", 3)->addr);
    assert_int_equal(run.dumps[0].bytes, 8);
    assert_string_equal(run.dumps[0].path, "s.bin");
    assert_null(run.dumps[1].path);
    assert_null(image_find_variable(run.image, "one", 3)); /* two variables have that name */
    assert_non_null(image_find_variable(run.image, "_ZN1c3oneE", 10));
    launch_release(&run);

    snprintf(words, sizeof words, "--global table=@%s --global shift=-1 --global level=-2 --expect sum=0102", k->file);
    assert_int_equal(parse_text(k, VARIABLES, words, &run, &d), STATUS_OK);
    assert_memory_equal(run.image->bank[0].bytes + image_find_variable(run.image, "table", 5)->addr, "abcdef\7\10", 8);
    assert_memory_equal(run.image->bank[0].bytes + image_find_variable(run.image, "shift", 5)->addr, "\xff\xff", 2);
    assert_memory_equal(last_piece(&run)->bytes, "\xfe", 1);
    assert_int_equal(run.image->expect[0].size, 2);
    launch_release(&run);
}

static void test_wrong_variables(void **state) {
    struct kernel *k = *state;
    static const char *const WRONG[][2] = {
        {"--global other=1",                  "'other': the kernel's file has no such variable; it has gain, "},
        {"--global gain=x",                   "--global gain='x': expected a number, of type f32, or @FILE"   },
        {"--global shift=65536",              "expected an integer from -32768 to 65535, of type u16"         },
        {"--global table=123",                "odd number of hex digits"                                      },
        {"--global table=010203040506070809", "--global table: more than the 8 bytes that it has"             },
        {"--global gain",                     "expected ADDR=SRC or NAME=SRC"                                 },
        {"--global table=@/nonexistent",      "No such file"                                                  },
        {"--dump table",                      "a variable of global memory"                                   },
        {"--dump gain=",                      "expected ADDR:BYTES[=FILE] or NAME[=FILE]"                     },
        {"--dump other",                      "no such variable"                                              },
        {"--expect shift=1",                  "a variable of global memory"                                   },
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        struct launch run;
        struct diag d = {0};
        assert_int_equal(parse_text(k, VARIABLES, WRONG[i][0], &run, &d), STATUS_BAD_INPUT);
        if (strstr(d.text, WRONG[i][1]) == NULL) fail_msg("%s: '%s'", WRONG[i][0], d.text);
    }
    struct launch run;
    struct diag d = {0};
    assert_int_equal(parse_text(k, ".version 3.2\n.target sm_20\n.entry k() { ret; }", "--global a=1", &run, &d),
                     STATUS_BAD_INPUT);
    assert_string_equal(d.text, "--global 'a': the kernel's file has no variables");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_become_bits_of_their_type),
        cmocka_unit_test(test_numbers_beyond_their_type_are_refused),
        cmocka_unit_test_setup_teardown(test_arguments_fill_the_parameters, setup, teardown),
        cmocka_unit_test_setup_teardown(test_wrong_arguments_print_the_signature, setup, teardown),
        cmocka_unit_test_setup_teardown(test_other_kinds_of_arguments, setup, teardown),
        cmocka_unit_test_setup_teardown(test_lines_of_the_source, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ptx_is_compiled_and_bound, setup, teardown),
        cmocka_unit_test_setup_teardown(test_variables_by_name, setup, teardown),
        cmocka_unit_test_setup_teardown(test_wrong_variables, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
