/* SPDX-License-Identifier: Apache-2.0 */
#include "driver_command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../assembler/base/begins.h"
#include "../assembler/base/grow.h"
#include "driver_dump.h"

/* Not passed to clang, whose own contraction makes fma, which takes many instructions. */
static const char CONTRACT[] = "-ffp-contract=";

static bool parse_contract(struct compile_options *options, const char *value) {
    if (strcmp(value, "off") == 0) options->contract = COMPILE_CONTRACT_OFF;
    return strcmp(value, "off") == 0 || strcmp(value, "on") == 0 || begins(value, "fast");
}

bool driver_parse_option(struct compile_options *options, const char *arg) {
    static const char *const PASSED[] = {"-D", "-U", "-I", "-f", "-cl-", "-std=", "-W"};
    if (begins(arg, "-O")) {
        if (arg[2] < '0' || arg[2] > '3' || arg[3] != '\0') return false;
        options->level = arg[2] == '3' ? 2 : (unsigned)(arg[2] - '0');
        return true;
    }
    if (strcmp(arg, "-cl-fast-relaxed-math") == 0 || strcmp(arg, "-cl-unsafe-math-optimizations") == 0)
        options->fast_math = true;
    if (begins(arg, CONTRACT)) return parse_contract(options, arg + strlen(CONTRACT));
    for (size_t i = 0; i < sizeof PASSED / sizeof *PASSED; i++)
        if (begins(arg, PASSED[i]) && (arg[1] == 'W' || arg[strlen(PASSED[i])] != '\0')) return true;
    return false;
}

static void add_word(struct driver_command *c, const char *word) {
    const char **grown = grow_array(c->words, c->count, &c->capacity, sizeof *grown);
    if (grown == NULL) {
        c->failed = true;
        return;
    }
    c->words = grown;
    c->words[c->count++] = word;
}

static void add_words(struct driver_command *c, const char *const *words) {
    for (; words != NULL && *words != NULL; words++) add_word(c, *words);
}

static const char *const STRICT[] = {"-cl-strict-aliasing", "-fstrict-aliasing", NULL};

/* Adds the user's options; those of macros and included files only for the source. Our header is for OpenCL C 1.2,
 * which includes 1.0 and 1.1. Denormals are zero. */
static void add_arguments(struct driver_command *c, const char *const *words, bool for_source) {
    static const char *const MEANT[] = {"-cl-std=CL1.0",        "-cl-std=CL1.1",        "-cl-std=CL",
                                        "-cl-denorms-are-zero", "-fno-strict-aliasing", NULL};
    for (; words != NULL && *words != NULL; words++) {
        const bool is_of_source = begins(*words, "-D") || begins(*words, "-U") || begins(*words, "-I");
        const bool is_for_clang = !is_one_of(*words, MEANT) && !is_one_of(*words, STRICT) && !begins(*words, CONTRACT);
        const char *value = is_of_source && (*words)[2] == '\0' ? words[1] : NULL;
        if (is_for_clang && (for_source || !is_of_source)) add_word(c, *words);
        if (value != NULL && for_source) add_word(c, value);
        words += value != NULL;
    }
}

/* Turns off type-based alias analysis, as other compilers of OpenCL and CUDA do, unless the user asks for it. */
static void add_aliasing(struct driver_command *c, const char *const *words) {
    bool is_strict = false;
    for (; words != NULL && *words != NULL; words++) is_strict |= is_one_of(*words, STRICT);
    if (!is_strict) add_word(c, "-relaxed-aliasing");
}

static const char *level_option(unsigned level) { return level == 0 ? "-O0" : level == 1 ? "-O1" : "-O2"; }

static const char *arch_option(uint32_t arch) {
    return arch >= 12 ? "-D__CUDA_ARCH__=120" : arch == 11 ? "-D__CUDA_ARCH__=110" : "-D__CUDA_ARCH__=100";
}

static void add_language(struct driver_command *c, const struct driver_job *job, enum driver_step step) {
    /* The triple nvcl writes the memory of pointer parameters: .ptr .shared. Inline functions have bodies, as on
     * other devices. */
    static const char *const OPENCL[] = {"-triple",
                                         "nvptx--nvcl",
                                         "-x",
                                         "cl",
                                         "-cl-std=CL1.2",
                                         "-cl-ext=+cl_khr_fp64",
                                         "-finclude-default-header",
                                         "-fdeclare-opencl-builtins",
                                         "-fgnu89-inline",
                                         NULL};
    static const char *const TEXT[] = {"-triple", "nvptx--nvcl", "-x", "ir", NULL};
    static const char *const CUDA[] = {
        "-triple",   "nvptx--",           "-fcuda-is-device", "-std=c++14",           "-nostdsysteminc", "-ivfsoverlay",
        "/dev/fd/3", "-internal-isystem", "/warpstep",        "-Wno-macro-redefined", "-U__CUDA_ARCH__", "-x",
        NULL};
    add_words(c, step == STEP_BACK ? TEXT : job->language == DRIVER_OPENCL ? OPENCL : CUDA);
    if (job->language == DRIVER_OPENCL) {
        if (job->options->range && step != STEP_BACK) add_word(c, "-D__WARPSTEP_RANGE__");
        return;
    }
    add_word(c, step == STEP_COMPILE_TEXT ? "cuda-cpp-output" : "cuda");
    add_word(c, arch_option(job->options->compile.arch));
}

bool driver_wants_ir(const struct driver_job *job, enum driver_step step) {
    return job->wants_ir && (step == STEP_COMPILE || step == STEP_BACK || step == STEP_COMPILE_TEXT);
}

void driver_make_command(struct driver_command *c, const struct driver_job *job, enum driver_step step) {
    static const char *const COMMON[] = {"-ffp-contract=off",
                                         "-debug-info-kind=line-tables-only",
                                         "-dwarf-version=2",
                                         "-fdebug-compilation-dir=.", /* file names as given */
                                         "-mllvm",
                                         "-nvptx-prec-divf32=1",
                                         "-mllvm",
                                         "-nvptx-prec-sqrtf32=0",
                                         NULL};
    static const char *const ACTIONS[] = {
        [STEP_COMPILE] = "-S",       [STEP_FRONT] = "-emit-llvm",    [STEP_BACK] = "-S",
        [STEP_PREPROCESS] = "-E",    [STEP_DESCRIBE] = "-emit-llvm", [STEP_OBJECT] = "-emit-llvm-bc",
        [STEP_HEADER] = "-emit-pch", [STEP_COMPILE_TEXT] = "-S"};
    static const char *const OBJECT[] = {"-disable-llvm-passes", "-cl-kernel-arg-info", NULL};
    static const char *const DESCRIBE[] = {"-w", "-disable-llvm-passes", "-O0", "-cl-kernel-arg-info", NULL};
    const unsigned level = job->options->compile.level;
    const bool has_source = step != STEP_HEADER && step != STEP_BACK;
    const bool is_file = job->options->text == NULL && step != STEP_COMPILE_TEXT && has_source;
    add_word(c, job->clang);
    add_word(c, "-cc1");
    add_word(c, ACTIONS[step]);
    add_words(c, COMMON);
    add_language(c, job, step);
    add_word(c, level_option(level));
    if (level > 0) add_word(c, "-vectorize-loops");
    if (job->libclc != NULL && has_source) {
        add_word(c, "-Wno-linker-warnings"); /* of other triples */
        add_word(c, "-mlink-builtin-bitcode");
        add_word(c, job->libclc);
    }
    add_aliasing(c, job->options->arguments);
    for (size_t i = 0; i < job->options->object_count && has_source; i++) {
        add_word(c, "-mlink-bitcode-file");
        add_word(c, job->extra_names[i]);
    }
    add_arguments(c, job->options->arguments, has_source);
    if (step == STEP_FRONT) add_word(c, "-disable-llvm-passes");
    if (step == STEP_OBJECT) add_words(c, OBJECT);
    if (step == STEP_DESCRIBE) add_words(c, DESCRIBE);
    if (driver_wants_ir(job, step)) add_words(c, driver_dump_words);
    if (job->wants_ir && has_source) add_word(c, "-cl-kernel-arg-info");
    if (job->is_precompiled && has_source) {
        add_word(c, "-include-pch");
        add_word(c, job->extra_names[job->extra_count - 1]);
    } else if (is_file) {
        add_word(c, "-include");
        add_word(c, "/dev/stdin"); /* our header, then a source given as text */
    }
    if (is_file && job->remap != NULL) {
        add_word(c, "-remap-file");
        add_word(c, job->remap);
    }
    add_word(c, is_file ? job->path : "-");
    add_word(c, "-o");
    add_word(c, "-");
    add_word(c, NULL);
}

void driver_print_command(const struct driver_command *c, FILE *out) {
    for (size_t i = 0; i + 1 < c->count; i++) fprintf(out, "%s%s", i > 0 ? " " : "", c->words[i]);
    fputc('\n', out);
}
