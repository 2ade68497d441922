/* SPDX-License-Identifier: Apache-2.0 */
/* Runs clang, see driver.h. */
#include "driver.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../assembler/base/file.h"
#include "../assembler/base/grow.h"
#include "../assembler/base/memstream.h"
#include "child.h"
#include "driver_headers.h"

/* By its suffix; DRIVER_BY_SUFFIX where that is no source's. */
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

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

bool driver_take_option(struct compile_options *options, const char *arg) {
    static const char *const PASSED[] = {"-D", "-U", "-I", "-f", "-cl-", "-std=", "-W"};
    if (begins(arg, "-O")) {
        if (arg[2] < '0' || arg[2] > '3' || arg[3] != '\0') return false;
        options->level = arg[2] == '3' ? 2 : (unsigned)(arg[2] - '0');
        return true;
    }
    if (strcmp(arg, "-cl-fast-relaxed-math") == 0 || strcmp(arg, "-cl-unsafe-math-optimizations") == 0)
        options->fast_math = true;
    for (size_t i = 0; i < sizeof PASSED / sizeof *PASSED; i++)
        if (begins(arg, PASSED[i]) && (arg[1] == 'W' || arg[strlen(PASSED[i])] != '\0')) return true;
    return false;
}

/* ---- the command ---- */

struct command {
    const char **words;
    size_t count, capacity;
    bool failed; /* memory is out */
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

/* Where a program is, into full. */
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

/* The one that is named, else one of Debian's; NULL where there is none. */
static const char *find_clang(const struct driver_options *o) {
    static const char *const NAMES[] = {"clang-14", "clang-15", "clang-16", "clang-17",
                                        "clang-18", "clang-19", "clang"};
    const char *named = o->clang != NULL ? o->clang : getenv("WARPSTEP_CLANG");
    char full[4096];
    if (named != NULL && *named != '\0') return named;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (find_program(NAMES[i], full, sizeof full)) return NAMES[i];
    return NULL;
}

/* OpenCL's mathematics as bitcode, into path: what is named, else Debian's libclc beside this clang. */
static bool find_libclc(const struct driver_options *o, const char *clang, char *path, size_t size) {
    static const char *const PLACES[] = {"../../clc", "../share/clc"};
    const char *named = o->libclc != NULL ? o->libclc : getenv("WARPSTEP_LIBCLC");
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

static const char *level_option(unsigned level) { return level == 0 ? "-O0" : level == 1 ? "-O1" : "-O2"; }

static void make_command(struct command *c, const char *clang, enum driver_language language, const char *path,
                         const struct driver_options *o, const char *libclc, bool ir) {
    static const char *const IR[] = {"-w", "-emit-llvm", "-disable-llvm-passes", "-O0", "-cl-kernel-arg-info", NULL};
    static const char *const COMMON[] = {"-cc1",
                                         "-S",
                                         "-ffp-contract=off",
                                         "-debug-info-kind=line-tables-only",
                                         "-dwarf-version=2",
                                         "-fdebug-compilation-dir=.", /* names as they are given */
                                         "-mllvm",
                                         "-nvptx-prec-divf32=1",
                                         "-mllvm",
                                         "-nvptx-prec-sqrtf32=0",
                                         NULL};
    /* For nvcl the parameters say what they point to: .ptr .shared. */
    static const char *const OPENCL[] = {"-triple",
                                         "nvptx--nvcl",
                                         "-x",
                                         "cl",
                                         "-cl-std=CL1.2",
                                         "-cl-ext=+cl_khr_fp64",
                                         "-finclude-default-header",
                                         "-fdeclare-opencl-builtins",
                                         NULL};
    static const char *const CUDA[] = {"-triple", "nvptx--", "-x", "cuda", "-fcuda-is-device", "-std=c++14", NULL};
    add(c, clang);
    add_all(c, COMMON);
    add_all(c, language == DRIVER_OPENCL ? OPENCL : CUDA);
    add(c, level_option(o->compile.level));
    if (o->compile.level > 0) add(c, "-vectorize-loops");
    if (libclc != NULL) {
        add(c, "-Wno-linker-warnings"); /* of other triples */
        add(c, "-mlink-builtin-bitcode");
        add(c, libclc);
    }
    add_all(c, o->arguments);
    if (ir) add_all(c, IR);
    if (o->text == NULL) { /* our header comes by the standard input, and so does a source that is no file */
        add(c, "-include");
        add(c, "/dev/stdin");
    }
    add(c, o->text == NULL ? path : "-");
    add(c, "-o");
    add(c, "-");
    add(c, NULL);
}

static void say(const struct command *c, FILE *out) {
    for (size_t i = 0; i + 1 < c->count; i++) fprintf(out, "%s%s", i > 0 ? " " : "", c->words[i]);
    fputc('\n', out);
}

/* ---- running it ---- */

/* As a string of C. */
static void quote(FILE *out, const char *name) {
    fputc('"', out);
    for (; *name != '\0'; name++) {
        if (*name == '"' || *name == '\\') fputc('\\', out);
        fputc(*name == '\n' ? ' ' : *name, out);
    }
    fputc('"', out);
}

/* What clang reads: our header, and the source where that is no file. False where memory is out. */
static bool make_input(enum driver_language language, const char *path, const struct driver_options *o, char **input,
                       size_t *size) {
    const char *const *const parts[] = {language == DRIVER_OPENCL ? driver_opencl_header : driver_cuda_header,
                                        language == DRIVER_OPENCL ? driver_opencl_functions : driver_cuda_functions};
    /* As a header of the system's it has no warnings. Newer clangs may warn of the lines that say so. */
    static const char AS_SYSTEM[] = "#pragma clang diagnostic ignored \"-Wunknown-warning-option\"\n"
                                    "#pragma clang diagnostic ignored \"-Wgnu-line-marker\"\n"
                                    "# 1 \"warpstep.h\" 3\n";
    FILE *out = open_memstream(input, size);
    if (out == NULL) return false;
    if (o->text != NULL) fputs(AS_SYSTEM, out);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (const char *const *line = parts[i]; *line != NULL; line++) fputs(*line, out);
    if (o->text != NULL) {
        fputs("\n# 1 ", out);
        quote(out, path);
        fputc('\n', out);
        fwrite(o->text, 1, o->text_size, out);
    }
    return memstream_close(out, input);
}

/* "FILE:LINE:COLUMN: error: TEXT" somewhere in what clang says. */
static enum status first_error(const char *said, const char *path, struct diag *d) {
    static const char MARK[] = "error: ";
    const char *mark = strstr(said, MARK);
    if (mark == NULL) return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "clang failed: %.200s", said);
    const char *begin = mark, *text = mark + sizeof MARK - 1;
    char file[256] = "";
    unsigned line = 0, column = 0;
    while (begin > said && begin[-1] != '\n') begin--;
    if (sscanf(begin, "%255[^:\n]:%u:%u:", file, &line, &column) < 1 || line == 0)
        snprintf(file, sizeof file, "%s", path);
    return diag_set(d, STATUS_BAD_INPUT, file, line, column, "%.*s", (int)strcspn(text, "\n"), text);
}

static enum status judge(enum child_end end, const struct child_texts *texts, const char *clang, const char *path,
                         const struct driver_options *o, struct diag *d) {
    if (end == CHILD_GOOD) return STATUS_OK;
    if (end == CHILD_ABSENT) return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "%s could not be run", clang);
    if (end == CHILD_NO_MEMORY)
        return diag_set(d, STATUS_NO_MEMORY, path, 0, 0, "out of memory: clang could not be run");
    if (o->messages == NULL) return first_error(texts->said, path, d);
    return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "%s: clang found errors", path);
}

static enum status run_clang(const char *clang, const char *path, const struct driver_options *o, const char *libclc,
                             bool ir, struct child_texts *texts, struct diag *d) {
    struct command c = {0};
    char *input = NULL;
    size_t size = 0;
    const enum driver_language language = language_for(path, o);
    make_command(&c, clang, language, path, o, libclc, ir);
    const bool ready = make_input(language, path, o, &input, &size) && !c.failed;
    if (ready && o->verbose && o->messages != NULL) say(&c, o->messages);
    const enum child_end end = ready ? child_run(c.words, input, size, texts) : CHILD_NO_MEMORY;
    free(input);
    free(c.words);
    return judge(end, texts, clang, path, o, d);
}

/* libclc is linked where a function is declared in front: most often one that the source does not have. */
static enum status run_with_libraries(const char *clang, const char *path, const struct driver_options *options,
                                      struct child_texts *texts, struct diag *d) {
    char libclc[4096];
    enum status status = run_clang(clang, path, options, NULL, false, texts, d);
    if (status != STATUS_OK || texts->out == NULL || strstr(texts->out, ")\n;\n") == NULL) return status;
    if (!find_libclc(options, clang, libclc, sizeof libclc)) return status;
    child_release(texts);
    return run_clang(clang, path, options, libclc, false, texts, d);
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

static enum status no_clang(const char *path, struct diag *d) {
    return diag_set(d, STATUS_BAD_INPUT, path, 0, 0,
                    "clang is not there: install the package clang-14, or name one in WARPSTEP_CLANG");
}

/* Hands over what clang wrote, and prints what it said. */
static enum status take_texts(enum status status, const struct driver_options *options, struct child_texts *texts,
                              char **text, size_t *size) {
    if (options->messages != NULL && texts->said != NULL) fputs(texts->said, options->messages);
    if (status == STATUS_OK) {
        *text = texts->out;
        *size = texts->out_size;
        texts->out = NULL;
    }
    child_release(texts);
    return status;
}

enum status driver_read_ptx(const char *path, const struct driver_options *options, char **text, size_t *size,
                            struct diag *d) {
    const enum driver_language language = language_for(path, options);
    struct child_texts texts = {0};
    *text = NULL;
    *size = 0;
    if (language == DRIVER_BY_SUFFIX) return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "is no .cl, .cu or .ptx file");
    if (language == DRIVER_PTX)
        return options->text != NULL ? copy_text(path, options, text, size, d) : file_read(path, text, size, d);
    if (options->text == NULL && access(path, R_OK) != 0) return diag_errno(d, path, "");
    const char *clang = find_clang(options);
    if (clang == NULL) return no_clang(path, d);
    const enum status status = run_with_libraries(clang, path, options, &texts, d);
    return take_texts(status, options, &texts, text, size);
}

enum status driver_read_ir(const char *path, const struct driver_options *options, char **text, size_t *size,
                           struct diag *d) {
    struct child_texts texts = {0};
    const char *clang = find_clang(options);
    *text = NULL;
    *size = 0;
    if (clang == NULL) return no_clang(path, d);
    const enum status status = run_clang(clang, path, options, NULL, true, &texts, d);
    return take_texts(status, options, &texts, text, size);
}

enum status driver_translate(const char *path, const struct driver_options *options, const char *text, size_t size,
                             struct compiled *program, struct diag *d) {
    struct compile_options o = options->compile;
    o.file = path;
    if (language_for(path, options) != DRIVER_PTX) {
        o.file = "PTX";
        if (!options->contract_given) o.contract = COMPILE_CONTRACT_FAST;
    }
    const enum status status = compile_ptx(text, size, &o, program, d);
    if (status != STATUS_OK && d != NULL && d->line == 0) snprintf(d->file, sizeof d->file, "%s", path);
    return status;
}

enum status driver_compile(const char *path, const struct driver_options *options, struct compiled *program,
                           struct diag *d) {
    char *text = NULL;
    size_t size = 0;
    *program = (struct compiled){0};
    enum status status = driver_read_ptx(path, options, &text, &size, d);
    if (status == STATUS_OK) status = driver_translate(path, options, text, size, program, d);
    free(text);
    return status;
}
