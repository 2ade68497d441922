/* SPDX-License-Identifier: Apache-2.0 */
/* Memory runs out at each allocation in turn, once or from there on: every job of the library must end with an error,
 * or with its usual result; nothing crashes and (under the address sanitizer) nothing leaks.
 * testbench/robust/out_of_memory.sh tests the tools, with allocations of libraries. */
// link: -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup,--wrap=strndup
// link: -Wl,--wrap=fopen,--wrap=fdopen,--wrap=fmemopen
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../../assembler/base/file.h"
#include "../../../assembler/check/verify.h"
#include "../../../assembler/check/warn.h"
#include "../../../assembler/cubin/cubin_text_write.h"
#include "../../../assembler/image_load.h"
#include "../../../assembler/listing/listing.h"
#include "../../../assembler/listing/words.h"
#include "../../../assembler/source/assemble.h"
#include "../../../assembler/test/cubin_builder.h"
#include "../../../checker/port/pins.h"
#include "../../../checker/random/judge.h"
#include "../../../checker/random/make.h"
#include "../../../checker/report/report.h"
#include "../../../checker/report/summary.h"
#include "../../../checker/test/fake_sim.h"
#include "../../../checker/test/kernel.h"
#include "../../../checker/verdict/race.h"
#include "../../../cmodel/run/results.h"
#include "../../../cmodel/run/trace.h"
#include "../../../compiler/compiler.h"
#include "fail_alloc.h"

enum { MOST_ALLOCATIONS = 100000, OUTPUT_BYTES = 1 << 16 };

/* Everything in a source that allocates: an included file and a data file, macros, symbols, notes of lines. */
static const char SOURCE[] =
    ".kernel k\n.arch sm_11\n.reg 12\n.shared 64\n.local 16\n.grid 2\n.block 64\n"
    ".param 0x100, 2\n.equ BASE = 0x100\n.alias index = R1\n.include \"part.inc\"\n"
    ".global BASE = 1, 2\n.global 0x200 = .fill 60, 3\n.global 0 = @data.bin\n.const 1:0 = 0x3ff, 1\n"
    ".expect 0x2000 = 1\n"
    ".macro twice a\nIADD \\a, \\a, \\a\nIADD \\a, \\a, \\a\n.endm\n"
    "start: MOV index, R0\ntwice index\n.rept 3\nIADD R2, R1, R1\n.endr\n"
    "GLD.U32 R3, global14[R1]\nSSY done\nBRA C0.NE, done\nR2G.U32.U32 g[0x18], R3\n"
    "done: NOP.S\nNOP\n.end\n";
static const char PART[] = ".macro nothing\nNOP\n.endm\n";
static const char MISTAKES[] =
    ".kernel k\nIADD R1, R2\nfoo R1\nBRA nowhere\n.equ A = B\n.reg 700\nIADD.S23 R1, R2, R3\n";
/* A loop, a branch that divides a warp, a call, a division, shared memory, variables with and without values. */
static const char PTX[] =
    ".version 3.2\n.target sm_20\n.address_size 32\n.file 1 \".\" \"k.cl\"\n"
    ".global .u32 seven = 7;\n.const .u32 table[3] = {1, 2, 3};\n.shared .u32 tile[32];\n.global .u32 zeros[4];\n"
    ".func (.param .u32 r) twice(.param .u32 x) {\n.reg .u32 %r;\nld.param.u32 %r, [x];\nadd.u32 %r, %r, %r;\n"
    "st.param.u32 [r], %r;\nret;\n}\n"
    ".entry _Z1kPiif(.param .u32 a, .param .u32 n, .param .f32 f) {\n.reg .u32 %r<9>;\n.reg .pred %p<2>;\n"
    ".loc 1 3 0\nld.param.u32 %r1, [a];\nld.param.u32 %r2, [n];\nmov.u32 %r3, %tid.x;\nmov.u32 %r5, 0;\n"
    "again:\nld.const.u32 %r4, [table+4];\nadd.u32 %r5, %r5, %r4;\nsetp.lt.u32 %p1, %r5, %r3;\n@%p1 bra again;\n"
    "div.u32 %r6, %r5, %r2;\n{ .param .u32 x; .param .u32 r; st.param.u32 [x], %r6;\ncall (r), twice, (x);\n"
    "ld.param.u32 %r7, [r]; }\nshl.b32 %r8, %r3, 2;\nadd.u32 %r8, %r8, %r1;\nst.global.u32 [%r8], %r7;\nret;\n}\n"
    ".entry other() { ret; }\n";
static const char LISTING[] = "code for sm_10\n\t\tFunction : k\n"
                              "\t/*0000*/     /*0x2000820104014780*/\tIADD R0, R1, R5;\n"
                              "\t/*0008*/     /*0x3000000300000780*/\tRET;\n";

/* Input files of jobs, in a private directory. */
static struct {
    char directory[32];
    char source[64], listing[64], part[64], data[64], image[64], text_cubin[64], cubin[64], hex[64], ptx[64], out[64];
} files;

/* ---------------------------------------------------------------------------------------------------------- jobs
 * A job does one thing from beginning to end, writes its result to `out`, and returns its status. */

typedef enum status job(FILE *out, struct diag *d);

static enum status assemble_file(const char *path, FILE *out, struct diag *d,
                                 enum status (*use)(struct assembly *a, struct messages *m, FILE *out,
                                                    struct diag *d)) {
    char *text = NULL;
    size_t size = 0;
    struct assembly a;
    struct messages m;
    enum status status = file_read(path, &text, &size, d);
    if (status != STATUS_OK) return status;
    messages_init(&m, path, text, size);
    status = assemble_text(NULL, &a, &m);
    if (status == STATUS_OK) {
        status = use(&a, &m, out, d);
        assembly_release(&a);
    } else {
        status = messages_first(&m, d);
    }
    if (status != STATUS_NO_MEMORY) messages_print(&m, out);
    messages_release(&m);
    free(text);
    return status;
}

static enum status no_memory(enum status status, struct diag *d) {
    return status == STATUS_NO_MEMORY ? diag_set(d, status, "", 0, 0, "out of memory") : status;
}

static enum status list_assembly(struct assembly *a, struct messages *m, FILE *out, struct diag *d) {
    (void)m;
    listing_print_source(a, out);
    return no_memory(listing_print(a->image, ISA_DIALECT_3, out), d);
}

static enum status warn_assembly(struct assembly *a, struct messages *m, FILE *out, struct diag *d) {
    (void)out;
    return no_memory(warn_kernel(a, m), d);
}

static enum status write_image(struct assembly *a, struct messages *m, FILE *out, struct diag *d) {
    (void)m, (void)out;
    return image_write_file(a->image, files.out, d);
}

static enum status write_text_cubin(struct assembly *a, struct messages *m, FILE *out, struct diag *d) {
    (void)m, (void)out;
    const struct image *const kernels[] = {a->image};
    return cubin_text_write(kernels, 1, files.out, d);
}

static enum status job_assemble(FILE *out, struct diag *d) {
    return assemble_file(files.source, out, d, list_assembly);
}
static enum status job_warn(FILE *out, struct diag *d) { return assemble_file(files.source, out, d, warn_assembly); }
static enum status job_write_image(FILE *out, struct diag *d) {
    return assemble_file(files.source, out, d, write_image);
}
static enum status job_write_text_cubin(FILE *out, struct diag *d) {
    return assemble_file(files.source, out, d, write_text_cubin);
}

static enum status job_mistakes(FILE *out, struct diag *d) {
    struct assembly a;
    struct messages m;
    messages_init(&m, "mistakes.sass", MISTAKES, sizeof MISTAKES - 1);
    if (assemble_text(NULL, &a, &m) == STATUS_OK) assembly_release(&a);
    const enum status status = messages_first(&m, d);
    if (status != STATUS_NO_MEMORY) messages_print(&m, out);
    messages_release(&m);
    return status;
}

static enum status job_verify(FILE *out, struct diag *d) {
    struct messages m;
    messages_init(&m, "k.txt", LISTING, sizeof LISTING - 1);
    enum status status = verify_listing(out, &m);
    if (status == STATUS_BAD_INPUT) status = messages_first(&m, d);
    messages_release(&m);
    return no_memory(status, d);
}

static enum status job_words(FILE *out, struct diag *d) {
    static const char TEXT[] = "IADD R0, R1, R5\nRET\nMOV R1, R2\n";
    struct words_text words = {0}, text = {0};
    struct messages m;
    messages_init(&m, "-", TEXT, sizeof TEXT - 1);
    enum status status = words_assemble(TEXT, sizeof TEXT - 1, &words, &m);
    if (status == STATUS_BAD_INPUT) status = messages_first(&m, d);
    if (status == STATUS_OK) status = words_disassemble("-", words.text, words.size, ISA_DIALECT_5, true, &text, d);
    if (status == STATUS_OK) fwrite(text.text, 1, text.size, out);
    messages_release(&m);
    free(words.text);
    free(text.text);
    return no_memory(status, d);
}

static enum status load(const char *path, FILE *out, struct diag *d) {
    struct image *img = NULL;
    enum status status = image_load(path, NULL, &img, d);
    assert_int_equal(status == STATUS_OK, img != NULL);
    if (img == NULL) return status;
    status = no_memory(listing_print(img, ISA_DIALECT_5, out), d);
    image_destroy(img);
    return status;
}
static enum status job_load_image(FILE *out, struct diag *d) { return load(files.image, out, d); }
static enum status job_load_text_cubin(FILE *out, struct diag *d) { return load(files.text_cubin, out, d); }
static enum status job_load_cubin(FILE *out, struct diag *d) { return load(files.cubin, out, d); }
static enum status job_load_hex(FILE *out, struct diag *d) { return load(files.hex, out, d); }
static enum status job_load_listing(FILE *out, struct diag *d) { return load(files.listing, out, d); }

static int no_option(void *state, const char *option, const char *value, struct diag *d) {
    (void)state, (void)option, (void)value, (void)d;
    return 0;
}

/* Like warp-run. */
static enum status run_model(struct launch *run, const struct machine *machine, FILE *out, struct diag *d) {
    struct trace *trace = NULL;
    struct retire r;
    struct model *m = model_create(machine);
    enum status status =
        m != NULL ? model_launch(m, run->image, d) : diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    if (status == STATUS_OK && run->trace_path != NULL) status = trace_open(run->trace_path, run->image, &trace, d);
    if (status == STATUS_OK) {
        enum model_result result;
        while ((result = model_run_step(m, &r)) == MODEL_RETIRED)
            if (trace != NULL) trace_record(trace, &r, NULL);
        fprintf(out, "ended with %d, %zu undefined\n", (int)result, model_undefined_count(m));
        results_compare(run, model_global(m), out);
        status = results_dump(run, model_global(m), out, d);
    }
    struct diag later = {0};
    const enum status closed = trace_close(trace, status == STATUS_OK, &later);
    if (status == STATUS_OK && closed != STATUS_OK) {
        *d = later;
        status = closed;
    }
    model_destroy(m);
    return status;
}

static enum status job_run(FILE *out, struct diag *d) {
    char at_data[80];
    snprintf(at_data, sizeof at_data, "0x400=@%s", files.data);
    char *arguments[] = {"warp-run", files.image, "--grid",   "3",       "--param",  "1,2,3",
                         "--const",  "2:0=0102",  "--global", at_data,   "--expect", at_data,
                         "--dump",   "0x400:64",  "--trace",  files.out, "--kernel", "k"};
    const struct machine machine = MACHINE_DEFAULT;
    struct launch run;
    enum status status =
        launch_parse(sizeof arguments / sizeof arguments[0], arguments, no_option, NULL, &machine, NULL, &run, d);
    if (status != STATUS_OK) return status;
    status = launch_check(&run, &machine, d);
    if (status == STATUS_NO_MEMORY && (d->line != 0 || d->column != 0))
        status = STATUS_OK; /* a place without a file */
    else if (status == STATUS_OK)
        status = run_model(&run, &machine, out, d);
    launch_release(&run);
    return status;
}

/* A compiled kernel, with arguments. */
static enum status job_run_ptx(FILE *out, struct diag *d) {
    char buffer[100];
    snprintf(buffer, sizeof buffer, "zero:128,out=%s", files.out);
    char *arguments[] = {"warp-run", files.ptx, "--kernel", "k", "--block", "32",
                         "--arg",    buffer,    "--arg",    "3", "--arg",   "1.5"};
    const struct machine machine = MACHINE_DEFAULT;
    struct launch run;
    enum status status =
        launch_parse(sizeof arguments / sizeof arguments[0], arguments, no_option, NULL, &machine, NULL, &run, d);
    if (status != STATUS_OK) return status;
    status = launch_check(&run, &machine, d);
    if (status == STATUS_OK) status = run_model(&run, &machine, out, d);
    launch_release(&run);
    return status;
}

/* The compiler for programs; `clang` ends at once and always fails. */
static enum status job_compile(FILE *out, struct diag *d) {
    struct compiler_options options = COMPILER_OPTIONS;
    struct compilation *c;
    uint8_t *bytes = NULL;
    size_t size = 0;
    options.name = "k.ptx";
    enum status status = compile_source(PTX, sizeof PTX - 1, &options, &c, d);
    if (status == STATUS_OK) status = compilation_write(c, &bytes, &size, d);
    struct image *img = status == STATUS_OK ? compilation_image(c, 1) : NULL;
    if (status == STATUS_OK && img == NULL) status = diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    if (img != NULL) fprintf(out, "%s %zu %s", img->name, size, compilation_listing(c));
    image_destroy(img);
    free(bytes);
    compilation_destroy(c);
    return status;
}

static enum status job_compile_child(FILE *out, struct diag *d) {
    struct compiler_options options = COMPILER_OPTIONS;
    struct compilation *c;
    options.clang = "false";
    const enum status status = compile_source("x", 1, &options, &c, d);
    fputs(compilation_log(c), out);
    compilation_destroy(c);
    return status;
}

/* The checker, with two SMs whose stores and loads may race, and a second model as the machine. */
static struct launch locked, trapping;
static struct kernel drawn;
static struct machine two_sms = MACHINE_DEFAULT;

static enum status lockstep_with(const struct launch *run, uint32_t fault, FILE *out, struct diag *d) {
    const struct sim_options sim = {.cores = 8, .machine = two_sms, .seed = fault};
    const struct lockstep_options options = {.run = run, .machine = two_sms, .silence = 1000};
    const struct summary s = {.sim = &sim, .status = "pass"};
    struct lockstep *l = lockstep_create(&options, d);
    if (l == NULL) return d->status;
    enum status status = STATUS_OK;
    if (!lockstep_run(l, fake_sim_api(), &sim, d)) {
        status = d->status;
    } else if (lockstep_result(l)->status == LOCKSTEP_PASS || lockstep_result(l)->status == LOCKSTEP_TRAP ||
               fault != FAKE_NONE) {
        struct summary whole = s;
        whole.lockstep = l;
        summary_print_json(&whole, out);
        lockstep_report(l, NULL, out);
        if (strstr(lockstep_result(l)->text, "out of memory") != NULL)
            status = diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "%s", lockstep_result(l)->text);
    } else {
        status = strstr(lockstep_result(l)->text, "out of memory") != NULL ? STATUS_NO_MEMORY : STATUS_DIFFERS;
        diag_set(d, status, "", 0, 0, "%s", lockstep_result(l)->text);
    }
    lockstep_destroy(l);
    return status;
}
static enum status job_lockstep(FILE *out, struct diag *d) { return lockstep_with(&locked, FAKE_NONE, out, d); }
static enum status job_mismatch(FILE *out, struct diag *d) { return lockstep_with(&locked, FAKE_LANE, out, d); }
static enum status job_trapped_store(FILE *out, struct diag *d) { return lockstep_with(&trapping, FAKE_NONE, out, d); }

/* An atomic that found a value that no record has stored yet. */
static enum status job_race(FILE *out, struct diag *d) {
    static const struct retire RTL = {
        .mem_kind = RETIRE_MEM_GLOBAL_ATOMIC, .mem_bytes = 4, .mem_mask = 1, .dst_mask = 1, .dst = {7}};
    uint8_t global[4] = {0};
    struct races *r = races_create(&two_sms);
    const bool noted = r != NULL && races_before_step(r, global, &RTL);
    if (r != NULL) fprintf(out, "%s\n", races_overdue(r, UINT64_MAX) != NULL ? "open" : "settled");
    races_destroy(r);
    return noted ? STATUS_OK : diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
}

/* Pins of a machine, up to its first transfers. */
static enum status job_pins(FILE *out, struct diag *d) {
    const struct sim_options options = {.cores = 8, .machine = two_sms};
    struct host_write_op *writes = NULL;
    struct pins *p = pins_create(&options);
    if (p == NULL) return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    enum status status = STATUS_OK;
    const size_t count = host_plan(&locked, &two_sms, &writes);
    if (count == 0) {
        status = diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    } else {
        const struct pins_sample in = {.wb = {.ack = true}};
        struct pins_drive drive;
        bool finished = false;
        pins_begin_load(p, writes, count);
        for (unsigned i = 0; i < 1000 && !finished; i++) finished = pins_clock(p, &in, &drive);
        if (finished && pins_event(p) == SIM_FAILED)
            status = diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "%s", pins_why(p));
        fprintf(out, "%zu writes\n", count);
    }
    free(writes);
    pins_destroy(p);
    return status;
}

/* A random kernel: its text, its launch, its run. */
static enum status job_random(FILE *out, struct diag *d) {
    char why[JUDGE_WHY] = "";
    const enum judgement judgement = judge_kernel(&drawn, JUDGE_STEPS, why);
    fprintf(out, "judgement %d\n", (int)judgement);
    return judgement == JUDGED_LEGAL ? STATUS_OK : diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "%s", why);
}

/* -------------------------------------------------------------------------------------------------------- judging */

struct outcome {
    enum status status;
    bool failed, left_behind; /* an allocation failed; an unexpected file exists */
    char text[512];
    char *output;
};

static char buffer[OUTPUT_BYTES];

/* Runs the job with its k-th allocation failing, 0 for none. Its output is in `buffer`. */
static struct outcome attempt(job *run, unsigned long k, enum fail_alloc_mode mode) {
    struct diag d = {0};
    struct outcome o = {.output = buffer};
    unlink(files.out);
    memset(buffer, 0, sizeof buffer);
    FILE *out = fmemopen(buffer, sizeof buffer, "w");
    assert_non_null(out);
    if (k > 0) fail_alloc_arm(k, mode);
    o.status = run(out, &d);
    o.failed = fail_alloc_disarm();
    fclose(out);
    snprintf(o.text, sizeof o.text, "%s", d.text);
    o.left_behind = o.status == STATUS_NO_MEMORY && access(files.out, F_OK) == 0;
    return o;
}

/* Expects no file named like files.out with a suffix: half of an output. */
static void expect_no_temporaries(unsigned long k) {
    const char *own = strrchr(files.out, '/') + 1;
    DIR *directory = opendir(files.directory);
    assert_non_null(directory);
    for (const struct dirent *e; (e = readdir(directory)) != NULL;)
        if (strncmp(e->d_name, own, strlen(own)) == 0 && strcmp(e->d_name, own) != 0)
            fail_msg("allocation %lu: %s is left behind", k, e->d_name);
    closedir(directory);
}

static void try_all(job *run, enum fail_alloc_mode mode) {
    const struct outcome usual = attempt(run, 0, mode);
    char *expected = strdup(usual.output);
    assert_non_null(expected);
    unsigned long k = 1, told = 0, wrong = 0;
    for (; k < MOST_ALLOCATIONS; k++) {
        const struct outcome o = attempt(run, k, mode);
        if (!o.failed) break;
        const bool says = o.status != STATUS_OK && strstr(o.text, "out of memory") != NULL;
        const bool as_usual =
            o.status == usual.status && strcmp(o.text, usual.text) == 0 && strcmp(o.output, expected) == 0;
        if (!says && !as_usual)
            print_error("allocation %lu, %s: status %d, '%s'%s, not %d, '%s'\n", k,
                        mode == FAIL_ONCE ? "once" : "always", (int)o.status, o.text,
                        strcmp(o.output, expected) != 0 ? " and other output" : "", (int)usual.status, usual.text);
        if (o.left_behind) print_error("allocation %lu: a file is left behind\n", k);
        wrong += o.left_behind || (!says && !as_usual);
        told += says;
    }
    expect_no_temporaries(k);
    free(expected);
    assert_int_equal(wrong, 0);
    assert_true(told > 0);
    assert_true(k < MOST_ALLOCATIONS);
}

#define JOB(name)                                         \
    static void test_out_of_memory_##name(void **state) { \
        (void)state;                                      \
        try_all(job_##name, FAIL_ONCE);                   \
        try_all(job_##name, FAIL_ALWAYS);                 \
    }
JOB(assemble)
JOB(warn)
JOB(write_image)
JOB(write_text_cubin)
JOB(mistakes)
JOB(verify)
JOB(words)
JOB(load_image)
JOB(load_text_cubin)
JOB(load_cubin)
JOB(load_hex)
JOB(load_listing)
JOB(run)
JOB(run_ptx)
JOB(compile)
JOB(compile_child)
JOB(lockstep)
JOB(mismatch)
JOB(trapped_store)
JOB(race)
JOB(pins)
JOB(random)

/* A job that ignores failures must be noticed. */
static enum status job_careless(FILE *out, struct diag *d) {
    (void)d;
    char *text = strdup("text");
    fputs(text != NULL ? text : "nothing", out);
    free(text);
    return STATUS_OK;
}

static void test_out_of_memory_a_careless_job_is_seen(void **state) {
    (void)state;
    const struct outcome usual = attempt(job_careless, 0, FAIL_ONCE);
    assert_string_equal(usual.output, "text");
    assert_false(usual.failed);
    const struct outcome o = attempt(job_careless, 1, FAIL_ONCE);
    assert_true(o.failed);
    assert_string_equal(o.output, "nothing");
}

/* ----------------------------------------------------------------------------------------------------------- files */

static void put(char path[64], const char *name, const void *bytes, size_t size) {
    snprintf(path, 64, "%s/%s", files.directory, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    fclose(f);
}

static void put_cubin(void) {
    static const uint32_t WORDS[] = {0x10000205, 0x2780c780, 0x30000003, 0x00000780}, CONSTANTS[] = {1, 2, 3};
    struct cubin_builder *b = cubin_builder_create(ELFCLASS32, 10);
    const size_t code = cubin_builder_section(b, ".text.k", SHT_PROGBITS, WORDS, sizeof WORDS);
    b->section[code].info = 6u << 24;
    b->section[code].flags = SHF_ALLOC | SHF_EXECINSTR;
    cubin_builder_symbol(b, "k", STT_FUNC, 0x10, code, 0, sizeof WORDS);
    cubin_builder_section(b, ".nv.constant0", SHT_PROGBITS, CONSTANTS, sizeof CONSTANTS);
    const size_t variables = cubin_builder_section(b, ".nv.global.init", SHT_PROGBITS, CONSTANTS, sizeof CONSTANTS);
    const size_t variable = cubin_builder_symbol(b, "variable", STT_OBJECT, 0, variables, 4, 4);
    cubin_builder_section(b, ".nv.constant14", SHT_PROGBITS, CONSTANTS, 4);
    cubin_builder_relocation(b, ".rel.nv.constant14", SHT_REL, 0, 1, variable, 0);
    assert_int_equal(cubin_builder_write(b, files.cubin), 0);
}

static void move_out(job *make, char path[64], const char *name) {
    const struct outcome o = attempt(make, 0, FAIL_ONCE);
    if (o.status != STATUS_OK) fail_msg("%s: %s\n%s", name, o.text, o.output);
    snprintf(path, 64, "%s/%s", files.directory, name);
    assert_int_equal(rename(files.out, path), 0);
}

/* The kernel of a seed whose text is short. */
static bool draw(void) {
    static const struct make_options options = {MAKE_RUNS, MAKE_STEPS_LEAST};
    struct table table;
    char why[JUDGE_WHY];
    table_find(&table);
    return make_kernel(&drawn, 60, &options, &table, why);
}

static int setup(void **state) {
    (void)state;
    static const char DATA[300] = "data", HEX[] = "0x10000205 # MOV\n0x2780c780\n0x30000003\n0x00000780\n";
    strcpy(files.directory, "/tmp/warpstep-XXXXXX");
    if (mkdtemp(files.directory) == NULL) return -1;
    put(files.source, "k.sass", SOURCE, sizeof SOURCE - 1);
    put(files.listing, "k.txt", LISTING, sizeof LISTING - 1);
    put(files.part, "part.inc", PART, sizeof PART - 1);
    put(files.data, "data.bin", DATA, sizeof DATA);
    put(files.hex, "k.hex", HEX, sizeof HEX - 1);
    put(files.ptx, "k.ptx", PTX, sizeof PTX - 1);
    snprintf(files.cubin, sizeof files.cubin, "%s/elf.cubin", files.directory);
    snprintf(files.out, sizeof files.out, "%s/out", files.directory);
    put_cubin();
    move_out(job_write_image, files.image, "k.img");
    move_out(job_write_text_cubin, files.text_cubin, "text.cubin");
    snprintf(files.out, sizeof files.out, "%s/out.txt", files.directory); /* a trace by its suffix */
    two_sms.sms = 2;
    locked = kernel_make(KERNEL_MIXED, 5, 64, &two_sms);
    trapping = kernel_make(KERNEL_TRAP, 5, 64, &two_sms);
    return draw() ? 0 : -1;
}

static int teardown(void **state) {
    (void)state;
    char command[64];
    kernel_release(&locked);
    kernel_release(&trapping);
    snprintf(command, sizeof command, "rm -rf %s", files.directory);
    return system(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_out_of_memory_a_careless_job_is_seen),
        cmocka_unit_test(test_out_of_memory_assemble),
        cmocka_unit_test(test_out_of_memory_warn),
        cmocka_unit_test(test_out_of_memory_write_image),
        cmocka_unit_test(test_out_of_memory_write_text_cubin),
        cmocka_unit_test(test_out_of_memory_mistakes),
        cmocka_unit_test(test_out_of_memory_verify),
        cmocka_unit_test(test_out_of_memory_words),
        cmocka_unit_test(test_out_of_memory_load_image),
        cmocka_unit_test(test_out_of_memory_load_text_cubin),
        cmocka_unit_test(test_out_of_memory_load_cubin),
        cmocka_unit_test(test_out_of_memory_load_hex),
        cmocka_unit_test(test_out_of_memory_load_listing),
        cmocka_unit_test(test_out_of_memory_run),
        cmocka_unit_test(test_out_of_memory_run_ptx),
        cmocka_unit_test(test_out_of_memory_compile),
        cmocka_unit_test(test_out_of_memory_compile_child),
        cmocka_unit_test(test_out_of_memory_lockstep),
        cmocka_unit_test(test_out_of_memory_mismatch),
        cmocka_unit_test(test_out_of_memory_trapped_store),
        cmocka_unit_test(test_out_of_memory_race),
        cmocka_unit_test(test_out_of_memory_pins),
        cmocka_unit_test(test_out_of_memory_random),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
