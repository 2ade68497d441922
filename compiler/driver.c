/* SPDX-License-Identifier: Apache-2.0 */
/* Runs clang, see driver.h. */
#include "driver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../assembler/base/begins.h"
#include "../assembler/base/file.h"
#include "../assembler/base/grow.h"
#include "../assembler/base/memstream.h"
#include "cached_child.h"
#include "driver_dump.h"
#include "driver_headers.h"
#include "driver_rotate.h"
#include "host_code.h"
#include "system_headers.h"

#define LAUNCHES "launches of kernels" /* clang's file name for them */

/* Returns the language by the suffix of the file; DRIVER_BY_SUFFIX if it is none of a source. */
static enum driver_language language_of(const char *path) {
    const char *dot = strrchr(path, '.');
    if (dot == NULL || strchr(dot, '/') != NULL) return DRIVER_BY_SUFFIX;
    if (strcmp(dot, ".ptx") == 0) return DRIVER_PTX;
    if (strcmp(dot, ".cl") == 0) return DRIVER_OPENCL;
    return strcmp(dot, ".cu") == 0 ? DRIVER_CUDA : DRIVER_BY_SUFFIX;
}

static enum driver_language language_for(const char *path, const struct driver_options *o) {
    return o->language != DRIVER_BY_SUFFIX ? o->language : language_of(path);
}

bool driver_is_source(const char *path) { return language_of(path) != DRIVER_BY_SUFFIX; }

bool driver_is_ptx(const char *path, const struct driver_options *options) {
    return language_for(path, options) == DRIVER_PTX;
}

/* Not passed to clang, whose own contraction makes fma, which takes many instructions. */
static const char CONTRACT[] = "-ffp-contract=";

static bool take_contract(struct compile_options *options, const char *what) {
    if (strcmp(what, "off") == 0) options->contract = COMPILE_CONTRACT_OFF;
    return strcmp(what, "off") == 0 || strcmp(what, "on") == 0 || begins(what, "fast");
}

bool driver_take_option(struct compile_options *options, const char *arg) {
    static const char *const PASSED[] = {"-D", "-U", "-I", "-f", "-cl-", "-std=", "-W"};
    if (begins(arg, "-O")) {
        if (arg[2] < '0' || arg[2] > '3' || arg[3] != '\0') return false;
        options->level = arg[2] == '3' ? 2 : (unsigned)(arg[2] - '0');
        return true;
    }
    if (strcmp(arg, "-cl-fast-relaxed-math") == 0 || strcmp(arg, "-cl-unsafe-math-optimizations") == 0)
        options->fast_math = true;
    if (begins(arg, CONTRACT)) return take_contract(options, arg + strlen(CONTRACT));
    for (size_t i = 0; i < sizeof PASSED / sizeof *PASSED; i++)
        if (begins(arg, PASSED[i]) && (arg[1] == 'W' || arg[strlen(PASSED[i])] != '\0')) return true;
    return false;
}

/* ---- the command ---- */

struct command {
    const char **words;
    size_t count, capacity;
    bool failed; /* memory is exhausted */
};

static void add(struct command *c, const char *word) {
    const char **grown = grow_array(c->words, c->count, &c->capacity, sizeof *grown);
    if (grown == NULL) {
        c->failed = true;
        return;
    }
    c->words = grown;
    c->words[c->count++] = word;
}

static void add_all(struct command *c, const char *const *words) {
    for (; words != NULL && *words != NULL; words++) add(c, *words);
}

/* Finds a program in PATH, and returns its path in `full`. */
static bool find_program(const char *name, char *full, size_t size) {
    const char *path = getenv("PATH");
    if (strchr(name, '/') != NULL) return (size_t)snprintf(full, size, "%s", name) < size && access(full, X_OK) == 0;
    while (path != NULL && *path != '\0') {
        const size_t length = strcspn(path, ":");
        snprintf(full, size, "%.*s/%s", (int)length, path, name);
        if (access(full, X_OK) == 0) return true;
        path += length + (path[length] == ':');
    }
    return false;
}

/* Returns the named clang, else the first of Debian's that exists; NULL if there is none. */
static const char *find_clang(const char *given) {
    static const char *const NAMES[] = {"clang-14", "clang-15", "clang-16", "clang-17",
                                        "clang-18", "clang-19", "clang"};
    const char *named = given != NULL ? given : getenv("WARPSTEP_CLANG");
    char full[4096];
    if (named != NULL && *named != '\0') return named;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (find_program(NAMES[i], full, sizeof full)) return NAMES[i];
    return NULL;
}

const char *driver_clang(void) { return find_clang(NULL); }

/* Finds OpenCL's mathematics as bitcode, and returns its path: the given one, else Debian's libclc for this clang. */
static bool find_libclc(const char *given, const char *clang, char *path, size_t size) {
    static const char *const PLACES[] = {"../../clc", "../share/clc"};
    const char *named = given != NULL ? given : getenv("WARPSTEP_LIBCLC");
    if (named != NULL && *named != '\0') return (size_t)snprintf(path, size, "%s", named) < size;
    char found[4096], *folder = find_program(clang, found, sizeof found) ? realpath(found, NULL) : NULL;
    char *slash = folder != NULL ? strrchr(folder, '/') : NULL;
    bool is_there = false;
    if (slash != NULL) *slash = '\0';
    for (size_t i = 0; slash != NULL && !is_there && i < sizeof PLACES / sizeof *PLACES; i++)
        is_there = (size_t)snprintf(path, size, "%s/%s/nvptx--nvidiacl.bc", folder, PLACES[i]) < size &&
                   access(path, R_OK) == 0;
    free(folder);
    return is_there;
}

static bool is_one_of(const char *word, const char *const *list) {
    while (*list != NULL && strcmp(word, *list) != 0) list++;
    return *list != NULL;
}

static const char *const STRICT[] = {"-cl-strict-aliasing", "-fstrict-aliasing", NULL};

/* Adds the user's options; for the header, only those that it depends on. Our header is for OpenCL C 1.2, which
 * includes 1.0 and 1.1. Denormals are zero. */
static void add_arguments(struct command *c, const char *const *words, bool for_header) {
    static const char *const MEANT[] = {"-cl-std=CL1.0",        "-cl-std=CL1.1",        "-cl-std=CL",
                                        "-cl-denorms-are-zero", "-fno-strict-aliasing", NULL};
    for (; words != NULL && *words != NULL; words++) {
        const bool is_of_source = begins(*words, "-D") || begins(*words, "-U") || begins(*words, "-I");
        const bool is_for_clang = !is_one_of(*words, MEANT) && !is_one_of(*words, STRICT) && !begins(*words, CONTRACT);
        const char *value = is_of_source && (*words)[2] == '\0' ? words[1] : NULL;
        if (is_for_clang && !(is_of_source && for_header)) add(c, *words);
        if (value != NULL && !for_header) add(c, value);
        words += value != NULL;
    }
}

/* Turns off type-based alias analysis, as other compilers of OpenCL and CUDA do, unless the user asks for it. */
static void add_aliasing(struct command *c, const char *const *words) {
    bool is_strict = false;
    for (; words != NULL && *words != NULL; words++) is_strict |= is_one_of(*words, STRICT);
    if (!is_strict) add(c, "-relaxed-aliasing");
}

static const char *level_option(unsigned level) { return level == 0 ? "-O0" : level == 1 ? "-O1" : "-O2"; }

/* A run of clang. */
enum step {
    STEP_COMPILE,    /* source to PTX */
    STEP_DESCRIBE,   /* source to LLVM text, not optimised, with argument names */
    STEP_OBJECT,     /* source to LLVM bitcode, not optimised */
    STEP_PREPROCESS, /* source to preprocessed text */
    STEP_HEADER,     /* our header, precompiled, because parsing it takes half of the time */
    STEP_COMPILE_TEXT
};

/* Compilation of one source. */
struct job {
    const char *path, *clang, *libclc; /* libclc: NULL if not linked */
    enum driver_language language;
    const struct driver_options *options;
    int headers; /* our header */
    int source;  /* bytes of the source, preceded by its name if it is given as text */
    int input;   /* header and source in one file */
    bool is_whole;
    /* maps the source's name to one of the extras, so that clang reads the bytes that the cache's key covers */
    char *remap;
    bool is_precompiled; /* the precompiled header is the last of the extras */
    bool wants_ir;
    char *ir;
    struct system_headers system;
    int text; /* input of STEP_COMPILE_TEXT */
    int messages;
    int extras[CHILD_EXTRAS]; /* objects; for CUDA C the system headers */
    size_t extra_count;
    char extra_names[CHILD_EXTRAS][16];
};

static const char *arch_option(uint32_t arch) {
    return arch >= 12 ? "-D__CUDA_ARCH__=120" : arch == 11 ? "-D__CUDA_ARCH__=110" : "-D__CUDA_ARCH__=100";
}

static void add_language(struct command *c, const struct job *job, enum step step) {
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
    static const char *const CUDA[] = {
        "-triple",   "nvptx--",           "-fcuda-is-device", "-std=c++14",           "-nostdsysteminc", "-ivfsoverlay",
        "/dev/fd/3", "-internal-isystem", "/warpstep",        "-Wno-macro-redefined", "-U__CUDA_ARCH__", "-x",
        NULL};
    add_all(c, job->language == DRIVER_OPENCL ? OPENCL : CUDA);
    if (job->language == DRIVER_OPENCL) {
        if (job->options->range) add(c, "-D__WARPSTEP_RANGE__");
        return;
    }
    add(c, step == STEP_COMPILE_TEXT ? "cuda-cpp-output" : "cuda");
    add(c, arch_option(job->options->compile.arch));
}

/* Returns whether clang should print the module with the PTX. */
static bool wants_ir(const struct job *job, enum step step) {
    return job->wants_ir && (step == STEP_COMPILE || step == STEP_COMPILE_TEXT);
}

static void make_command(struct command *c, const struct job *job, enum step step) {
    static const char *const COMMON[] = {"-ffp-contract=off",
                                         "-debug-info-kind=line-tables-only",
                                         "-dwarf-version=2",
                                         "-fdebug-compilation-dir=.", /* file names as given */
                                         "-mllvm",
                                         "-nvptx-prec-divf32=1",
                                         "-mllvm",
                                         "-nvptx-prec-sqrtf32=0",
                                         NULL};
    static const char *const OBJECT[] = {"-emit-llvm-bc", "-disable-llvm-passes", "-cl-kernel-arg-info", NULL};
    static const char *const DESCRIBE[] = {"-w",  "-emit-llvm",          "-disable-llvm-passes",
                                           "-O0", "-cl-kernel-arg-info", NULL};
    const unsigned level = job->options->compile.level;
    const bool is_file = job->options->text == NULL && step != STEP_COMPILE_TEXT && step != STEP_HEADER;
    const bool is_header = step == STEP_HEADER;
    add(c, job->clang);
    add(c, "-cc1");
    add(c, step == STEP_PREPROCESS ? "-E" : is_header ? "-emit-pch" : "-S");
    add_all(c, COMMON);
    add_language(c, job, step);
    add(c, level_option(level));
    if (level > 0) add(c, "-vectorize-loops");
    if (job->libclc != NULL && !is_header) {
        add(c, "-Wno-linker-warnings"); /* of other triples */
        add(c, "-mlink-builtin-bitcode");
        add(c, job->libclc);
    }
    add_aliasing(c, job->options->arguments);
    for (size_t i = 0; i < job->options->object_count && !is_header; i++) {
        add(c, "-mlink-bitcode-file");
        add(c, job->extra_names[i]);
    }
    add_arguments(c, job->options->arguments, is_header);
    if (step == STEP_OBJECT) add_all(c, OBJECT);
    if (step == STEP_DESCRIBE) add_all(c, DESCRIBE);
    if (wants_ir(job, step)) {
        add_all(c, driver_dump_words);
        add(c, "-cl-kernel-arg-info");
    }
    if (job->is_precompiled) {
        add(c, "-include-pch");
        add(c, job->extra_names[job->extra_count - 1]);
    } else if (is_file) {
        add(c, "-include");
        add(c, "/dev/stdin"); /* our header, then a source given as text */
    }
    if (is_file && job->remap != NULL) {
        add(c, "-remap-file");
        add(c, job->remap);
    }
    add(c, is_file ? job->path : "-");
    add(c, "-o");
    add(c, "-");
    add(c, NULL);
}

static void say(const struct command *c, FILE *out) {
    for (size_t i = 0; i + 1 < c->count; i++) fprintf(out, "%s%s", i > 0 ? " " : "", c->words[i]);
    fputc('\n', out);
}

/* ---- runs of clang ---- */

static enum status no_memory(const struct job *job, struct diag *d) {
    return diag_set(d, STATUS_NO_MEMORY, job->path, 0, 0, "out of memory");
}

static bool empty(int file) { return ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0; }

static bool has(const char *line, size_t length, const char *text) {
    const char *found = strstr(line, text);
    return found != NULL && found < line + length;
}

/* Prints clang's messages without its error count, and without notes that point into our header. */
static void say_messages(const struct job *job) {
    size_t size = 0, length = 0;
    bool is_silent = false;
    if (job->options->messages == NULL) return;
    char *text = child_text(job->messages, &size);
    for (const char *line = text; line != NULL && *line != '\0'; line += length) {
        length = strcspn(line, "\n") + (strchr(line, '\n') != NULL);
        const bool is_note = has(line, length, ": note: "), is_count = *line >= '0' && *line <= '9';
        if (is_note || is_count || has(line, length, "error: ") || has(line, length, ": warning: "))
            is_silent =
                (is_note && begins(line, DRIVER_HEADER_NAME ":")) || (is_count && has(line, length, " generated"));
        if (!is_silent) fwrite(line, 1, length, job->options->messages);
    }
    free(text);
}

/* Returns clang's first line "FILE:LINE:COLUMN: error: TEXT" as a diagnostic. */
static enum status first_error(const struct job *job, struct diag *d) {
    static const char MARK[] = "error: ";
    size_t size = 0;
    char *said = child_text(job->messages, &size), file[256] = "";
    unsigned line = 0, column = 0;
    if (said == NULL) return no_memory(job, d);
    const char *mark = strstr(said, MARK), *begin = mark;
    if (mark == NULL) {
        diag_set(d, STATUS_BAD_INPUT, job->path, 0, 0, "clang failed: %.200s", said);
    } else {
        while (begin > said && begin[-1] != '\n') begin--;
        if (sscanf(begin, "%255[^:\n]:%u:%u:", file, &line, &column) < 1 || line == 0)
            snprintf(file, sizeof file, "%s", job->path);
        mark += sizeof MARK - 1;
        diag_set(d, STATUS_BAD_INPUT, file, line, column, "%.*s", (int)strcspn(mark, "\n"), mark);
    }
    free(said);
    return STATUS_BAD_INPUT;
}

/* The caller frees its words. */
static struct child child_for(const struct job *job, enum step step, struct command *c) {
    make_command(c, job, step);
    return (struct child){.words = c->words,
                          .input = step == STEP_COMPILE_TEXT                           ? job->text
                                   : step == STEP_HEADER                               ? job->headers
                                   : job->is_precompiled && job->options->text != NULL ? job->source
                                                                                       : job->input,
                          .extras = job->extras,
                          .extra_count = job->extra_count,
                          .messages = job->messages};
}

/* Key of a result in the cache. */
struct kept {
    struct cache_key key;
    char program[4096];
    int beside; /* see cached_child_key */
};

/* Like child_run, but takes the output from the cache if it is there. kept: NULL to bypass the cache. */
static int run_kept(const struct job *job, enum step step, const struct child *child, const struct kept *kept,
                    char **text, size_t *size) {
    if (kept != NULL && cached_child_find(&kept->key, child, text, size)) return 0;
    int code = child_run(child, text, size);
    if (code == 0 && wants_ir(job, step) && !driver_dump_reduce(job->messages)) code = -1;
    if (code == 0 && kept != NULL) cached_child_store(&kept->key, child, kept->program, kept->beside, *text, *size);
    return code;
}

/* Names the next of the extras. */
static void name_extra(struct job *job) {
    snprintf(job->extra_names[job->extra_count], sizeof job->extra_names[0], "/dev/fd/%zu", job->extra_count + 3);
}

/* Adds our header, precompiled by clang, to the extras. */
static bool open_header(struct job *job) {
    struct command c = {0};
    struct kept kept = {.beside = -1};
    char *text = NULL;
    size_t size = 0;
    if (job->extra_count == CHILD_EXTRAS) return false;
    struct child child = child_for(job, STEP_HEADER, &c);
    child.extra_count = 0;
    const bool good = !c.failed && find_program(job->clang, kept.program, sizeof kept.program) &&
                      cached_child_key(&child, kept.program, -1, &kept.key) &&
                      run_kept(job, STEP_HEADER, &child, &kept, &text, &size) == 0;
    free(c.words);
    const int file = good ? child_file() : -1;
    if (file >= 0) {
        job->extras[job->extra_count] = file;
        name_extra(job);
        job->extra_count++;
    }
    const bool is_written = file >= 0 && child_write(file, text, size);
    free(text);
    return is_written;
}

/* Runs clang with its header precompiled. If the result is not 0, the caller runs it without, also for better
 * messages. */
static int run_precompiled(struct job *job, enum step step, char **text, size_t *size) {
    const size_t extra_count = job->extra_count;
    struct command c = {0};
    int code = -1;
    if (job->language != DRIVER_OPENCL || step == STEP_DESCRIBE) return code;
    if (open_header(job)) {
        job->is_precompiled = true;
        const struct child child = child_for(job, step, &c);
        if (!c.failed && empty(job->messages)) code = run_kept(job, step, &child, NULL, text, size);
        job->is_precompiled = false;
    }
    if (job->extra_count > extra_count) close(job->extras[--job->extra_count]);
    free(c.words);
    if (code == 0) return 0;
    free(*text);
    *text = NULL;
    return code;
}

/* Like child_run, with the cache; without it if the user wants to see the commands. */
static int run_child(struct job *job, enum step step, const struct child *child, char **text, size_t *size) {
    struct kept kept = {.beside = job->source};
    const bool is_on =
        cache_is_on() && !job->options->verbose && find_program(job->clang, kept.program, sizeof kept.program);
    const bool is_kept = is_on && (job->is_whole || step == STEP_COMPILE_TEXT) &&
                         cached_child_key(child, kept.program, kept.beside, &kept.key);
    if (is_kept && cached_child_find(&kept.key, child, text, size)) return 0;
    if (is_on && run_precompiled(job, step, text, size) == 0) {
        if (is_kept) cached_child_store(&kept.key, child, kept.program, kept.beside, *text, *size);
        return 0;
    }
    return empty(job->messages) ? run_kept(job, step, child, is_kept ? &kept : NULL, text, size) : -1;
}

/* Returns STATUS_BAD_INPUT if clang finds errors; its messages are kept. */
static enum status run_clang(struct job *job, enum step step, char **text, size_t *size, struct diag *d) {
    struct command c = {0};
    const struct child child = child_for(job, step, &c);
    *text = NULL;
    if (c.failed || !empty(job->messages)) {
        free(c.words);
        return no_memory(job, d);
    }
    if (job->options->verbose && job->options->messages != NULL) say(&c, job->options->messages);
    int code = run_child(job, step, &child, text, size);
    free(c.words);
    if (code == 0 && wants_ir(job, step)) {
        free(job->ir);
        if (!driver_dump_take(job->messages, &job->ir)) code = -1;
    }
    if (code == 0)
        return step == STEP_PREPROCESS || step == STEP_DESCRIBE || step == STEP_OBJECT ||
                       driver_mask_rotations(text, size)
                   ? STATUS_OK
                   : no_memory(job, d);
    free(*text);
    *text = NULL;
    if (code < 0) return diag_set(d, STATUS_NO_MEMORY, job->path, 0, 0, "cannot run clang");
    if (code == CHILD_NOT_RUN) return diag_set(d, STATUS_BAD_INPUT, job->path, 0, 0, "cannot run %s", job->clang);
    if (job->options->messages == NULL) return first_error(job, d);
    return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "%s: clang found errors", job->path);
}

/* Links libclc if a function remains undefined: in PTX, a declaration without a body. */
static enum status run_with_libclc(struct job *job, enum step step, char **text, size_t *size, struct diag *d) {
    char libclc[4096];
    const enum status status = run_clang(job, step, text, size, d);
    if (status != STATUS_OK || *text == NULL || strstr(*text, ")\n;\n") == NULL) return status;
    if (!find_libclc(job->options->libclc, job->clang, libclc, sizeof libclc)) return status;
    free(*text);
    job->libclc = libclc;
    const enum status linked = run_clang(job, step, text, size, d);
    job->libclc = NULL;
    return linked;
}

/* ---- CUDA C with host code ---- */

/* Writes the text without host code to job->text, followed by instantiations of the templates that it launches. */
static enum status write_text(const struct job *job, const char *text, const char *launches, struct diag *d) {
    if (empty(job->text) && child_write(job->text, text, strlen(text)) &&
        child_write(job->text, "\n# 1 \"" LAUNCHES "\"\n", strlen(LAUNCHES) + 8) &&
        child_write(job->text, launches, strlen(launches)))
        return STATUS_OK;
    return no_memory(job, d);
}

/* Returns a line by its number, from 1. */
static char *find_line(char *text, unsigned long number) {
    while (text != NULL && number-- > 1) text = strchr(text, '\n') != NULL ? strchr(text, '\n') + 1 : NULL;
    return text;
}

/* Blanks the instantiations that clang rejects. */
static bool drop_launches(const struct job *job, char *launches) {
    size_t size = 0;
    char *messages = child_text(job->messages, &size);
    bool dropped = false;
    for (const char *at = messages; at != NULL && *at != '\0'; at += strcspn(at, "\n"), at += *at == '\n') {
        const char *error = strstr(at, ": error: ");
        if (!begins(at, LAUNCHES ":") || error == NULL || error > at + strcspn(at, "\n")) continue;
        char *line = find_line(launches, strtoul(at + strlen(LAUNCHES ":"), NULL, 10));
        if (line == NULL || *line == ' ') continue;
        memset(line, ' ', strcspn(line, "\n"));
        dropped = true;
    }
    free(messages);
    return dropped;
}

static enum status compile_kernels(struct job *job, const char *source, char *launches, char **text, size_t *size,
                                   struct diag *d) {
    enum status status;
    do {
        status = write_text(job, source, launches, d);
        if (status == STATUS_OK) status = run_with_libclc(job, STEP_COMPILE_TEXT, text, size, d);
    } while (status == STATUS_BAD_INPUT && drop_launches(job, launches));
    return status;
}

static bool add_missing_header(struct job *job) {
    size_t size = 0;
    char *messages = child_text(job->messages, &size);
    const bool added = messages != NULL && system_headers_add_missing(&job->system, messages);
    free(messages);
    return added;
}

/* Compiles CUDA C that clang rejects as it is, without its host code. If there is none, clang's first messages
 * stand. */
static enum status compile_program(struct job *job, char **text, size_t *size, struct diag *d) {
    char *source = NULL, *launches = NULL;
    size_t source_size = 0, launches_size = 0;
    enum status status = STATUS_OK;
    do {
        status = run_clang(job, STEP_PREPROCESS, &source, &source_size, d);
    } while (status == STATUS_BAD_INPUT && add_missing_header(job));
    if (status != STATUS_OK) return status;
    FILE *out = source != NULL ? open_memstream(&launches, &launches_size) : NULL;
    if (out == NULL) {
        free(source);
        return no_memory(job, d);
    }
    const enum host_code host_code = host_code_remove(source, DRIVER_HEADER_NAME, out);
    const bool written = memstream_close(out, &launches);
    if (!written || host_code == HOST_CODE_NO_MEMORY)
        status = no_memory(job, d);
    else if (host_code == HOST_CODE_REMOVED)
        status = compile_kernels(job, source, launches, text, size, d);
    else
        status = run_clang(job, STEP_COMPILE, text, size, d);
    free(source);
    free(launches);
    return status;
}

/* ---- sources ---- */

static bool write_lines(int file, const char *const *lines) {
    bool good = file >= 0;
    for (; good && *lines != NULL; lines++) good = child_write(file, *lines, strlen(*lines));
    return good;
}

/* Writes a C string literal. */
static void quote(FILE *out, const char *name) {
    fputc('"', out);
    for (; *name != '\0'; name++) {
        if (*name == '"' || *name == '\\') fputc('\\', out);
        fputc(*name == '\n' ? ' ' : *name, out);
    }
    fputc('"', out);
}

/* Writes a source given as text, preceded by its name. */
static bool write_source(const struct job *job) {
    char *mark = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&mark, &size);
    if (out == NULL) return false;
    fputs("\n# 1 ", out);
    quote(out, job->path);
    fputc('\n', out);
    const bool good = memstream_close(out, &mark) && child_write(job->source, mark, size) &&
                      child_write(job->source, job->options->text, job->options->text_size);
    free(mark);
    return good;
}

/* Makes clang read our copy of the file under its own name, if possible. */
static bool remap_file(struct job *job) {
    job->is_whole = job->extra_count + 1 < CHILD_EXTRAS && strchr(job->path, ';') == NULL;
    if (!job->is_whole) return true;
    name_extra(job);
    if (asprintf(&job->remap, "%s;%s", job->path, job->extra_names[job->extra_count]) < 0) {
        job->remap = NULL;
        return false;
    }
    job->extras[job->extra_count++] = job->source;
    return true;
}

/* Reads a source without includes once, for clang and for the key of the cache; clang reads other sources itself. */
static bool copy_file(struct job *job) {
    char *text = NULL;
    size_t size = 0;
    if (file_read(job->path, &text, &size, NULL) != STATUS_OK) return true;
    const bool is_written = child_write(job->source, text, size), is_whole = cached_child_is_whole(text, size);
    free(text);
    return is_written && (!is_whole || remap_file(job));
}

static bool copy(int from, int to) {
    size_t size = 0;
    char *text = child_text(from, &size);
    const bool good = text != NULL && child_write(to, text, size);
    free(text);
    return good;
}

/* Opens the source, preceded by the header if they are one text. */
static bool open_source(struct job *job) {
    const struct driver_options *o = job->options;
    job->source = child_file();
    job->input = child_file();
    if (job->source < 0 || job->input < 0 || !copy(job->headers, job->input)) return false;
    if (o->text == NULL) return copy_file(job);
    job->is_whole = cached_child_is_whole(o->text, o->text_size);
    return write_source(job) && copy(job->source, job->input);
}

/* Opens the files in memory that clang reads besides its input. */
static bool open_extras(struct job *job) {
    const struct driver_options *o = job->options;
    if (job->language != DRIVER_OPENCL) {
        job->extras[0] = job->system.file;
        job->extra_count = 1;
        return true;
    }
    for (; job->extra_count < o->object_count; job->extra_count++) {
        const size_t i = job->extra_count;
        job->extras[i] = child_file();
        if (job->extras[i] < 0) return false;
        name_extra(job);
        if (child_write(job->extras[i], o->objects[i].bytes, o->objects[i].size)) continue;
        job->extra_count++;
        return false;
    }
    return true;
}

static bool open_job(struct job *job) {
    /* Our header counts as a system header, without warnings. Newer clangs may warn of the line markers for this. */
    static const char *const AS_SYSTEM[] = {"#pragma clang diagnostic ignored \"-Wunknown-warning-option\"\n",
                                            "#pragma clang diagnostic ignored \"-Wgnu-line-marker\"\n",
                                            "# 1 \"warpstep.h\" 3\n", NULL};
    static const char *const NOTHING[] = {NULL};
    const bool is_opencl = job->language == DRIVER_OPENCL, has_system = system_headers_open(&job->system);
    job->source = job->input = -1;
    job->headers = child_file();
    job->text = child_file();
    job->messages = child_file();
    return has_system && open_extras(job) &&
           write_lines(job->headers, job->options->text != NULL ? AS_SYSTEM : NOTHING) &&
           write_lines(job->headers, is_opencl ? driver_opencl_header : driver_cuda_header) &&
           write_lines(job->headers, driver_math_functions) &&
           write_lines(job->headers, is_opencl ? driver_opencl_functions : driver_cuda_functions) &&
           (is_opencl || write_lines(job->headers, driver_cuda_system_functions)) && open_source(job) &&
           job->text >= 0 && job->messages >= 0;
}

static void close_job(struct job *job) {
    const int files[] = {job->headers, job->source, job->input, job->text, job->messages};
    for (size_t i = 0; job->language == DRIVER_OPENCL && i < job->extra_count; i++)
        if (job->extras[i] != job->source) close(job->extras[i]);
    free(job->remap);
    system_headers_close(&job->system);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (files[i] >= 0) close(files[i]);
}

static enum status copy_text(const char *path, const struct driver_options *o, char **text, size_t *size,
                             struct diag *d) {
    *text = malloc(o->text_size + 1);
    if (*text == NULL) return diag_set(d, STATUS_NO_MEMORY, path, 0, 0, "out of memory");
    memcpy(*text, o->text, o->text_size);
    (*text)[o->text_size] = '\0';
    *size = o->text_size;
    return STATUS_OK;
}

static enum status run_job(struct job *job, enum step step, char **text, size_t *size, struct diag *d) {
    enum status status;
    if (step == STEP_DESCRIBE || step == STEP_OBJECT) return run_clang(job, step, text, size, d);
    status = run_with_libclc(job, step, text, size, d);
    return status == STATUS_BAD_INPUT && job->language == DRIVER_CUDA ? compile_program(job, text, size, d) : status;
}

static enum status read_with_clang(struct job *job, enum step step, char **text, size_t *size, struct diag *d) {
    if (job->options->object_count > CHILD_EXTRAS)
        return diag_set(d, STATUS_BAD_INPUT, job->path, 0, 0, "%zu objects: at most %d can be linked",
                        job->options->object_count, CHILD_EXTRAS);
    job->clang = find_clang(job->options->clang);
    if (job->clang == NULL)
        return diag_set(d, STATUS_BAD_INPUT, job->path, 0, 0,
                        "clang not found: install the package clang-14, or set WARPSTEP_CLANG");
    enum status status = open_job(job) ? STATUS_OK : diag_errno(d, job->path, "a file in memory");
    if (status == STATUS_OK) {
        status = run_job(job, step, text, size, d);
        say_messages(job);
    }
    close_job(job);
    return status;
}

enum status driver_read_ptx(const char *path, const struct driver_options *options, char **text, size_t *size,
                            char **ir, struct diag *d) {
    struct job job = {
        .path = path, .language = language_for(path, options), .options = options, .wants_ir = ir != NULL};
    *text = NULL;
    *size = 0;
    if (ir != NULL) *ir = NULL;
    if (job.language == DRIVER_BY_SUFFIX)
        return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "is not a .cl, .cu or .ptx file");
    if (job.language == DRIVER_PTX)
        return options->text != NULL ? copy_text(path, options, text, size, d) : file_read(path, text, size, d);
    if (options->text == NULL && access(path, R_OK) != 0) return diag_errno(d, path, "");
    const enum status status = read_with_clang(&job, STEP_COMPILE, text, size, d);
    if (status == STATUS_OK && ir != NULL)
        *ir = job.ir;
    else
        free(job.ir);
    return status;
}

enum status driver_read_ir(const char *path, const struct driver_options *options, char **text, size_t *size,
                           struct diag *d) {
    struct job job = {.path = path, .language = language_for(path, options), .options = options};
    *text = NULL;
    *size = 0;
    return read_with_clang(&job, STEP_DESCRIBE, text, size, d);
}

enum status driver_read_object(const char *path, const struct driver_options *options, char **bytes, size_t *size,
                               struct diag *d) {
    struct job job = {.path = path, .language = DRIVER_OPENCL, .options = options};
    *bytes = NULL;
    *size = 0;
    return read_with_clang(&job, STEP_OBJECT, bytes, size, d);
}

/* Returns whether a text has "#pragma OPENCL FP_CONTRACT OFF", or the pragma of STDC. */
static bool forbids_contraction(const char *text) {
    static const char NAME[] = "FP_CONTRACT";
    if (text == NULL) return false;
    while ((text = strstr(text, NAME)) != NULL) {
        text += strlen(NAME);
        const size_t blanks = strspn(text, " \t");
        if (blanks > 0 && begins(text + blanks, "OFF")) return true;
    }
    return false;
}

/* Returns the contraction that a source in C allows; all if it cannot be read again. */
static enum compile_contract contract_of(const char *path, const struct driver_options *options) {
    char *text = NULL;
    size_t size = 0;
    if (options->compile.contract != COMPILE_CONTRACT_PTX) return options->compile.contract;
    if (options->text != NULL)
        copy_text(path, options, &text, &size, NULL);
    else
        file_read(path, &text, &size, NULL);
    const bool forbidden = forbids_contraction(text);
    free(text);
    return forbidden ? COMPILE_CONTRACT_OFF : COMPILE_CONTRACT_FAST;
}

enum status driver_translate(const char *path, const struct driver_options *options, const char *text, size_t size,
                             struct compiled *program, struct diag *d) {
    struct compile_options o = options->compile;
    o.file = path;
    if (!driver_is_ptx(path, options)) {
        o.file = "PTX";
        if (!options->contract_given) o.contract = contract_of(path, options);
    }
    const enum status status = compile_ptx(text, size, &o, program, d);
    /* An error without a line in the PTX is reported for the source. */
    if (status != STATUS_OK && d != NULL && d->line == 0 && strcmp(d->file, o.file) == 0)
        snprintf(d->file, sizeof d->file, "%s", path);
    return status;
}

enum status driver_compile(const char *path, const struct driver_options *options, struct compiled *program,
                           struct diag *d) {
    char *text = NULL;
    size_t size = 0;
    *program = (struct compiled){0};
    enum status status = driver_read_ptx(path, options, &text, &size, NULL, d);
    if (status == STATUS_OK) status = driver_translate(path, options, text, size, program, d);
    free(text);
    return status;
}
