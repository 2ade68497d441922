/* SPDX-License-Identifier: Apache-2.0 */
/* Runs clang, see driver.h. */
#include "driver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../assembler/base/file.h"
#include "../assembler/base/grow.h"
#include "driver_headers.h"
#include "driver_rotate.h"

enum language { LANGUAGE_NONE, LANGUAGE_PTX, LANGUAGE_OPENCL, LANGUAGE_CUDA };

static enum language language_of(const char *path) {
    const char *dot = strrchr(path, '.');
    if (dot == NULL || strchr(dot, '/') != NULL) return LANGUAGE_NONE;
    if (strcmp(dot, ".ptx") == 0) return LANGUAGE_PTX;
    if (strcmp(dot, ".cl") == 0) return LANGUAGE_OPENCL;
    return strcmp(dot, ".cu") == 0 ? LANGUAGE_CUDA : LANGUAGE_NONE;
}

bool driver_is_source(const char *path) { return language_of(path) != LANGUAGE_NONE; }

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
        if (begins(arg, PASSED[i])) return true;
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

/* WARPSTEP_CLANG, else one of Debian's; NULL where there is none. */
static const char *find_clang(void) {
    static const char *const NAMES[] = {"clang-14", "clang-15", "clang-16", "clang-17",
                                        "clang-18", "clang-19", "clang"};
    const char *named = getenv("WARPSTEP_CLANG");
    char full[4096];
    if (named != NULL && *named != '\0') return named;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (find_program(NAMES[i], full, sizeof full)) return NAMES[i];
    return NULL;
}

const char *driver_clang(void) { return find_clang(); }

/* OpenCL's mathematics as bitcode, into path: WARPSTEP_LIBCLC, else Debian's libclc beside this clang. */
static bool find_libclc(const char *clang, char *path, size_t size) {
    static const char *const PLACES[] = {"../../clc", "../share/clc"};
    const char *named = getenv("WARPSTEP_LIBCLC");
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

/* What the user gave. OpenCL C 1.2, which has all of 1.0 and 1.1, is what our header is for; denormals are zeros. */
static void add_arguments(struct command *c, const char *const *words) {
    static const char *const MEANT[] = {"-cl-std=CL1.0", "-cl-std=CL1.1", "-cl-std=CL", "-cl-denorms-are-zero"};
    for (; words != NULL && *words != NULL; words++) {
        bool is_meant = false;
        for (size_t i = 0; i < sizeof MEANT / sizeof *MEANT; i++) is_meant = is_meant || strcmp(*words, MEANT[i]) == 0;
        if (!is_meant) add(c, *words);
    }
}

static const char *level_option(unsigned level) { return level == 0 ? "-O0" : level == 1 ? "-O1" : "-O2"; }

static void make_command(struct command *c, const char *clang, enum language language, const char *path,
                         const struct driver_options *o, const char *libclc) {
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
    add_all(c, language == LANGUAGE_OPENCL ? OPENCL : CUDA);
    add(c, level_option(o->compile.level));
    if (o->compile.level > 0) add(c, "-vectorize-loops");
    if (libclc != NULL) {
        add(c, "-Wno-linker-warnings"); /* of other triples */
        add(c, "-mlink-builtin-bitcode");
        add(c, libclc);
    }
    add_arguments(c, o->arguments);
    add(c, "-include");
    add(c, "/dev/stdin"); /* our header */
    add(c, path);
    add(c, "-o");
    add(c, "-");
    add(c, NULL);
}

static void say(const struct command *c) {
    for (size_t i = 0; i + 1 < c->count; i++) fprintf(stderr, "%s%s", i > 0 ? " " : "", c->words[i]);
    fputc('\n', stderr);
}

/* ---- running it ---- */

static void run_child(const struct command *c, const int input[2], const int output[2]) {
    dup2(input[0], 0);
    dup2(output[1], 1);
    close(input[0]);
    close(input[1]);
    close(output[0]);
    close(output[1]);
    execvp(c->words[0], (char *const *)c->words);
    _exit(127);
}

static bool read_all(int from, char **text, size_t *size) {
    FILE *out = open_memstream(text, size);
    char room[65536];
    ssize_t n = 0;
    if (out == NULL) return false;
    while ((n = read(from, room, sizeof room)) > 0 || (n < 0 && errno == EINTR))
        if (n > 0) fwrite(room, 1, (size_t)n, out);
    return fclose(out) == 0 && n == 0;
}

/* The header is far smaller than what a pipe holds: it is written before anything is read. */
static bool write_all(int to, const char *const *lines) {
    for (; *lines != NULL; lines++) {
        const char *at = *lines;
        size_t left = strlen(at);
        while (left > 0) {
            const ssize_t n = write(to, at, left);
            if (n < 0) return false;
            at += n;
            left -= (size_t)n;
        }
    }
    return true;
}

static enum status run(const struct command *c, const char *const *header, const char *path, char **text, size_t *size,
                       struct diag *d) {
    int input[2], output[2], state = 0;
    if (pipe(input) != 0) return diag_errno(d, path, "pipe");
    if (pipe(output) != 0) {
        close(input[0]);
        close(input[1]);
        return diag_errno(d, path, "pipe");
    }
    const pid_t child = fork();
    if (child == 0) run_child(c, input, output);
    close(input[0]);
    close(output[1]);
    bool good = child > 0;
    if (good) write_all(input[1], header);
    if (good) write_all(input[1], driver_math_functions);
    if (good) write_all(input[1], header == driver_opencl_header ? driver_opencl_functions : driver_cuda_functions);
    close(input[1]);
    good = good && read_all(output[0], text, size);
    close(output[0]);
    while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR) {}
    if (!good) return diag_set(d, STATUS_NO_MEMORY, path, 0, 0, "clang could not be run");
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0) return STATUS_OK;
    free(*text);
    *text = NULL;
    if (WIFEXITED(state) && WEXITSTATUS(state) == 127)
        return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "%s could not be run", c->words[0]);
    return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "%s: clang found errors", path);
}

static enum status run_clang(const char *clang, const char *path, const struct driver_options *options,
                             const char *libclc, char **text, size_t *size, struct diag *d) {
    struct command c = {0};
    const enum language language = language_of(path);
    make_command(&c, clang, language, path, options, libclc);
    enum status status = STATUS_NO_MEMORY;
    if (c.failed) {
        diag_set(d, status, path, 0, 0, "out of memory");
    } else {
        if (options->verbose) say(&c);
        status = run(&c, language == LANGUAGE_OPENCL ? driver_opencl_header : driver_cuda_header, path, text, size, d);
    }
    if (status == STATUS_OK && !driver_mask_rotations(text, size))
        status = diag_set(d, STATUS_NO_MEMORY, path, 0, 0, "out of memory");
    free(c.words);
    return status;
}

/* libclc is linked where a function is declared in front: most often one that the source does not have. */
enum status driver_read_ptx(const char *path, const struct driver_options *options, char **text, size_t *size,
                            struct diag *d) {
    const enum language language = language_of(path);
    *text = NULL;
    if (language == LANGUAGE_NONE) return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "is no .cl, .cu or .ptx file");
    if (language == LANGUAGE_PTX) return file_read(path, text, size, d);
    if (access(path, R_OK) != 0) return diag_errno(d, path, "");
    const char *clang = find_clang();
    if (clang == NULL)
        return diag_set(d, STATUS_BAD_INPUT, path, 0, 0,
                        "clang is not there: install the package clang-14, or name one in WARPSTEP_CLANG");
    char libclc[4096];
    enum status status = run_clang(clang, path, options, NULL, text, size, d);
    if (status != STATUS_OK || *text == NULL || strstr(*text, ")\n;\n") == NULL) return status;
    if (!find_libclc(clang, libclc, sizeof libclc)) return status;
    free(*text);
    *text = NULL;
    return run_clang(clang, path, options, libclc, text, size, d);
}

enum status driver_compile(const char *path, const struct driver_options *options, struct compiled *program,
                           struct diag *d) {
    char *text = NULL;
    size_t size = 0;
    struct compile_options o = options->compile;
    *program = (struct compiled){0};
    enum status status = driver_read_ptx(path, options, &text, &size, d);
    if (status != STATUS_OK) return status;
    o.file = path;
    if (language_of(path) != LANGUAGE_PTX) {
        o.file = "PTX";
        if (!options->contract_given) o.contract = COMPILE_CONTRACT_FAST;
    }
    status = compile_ptx(text, size, &o, program, d);
    free(text);
    return status;
}
