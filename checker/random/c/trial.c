/* SPDX-License-Identifier: Apache-2.0 */
#include "trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../compiler/driver.h"

enum { CPU_SECONDS = 60, SECONDS = 900, /* on a busy machine */ WORDS = 40 };

const char *c_verdict_name(enum c_verdict verdict) {
    static const char *const NAMES[] = {
        [C_SAME] = "same",
        [C_DIFFERS] = "memory differs",
        [C_UNDEFINED] = "not defined on this machine: a fault of the generator",
        [C_REFUSED] = "warp-cc refuses it",
        [C_STOPPED] = "the model stops",
        [C_LOCKSTEP] = "RTL and model differ",
        [C_ENDLESS] = "takes too long",
        [C_BROKEN] = "a tool or a file is not there",
    };
    return NAMES[verdict];
}

/* ---- commands: words with a space between ---- */

static void path_of(const struct c_tools *t, const char *name, const char *suffix, char path[C_PATH * 2]) {
    snprintf(path, (size_t)C_PATH * 2, "%s/%s%s", t->folder, name, suffix);
}

static void run_child(char *command, const char *log) {
    char *words[WORDS + 1] = {NULL}, *rest = NULL;
    unsigned count = 0;
    for (char *word = strtok_r(command, " ", &rest); word != NULL && count < WORDS; word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    const int to = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (to < 0 || count == 0) _exit(127);
    dup2(to, 1);
    dup2(to, 2);
    setrlimit(RLIMIT_CPU, &(struct rlimit){CPU_SECONDS, CPU_SECONDS + 1});
    alarm(SECONDS);
    execvp(words[0], words);
    _exit(127);
}

/* Exit code; -1: a signal, -2: out of time. */
static int run(char *command, const char *log) {
    int state = 0;
    const pid_t child = fork();
    if (child == 0) run_child(command, log);
    while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR) {}
    if (child < 0) return 127;
    if (WIFSIGNALED(state)) return WTERMSIG(state) == SIGALRM || WTERMSIG(state) == SIGXCPU ? -2 : -1;
    return WEXITSTATUS(state);
}

/* The first line with an error in it, or the first one. */
static void read_said(const char *log, char said[C_SAID]) {
    char line[C_SAID];
    FILE *file = fopen(log, "r");
    said[0] = '\0';
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        const bool is_error = strstr(line, "error") != NULL || strstr(line, "differ") != NULL;
        if (said[0] == '\0' || is_error) snprintf(said, C_SAID, "%s", line);
        if (is_error) break;
    }
    if (file != NULL) fclose(file);
}

enum step { HOST_COMPILE, HOST_RUN, COMPILE, RUN, LOCKSTEP };

static void print_files(const struct c_tools *t, const char *name, const struct program *p, FILE *to) {
    const char *f = t->folder;
    fprintf(to,
            " --grid %u --block %u --arg %s/%s.in --arg zero:%u,out=%s/%s.out --arg %s/%s.cells,out=%s/%s.cells.out",
            p->blocks, p->threads, f, name, p->blocks * p->threads * OUTPUT_BYTES, f, name, f, name, f, name);
}

static void print_command(const struct c_tools *t, enum step step, const char *name, const struct program *p,
                          FILE *to) {
    static const char SANITIZE[] = "undefined,float-cast-overflow";
    const char *f = t->folder;
    switch (step) {
    case HOST_COMPILE:
        fprintf(to,
                "%s -x cl -cl-std=CL1.2 -cl-no-stdinc -Xclang -fno-builtin -w -O1 -ffp-contract=off -fsanitize=%s "
                "-fsanitize-trap=%s -include %s/opencl.h %s/%s.cl -x none %s/host.o -o %s/%s.host",
                t->clang, SANITIZE, SANITIZE, f, f, name, f, f, name);
        break;
    case HOST_RUN:
        fprintf(to, "%s/%s.host %u %u %s/%s.in %u %s/%s.want %s/%s.cells %s/%s.cells.want", f, name, p->blocks,
                p->threads, f, name, p->blocks * p->threads * OUTPUT_BYTES, f, name, f, name, f, name);
        break;
    case COMPILE:
        fprintf(to, "%s/warp-cc %s/%s.cl --arch sm_11 -Wno-everything -O%u", t->bin, f, name,
                t->level <= 2 ? t->level : p->level);
        if (p->registers > 0) fprintf(to, " --max-registers %u", p->registers);
        fprintf(to, " -o %s/%s.img", f, name);
        break;
    case RUN:
        fprintf(to, "%s/warp-run %s/%s.img -w --strict%s", t->bin, f, name, t->races ? " --check-races" : "");
        print_files(t, name, p, to);
        break;
    case LOCKSTEP:
        fprintf(to, "%s/warp-lockstep %s/%s.img -w --strict --no-wave --sim %s --cores %u", t->bin, f, name, t->sim,
                t->cores);
        print_files(t, name, p, to);
        break;
    }
}

static int run_step(const struct c_tools *t, enum step step, const char *name, const struct program *p,
                    char said[C_SAID]) {
    char *command = NULL, log[C_PATH * 2];
    size_t size = 0;
    FILE *text = open_memstream(&command, &size);
    if (text == NULL) return 127;
    print_command(t, step, name, p, text);
    int code = 127;
    path_of(t, name, ".log", log);
    if (fclose(text) == 0) code = run(command, log);
    read_said(log, said);
    free(command);
    return code;
}

/* ---- files ---- */

static bool write_file(const char *path, const void *data, size_t size) {
    FILE *file = fopen(path, "wb");
    const bool written = file != NULL && fwrite(data, 1, size, file) == size;
    return file != NULL && fclose(file) == 0 && written;
}

static bool write_lines(const char *path, const char *const *lines) {
    FILE *file = fopen(path, "w");
    for (; file != NULL && *lines != NULL; lines++) fputs(*lines, file);
    return file != NULL && fclose(file) == 0;
}

static bool write_program(const struct c_tools *t, const struct program *p, const char *name) {
    uint32_t words[INPUT_WORDS], cells[ATOMICS];
    char path[C_PATH * 2];
    path_of(t, name, ".cl", path);
    FILE *source = fopen(path, "w");
    if (source == NULL) return false;
    program_print(p, source);
    bool good = fclose(source) == 0;
    program_input(p, words);
    path_of(t, name, ".in", path);
    good = good && write_file(path, words, sizeof words);
    for (unsigned i = 0; i < ATOMICS; i++) cells[i] = words[i * 5];
    path_of(t, name, ".cells", path);
    return good && write_file(path, cells, sizeof cells);
}

/* NULL: the file does not exist. */
static uint8_t *read_file(const struct c_tools *t, const char *name, const char *suffix, size_t size) {
    char path[C_PATH * 2];
    path_of(t, name, suffix, path);
    uint8_t *data = calloc(1, size + 1);
    FILE *file = fopen(path, "rb");
    const bool good = file != NULL && data != NULL && fread(data, 1, size + 1, file) == size;
    if (file != NULL) fclose(file);
    if (good) return data;
    free(data);
    return NULL;
}

/* ---- the trial ---- */

static bool equal(const struct c_tools *t, const char *name, const char *a, const char *b, size_t size) {
    uint8_t *first = read_file(t, name, a, size), *second = read_file(t, name, b, size);
    const bool same = first != NULL && second != NULL && memcmp(first, second, size) == 0;
    free(first);
    free(second);
    return same;
}

static size_t output_bytes(const struct program *p) { return (size_t)p->blocks * p->threads * OUTPUT_BYTES; }

static void compare(const struct c_tools *t, const struct program *p, const char *name, struct c_outcome *o) {
    o->said[0] = '\0';
    const bool same =
        equal(t, name, ".want", ".out", output_bytes(p)) && equal(t, name, ".cells.want", ".cells.out", CELL_BYTES);
    o->verdict = same ? C_SAME : C_DIFFERS;
}

void c_trial(const struct c_tools *t, const struct program *p, const char *name, struct c_outcome *o) {
    static const enum c_verdict BAD[] = {C_UNDEFINED, C_UNDEFINED, C_REFUSED, C_STOPPED, C_LOCKSTEP};
    const enum step last = t->sim != NULL ? LOCKSTEP : RUN;
    *o = (struct c_outcome){.verdict = C_BROKEN};
    if (!write_program(t, p, name)) return;
    for (enum step step = HOST_COMPILE; step <= last; step++) {
        const int code = run_step(t, step, name, p, o->said);
        if (code == 0) continue;
        o->verdict = code == 127 ? C_BROKEN : code == -2 ? C_ENDLESS : BAD[step];
        return;
    }
    compare(t, p, name, o);
}

bool c_tools_open(struct c_tools *t, char said[C_SAID], bool *is_absent) {
    char path[C_PATH * 2], log[C_PATH * 2], *command = NULL;
    snprintf(said, C_SAID, "clang not found");
    t->clang = driver_clang();
    *is_absent = t->clang == NULL;
    if (*is_absent) return false;
    const ssize_t length = readlink("/proc/self/exe", t->bin, sizeof t->bin - 1);
    char *slash = length > 0 ? memrchr(t->bin, '/', (size_t)length) : NULL;
    snprintf(said, C_SAID, "files in %.300s cannot be written", t->folder);
    if (slash == NULL) return false;
    *slash = '\0';
    path_of(t, "opencl", ".h", path);
    bool good = write_lines(path, c_host_opencl);
    path_of(t, "host", ".c", path);
    good = good && write_lines(path, c_host_launch);
    path_of(t, "host", ".log", log);
    if (!good || asprintf(&command, "%s -std=gnu11 -O1 -c %s -o %s/host.o", t->clang, path, t->folder) < 0)
        return false;
    good = run(command, log) == 0;
    if (!good) read_said(log, said);
    free(command);
    return good;
}

void c_trial_clean(const struct c_tools *t, const char *name) {
    static const char *const SUFFIXES[] = {".cl",  ".in",   ".cells", ".cells.out", ".cells.want",
                                           ".out", ".want", ".img",   ".host",      ".log"};
    char path[C_PATH * 2];
    for (size_t i = 0; i < sizeof SUFFIXES / sizeof *SUFFIXES; i++) {
        path_of(t, name, SUFFIXES[i], path);
        unlink(path);
    }
}

/* the explanation */

static uint32_t word_at(const uint8_t *data) {
    return data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
}

static void explain_memory(const struct c_tools *t, const char *name, const char *title, const char *want,
                           const char *out, size_t size, FILE *to) {
    enum { LINES = 32 };
    unsigned lines = 0;
    uint8_t *expected = read_file(t, name, want, size), *found = read_file(t, name, out, size);
    for (size_t i = 0; expected != NULL && found != NULL && i < size; i += 4) {
        const uint32_t a = word_at(expected + i), b = word_at(found + i);
        if (a == b || lines++ >= LINES) continue;
        fprintf(to, "%s[%zu]: this machine 0x%08x, sm_10 0x%08x\n", title, i / 4, a, b);
    }
    if (lines > LINES) fprintf(to, "%s: %u words differ\n", title, lines);
    free(expected);
    free(found);
}

void c_trial_explain(const struct c_tools *t, const struct program *p, const char *name,
                     const struct c_outcome *outcome, FILE *to) {
    const enum step last = t->sim != NULL ? LOCKSTEP : RUN;
    fprintf(to, "%s%s%s\n", c_verdict_name(outcome->verdict), outcome->said[0] != '\0' ? ": " : "", outcome->said);
    if (outcome->verdict == C_DIFFERS) {
        explain_memory(t, name, "out", ".want", ".out", output_bytes(p), to);
        explain_memory(t, name, "cells", ".cells.want", ".cells.out", CELL_BYTES, to);
    }
    for (enum step step = COMPILE; step <= last; step++) {
        fputs("    ", to);
        print_command(t, step, name, p, to);
        fputc('\n', to);
    }
}
