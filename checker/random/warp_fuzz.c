/* SPDX-License-Identifier: Apache-2.0 */
/* warp-fuzz: random legal kernels on RTL and model in lockstep; shrinks failures. Argument handling only. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../assembler/base/outfile.h"
#include "../../assembler/base/stop.h"
#include "../../assembler/base/version.h"
#include "../port/bus_option.h"
#include "bounds.h"
#include "c/search.h"
#include "campaign.h"
#include "jobs.h"
#include "judge.h"

static const char TOOL[] = "warp-fuzz";

enum { EXIT_FAILED = 1, EXIT_BAD = 2, LIST_MAX = 8, SECONDS_VERILATOR = 60, SECONDS_GHDL = 600, SHRINK_SECONDS = 600 };

struct list {
    unsigned count, value[LIST_MAX];
};

struct options {
    struct campaign campaign;
    const char *sim;
    struct list cores, sms;
    struct sim_bus bus;
    bool after, print, failures_given;
    bool programs, rtl, races; /* in C; in lockstep; race checks */
    unsigned keep_going;
    struct waivers *waivers;  /* NULL: none given */
    struct declared declared; /* valid if campaign.machine is not NULL */
    struct machine extension; /* only wide and dividers count */
};

static void print_help(void) {
    fputs("usage: warp-fuzz [options]\n"
          "Generates random legal kernels from the instruction table, and runs them on RTL and C model in lockstep. "
          "Shrinks a\n"
          "failing kernel to a minimal one, and writes it with the command that repeats it. A seed gives the same "
          "kernel on\n"
          "every computer. Exit code: 0 no failure, 1 failures, 2 bad usage, 130 interrupted: failures are written, "
          "and the\n"
          "next seed is printed.\n"
          "\n"
          "  --seed N                    seed of the first kernel, default 1; the next has N + 1\n"
          "  --count N                   number of kernels, default 100, or with --time no limit\n"
          "  --time SECONDS              start no more kernels after this time\n"
          "  --jobs N                    kernels at a time, 1 to 64, default 1\n"
          "  --sim verilator|ghdl|both|LIB.so\n"
          "                              simulation of the RTL, default verilator; both: their records and cycles must "
          "agree\n"
          "  --cores N[,N...]            scalar processors of an SM: 8, 16, 32, default 8; kernels alternate\n"
          "  --sms N[,N...]              streaming multiprocessors, 1 to 8, default 1; kernels alternate\n",
          stdout);
    bus_print_help(stdout);
    puts(
        "  --machine FILE              declaration of the RTL's machine; kernels stay within it; exit code 2 if none "
        "can\n"
        "  --wide N, --dividers N      of sm_10x: multipliers and dividers of an SM, which kernels use; default 0\n"
        "  --waivers FILE              known deviations, as for warp-lockstep; repeatable\n"
        "  --keep-going N              continue after differences; shrink and list up to N different findings, by "
        "operation\n"
        "                              and field, each in its own kernel\n"
        "  --c                         generate programs in OpenCL C instead; compare memory between the model and "
        "this\n"
        "                              computer, for which clang compiles them; reduce a failing program to a few "
        "lines\n"
        "  --rtl                       with --c: also run each program in lockstep\n"
        "  --races                     with --c: also check races\n"
        "  --after                     run each kernel again, launched after another kernel without a reset\n"
        "  --kind any|runs|trap|wild   runs: kernels that end normally; trap: that must trap in a declared way; wild:\n"
        "                              straight-line code that may trap anywhere; default any, drawn by the seed\n"
        "  --steps N                   limit of warp instructions of a kernel, 250 to 6000, default 6000\n"
        "  --failures N                stop after N failures, default 1, with --keep-going N\n"
        "  --out DIR                   directory of failures, default build/fuzz\n"
        "  --shrink-time SECONDS       limit for shrinking a failure, default 600; the best result is kept\n"
        "  --no-shrink                 write failures without shrinking\n"
        "  --print                     only print the kernels\n"
        "  --help, --version           this text; the version");
}

static bool bad_value(const char *option, const char *value, const char *expected) {
    fprintf(stderr, "%s: error: %s '%.40s': expected %s\n", TOOL, option, value, expected);
    return false;
}

static bool parse_number(const char *option, const char *value, uint64_t low, uint64_t high, uint64_t *number) {
    char *end = NULL;
    char expected[80];
    errno = 0;
    const bool digits = value[0] >= '0' && value[0] <= '9';
    *number = digits ? strtoull(value, &end, 0) : 0;
    if (digits && errno == 0 && *end == 0 && *number >= low && *number <= high) return true;
    snprintf(expected, sizeof expected, "a number from %" PRIu64 " to %" PRIu64, low, high);
    return bad_value(option, value, expected);
}

static bool parse_unsigned(const char *option, const char *value, unsigned low, unsigned high, unsigned *number) {
    uint64_t parsed = 0;
    const bool good = parse_number(option, value, low, high, &parsed);
    *number = (unsigned)parsed;
    return good;
}

static bool parse_list(const char *option, const char *value, bool is_cores, struct list *list) {
    const char *p = value;
    list->count = 0;
    for (char *end = NULL; list->count < LIST_MAX; p = end + 1) {
        const unsigned long number = strtoul(p, &end, 10);
        if (end == p || (*end != ',' && *end != 0) ||
            (is_cores ? number != 8 && number != 16 && number != 32 : number < 1 || number > 8))
            break;
        list->value[list->count++] = (unsigned)number;
        if (*end == 0) return true;
    }
    return bad_value(option, value, is_cores ? "8, 16, 32 with commas between" : "1 to 8 with commas between");
}

static bool take_memory(const char *value, struct sim_bus *bus) {
    struct diag d = {0};
    if (bus_parse(value, bus, &d) == STATUS_OK) return true;
    launch_report(TOOL, &d);
    return false;
}

static bool take_extension(const char *option, const char *value, struct machine *machine) {
    struct diag d = {0};
    if (launch_take_machine(option, value, machine, &d) > 0) return true;
    launch_report(TOOL, &d);
    return false;
}

static bool take_waivers(struct options *o, const char *path) {
    struct diag d = {0};
    if (o->campaign.waiver_files == CAMPAIGN_WAIVERS) return bad_value("--waivers", path, "fewer files");
    o->campaign.waiver_file[o->campaign.waiver_files++] = path;
    if (o->waivers == NULL) o->waivers = waivers_create();
    if (o->waivers == NULL)
        diag_set(&d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    else if (waivers_read(o->waivers, path, &d) == STATUS_OK)
        return true;
    launch_report(TOOL, &d);
    return false;
}

static bool parse_kind(const char *value, enum make_kind *kind) {
    static const char *const names[] = {
        [MAKE_ANY] = "any", [MAKE_RUNS] = "runs", [MAKE_TRAP] = "trap", [MAKE_WILD] = "wild"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(value, names[i]) == 0) {
            *kind = (enum make_kind)i;
            return true;
        }
    }
    return bad_value("--kind", value, "any, runs, trap or wild");
}

enum code {
    SEED,
    COUNT,
    TIME,
    JOBS,
    SIM,
    CORES,
    SMS,
    MEMORY,
    AFTER,
    KIND,
    STEPS,
    FAILURES,
    OUT,
    NO_SHRINK,
    SHRINK_TIME,
    MACHINE,
    WIDE,
    DIVIDERS,
    WAIVERS,
    KEEP_GOING,
    PROGRAMS,
    RTL,
    RACES,
    PRINT,
    HELP,
    VERSION
};

static bool take(struct options *o, int code, bool *count_given) {
    struct campaign *c = &o->campaign;
    switch (code) {
    case SEED: return parse_number("--seed", optarg, 0, UINT64_MAX / 64, &c->seed);
    case COUNT: *count_given = true; return parse_number("--count", optarg, 1, UINT32_MAX, &c->count);
    case TIME: return parse_unsigned("--time", optarg, 1, UINT32_MAX, &c->seconds);
    case JOBS: return parse_unsigned("--jobs", optarg, 1, JOBS_MOST, &c->jobs);
    case SIM: o->sim = optarg; return true;
    case CORES: return parse_list("--cores", optarg, true, &o->cores);
    case SMS: return parse_list("--sms", optarg, false, &o->sms);
    case MEMORY: return take_memory(optarg, &o->bus);
    case AFTER: o->after = true; return true;
    case KIND: return parse_kind(optarg, &c->make.kind);
    case STEPS: return parse_unsigned("--steps", optarg, MAKE_STEPS_LEAST, JUDGE_STEPS, &c->make.steps);
    case FAILURES: o->failures_given = true; return parse_unsigned("--failures", optarg, 1, UINT32_MAX, &c->failures);
    case WAIVERS: return take_waivers(o, optarg);
    case KEEP_GOING: return parse_unsigned("--keep-going", optarg, 1, FINDINGS_MOST, &o->keep_going);
    case OUT: c->out = optarg; return true;
    case NO_SHRINK: c->shrink = false; return true;
    case SHRINK_TIME: return parse_unsigned("--shrink-time", optarg, 1, 1000000, &c->shrink_seconds);
    case MACHINE: c->machine = optarg; return true;
    case WIDE: return take_extension("--wide", optarg, &o->extension);
    case DIVIDERS: return take_extension("--dividers", optarg, &o->extension);
    case PROGRAMS: o->programs = true; return true;
    case RTL: o->rtl = true; return true;
    case RACES: o->races = true; return true;
    case PRINT: o->print = true; return true;
    default: return false;
    }
}

/* 0, or the exit code; -1 after --help. */
static int parse(int argc, char **argv, struct options *o) {
    static const struct option names[] = {
        {"seed",             required_argument, NULL, SEED},
        {"count",              required_argument, NULL, COUNT},
        {"time",                  required_argument, NULL, TIME},
        {"jobs",required_argument, NULL, JOBS},
        {"sim",             required_argument, NULL, SIM},
        {"cores",             required_argument, NULL, CORES},
        {"sms",              required_argument, NULL, SMS},
        {"memory",                  required_argument, NULL, MEMORY},
        {"after",              no_argument, NULL, AFTER},
        {"kind",              required_argument, NULL, KIND},
        {"steps",              required_argument, NULL, STEPS},
        {"failures",              required_argument, NULL, FAILURES},
        {"out",                  required_argument, NULL, OUT},
        {"no-shrink",no_argument, NULL, NO_SHRINK},
        {"shrink-time",             required_argument, NULL, SHRINK_TIME},
        {"machine",              required_argument, NULL, MACHINE},
        {"wide",              required_argument, NULL, WIDE},
        {"dividers",                  required_argument, NULL, DIVIDERS},
        {"waivers",required_argument, NULL, WAIVERS},
        {"keep-going",            required_argument, NULL, KEEP_GOING},
        {"c",            no_argument, NULL, PROGRAMS},
        {"rtl",              no_argument, NULL, RTL},
        {"races",                  no_argument, NULL, RACES},
        {"print",no_argument, NULL, PRINT},
        {"help",              no_argument, NULL, HELP},
        {"version",            no_argument, NULL, VERSION},
        {0             }
    };
    bool count_given = false;
    for (int code; (code = getopt_long(argc, argv, "h", names, NULL)) != -1;) {
        if (code == HELP || code == 'h') {
            print_help();
            return -1;
        }
        if (code == VERSION) {
            printf("%s (Warpstep) %s\n", TOOL, WARPSTEP_VERSION);
            return -1;
        }
        if (!take(o, code, &count_given)) return EXIT_BAD;
    }
    if (optind < argc) {
        fprintf(stderr, "%s: error: unexpected '%.60s', see --help\n", TOOL, argv[optind]);
        return EXIT_BAD;
    }
    if (!o->programs && (o->rtl || o->races)) {
        fprintf(stderr, "%s: error: --rtl and --races go with --c\n", TOOL);
        return EXIT_BAD;
    }
    if (o->after && o->bus.stall != 0) {
        fprintf(stderr, "%s: error: --after cannot be combined with stalls of --memory: each run has different ones\n",
                TOOL);
        return EXIT_BAD;
    }
    if (o->campaign.machine != NULL && (o->extension.wide != 0 || o->extension.dividers != 0)) {
        fprintf(stderr,
                "%s: error: --machine cannot be combined with --wide or --dividers: a file declares no sm_10x\n", TOOL);
        return EXIT_BAD;
    }
    if (o->keep_going > 0 && !o->failures_given) o->campaign.failures = o->keep_going;
    if (o->campaign.seconds != 0 && !count_given) o->campaign.count = UINT64_MAX;
    return 0;
}

static int print_kernels(const struct campaign *c, const struct table *table) {
    struct kernel *k = malloc(sizeof *k);
    char why[JUDGE_WHY] = "out of memory";
    int code = 0;
    for (uint64_t seed = c->seed; seed < c->seed + c->count && code == 0; seed++) {
        if (k != NULL && make_kernel(k, seed, &c->make, table, why)) {
            kernel_print(k, stdout);
        } else {
            fprintf(stderr, "%s: error: seed %" PRIu64 ": %s\n", TOOL, seed, why);
            code = EXIT_FAILED;
        }
    }
    free(k);
    return code;
}

static enum status open_trials(struct options *o, const struct table *table, struct diag *d) {
    struct campaign *c = &o->campaign;
    const bool both = strcmp(o->sim, "both") == 0;
    const bool slow = both || strcmp(o->sim, "ghdl") == 0;
    enum status status = STATUS_OK;
    for (unsigned s = 0; s < o->sms.count; s++) {
        for (unsigned i = 0; i < o->cores.count && status == STATUS_OK && c->trials < CAMPAIGN_TRIALS; i++) {
            struct trial *t = &c->trial[c->trials++];
            *t = (struct trial){
                .sim = {both ? "verilator" : o->sim, both ? "ghdl" : NULL},
                .sims = both ? 2 : 1,
                .cores = o->cores.value[i],
                .sms = o->sms.value[s],
                .after = o->after,
                .waivers = o->waivers,
                .keep_going = o->keep_going,
                .bus = o->bus,
                .table = table,
                .make = &c->make,
                .seconds = slow ? SECONDS_GHDL : SECONDS_VERILATOR,
            };
            status = bus_check(&t->bus, t->cores, d);
            if (status == STATUS_OK) status = trial_open(t, d);
        }
    }
    return status;
}

static void print_findings(const struct campaign_result *r) {
    for (unsigned i = 0; i < r->findings; i++) {
        const struct campaign_finding *f = &r->finding[i];
        printf("found %u: ", i + 1);
        symptom_print(&f->symptom, stdout);
        printf("; %" PRIu64 " kernel%s, the first of seed %" PRIu64 "\n", f->kernels, f->kernels == 1 ? "" : "s",
               f->seed);
    }
}

static int run(struct options *o, const struct table *table) {
    struct campaign *c = &o->campaign;
    struct campaign_result r;
    struct diag d = {0};
    if (open_trials(o, table, &d) != STATUS_OK) return launch_report(TOOL, &d);
    printf("seeds from %" PRIu64 " on\n", c->seed);
    fflush(stdout);
    stop_hold();
    campaign_run(c, &r);
    if (stop_signal() != 0) printf("interrupted by %s; to go on: --seed %" PRIu64 "\n", stop_name(), r.next);
    printf("%" PRIu64 " kernels, %" PRIu64 " warp instructions compared, %u failed; %.0f seconds, %.0f kernels an hour "
           "and job\n",
           r.kernels, r.compared, r.failures, r.seconds,
           r.seconds > 0 ? 3600 * (double)r.kernels / r.seconds / c->jobs : 0);
    print_findings(&r);
    fflush(stdout);
    stop_release();
    if (stop_signal() != 0) return stop_code();
    return r.failures == 0 ? 0 : EXIT_FAILED;
}

/* 0, or the exit code: the file is wrong, or no kernel fits it. */
static int restrict_kernels(struct options *o, struct table *table) {
    const char *path = o->campaign.machine;
    struct diag d = {0};
    char why[JUDGE_WHY] = "out of memory";
    if (path == NULL) return 0;
    if (declared_read_file(path, &o->declared, &d) != STATUS_OK) return launch_report(TOOL, &d);
    table_restrict(table, &o->declared);
    if (o->declared.registers < REGS_LEAST) {
        fprintf(stderr, "%s: error: cannot run this: registers a thread %d at least, the machine has %u\n", TOOL,
                REGS_LEAST, o->declared.registers);
        return EXIT_BAD;
    }
    const bool must_trap = o->campaign.make.kind == MAKE_TRAP || o->campaign.make.kind == MAKE_WILD;
    struct kernel *k = malloc(sizeof *k);
    const bool made = k != NULL && make_kernel(k, o->campaign.seed, &o->campaign.make, table, why);
    free(k);
    if (made && !(must_trap && o->declared.no_traps)) return 0;
    if (made) snprintf(why, sizeof why, "kernels that trap, on a machine without traps");
    static const char AGAIN[] = "cannot run this: "; /* the beginning of declared_check's message */
    const bool said = strncmp(why, AGAIN, sizeof AGAIN - 1) == 0;
    fprintf(stderr, "%s: error: %s%s\n", TOOL, said ? "" : AGAIN, why);
    return EXIT_BAD;
}

static int search_programs(const struct options *o) {
    const struct campaign *c = &o->campaign;
    const struct c_search search = {
        .seed = c->seed,
        .count = c->count,
        .jobs = c->jobs,
        .failures = c->failures,
        .seconds = c->seconds,
        .shrink = c->shrink,
        .shrink_seconds = c->shrink_seconds,
        .out = c->out,
        .races = o->races,
        .sim = o->rtl ? o->sim : NULL,
        .cores = o->cores.value[0],
    };
    return o->print ? c_print(&search) : c_search(&search);
}

static int search(struct options *o) {
    struct table table;
    if (o->programs) return search_programs(o);
    table_extend(&table, o->extension.wide, o->extension.dividers);
    const int code = restrict_kernels(o, &table);
    if (code != 0) return code;
    return o->print ? print_kernels(&o->campaign, &table) : run(o, &table);
}

int main(int argc, char **argv) {
    struct options o = {
        .campaign = {.seed = 1,
                     .count = 100,
                     .jobs = 1,
                     .failures = 1,
                     .shrink = true,
                     .shrink_seconds = SHRINK_SECONDS,
                     .out = "build/fuzz",
                     .make = {MAKE_ANY, JUDGE_STEPS}},
        .sim = "verilator",
        .cores = {1,       {8}                 },
        .sms = {1, {1}}
    };
    stop_install();
    const int code = parse(argc, argv, &o);
    const int done = code == 0 ? search(&o) : code < 0 ? 0 : code;
    waivers_destroy(o.waivers);
    return outfile_finish(done);
}
