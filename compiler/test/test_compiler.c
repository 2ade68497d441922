/* SPDX-License-Identifier: Apache-2.0 */
/* compile_source: what programs get of sources, options, messages; several threads at a time. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../assembler/image_load.h"
#include "../../cmodel/model.h"
#include "../../cmodel/run/launch.h"
#include "../compiler.h"

static const char PTX[] = ".version 3.2\n.target sm_20\n.address_size 32\n.file 1 \"a.cl\"\n.global .f32 gain = 2.0;\n"
                          ".entry _Z3onePi(.param .u32 .ptr .global .align 4 p) {\n.reg .u32 r;\n.loc 1 7 3\n"
                          "ld.param.u32 r, [p];\nst.global.u32 [r], 7;\nret;\n}\n.entry two() .reqntid 8, 4 { ret; }\n";
static const char SCALE[] =
    "#include \"factor.h\"\n"
    "typedef struct { int a; float b; } pair;\n"
    "__kernel void scale(__global float *restrict y, __global const float *x, pair p, __local volatile int *t,\n"
    "                    float4 v, uchar n) {\n"
    "    int i = get_global_id(0);\n"
    "    if (i < n) y[i] = FACTOR * EXTRA * x[i] + p.b + v.y;\n"
    "}\n"
    "__attribute__((reqd_work_group_size(4, 2, 1))) __kernel void other(void) {}\n";

static struct compiler_options options_for(const char *name) {
    struct compiler_options o = COMPILER_OPTIONS;
    o.name = name;
    return o;
}

static struct compilation *good(const char *text, const struct compiler_options *o) {
    struct compilation *c;
    struct diag d = {0};
    if (compile_source(text, strlen(text), o, &c, &d) != STATUS_OK)
        fail_msg("%s:%u:%u: %s\n%s", d.file, d.line, d.column, d.text, compilation_log(c));
    return c;
}

static struct compilation *bad(const char *text, const struct compiler_options *o, struct diag *d) {
    struct compilation *c;
    *d = (struct diag){0};
    assert_int_equal(compile_source(text, strlen(text), o, &c, d), STATUS_BAD_INPUT);
    assert_non_null(c);
    assert_null(compilation_kernel(c, 0));
    assert_null(compilation_image(c, 0));
    assert_null(compilation_variable(c, 0));
    assert_string_equal(compilation_ptx(c), "");
    assert_string_equal(compilation_listing(c), "");
    return c;
}

/* ---- PTX ---- */

static void test_ptx(void **state) {
    (void)state;
    const struct compiler_options o = options_for("k.ptx");
    struct compilation *c = good(PTX, &o);
    const struct compiler_kernel *one = compilation_kernel(c, 0), *two = compilation_kernel(c, 1);
    assert_string_equal(one->name, "one");
    assert_string_equal(one->linkage, "_Z3onePi");
    assert_int_equal(one->argument_count, 1);
    assert_int_equal(one->parameter_bytes, 4);
    assert_int_equal(one->shared_bytes, 20);
    assert_int_equal(one->local_bytes, 0);
    assert_true(one->code_bytes > 0 && one->registers > 0);
    assert_int_equal(one->block[0], 0);
    assert_int_equal(one->block_threads, 1024);
    assert_int_equal(two->argument_count, 0);
    assert_int_equal(two->block[0], 8);
    assert_int_equal(two->block[1], 4);
    assert_null(compilation_kernel(c, 2));
    assert_int_equal(compilation_find(c, "two"), 1);
    assert_int_equal(compilation_find(c, "_Z3onePi"), 0);
    assert_true(compilation_find(c, "three") == SIZE_MAX);
    const struct compiler_argument *p = compilation_argument(c, 0, 0);
    assert_string_equal(p->type, "u32");
    assert_string_equal(p->name, "");
    assert_int_equal(p->space, IMAGE_GLOBAL);
    assert_null(compilation_argument(c, 0, 1));
    assert_null(compilation_argument(c, 2, 0));
    assert_string_equal(compilation_variable(c, 0)->name, "gain");
    assert_int_equal(compilation_variable(c, 0)->addr, 0x100);
    assert_null(compilation_variable(c, 1));
    assert_int_equal(compilation_free_address(c), 0x200);
    assert_string_equal(compilation_ptx(c), PTX);
    assert_non_null(strstr(compilation_listing(c), ".kernel two"));
    assert_string_equal(compilation_log(c), "");
    compilation_destroy(c);
}

static void expect_same(const struct image *x, const struct image *y) {
    assert_string_equal(x->name, y->name);
    assert_int_equal(x->code_words, y->code_words);
    assert_memory_equal(x->code, y->code, 4 * x->code_words);
    assert_int_equal(x->signature_count, y->signature_count);
    assert_int_equal(x->variable_count, y->variable_count);
    assert_int_equal(x->line_count, y->line_count);
    assert_int_equal(x->file_count, y->file_count);
    assert_int_equal(x->global_count, y->global_count);
    assert_memory_equal(x->block, y->block, sizeof x->block);
    assert_int_equal(x->regs, y->regs);
    assert_int_equal(x->shared_bytes, y->shared_bytes);
}

/* Copies are independent of the compilation, and the file in memory has the same contents. */
static void test_images(void **state) {
    (void)state;
    const struct compiler_options o = options_for("k.ptx");
    struct compilation *c = good(PTX, &o);
    struct diag d = {0};
    uint8_t *bytes;
    size_t size;
    struct image *copies[2] = {compilation_image(c, 0), compilation_image(c, 1)};
    assert_int_equal(compilation_write(c, &bytes, &size, &d), STATUS_OK);
    compilation_destroy(c);
    for (size_t i = 0; i < 2; i++) {
        const struct image_choice choice = {.number = i + 1};
        struct image *img;
        char *text = malloc(size + 1);
        unsigned line;
        memcpy(text, bytes, size + 1);
        if (image_read("k.img", text, size, &choice, &img, &d) != STATUS_OK) fail_msg("%s", d.text);
        expect_same(copies[i], img);
        if (i == 0) {
            assert_string_equal(image_find_line(img, 0, &line), "a.cl");
            assert_int_equal(line, 7);
        }
        image_destroy(img);
        image_destroy(copies[i]);
        free(text);
    }
    free(bytes);
}

static void test_messages_of_ptx(void **state) {
    (void)state;
    const struct compiler_options o = options_for("k.ptx");
    struct diag d;
    struct compilation *c = bad(".version 3.2\n.target sm_20\n.entry k() {\n  frob.u32 a, b;\n}", &o, &d);
    assert_string_equal(d.file, "k.ptx");
    assert_int_equal(d.line, 4);
    assert_int_equal(d.column, 3);
    const struct compiler_message *m = compilation_message(c, 0);
    assert_int_equal(m->severity, COMPILER_ERROR);
    assert_string_equal(m->file, "k.ptx");
    assert_int_equal(m->line, 4);
    assert_int_equal(m->column, 3);
    assert_string_equal(m->text, d.text);
    assert_null(compilation_message(c, 1));
    assert_string_equal(compilation_log(c), "k.ptx:4:3: error: unknown instruction 'frob.u32'\n");
    compilation_destroy(c);
    c = bad(".version 3.2\n.target sm_20\n", &o, &d);
    assert_string_equal(compilation_message(c, 0)->file, "k.ptx");
    assert_string_equal(compilation_message(c, 0)->text, "there is no kernel");
    compilation_destroy(c);
    /* a successful compilation has notes among its messages */
    c = good(
        ".version 3.2\n.target sm_20\n.entry k(.param .u32 p) {\n.reg .f64 a;\n.reg .u32 r;\nld.param.u32 r, [p];\n"
        "ld.global.f64 a, [r];\nadd.rn.f64 a, a, a;\nst.global.f64 [r], a;\nret;\n}",
        &o);
    assert_int_equal(compilation_message(c, 0)->severity, COMPILER_NOTE);
    assert_non_null(strstr(compilation_message(c, 0)->text, "double"));
    assert_int_equal(compilation_message(c, 0)->line, 8);
    compilation_destroy(c);
}

/* Runs the first kernel of a PTX text in one warp, with one buffer. Returns the buffer's first words. */
static void run_words(const char *text, uint32_t *words, size_t count) {
    static const struct machine MACHINE = MACHINE_DEFAULT;
    const struct compiler_options o = options_for("k.ptx");
    struct compilation *c = good(text, &o);
    struct launch run = {.image = compilation_image(c, 0)};
    struct diag d = {0};
    uint64_t steps;
    compilation_destroy(c);
    image_add_param(run.image, 0x1000);
    run.image->block[0] = 32;
    image_set_shape(run.image);
    if (launch_check(&run, &MACHINE, &d) != STATUS_OK) fail_msg("%s", d.text);
    struct model *m = model_create(&MACHINE);
    assert_int_equal(model_launch(m, run.image, &d), STATUS_OK);
    assert_int_equal(model_run(m, 100000, &steps), MODEL_DONE);
    memcpy(words, model_global(m) + 0x1000, count * sizeof *words);
    model_destroy(m);
    launch_release(&run);
}

/* An instruction whose guard is false changes neither the sum nor the carry. */
static void test_carries_under_a_guard(void **state) {
    (void)state;
    uint32_t words[4 * 32];
    run_words(".version 3.2\n.target sm_20\n.entry k(.param .u32 y) {\n.reg .u32 %r<12>;\n.reg .pred %p<3>;\n"
              "ld.param.u32 %r1, [y];\nmov.u32 %r2, %tid.x;\nand.b32 %r5, %r2, 1;\nsetp.ne.u32 %p1, %r5, 0;\n"
              "and.b32 %r5, %r2, 2;\nsetp.ne.u32 %p2, %r5, 0;\nmov.u32 %r6, 100;\nmov.u32 %r7, 200;\n"
              "mov.u32 %r9, 300;\nmov.u32 %r3, 0xfffffff8;\nadd.cc.u32 %r8, %r2, 0;\n"
              "@%p1 add.cc.u32 %r6, %r2, %r3;\naddc.u32 %r7, %r7, 0;\n" /* a carry from thread 8 on, where it is odd */
              "sub.cc.u32 %r8, 0, 1;\n@!%p2 mad.lo.cc.u32 %r9, %r2, 3, %r3;\naddc.u32 %r8, 0, 0;\n"
              "shl.b32 %r5, %r2, 4;\nadd.u32 %r1, %r1, %r5;\nst.global.v4.u32 [%r1], {%r6, %r7, %r9, %r8};\nret;\n}",
              words, 4 * 32);
    for (uint32_t t = 0; t < 32; t++) {
        const uint64_t sum = (uint64_t)t + 0xfffffff8, product = 3 * (uint64_t)t + 0xfffffff8;
        const bool odd = (t & 1) != 0, low = (t & 2) == 0;
        assert_int_equal(words[4 * t], odd ? (uint32_t)sum : 100);
        assert_int_equal(words[4 * t + 1], 200 + (odd ? sum >> 32 : 0));
        assert_int_equal(words[4 * t + 2], low ? (uint32_t)product : 300);
        if (low) assert_int_equal(words[4 * t + 3], product >> 32);
    }
}

static void refuse(const struct compiler_options *o, const char *message) {
    struct diag d;
    struct compilation *c = bad(PTX, o, &d);
    if (strstr(d.text, message) == NULL) fail_msg("'%s' instead of '%s'", d.text, message);
    assert_string_equal(compilation_message(c, 0)->text, d.text);
    compilation_destroy(c);
}

static void test_options(void **state) {
    (void)state;
    static const char *const UNKNOWN[] = {"-O1", "--frob", NULL}, *const OPEN[] = {"-w", "-D", NULL};
    static const char *const GOOD[] = {"-O0", "-D", "N=4", "-I", "/tmp", "-w", "-cl-mad-enable", NULL};
    struct compiler_options o = options_for("k.ptx");
    struct diag d = {0};
    o.level = 3;
    refuse(&o, "level must be 0 to 2");
    o = options_for("k.ptx");
    o.max_registers = 7;
    refuse(&o, "max_registers must be 8 to 124");
    o = options_for("k.ptx");
    o.arch = 14;
    refuse(&o, "arch must be 10 to 13");
    o.arch = 2;
    refuse(&o, "arch must be 10 to 13");
    o = options_for("k.ptx");
    o.variables = 3;
    refuse(&o, "variables must be a multiple of 256");
    o = options_for("k.ptx");
    o.words = UNKNOWN;
    refuse(&o, "unknown option '--frob'");
    o.words = OPEN;
    refuse(&o, "unknown option '-D'");
    o = options_for("k");
    refuse(&o, "expected a .cl, .cu or .ptx file");
    o.language = COMPILER_PTX; /* whatever the name is */
    o.arch = 11;
    o.max_registers = 8;
    o.words = GOOD;
    struct compilation *c = good(PTX, &o);
    struct image *img = compilation_image(c, 0);
    assert_int_equal(img->arch, 11);
    image_destroy(img);
    compilation_destroy(c);
    /* A caller that knows fewer fields gets the defaults of the others. */
    o = options_for("k.ptx");
    o.bytes = offsetof(struct compiler_options, level);
    o.level = 77;
    compilation_destroy(good(PTX, &o));
    assert_int_equal(compile_source(PTX, strlen(PTX), &o, &c, NULL), STATUS_OK);
    compilation_destroy(c);
    assert_int_equal(compile_source("x", 1, &o, &c, NULL), STATUS_BAD_INPUT);
    compilation_destroy(c);
    compilation_destroy(NULL);
    assert_string_equal(compilation_log(NULL), "");
    (void)d;
}

/* ---- sources, for which clang must be there ---- */

static void need_clang(void) {
    const struct compiler_options o = options_for("k.cl");
    struct compilation *c;
    struct diag d = {0};
    static const char TEXT[] = "__kernel void k(void) {}";
    const enum status status = compile_source(TEXT, strlen(TEXT), &o, &c, &d);
    compilation_destroy(c);
    if (status != STATUS_OK && strstr(d.text, "clang not found") != NULL) skip();
}

/* A folder with factor.h, for -I. */
static char *folder(void **state) { return *state; }

static int setup(void **state) {
    char *directory = strdup("/tmp/test_compiler.XXXXXX"), path[64];
    if (mkdtemp(directory) == NULL) return -1;
    snprintf(path, sizeof path, "%s/factor.h", directory);
    FILE *file = fopen(path, "w");
    if (file == NULL) return -1;
    fputs("#define FACTOR 3\n", file);
    *state = directory;
    return fclose(file);
}

static int teardown(void **state) {
    char path[64];
    snprintf(path, sizeof path, "%s/factor.h", folder(state));
    const int left = unlink(path) | rmdir(folder(state)); /* nothing else is in it */
    free(*state);
    return left;
}

static struct compilation *compile_scale(void **state, bool describe) {
    struct compiler_options o = options_for("dir/sc\"ale.cl");
    const char *words[] = {"-I", folder(state), "-DEXTRA=2", NULL};
    o.words = words;
    o.describe = describe;
    return good(SCALE, &o);
}

static void expect_argument(const struct compilation *c, size_t number, const char *name, const char *type,
                            enum image_space space, unsigned size, unsigned offset) {
    const struct compiler_argument *a = compilation_argument(c, 0, number);
    assert_string_equal(a->name, name);
    assert_string_equal(a->type_name, type);
    assert_int_equal(a->space, space);
    assert_int_equal(a->size, size);
    assert_int_equal(a->offset, offset);
}

static void test_opencl(void **state) {
    need_clang();
    struct compilation *c = compile_scale(state, true);
    assert_int_equal(compilation_kernel(c, 0)->argument_count, 6);
    expect_argument(c, 0, "y", "float*", IMAGE_GLOBAL, 4, 0);
    expect_argument(c, 1, "x", "float*", IMAGE_GLOBAL, 4, 4);
    expect_argument(c, 2, "p", "pair", IMAGE_VALUE, 8, 8);
    expect_argument(c, 3, "t", "int*", IMAGE_SHARED, 4, 16);
    expect_argument(c, 4, "v", "float4", IMAGE_VALUE, 16, 32);
    expect_argument(c, 5, "n", "uchar", IMAGE_VALUE, 1, 48);
    assert_true(compilation_argument(c, 0, 0)->is_restrict && !compilation_argument(c, 0, 0)->is_const);
    assert_true(compilation_argument(c, 0, 1)->is_const && !compilation_argument(c, 0, 1)->is_volatile);
    assert_true(compilation_argument(c, 0, 3)->is_volatile);
    assert_int_equal(compilation_kernel(c, 1)->block[1], 2);
    struct image *img = compilation_image(c, 0);
    unsigned line = 0;
    assert_string_equal(image_find_line(img, 0, &line), "dir/sc\"ale.cl");
    assert_in_range(line, 4, 6);
    image_destroy(img);
    compilation_destroy(c);
    c = compile_scale(state, false);
    assert_string_equal(compilation_argument(c, 0, 0)->name, "");
    assert_int_equal(compilation_argument(c, 0, 5)->offset, 48);
    compilation_destroy(c);
}

static void set_word(uint8_t *at, float value) { memcpy(at, &value, sizeof value); }

/* From source text to results. */
static void test_what_is_compiled_runs(void **state) {
    need_clang();
    static const struct machine MACHINE = MACHINE_DEFAULT;
    struct compilation *c = compile_scale(state, false);
    struct launch run = {.image = compilation_image(c, compilation_find(c, "scale"))};
    struct diag d = {0};
    uint8_t x[12] = {0}, parameters[52] = {0};
    const uint32_t address = compilation_free_address(c), addresses[2] = {address + 256, address};
    uint64_t steps;
    for (unsigned i = 0; i < 3; i++) set_word(x + 4 * i, 1.5F + (float)i);
    memcpy(parameters + compilation_argument(c, 0, 0)->offset, addresses, sizeof addresses);
    set_word(parameters + compilation_argument(c, 0, 2)->offset + 4, 0.5F);
    set_word(parameters + compilation_argument(c, 0, 4)->offset + 4, 100);
    parameters[compilation_argument(c, 0, 5)->offset] = 3;
    compilation_destroy(c);
    for (size_t i = 0; i < sizeof parameters; i += 4) {
        uint32_t word;
        memcpy(&word, parameters + i, sizeof word);
        assert_int_equal(image_add_param(run.image, word), STATUS_OK);
    }
    assert_int_equal(image_add_global(run.image, address, x, sizeof x), STATUS_OK);
    run.image->block[0] = 32;
    image_set_shape(run.image);
    if (launch_check(&run, &MACHINE, &d) != STATUS_OK) fail_msg("%s", d.text);
    struct model *m = model_create(&MACHINE);
    assert_int_equal(model_launch(m, run.image, &d), STATUS_OK);
    assert_int_equal(model_run(m, UINT64_MAX, &steps), MODEL_DONE);
    for (unsigned i = 0; i < 4; i++) {
        float y;
        memcpy(&y, model_global(m) + address + 256 + 4 * i, sizeof y);
        const float expected = i < 3 ? 6 * (1.5F + (float)i) + 0.5F + 100 : 0;
        assert_true(y == expected);
    }
    model_destroy(m);
    launch_release(&run);
}

static void test_messages_of_clang(void **state) {
    (void)state;
    need_clang();
    static const char *const ALL[] = {"-Wall", NULL};
    struct compiler_options o = options_for("a.cl");
    struct diag d;
    struct compilation *c = bad("\n__kernel void k(__global int *y) {\n    y[0] = x;\n    z();\n}\n", &o, &d);
    assert_string_equal(d.file, "a.cl");
    assert_int_equal(d.line, 3);
    assert_int_equal(d.column, 12);
    assert_string_equal(d.text, "use of undeclared identifier 'x'");
    assert_int_equal(compilation_message(c, 0)->line, 3);
    assert_int_equal(compilation_message(c, 1)->line, 4);
    assert_non_null(strstr(compilation_log(c), "    y[0] = x;\n")); /* the line, and its caret */
    compilation_destroy(c);
    o.words = ALL;
    c = good("__kernel void k(__global float *y) { int unused; y[0] = sin(y[0]); }", &o);
    assert_int_equal(compilation_message(c, 0)->severity, COMPILER_WARNING);
    assert_string_equal(compilation_message(c, 0)->file, "a.cl");
    if (compilation_message(c, 1) != NULL) fail_msg("%s", compilation_log(c));
    assert_null(compilation_message(c, 1)); /* once, although libclc may need a second run of clang */
    compilation_destroy(c);
    c = bad("#include \"nowhere.h\"\n", &o, &d);
    assert_string_equal(d.text, "'nowhere.h' file not found");
    compilation_destroy(c);
    c = bad("int f(void) { return 1; }\n", &o, &d);
    assert_string_equal(d.file, "a.cl");
    assert_string_equal(d.text, "there is no kernel");
    compilation_destroy(c);
    o.clang = "/nonexistent/clang";
    c = bad(SCALE, &o, &d);
    assert_string_equal(d.text, "cannot run /nonexistent/clang");
    compilation_destroy(c);
    o.clang = "false"; /* exits at once, without output */
    c = bad(SCALE, &o, &d);
    assert_non_null(strstr(d.text, "clang"));
    compilation_destroy(c);
}

static void test_cuda(void **state) {
    (void)state;
    need_clang();
    struct compiler_options o = options_for("text");
    o.language = COMPILER_CUDA;
    o.describe = true;
    struct compilation *c =
        good("struct pair { int a; float b; };\n__constant__ float gain;\n"
             "template <class T> __global__ void add(T *sums, pair p, int n) { extern __shared__ T t[];\n"
             "  t[0] = n; sums[0] = p.a + t[0] + gain; }\n"
             "template __global__ void add<int>(int *, pair, int);\n",
             &o);
    assert_string_equal(compilation_kernel(c, 0)->name, "add");
    assert_int_equal(compilation_kernel(c, 0)->argument_count, 4);
    expect_argument(c, 0, "sums", "", IMAGE_GLOBAL, 4, 0);
    expect_argument(c, 1, "p", "", IMAGE_VALUE, 8, 4);
    expect_argument(c, 2, "n", "", IMAGE_VALUE, 4, 12);
    expect_argument(c, 3, "", "", IMAGE_SHARED, 0, 0);
    assert_string_equal(compilation_variable(c, 0)->name, "gain");
    compilation_destroy(c);
}

/* The process ignores SIGCHLD. */
static void test_where_children_are_ignored(void **state) {
    (void)state;
    need_clang();
    const struct compiler_options o = options_for("a.cl");
    struct diag d;
    void (*before)(int) = signal(SIGCHLD, SIG_IGN);
    compilation_destroy(good("__kernel void k(void) {}", &o));
    compilation_destroy(bad("__kernel void k(void) { x; }", &o, &d));
    signal(SIGCHLD, before);
    assert_int_equal(d.column, 25);
}

/* ---- threads ---- */

enum { THREADS = 6 };

struct job {
    const char *words[4];
    char *listing;
};

static void *work(void *state) {
    struct job *job = state;
    struct compiler_options o = options_for("k.ptx");
    for (int i = 0; i < 3; i++) {
        struct compilation *c = NULL;
        compile_source(PTX, strlen(PTX), &o, &c, NULL);
        compilation_destroy(c);
    }
    o.name = "k.cl";
    o.words = job->words;
    struct compilation *c = NULL;
    compile_source(SCALE, strlen(SCALE), &o, &c, NULL);
    job->listing = strdup(compilation_listing(c));
    compilation_destroy(c);
    return NULL;
}

static void test_threads(void **state) {
    need_clang();
    struct job alone = {
        .words = {"-I", folder(state), "-DEXTRA=2", NULL}
    };
    struct job job[THREADS];
    pthread_t thread[THREADS];
    work(&alone);
    for (unsigned i = 0; i < THREADS; i++) {
        job[i] = alone;
        assert_int_equal(pthread_create(&thread[i], NULL, work, &job[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        assert_string_equal(job[i].listing, alone.listing);
        free(job[i].listing);
    }
    assert_non_null(strstr(alone.listing, ".kernel scale"));
    free(alone.listing);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ptx),
        cmocka_unit_test(test_images),
        cmocka_unit_test(test_messages_of_ptx),
        cmocka_unit_test(test_carries_under_a_guard),
        cmocka_unit_test(test_options),
        cmocka_unit_test_setup_teardown(test_opencl, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_is_compiled_runs, setup, teardown),
        cmocka_unit_test(test_messages_of_clang),
        cmocka_unit_test(test_cuda),
        cmocka_unit_test(test_where_children_are_ignored),
        cmocka_unit_test_setup_teardown(test_threads, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
