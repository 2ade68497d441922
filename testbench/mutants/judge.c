/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the trials (trials.sh) on mutants of the netlist until one catches each, and prints a line for each mutant:
 * number, layer, trial, whether it was the first trial run, trials run, MOST. The layer is
 *
 *     directed   memory differs from a kernel's expectation, or the kernel ends wrongly; without the model
 *     lockstep   a difference from the model, on the same kernels
 *     random     lockstep on random kernels or launches
 *     cycles     results are right, the cycles of a second launch are not
 *     selftest   memory differs from a bring-up kernel's expectation, or it ends wrongly; without the model, like the
 *                following:
 *     counts     its counters of instructions are wrong, or its cycles by cause do not sum to its cycles
 *     readback   the host does not read back its writes, for this kernel or in launch registers of random numbers
 *     exact      other cycles, or the same for other causes
 *     none       none of them
 *
 * and for the remaining ones, if MOST is 0:
 *
 *     seeds      lockstep, with other initial contents of registers and memories
 *     host       the host does not read back its writes, or counts and sums
 *     unseen     nothing, although the cycles of another trial are wrong: the mutant acts where no test looks
 *     none       none of them
 *
 * Only trials in which the mutant would change something are run: the others run as without it. All launches are read
 * and the simulation is opened once; each run is a process of its own.
 *
 *     judge DIR CORES MOST < LINES OF WAKES      DIR has libsim-mutants.so with CORES, trials, caught, right/;
 *                                                of each layer at most MOST trials are run
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../checker/port/host_plan.h"
#include "../../checker/port/sim_library.h"
#include "../../checker/verdict/free_run.h"
#include "../../checker/verdict/lockstep.h"
#include "../../cmodel/run/results.h"
#include "../../spec/host_regs.h"

enum { TRIALS = 1000, LINE = 65536, ENTITIES = 100, NAME = 64, GLOBAL_BYTES = 16384, SILENCE = 5000, SECONDS = 30 };
enum { SELFTEST_SECONDS = 120 }; /* without the model it runs up to the kernel's limit of cycles */
enum { MEMORY_TRIALS = 12, SEEDS = 6, UNSEEN_TRIALS = 6 };
enum { CAUGHT_HERE = 1000 }; /* weight of catches in the same entity */
enum layer { DIRECTED, RANDOM, CYCLES, SELFTEST, LAYERS };
enum how { LOCKSTEP, MEMORY, TIMING, HOST, BOARD, REGISTERS };
/* The first fault of a board's run. */
enum verdict { RIGHT, WRONG_END, WRONG_COUNTS, WRONG_READS, WRONG_CYCLES };

static const enum how HOW[LAYERS] = {LOCKSTEP, LOCKSTEP, TIMING, BOARD};

static const char *const LAYER_NAMES[LAYERS] = {"directed", "random", "cycles", "selftest"};
static const char *const VERDICTS[] = {"none", "selftest", "counts", "readback", "exact"};

struct trial {
    char name[NAME];
    enum layer layer;
    struct launch run;
    bool fits;
    enum lockstep_status status; /* its end without a mutant */
    unsigned trap;
    uint64_t trap_pc, cycles, warp_instructions, thread_instructions, cause[SIM_CAUSES];
    unsigned caught[ENTITIES];
};

static struct bench {
    const char *dir;
    struct sim_library lib;
    struct trial trial[TRIALS];
    unsigned trials, cores, most;
    bool in_one_place; /* WARPSTEP_MUTANTS_PLACED is set: a mutant acts in one of several equal instances */
    uint32_t seed;     /* seed of initial contents; of the host's launch */
    char entity[ENTITIES][NAME];
    unsigned entities;
} bench;

static struct sim_options options_of(const struct trial *t) {
    struct sim_options o = {
        .cores = bench.cores, .machine = MACHINE_DEFAULT, .seed = bench.seed, .wave_to = UINT64_MAX};
    o.machine.global_bytes = GLOBAL_BYTES;
    o.machine.has_atomics = launch_has_atomics(&t->run);
    return o;
}

/* ------------------------------------------------------------------------------------------------------ one run */

static bool run_lockstep(const struct trial *t, enum how how, uint64_t max_cycles) {
    struct diag d = {0};
    const struct sim_options sim = options_of(t);
    const struct lockstep_options options = {.run = &t->run,
                                             .machine = sim.machine,
                                             .silence = SILENCE,
                                             .max_cycles = max_cycles,
                                             .before = how == TIMING ? &t->run : NULL};
    struct lockstep *l = lockstep_create(&options, &d);
    if (l == NULL || !lockstep_run(l, bench.lib.api, &sim, &d)) return false;
    const struct lockstep_result *r = lockstep_result(l);
    if (r->status != t->status) return false;
    if (r->status == LOCKSTEP_TRAP) return model_get_trap(lockstep_model(l)).code == t->trap;
    if (results_compare(&t->run, r->global, stderr) != 0) return false;
    return how != TIMING ||
           (r->counters.cycles == t->cycles && memcmp(r->counters.cause[0], t->cause, sizeof t->cause) == 0);
}

static bool run_unchecked(struct trial *t, uint64_t max_cycles) {
    struct diag d = {0};
    struct sim_options sim = options_of(t);
    sim.unchecked = true;
    t->run.max_cycles = max_cycles;
    int code = 0;
    return free_run(bench.lib.api, &sim, &t->run, &code, &d) == STATUS_OK &&
           code == (t->status == LOCKSTEP_PASS ? 0 : 3);
}

/* A register of the host port. It lies below the window onto the code, so that the address wraps. */
static bool reads(struct sim *s, uint32_t adr, uint32_t value) {
    uint8_t bytes[4] = {0};
    if (bench.lib.api->peek(s, SIM_CODE, adr - HOST_CODE, bytes, sizeof bytes) != 0) return false;
    return (bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24) == value;
}

/* Reads back the host's writes for a launch that lie below an address. */
static bool reads_back(struct sim *s, const struct launch *run, const struct machine *machine, uint32_t below) {
    struct host_write_op *op = NULL;
    const size_t count = host_plan(run, machine, &op);
    bool right = count != 0;
    for (size_t i = 0; i < count && right; i++) {
        const uint32_t bits = host_plan_readable(op[i].adr);
        right = bits == 0 || op[i].adr >= below || reads(s, op[i].adr, op[i].value & bits);
    }
    free(op);
    return right;
}

/* Launches of random numbers: ANY, which need not be executable, the same with LONG code, with local memory for SOME
 * warps, for ALL of them; NOPS: at least 8192 of them, executed; ADDS to one word, by atomics. */
enum draw { ANY, LONG, SOME, ALL, NOPS, ADDS };
enum { PIECE_AT = 0x400, SUM_AT = 0x800, ADDING_THREADS = 256 };

static void draw_launch(enum draw draw, uint32_t *word, size_t words, struct image *img) {
    enum { BANK_BYTES = 512, PARAMS = 60 };
    static const uint32_t nop[] = {0xf0000001, 0xe0000000}, ret[] = {0x30000003, 0x780};
    static const uint32_t add[] = {0x10018005, 0x00000003, 0x10008009, 0x00000083,  /* MVI R1, 1; MVI R2, SUM_AT */
                                   0xd7010411, 0xe0c00780, 0x30000003, 0x00000780}; /* GATOM.IADD R4, [R2], R1; RET */
    *img = (struct image){
        .code = word,
        .code_words = draw == LONG ? word[0] % words : word[0] % 2048,
        .params = word,
        .param_count = word[1] % PARAMS,
        .regs = word[2] >> 24,
        .shared_bytes = word[3] >> 16 & ~3u,
        .local_bytes = draw == SOME ? word[4] >> 28 << 2 : word[4] >> 16 & ~3u,
        .grid = {word[5] >> 16,  word[6] >> 16},
        .block = { word[7] >> 16, word[8] >> 16, word[9] >> 16}
    };
    for (unsigned b = 0; b < IMAGE_CONST_BANKS; b++) {
        img->bank[b].bytes = (uint8_t *)word;
        img->bank[b].size = (word[10 + b] >> 16) % BANK_BYTES & ~3u;
    }
    if (draw == ANY || draw == LONG) return;
    img->block[0] = draw == SOME ? 32 * (1 + word[7] % 4) : 1024;
    img->block[1] = img->block[2] = 1;
    if (draw == SOME) return;
    img->regs = 8;
    img->shared_bytes = 1024;
    img->local_bytes = 4 * (1 + word[4] % 4);
    if (draw == ALL) return;
    img->grid[0] = img->grid[1] = 1;
    img->local_bytes = 0;
    if (draw == ADDS) {
        img->block[0] = ADDING_THREADS;
        img->code_words = sizeof add / sizeof add[0];
        memcpy(word, add, sizeof add);
        return;
    }
    img->code_words = 2 * (256 + word[0] % 256);
    for (size_t i = 0; i < img->code_words; i += 2) memcpy(word + i, i + 2 < img->code_words ? nop : ret, sizeof nop);
}

/* Checks the counts after 32 warps ran through the code once. */
static bool counts(struct sim *s, const struct image *img) {
    enum { WARPS = 32, LANES = 32, DONE = 2, AT_MOST = 1 << 18 };
    struct retire record;
    const uint32_t insns = WARPS * (uint32_t)img->code_words / 2;
    while (bench.lib.api->cycle(s) < AT_MOST) {
        const enum sim_event event = bench.lib.api->next(s, &record, AT_MOST);
        if (event == SIM_DONE) break;
        if (event != SIM_RECORD) return false;
    }
    struct sim_counters c = {0};
    bench.lib.api->counters(s, &c);
    for (uint32_t none = SIM_CAUSES; none < HOST_CAUSES_OF_SM / 4; none++)
        if (!reads(s, HOST_CAUSES + none * 4, 0)) return false;
    return reads(s, HOST_STATUS, DONE) && reads(s, HOST_TRAP_WHERE, 0) && reads(s, HOST_TRAP_PC, 0) &&
           c.cycles < AT_MOST && reads(s, HOST_CYCLES_LO, (uint32_t)c.cycles) && reads(s, HOST_CYCLES_HI, 0) &&
           reads(s, HOST_WARP_INSNS, insns) && reads(s, HOST_THREAD_INSNS, insns * LANES);
}

/* Checks that all was added, although the host repeatedly reads another word, and the code, and counters of causes,
 * which are 0 while the grid runs. */
static bool adds(struct sim *s, const uint32_t *code, uint32_t piece) {
    enum { AT_MOST = 20000 };
    struct retire record;
    enum sim_event event = SIM_SILENT;
    for (unsigned i = 0; i < AT_MOST && (event == SIM_SILENT || event == SIM_RECORD); i++) {
        event = bench.lib.api->next(s, &record, 1 + i % 7);
        if (!reads(s, HOST_GLOBAL + PIECE_AT, piece) || !reads(s, HOST_CODE + i % 2 * 4, code[i % 2]) ||
            (i < SIM_CAUSES && !reads(s, HOST_CAUSES + i * 4, 0)))
            return false;
    }
    return event == SIM_DONE && reads(s, HOST_GLOBAL + SUM_AT, ADDING_THREADS);
}

static bool run_draw(enum draw draw, uint32_t seed) {
    enum { CODE_WORDS = 1 << 15 };
    static uint32_t word[CODE_WORDS];
    struct sim_options sim = {.cores = bench.cores, .machine = MACHINE_DEFAULT, .seed = 1, .unchecked = true};
    sim.machine.global_bytes = GLOBAL_BYTES;
    sim.machine.has_atomics = draw == ADDS || seed % 2 != 0;
    for (unsigned i = 0; i < CODE_WORDS; i++) {
        seed = seed * 1664525 + 1013904223;
        word[i] = seed ^ seed >> 15;
    }
    struct image img;
    draw_launch(draw, word, CODE_WORDS, &img);
    img.arch = sim.machine.has_atomics ? 11 : 10;
    struct image_piece piece = {.addr = PIECE_AT, .size = 4 + (word[20] % 256 & ~3u), .bytes = (uint8_t *)word};
    img.global = &piece;
    img.global_count = 1;
    const struct launch run = {.path = (char *)"host", .image = &img};
    char why[256];
    struct sim *s = bench.lib.api->open(&sim, why, sizeof why);
    return s != NULL && bench.lib.api->load(s, &run) == 0 && (draw != NOPS || counts(s, &img)) &&
           (draw != ADDS || adds(s, word, word[0])) && reads(s, HOST_ID, HOST_ID_VALUE) &&
           reads(s, HOST_CONFIG, host_config(sim.cores, &sim.machine)) && reads_back(s, &run, &sim.machine, UINT32_MAX);
}

/* The host's reads after it has written launches, different ones for each seed. */
static bool run_host(uint32_t seed) {
    static const enum draw second[4] = {LONG, ADDS, NOPS, ALL};
    return run_draw(seed % 2 != 0 ? SOME : ANY, seed) && run_draw(second[seed % 4], seed);
}

/* ------------------------------------------------------------------------------------------------ as on a board */

static bool ends_right(struct sim *s, const struct trial *t, enum sim_event event) {
    static uint8_t global[GLOBAL_BYTES];
    struct sim_trap trap = {0};
    if (event == SIM_TRAPPED) {
        bench.lib.api->trap(s, &trap);
        return t->status == LOCKSTEP_TRAP && trap.code == t->trap && trap.pc == t->trap_pc;
    }
    return event == SIM_DONE && t->status == LOCKSTEP_PASS &&
           bench.lib.api->peek(s, SIM_GLOBAL, 0, global, sizeof global) == 0 &&
           results_compare(&t->run, global, NULL) == 0;
}

/* A trap stops the other warps at their next instruction, wherever they are: only lockstep can know the number of
 * instructions. */
static bool counts_right(const struct trial *t, const struct sim_counters *c) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < SIM_CAUSES; i++) sum += c->cause[0][i];
    return sum == c->cycles && (t->status == LOCKSTEP_TRAP || (c->warp_instructions == t->warp_instructions &&
                                                               c->thread_instructions == t->thread_instructions));
}

static enum verdict run_board(const struct trial *t, uint64_t max_cycles) {
    struct sim_options sim = options_of(t);
    struct retire record;
    struct sim_counters c = {0};
    char why[256];
    sim.unchecked = true;
    struct sim *s = bench.lib.api->open(&sim, why, sizeof why);
    if (s == NULL || bench.lib.api->load(s, &t->run) != 0) return WRONG_END;
    enum sim_event event = SIM_RECORD;
    while (event == SIM_RECORD && bench.lib.api->cycle(s) < max_cycles)
        event = bench.lib.api->next(s, &record, max_cycles - bench.lib.api->cycle(s));
    if (!ends_right(s, t, event)) return WRONG_END;
    bench.lib.api->counters(s, &c);
    if (!counts_right(t, &c)) return WRONG_COUNTS;
    /* Not before the end: the host must not read constants while a grid runs, which writes only global memory. */
    if (!reads(s, HOST_ID, HOST_ID_VALUE) || !reads(s, HOST_CONFIG, host_config(sim.cores, &sim.machine)) ||
        !reads_back(s, &t->run, &sim.machine, HOST_GLOBAL))
        return WRONG_READS;
    /* in lockstep the cycles end at the trap's report, here when the machine is at rest */
    const bool exact = c.cycles == t->cycles && memcmp(c.cause[0], t->cause, sizeof t->cause) == 0;
    return exact || t->status == LOCKSTEP_TRAP ? RIGHT : WRONG_CYCLES;
}

static bool run_trial(struct trial *t, enum how how, uint64_t max_cycles) {
    switch (how) {
    case MEMORY: return run_unchecked(t, max_cycles);
    case HOST: return run_host(bench.seed);
    case REGISTERS: return run_draw(ANY, 1) && run_draw(ANY, 2);
    case LOCKSTEP:
    case TIMING:
    case BOARD: break;
    }
    return run_lockstep(t, how, max_cycles);
}

static enum verdict try_trial(struct trial *t, const char *number, enum how how) {
    const pid_t process = fork();
    if (process == 0) {
        const rlim_t seconds = t->layer == SELFTEST ? SELFTEST_SECONDS : SECONDS;
        const struct rlimit limit = {seconds, seconds + 1};
        setrlimit(RLIMIT_CPU, &limit);
        setenv("WARPSTEP_MUTANT", number, 1);
        if (bench.in_one_place) setenv("WARPSTEP_MUTANT_PLACE", strtoul(number, NULL, 10) % 2 != 0 ? "1" : "2", 1);
        if (freopen("/dev/null", "w", stdout) == NULL || freopen("/dev/null", "w", stderr) == NULL) _exit(1);
        const uint64_t max_cycles = 3 * t->cycles + 20000;
        _exit(how == BOARD ? (int)run_board(t, max_cycles) : run_trial(t, how, max_cycles) ? RIGHT : WRONG_END);
    }
    int status = 0;
    if (waitpid(process, &status, 0) != process || !WIFEXITED(status)) return WRONG_END;
    return (enum verdict)WEXITSTATUS(status);
}

/* True if the trial does not notice the mutant. */
static bool passes(struct trial *t, const char *number, enum how how) { return try_trial(t, number, how) == RIGHT; }

/* ------------------------------------------------------------------------------------------------------- reading */

static bool fail(const char *what, const char *name) {
    fprintf(stderr, "judge: %s: %s\n", what, name);
    return false;
}

static unsigned entity_number(const char *name) {
    for (unsigned i = 0; i < bench.entities; i++)
        if (strcmp(bench.entity[i], name) == 0) return i;
    if (bench.entities + 1 < ENTITIES) snprintf(bench.entity[bench.entities++], NAME, "%s", name);
    return bench.entities - 1;
}

static struct trial *trial_named(const char *name) {
    for (unsigned i = 0; i < bench.trials; i++)
        if (strcmp(bench.trial[i].name, name) == 0) return &bench.trial[i];
    return NULL;
}

/* The JSON of warp-lockstep without a mutant. */
static bool read_right(struct trial *t) {
    char path[512], text[4096];
    snprintf(path, sizeof path, "%s/right/%s.json", bench.dir, t->name);
    FILE *f = fopen(path, "r");
    if (f == NULL) return fail("cannot read", path);
    const size_t size = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[size] = 0;
    const char *cycles = strstr(text, "\"cycles\":"), *stalls = strstr(text, "\"stalls\":{"),
               *trap = strstr(text, "\"trap\":{\"code\":"), *pc = trap != NULL ? strstr(trap, "\"pc\":") : NULL,
               *warps = strstr(text, "\"warp_instructions\":"), *threads = strstr(text, "\"thread_instructions\":");
    t->fits = cycles != NULL && stalls != NULL && strstr(text, "\"mismatch\"") == NULL;
    if (!t->fits) return true;
    t->status = trap != NULL ? LOCKSTEP_TRAP : LOCKSTEP_PASS;
    t->trap = trap != NULL ? (unsigned)strtoul(strchr(trap + 7, ':') + 1, NULL, 10) : 0;
    t->cycles = strtoull(cycles + 9, NULL, 10);
    if (pc != NULL) t->trap_pc = strtoull(pc + 5, NULL, 10);
    if (warps != NULL) t->warp_instructions = strtoull(strchr(warps, ':') + 1, NULL, 10);
    if (threads != NULL) t->thread_instructions = strtoull(strchr(threads, ':') + 1, NULL, 10);
    for (unsigned i = 0; i < SIM_CAUSES; i++) {
        stalls = strchr(stalls + (i == 0 ? 10 : 1), ':');
        t->cause[i] = strtoull(stalls + 1, NULL, 10);
    }
    return true;
}

static bool read_trial(char *line) {
    char *field[4], *rest = line;
    char *argv[16] = {(char *)"judge"};
    int argc = 1;
    struct diag d = {0};
    for (unsigned i = 0; i < 4; i++) field[i] = strsep(&rest, "\t\n");
    struct trial *t = &bench.trial[bench.trials++];
    snprintf(t->name, NAME, "%s", field[0]);
    while (t->layer < LAYERS && strcmp(field[1], LAYER_NAMES[t->layer]) != 0) t->layer++;
    argv[argc++] = field[2];
    for (char *word = strtok(field[3], " "); word != NULL && argc < 15; word = strtok(NULL, " ")) argv[argc++] = word;
    if (!read_right(t)) return false;
    if (!t->fits) return true;
    struct machine machine = MACHINE_DEFAULT;
    machine.global_bytes = GLOBAL_BYTES;
    if (launch_parse(argc, argv, NULL, NULL, &machine, NULL, &t->run, &d) != STATUS_OK) return fail(t->name, d.text);
    machine.has_atomics = launch_has_atomics(&t->run);
    return launch_check(&t->run, &machine, &d) == STATUS_OK || fail(t->name, d.text);
}

static FILE *open_file(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", bench.dir, name);
    FILE *f = fopen(path, "r");
    if (f == NULL) fail("cannot open", path);
    return f;
}

/* The trials that caught other mutants: entity and trial a line. */
static void read_caught(void) {
    char entity[NAME], name[NAME];
    FILE *f = open_file("caught");
    while (f != NULL && fscanf(f, "%63s %63s", entity, name) == 2) {
        struct trial *t = trial_named(name);
        if (t != NULL) t->caught[entity_number(entity)]++;
    }
    if (f != NULL) fclose(f);
}

/* -------------------------------------------------------------------------------------------------------- judging */

static unsigned worth(const struct trial *t, unsigned entity) {
    unsigned sum = CAUGHT_HERE * t->caught[entity];
    for (unsigned i = 0; i < bench.entities; i++) sum += t->caught[i];
    return sum;
}

/* True if this trial runs before the other one: by layer, in each the one that caught most in this entity; of equals
 * the one with fewer cycles. */
static bool comes_before(const struct trial *t, const struct trial *other, unsigned entity) {
    if (t->layer != other->layer) return t->layer < other->layer;
    const unsigned here = worth(t, entity), there = worth(other, entity);
    return here != there ? here > there : t->cycles < other->cycles;
}

/* Insertion sort is stable. */
static void sort_trials(struct trial **list, unsigned count, unsigned entity) {
    for (unsigned i = 1; i < count; i++)
        for (unsigned k = i; k > 0 && comes_before(list[k], list[k - 1], entity); k--) {
            struct trial *t = list[k];
            list[k] = list[k - 1];
            list[k - 1] = t;
        }
}

static bool is_host_side(unsigned entity) {
    static const char *const names[] = {"host",          "code_memory", "const_memory",  "fetch",
                                        "global_memory", "atomic_unit", "cause_counters"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(bench.entity[entity], names[i]) == 0) return true;
    return false;
}

/* The steps after the layers of the trials: other seeds, the host's view, the cycles of the first few. */
static const char *judge_rest(const char *number, unsigned entity, struct trial **list, unsigned count,
                              struct trial **by) {
    const char *layer = "none";
    for (bench.seed = 2; bench.seed < 2 + SEEDS && *by == NULL; bench.seed++) {
        if (count > 0 && !passes(list[0], number, LOCKSTEP)) {
            *by = list[0];
            layer = "seeds";
        } else if (count > 0 && is_host_side(entity) && !passes(list[0], number, HOST)) {
            *by = list[0];
            layer = "host";
        }
    }
    bench.seed = 1;
    for (unsigned i = 0; i < count && i < UNSEEN_TRIALS && *by == NULL; i++)
        if (list[i]->layer != CYCLES && !passes(list[i], number, TIMING)) {
            *by = list[i];
            layer = "unseen";
        }
    return layer;
}

static void judge(const char *number, unsigned entity, struct trial **list, unsigned count) {
    const char *layer = "none";
    struct trial *by = NULL;
    enum verdict worst = RIGHT;
    unsigned run = 0, of_layer[LAYERS] = {0};
    sort_trials(list, count, entity);
    /* other cycles count only if nothing else is found */
    for (unsigned i = 0; i < count && (worst == RIGHT || worst == WRONG_CYCLES); i++) {
        if (of_layer[list[i]->layer]++ >= bench.most) continue;
        run++;
        const enum verdict verdict = try_trial(list[i], number, HOW[list[i]->layer]);
        if (verdict == RIGHT || (verdict == WRONG_CYCLES && worst == WRONG_CYCLES)) continue;
        worst = verdict;
        by = list[i];
    }
    if (by != NULL) {
        by->caught[entity]++;
        layer = by->layer == SELFTEST ? VERDICTS[worst] : LAYER_NAMES[by->layer];
    }
    if (by == NULL && count > 0 && list[0]->layer == SELFTEST && !passes(list[0], number, REGISTERS))
        layer = VERDICTS[WRONG_READS];
    if (by != NULL && by->layer == DIRECTED) {
        struct trial *first = by;
        layer = "lockstep";
        bool caught = !passes(by, number, MEMORY);
        for (unsigned i = 0; i < count && i < MEMORY_TRIALS && !caught; i++)
            if (list[i]->layer == DIRECTED && list[i] != first && !passes(list[i], number, MEMORY)) {
                by = list[i];
                caught = true;
            }
        if (caught) layer = "directed";
    }
    if (bench.most == 0) layer = judge_rest(number, entity, list, count, &by);
    printf("%s\t%s\t%s\t%s\t%u\t%u\n", number, layer, by != NULL ? by->name : "-", run == 1 ? "yes" : "no", run,
           bench.most);
    fflush(stdout);
}

/* A line of wakes: number, entity, names of trials. */
static bool judge_line(char *line) {
    struct trial *list[TRIALS];
    unsigned count = 0;
    char *number = strtok(line, " \t\n"), *entity = strtok(NULL, " \t\n");
    if (number == NULL || entity == NULL) return fail("bad line", line);
    for (char *name = strtok(NULL, " \t\n"); name != NULL; name = strtok(NULL, " \t\n")) {
        struct trial *t = trial_named(name);
        if (t != NULL && t->fits && count < TRIALS) list[count++] = t;
    }
    judge(number, entity_number(entity), list, count);
    return true;
}

int main(int argc, char **argv) {
    static char line[LINE];
    char path[512];
    struct diag d = {0};
    struct machine machine = MACHINE_DEFAULT;
    if (argc != 4) return fail("usage", "judge DIR CORES MOST < LINES OF WAKES") ? 0 : 2;
    bench.dir = argv[1];
    bench.cores = (unsigned)strtoul(argv[2], NULL, 10);
    bench.most = (unsigned)strtoul(argv[3], NULL, 10);
    bench.seed = 1;
    bench.in_one_place = getenv("WARPSTEP_MUTANTS_PLACED") != NULL;
    FILE *trials = open_file("trials");
    if (trials == NULL) return 2;
    while (fgets(line, sizeof line, trials) != NULL)
        if (bench.trials == TRIALS || !read_trial(line)) return 2;
    fclose(trials);
    read_caught();
    snprintf(path, sizeof path, "%s/libsim-mutants.so", bench.dir);
    machine.global_bytes = GLOBAL_BYTES;
    if (sim_library_open(&bench.lib, path, bench.cores, &machine, 0, &d) != STATUS_OK)
        return fail(path, d.text) ? 0 : 2;
    while (fgets(line, sizeof line, stdin) != NULL)
        if (!judge_line(line)) return 2;
    return 0;
}
