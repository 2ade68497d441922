/* SPDX-License-Identifier: Apache-2.0 */
/* The launch flags: effect of each on the image, refusals with their messages, fitting the machine. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../test/fixture.h"
#include "../launch.h"

enum { MAX_ARGS = 40 };

static char PATH[] = "k.sass";
static const struct machine MACHINE = MACHINE_DEFAULT;

/* A .hex kernel in a fresh directory, removed by close_files. */
struct files {
    char directory[32];
    char kernel[64], data[64];
};

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void open_files(struct files *files) {
    strcpy(files->directory, "/tmp/launch.XXXXXX");
    assert_non_null(mkdtemp(files->directory));
    snprintf(files->kernel, sizeof files->kernel, "%s/kernel.hex", files->directory);
    snprintf(files->data, sizeof files->data, "%s/data.hex", files->directory);
    write_file(files->kernel, "0x10008484 # MOV32 R33, R2, twice, then !NOP\n0x10008484\n0xf0000001\n0xe0000001\n");
    write_file(files->data, "# two words\n0x04030201\n08070605\n");
}

static void close_files(const struct files *files) {
    unlink(files->kernel);
    unlink(files->data);
    assert_int_equal(rmdir(files->directory), 0);
}

/* Parses "warp-run" followed by the words of `line` ("K" is the kernel, "@D" the data file in a value). */
static enum status parse(const struct files *files, const char *line, launch_option_fn *other, void *state,
                         struct launch *run, struct diag *d) {
    static char name[] = "warp-run";
    char copy[512];
    char expanded[MAX_ARGS][128];
    char *argv[MAX_ARGS + 1] = {name};
    int argc = 1;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *save = NULL, *word = strtok_r(copy, " ", &save); word != NULL; word = strtok_r(NULL, " ", &save)) {
        char *at = strstr(word, "@D");
        assert_true(argc < MAX_ARGS);
        if (strcmp(word, "K") == 0)
            snprintf(expanded[argc], sizeof expanded[argc], "%s", files->kernel);
        else if (at != NULL)
            snprintf(expanded[argc], sizeof expanded[argc], "%.*s@%s", (int)(at - word), word, files->data);
        else
            snprintf(expanded[argc], sizeof expanded[argc], "%s", word);
        argv[argc] = expanded[argc];
        argc++;
    }
    argv[argc] = NULL;
    return launch_parse(argc, argv, other, state, &MACHINE, NULL, run, d);
}

/* Parses, and checks that it fits. After a failure there is nothing to release. */
static enum status parse_and_check(const struct files *files, const char *line, struct launch *run, struct diag *d) {
    enum status status = parse(files, line, NULL, NULL, run, d);
    if (status != STATUS_OK) return status;
    status = launch_check(run, &MACHINE, d);
    if (status != STATUS_OK) launch_release(run);
    return status;
}

static void test_launch_applies_every_flag(void **state) {
    (void)state;
    struct files files;
    struct launch run;
    struct diag d = {0};
    open_files(&files);
    assert_int_equal(
        parse(&files,
              "--grid 3,2 K --block 8,4,2 --reg 9 --shared 100 --local 12 --param 1,0x10 --param 4294967295 "
              "--const 1:4=a1b2 --global 0x20=@D --global 0x24=ff --dump 0x10:4 --dump 4:8=F --max-cycles 77 --json "
              "--strict",
              NULL, NULL, &run, &d),
        STATUS_OK);
    const struct image *image = run.image;
    assert_int_equal(image->grid[0], 3);
    assert_int_equal(image->grid[1], 2);
    assert_int_equal(image->block[0], 8);
    assert_int_equal(image->block[2], 2);
    assert_int_equal(image->regs, 9);
    assert_int_equal(image->shared_bytes, 100);
    assert_int_equal(image->local_bytes, 12);
    assert_int_equal(image->param_count, 3);
    assert_int_equal(image->params[1], 16);
    assert_int_equal(image->params[2], 0xffffffff);
    assert_int_equal(image->bank[1].size, 6);
    assert_memory_equal(image->bank[1].bytes, "\0\0\0\0\xa1\xb2", 6);
    assert_int_equal(image->global_count, 2);
    assert_int_equal(image->global[0].size, 8);
    assert_memory_equal(image->global[0].bytes, "\1\2\3\4\5\6\7\x8", 8);
    assert_int_equal(run.dump_count, 2);
    assert_null(run.dumps[0].path);
    assert_string_equal(run.dumps[1].path, "F");
    assert_int_equal(run.max_cycles, 77);
    assert_true(run.json && run.strict);
    assert_int_equal(block_threads(run.image->block), 64);
    assert_int_equal(block_warps(run.image->block), 2);
    launch_release(&run);
    close_files(&files);
}

/* The first use of a flag replaces the file's values, later uses add to them. */
static void test_launch_replaces_what_the_file_says(void **state) {
    (void)state;
    struct files files;
    struct launch run;
    struct diag d = {0};
    char line[256], source[64];
    open_files(&files);
    snprintf(source, sizeof source, "%s/kernel.sass", files.directory);
    write_file(source, ".grid 2, 3\n.block 4, 5, 6\n.param 1, 2, 3\n.expect 0 = 1\n.expect 8 = 1\n.local 5\nRET\n");
    snprintf(line, sizeof line, "%s --grid 4 --block 32,2 --param 7 --param 8 --expect 4=05 --expect 6=07", source);
    assert_int_equal(parse_and_check(&files, line, &run, &d), STATUS_OK);
    const struct image *image = run.image;
    assert_int_equal(image->grid[0], 4);
    assert_int_equal(image->grid[1], 1);
    assert_int_equal(image->block[0], 32);
    assert_int_equal(image->block[1], 2);
    assert_int_equal(image->block[2], 1);
    assert_int_equal(image->param_count, 2);
    assert_int_equal(image->params[0], 7);
    assert_int_equal(image->params[1], 8);
    assert_int_equal(image->expect_count, 2);
    assert_int_equal(image->expect[0].addr, 4);
    assert_int_equal(image->expect[1].addr, 6);
    assert_int_equal(image->local_bytes, 8); /* whole words */
    launch_release(&run);
    unlink(source);
    close_files(&files);
}

static void test_launch_takes_large_numbers(void **state) {
    (void)state;
    struct files files;
    struct launch run;
    struct diag d = {0};
    open_files(&files);
    assert_int_equal(parse(&files, "K --max-cycles 5000000000 --variables 0xfffffff0 --reg 128 --const 1:65535=00",
                           NULL, NULL, &run, &d),
                     STATUS_OK);
    assert_true(run.max_cycles == UINT64_C(5000000000));
    assert_int_equal(run.image->regs, 128);
    launch_release(&run);
    close_files(&files);
}

static void test_launch_defaults(void **state) {
    (void)state;
    struct files files;
    struct launch run;
    struct diag d = {0};
    open_files(&files);
    assert_int_equal(parse_and_check(&files, "K --param 5", &run, &d), STATUS_OK);
    assert_int_equal(run.image->grid[1], 1);
    assert_int_equal(run.image->block[0], 1);
    assert_int_equal(run.image->shared_bytes, 20); /* header and one parameter */
    assert_int_equal(run.image->regs, 34);         /* R33 is the last that the kernel names */
    assert_int_equal(run.max_cycles, 20000000);
    launch_release(&run);
    close_files(&files);
}

static void check_error(const struct files *files, const char *line, const char *text) {
    struct launch run;
    struct diag d = {0};
    const enum status status = parse_and_check(files, line, &run, &d);
    if (status != STATUS_BAD_INPUT || strstr(d.text, text) == NULL)
        fail_msg("'%s': status %d, '%s'; expected '%s'", line, (int)status, d.text, text);
}

static void test_launch_refuses_bad_options(void **state) {
    (void)state;
    struct files files;
    open_files(&files);
    check_error(&files, "", "no kernel");
    check_error(&files, "K K", "two kernels");
    check_error(&files, "K -", "two kernels");
    check_error(&files, "K --const 15:8188=00 --const 0:0=0011223344", "constant bytes 8200, the machine has 8192");
    check_error(&files, "K --frob", "unknown option '--frob'");
    check_error(&files, "K --grid", "--grid needs a value");
    check_error(&files, "K --grid 0", "--grid '0': expected");
    check_error(&files, "K --grid 65536", "--grid '65536'");
    check_error(&files, "K --grid 1,2,3", "--grid '1,2,3'");
    check_error(&files, "K --grid 2x", "--grid '2x'");
    check_error(&files, "K --block 0", "--block '0'");
    check_error(&files, "K --block 1,1,1,1", "--block");
    check_error(&files, "K --reg 129", "--reg '129': expected a number from 1 to 128");
    check_error(&files, "K --reg 0", "--reg '0'");
    check_error(&files, "K --shared -1", "--shared '-1'");
    check_error(&files, "K --param 1,,2", "--param '1,,2'");
    check_error(&files, "K --param 4294967296", "--param");
    check_error(&files, "K --param 1:2", "--param '1:2'");
    check_error(&files, "K --param 0x1x2", "--param '0x1x2'");
    check_error(&files, "K --const 16:0=00", "--const '16:0=00'");
    check_error(&files, "K --const 1=00", "--const '1=00'");
    check_error(&files, "K --const 1:65535=0000", "65537 bytes");
    check_error(&files, "K --global 0=123", "odd number of hex digits");
    check_error(&files, "K --global 0=12zz", "expected hex bytes");
    check_error(&files, "K --global 0=", "no bytes");
    check_error(&files, "K --global 0=@/nonexistent/file", "No such file");
    check_error(&files, "K --expect 0", "--expect '0': expected ADDR=SRC");
    check_error(&files, "K --dump 0", "--dump '0'");
    check_error(&files, "K --dump 0:0", "--dump '0:0'");
    check_error(&files, "K --dump 0:4=", "--dump '0:4='");
    check_error(&files, "K --max-cycles 0", "--max-cycles '0'");
    check_error(&files, "/nonexistent.hex", "");
    close_files(&files);
}

/* Each refusal names the limit and the value. */
static void test_launch_refuses_what_does_not_fit(void **state) {
    (void)state;
    struct files files;
    open_files(&files);
    check_error(&files, "K --block 1025", "threads in a block 1025, an sm has 1024");
    check_error(&files, "K --block 65535,65535,65535", "threads in a block");
    check_error(&files, "K --block 32768,32768,4", "threads in a block"); /* 2^32 */
    check_error(&files, "K --block 1,1,65", "block z 65, r0 holds at most 64");
    check_error(&files, "K --block 512 --reg 33", "registers of a block's warps 16896, an sm has 16384");
    check_error(&files, "K --block 129 --reg 104", "registers of a block's warps 16640"); /* of five whole warps */
    check_error(&files, "K --shared 16385", "shared bytes 16385, an sm has 16384");
    check_error(&files, "K --const 1:8190=000000", "constant bytes 8196, the machine has 8192");
    check_error(&files, "K --global 0x3ffff=0000", "initial global memory up to 262145, global memory ends at 262144");
    check_error(&files, "K --expect 0=00 --expect 0x3ffff=0000", "expected global memory up to 262145");
    check_error(&files, "K --dump 0:262145", "dumped global memory up to 262145");
    check_error(&files, "K --dump 0:0x80000010", "dumped global memory up to 2147483664");
    check_error(&files, "K --dump 0xffffff00:512", "dumped global memory up to 4294967552"); /* beyond 2^32 */
    check_error(&files, "K --dump 0:4 --dump 0x3fffe:4", "dumped global memory up to 262146");
    check_error(&files, "K --local 65536", "local bytes a thread 65536");
    check_error(&files, "K --block 64 --local 8192", "local bytes of a block 524288");
    check_error(&files, "K --block 33 --local 4100", "local bytes of a block 262400"); /* of two whole warps */
    check_error(&files,
                "K --param 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 --param 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 "
                "--param 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 --param 0",
                "parameter words 61, a launch has at most 60");
    close_files(&files);
}

static void test_launch_takes_what_just_fits(void **state) {
    (void)state;
    static const char *const LINES[] = {
        "K --block 1,1024 --reg 16", "K --block 1,1,64",           "K --block 512 --reg 32",
        "K --shared 16384",          "K --const 15:8188=01020304", "K --global 0x3ffff=00",
        "K --expect 0x3ffff=00",     "K --dump 0:262144",          "K --block 32 --local 8192",
    };
    struct files files;
    open_files(&files);
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
        struct launch run;
        struct diag d = {0};
        if (parse_and_check(&files, LINES[i], &run, &d) != STATUS_OK) fail_msg("'%s': %s", LINES[i], d.text);
        launch_release(&run);
    }
    close_files(&files);
}

/* Shared and local memory and banks end with a word. */
static void test_launch_pads_to_words(void **state) {
    (void)state;
    struct files files;
    struct launch run;
    struct diag d = {0};
    open_files(&files);
    assert_int_equal(
        parse_and_check(&files, "K --shared 33 --local 5 --const 3:0=0102030405 --const 4:0=0102", &run, &d),
        STATUS_OK);
    assert_int_equal(run.image->shared_bytes, 36);
    assert_int_equal(run.image->local_bytes, 8);
    assert_int_equal(run.image->bank[3].size, 8);
    assert_int_equal(run.image->bank[4].size, 4);
    launch_release(&run);
    close_files(&files);
}

/* Checks an image made without the flags' own limits. `regs` 0: as many as the code uses. */
static enum status check_image(const char *source, void (*change)(struct fixture *f), struct diag *d, unsigned *regs) {
    struct fixture f;
    fixture_source(&f, source);
    f.image.regs = 0;
    if (change != NULL) change(&f);
    struct launch run = {.path = PATH, .image = &f.image};
    const enum status status = launch_check(&run, &f.machine, d);
    *regs = f.image.regs;
    fixture_teardown(&f);
    return status;
}

static void without_code(struct fixture *f) { f->image.code_words = 0; }
static void without_grid(struct fixture *f) { f->image.grid[1] = 0; }
static void with_large_grid(struct fixture *f) { f->image.grid[0] = 65536; }
static void with_largest_grid(struct fixture *f) { f->image.grid[0] = f->image.grid[1] = 65535; }
static void with_full_block(struct fixture *f) { f->image.block[0] = f->machine.threads; }
static void with_header_alone(struct fixture *f) {
    f->machine.shared_bytes = 16;
    f->image.shared_bytes = 0;
}
static void with_few_warps(struct fixture *f) {
    f->machine.warps = 3;
    f->image.block[0] = 97;
}
static void without_block(struct fixture *f) { f->image.block[2] = 0; }
static void with_high_block(struct fixture *f) {
    f->machine.threads = 2048;
    f->machine.warps = 64;
    f->image.block[0] = 1;
    f->image.block[1] = 1025;
}

static void with_most_local(struct fixture *f) {
    f->machine.global_bytes = 1 << 21;
    f->image.local_bytes = 65532;
}
static void with_too_much_local(struct fixture *f) {
    with_most_local(f);
    f->image.local_bytes++;
}

static void test_launch_checks_images_made_without_flags(void **state) {
    (void)state;
    static const struct {
        void (*change)(struct fixture *f);
        const char *text; /* NULL: it fits */
    } CASES[] = {
        {NULL,                NULL                                                                         },
        {without_code,        "the kernel has no code"                                                     },
        {without_grid,        "launch does not fit: grid y 0, it goes from 1 to 65535"                     },
        {with_large_grid,     "launch does not fit: grid x 65536, it goes from 1 to 65535"                 },
        {with_largest_grid,   NULL                                                                         },
        {with_full_block,     NULL                                                                         },
        {with_header_alone,   NULL                                                                         },
        {with_few_warps,      "launch does not fit: warps in a block 4, an sm has 3"                       },
        {without_block,       "a block dimension is 0"                                                     },
        {with_high_block,     "launch does not fit: block y 1025, r0 holds at most 1024"                   },
        {with_most_local,     NULL                                                                         },
        {with_too_much_local, "launch does not fit: local bytes a thread 65533, a thread has at most 65532"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct diag d = {0};
        unsigned regs;
        const enum status status = check_image("MOV32 R1, R2\n", CASES[i].change, &d, &regs);
        assert_int_equal(status, CASES[i].text == NULL ? STATUS_OK : STATUS_BAD_INPUT);
        if (CASES[i].text == NULL) continue;
        assert_string_equal(d.text, CASES[i].text);
        assert_string_equal(d.file, "k.sass");
        assert_int_equal(d.line, 0); /* the launch is at fault, not a line */
        assert_int_equal(d.column, 0);
    }
}

/* A thread has the registers that the code names, and at least R0, which is always set. */
static void test_launch_counts_registers(void **state) {
    (void)state;
    struct diag d = {0};
    unsigned regs;
    assert_int_equal(check_image("NOP\n", NULL, &d, &regs), STATUS_OK);
    assert_int_equal(regs, 1);
    assert_int_equal(check_image("MOV R8, R124\n", NULL, &d, &regs), STATUS_OK);
    assert_int_equal(regs, 9);
}

/* Expects the warning of a source in a launch of `regs` registers on a machine, "" for none. */
static void check_machine_warning(const char *source, unsigned regs, const struct machine *machine,
                                  const char *warning) {
    struct fixture f;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    fixture_source(&f, source);
    f.image.regs = regs;
    launch_warn(&(struct launch){.path = PATH, .image = &f.image}, machine, out);
    fclose(out);
    assert_string_equal(text, warning);
    free(text);
    fixture_teardown(&f);
}

static void check_warning(const char *source, unsigned regs, const char *warning) {
    check_machine_warning(source, regs, &MACHINE, warning);
}

/* Each operation once, whichever unit the machine lacks. */
static void test_launch_warns_of_what_the_machine_lacks(void **state) {
    (void)state;
    static const char SOURCE[] = "NOP\nRCP R1, R2\nRCP R2, R2\nFADD R1, R2, R3\nGRED.IADD.U32 global14 [R1], R2\n";
    struct machine machine = {.has_fpu = true, .has_sfu = true, .has_atomics = true};
    check_machine_warning(SOURCE, 4, &machine, "");
    machine.has_sfu = false;
    check_machine_warning(
        SOURCE, 4, &machine,
        "k.sass: warning: pc 0x8: RCP R1, R2 traps: the machine lacks its unit; it executes without --no-sfu\n");
    machine.has_fpu = machine.has_atomics = false;
    check_machine_warning(
        SOURCE, 4, &machine,
        "k.sass: warning: pc 0x8: RCP R1, R2 traps: the machine lacks its unit; it executes without --no-sfu\n"
        "k.sass: warning: pc 0x18: FADD R1, R2, R3 traps: the machine lacks its unit; it executes without --no-fpu\n"
        "k.sass: warning: pc 0x20: GRED.IADD.U32 global14 [R1], R2 traps: the machine lacks "
        "its unit; it executes with --arch sm_11\n");
    check_warning("KIL\nKIL\nGLD.U32 R2, global3 [R1]\nQUADON\n", 4,
                  "k.sass: warning: pc 0x0: KIL traps: no machine executes it\n"
                  "k.sass: warning: pc 0x18: QUADON traps: no machine executes it\n");
}

static void test_launch_warns_of_too_few_registers(void **state) {
    (void)state;
    check_warning("MOV R8, R2\n", 9, "");
    check_warning("MOV R8, R2\n", 8,
                  "k.sass: warning: R8 is used, but the launch has 8 registers: it reads zero and drops writes\n");
    check_warning("MOV R127, R2\n", 8, ""); /* unused results */
    check_warning("MOV R1, R2\n", 1,
                  "k.sass: warning: R2 is used, but the launch has 1 register: it reads zero and drops writes\n");
}

static int take_number(void *state, const char *option, const char *value, struct diag *d) {
    if (strcmp(option, "--cores") != 0) return 0;
    if (value == NULL) {
        diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "--cores needs a value");
        return -1;
    }
    *(int *)state = atoi(value);
    return 2;
}

static void test_launch_hands_over_other_options(void **state) {
    (void)state;
    struct files files;
    struct launch run;
    struct diag d = {0};
    int cores = 0;
    open_files(&files);
    assert_int_equal(parse(&files, "--cores 16 K --grid 2", take_number, &cores, &run, &d), STATUS_OK);
    assert_int_equal(cores, 16);
    assert_int_equal(run.image->grid[0], 2);
    launch_release(&run);
    assert_int_equal(parse(&files, "K --cores", take_number, &cores, &run, &d), STATUS_BAD_INPUT);
    assert_string_equal(d.text, "--cores needs a value");
    assert_int_equal(parse(&files, "K --other 4", take_number, &cores, &run, &d), STATUS_BAD_INPUT);
    assert_non_null(strstr(d.text, "unknown option '--other'"));
    close_files(&files);
}

/* A second list on purpose: a lost option is noticed. */
static void test_launch_help_names_every_option(void **state) {
    (void)state;
    static const char *const LINES[] = {
        "  KERNEL                      image,", "  --kernel NAME               sele",
        "  --variables ADDR            addr",   "  --grid X[,Y]                blocks",
        "  --block X[,Y[,Z]]           thre",   "  --arch sm_1N                sm_10",
        "  --reg N                     regis",  "  --shared BYTES              shar",
        "  --local BYTES               local",  "  --param W[,W...]            32-bi",
        "  --arg ARG                   argu",   "  -DNAME, -IDIR, -O1, ...     opti",
        "  --const BANK:OFFSET=SRC     cons",   "  --global ADDR=SRC           init",
        "  --expect ADDR=SRC           comp",   "  --dump ADDR:BYTES[=FILE]    writ",
        "  --max-cycles N              stop",   "  --trace FILE                write",
        "  --strict                    error",  "  --json                      print",
    };
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    launch_print_help(out);
    assert_int_equal(fclose(out), 0);
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) assert_non_null(strstr(text, LINES[i]));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_launch_applies_every_flag),
        cmocka_unit_test(test_launch_replaces_what_the_file_says),
        cmocka_unit_test(test_launch_takes_large_numbers),
        cmocka_unit_test(test_launch_defaults),
        cmocka_unit_test(test_launch_refuses_bad_options),
        cmocka_unit_test(test_launch_refuses_what_does_not_fit),
        cmocka_unit_test(test_launch_takes_what_just_fits),
        cmocka_unit_test(test_launch_pads_to_words),
        cmocka_unit_test(test_launch_checks_images_made_without_flags),
        cmocka_unit_test(test_launch_counts_registers),
        cmocka_unit_test(test_launch_warns_of_too_few_registers),
        cmocka_unit_test(test_launch_warns_of_what_the_machine_lacks),
        cmocka_unit_test(test_launch_hands_over_other_options),
        cmocka_unit_test(test_launch_help_names_every_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
