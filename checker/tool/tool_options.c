/* SPDX-License-Identifier: Apache-2.0 */
#include "tool_options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../assembler/base/file.h"
#include "../../cmodel/run/print.h"
#include "../../cmodel/run/race_report.h"
#include "../port/bus_option.h"
#include "../verdict/audit.h"
#include "../verdict/finding.h"

enum { BEFORE_WORDS = 80 /* maximum words of --after */ };

const char *const options_default_sim = "verilator";

void options_init(struct options *o) {
    *o = (struct options){
        .sim = {.cores = 8, .machine = MACHINE_DEFAULT, .seed = 1, .wave_to = UINT64_MAX},
        .audit_changes = AUDIT_CHANGES
    };
}

void options_release(struct options *o) { waivers_destroy(o->waivers); }

void options_print_help(void) {
    puts("usage: warp-lockstep KERNEL [options]\n"
         "Runs a kernel on RTL and C model, instruction by instruction. Exit code: 0 agreed, 1 they differ or\n"
         "memory is not as expected, 2 bad input, 3 the kernel itself trapped or hung, 130 interrupted.\n");
    launch_print_help(stdout);
    launch_print_machine_help(stdout);
    fputs("  --sim verilator|ghdl|LIB.so simulation of the RTL, default verilator\n"
          "  --cores 8|16|32             scalar processors of an SM, default 8\n"
          "  --sms N                     streaming multiprocessors, 1 to 8, default 1\n"
          "                              Verilator has a build for each number of cores, of SMs and of bytes of\n"
          "                              global memory, and for each unit left out\n",
          stdout);
    bus_print_help(stdout);
    race_report_print_help(stdout);
    puts(
        "  --machine FILE              declaration of the RTL's machine: sizes, absent instructions;\n"
        "                              exit code 2 if the kernel exceeds it\n"
        "  --seed N                    initial contents of undefined state, default 1\n"
        "  --silence N                 report a hang after N cycles without an instruction, default 20000\n"
        "  --after KERNEL              launch this kernel first, as in its file, without a reset after it:\n"
        "                              the compared launch begins with its state; its options may follow\n"
        "                              in the same argument: 'k.cl --block 32 --arg zero:128'\n"
        "  --relaunch                  launch the kernel twice, and compare the second launch\n"
        "  --waive OP:FIELD[:BITS]     take this field's value from the RTL, in every record of the operation;\n"
        "                              repeatable; the result counts the covered values. OP and FIELD may be *\n"
        "  --waivers FILE              read waivers from a file: one a line, each with its reason after a #\n"
        "  --keep-going N              collect up to N different findings, by operation and field; continue\n"
        "                              with the values of the RTL\n"
        "  --check-trace FILE          check a trace (.txt, docs/trace.md) instead of a simulation; -: standard input\n"
        "  --final-memory FILE         compare global memory at the end of the trace: raw, or by suffix\n"
        "                              .hex, .mif, .coe, .mem\n"
        "  --audit FILE                change one digit of one field of a trace that agrees, many times, and count\n"
        "                              the detected changes of each field\n"
        "  --audit-changes N           number of changes, default 5000; drawn by --seed\n"
        "  --unchecked                 run without the model: do not compare retired instructions\n"
        "  --wave FILE.fst|.ghw        write waves of the whole run; .ghw: GHDL only\n"
        "  --coverage DIR              write the run's coverage into this directory, for the report of\n"
        "                              `make coverage`\n"
        "  --no-wave                   do not repeat a run that differs with waves\n"
        "  --help, --version           this text; the version");
}

static bool parse_number(const char *option, const char *value, uint64_t low, uint64_t high, uint64_t *number,
                         struct diag *d) {
    char *end = NULL;
    errno = 0;
    const bool digits = value != NULL && value[0] >= '0' && value[0] <= '9';
    *number = digits ? strtoull(value, &end, 0) : 0;
    if (digits && errno == 0 && *end == 0 && *number >= low && *number <= high) return true;
    diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "%s '%.40s': expected a number from %" PRIu64 " to %" PRIu64, option,
             value != NULL ? value : "", low, high);
    return false;
}

static bool is_suffix(const char *text, const char *suffix) {
    const size_t length = strlen(text), tail = strlen(suffix);
    return length >= tail && strcmp(text + length - tail, suffix) == 0;
}

static bool take_waivers(struct options *o, const char *option, const char *value, struct diag *d) {
    if (o->waivers == NULL) o->waivers = waivers_create();
    if (o->waivers == NULL) return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory") == STATUS_OK;
    return (strcmp(option, "--waive") == 0 ? waivers_add(o->waivers, value, "", d)
                                           : waivers_read(o->waivers, value, d)) == STATUS_OK;
}

/* The sizes are the RTL's; --sms gives the number of SMs. */
static bool take_machine(struct options *o, const char *path, struct diag *d) {
    const struct machine before = o->sim.machine;
    if (declared_read_file(path, &o->declared, d) != STATUS_OK) return false;
    o->machine = path;
    o->sim.machine = o->declared.machine;
    o->sim.machine.sms = before.sms;
#define KEEP(GENERIC, member, ...) o->sim.machine.member = before.member;
    MACHINE_LIST(MACHINE_NOTHING, MACHINE_NOTHING, KEEP, KEEP, MACHINE_NOTHING)
#undef KEEP
    return true;
}

static bool take_text(struct options *o, const char *option, const char *value, struct diag *d) {
    if (value == NULL) {
        diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "%s: a value is missing", option);
        return false;
    }
    if (strcmp(option, "--waive") == 0 || strcmp(option, "--waivers") == 0) return take_waivers(o, option, value, d);
    if (strcmp(option, "--memory") == 0) return bus_parse(value, &o->sim.bus, d) == STATUS_OK;
    if (strcmp(option, "--sim") == 0) {
        o->sim_name = value;
    } else if (strcmp(option, "--machine") == 0) {
        return take_machine(o, value, d);
    } else if (strcmp(option, "--coverage") == 0) {
        o->coverage = value[0] != 0 ? value : NULL;
    } else if (strcmp(option, "--check-trace") == 0) {
        o->check_trace = value;
    } else if (strcmp(option, "--final-memory") == 0) {
        o->final_memory = value;
    } else if (strcmp(option, "--audit") == 0) {
        o->audit = value;
    } else if (strcmp(option, "--after") == 0) {
        if (value[0] == '-' && value[1] != '\0') {
            diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "--after '%.60s': expected a kernel", value);
            return false;
        }
        o->after = value;
    } else {
        if (!is_suffix(value, ".fst") && !is_suffix(value, ".ghw")) {
            diag_set(d, STATUS_BAD_INPUT, value, 0, 0, "waves are written as .fst or .ghw");
            return false;
        }
        o->sim.wave_path = value;
    }
    return true;
}

static bool take_number(struct options *o, const char *option, const char *value, struct diag *d) {
    uint64_t n = 0;
    if (strcmp(option, "--cores") == 0) {
        if (!parse_number(option, value, 8, 32, &n, d)) return false;
        if (n != 8 && n != 16 && n != 32) {
            diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "--cores '%.40s': expected 8, 16 or 32", value);
            return false;
        }
        o->sim.cores = (unsigned)n;
    } else if (strcmp(option, "--sms") == 0) {
        if (!parse_number(option, value, 1, 8, &n, d)) return false;
        o->sim.machine.sms = (unsigned)n;
    } else if (strcmp(option, "--seed") == 0) {
        if (!parse_number(option, value, 0, UINT32_MAX, &n, d)) return false;
        o->sim.seed = (uint32_t)n;
    } else if (strcmp(option, "--keep-going") == 0) {
        if (!parse_number(option, value, 1, FINDINGS_MOST, &n, d)) return false;
        o->keep_going = (unsigned)n;
    } else if (strcmp(option, "--audit-changes") == 0) {
        if (!parse_number(option, value, 1, AUDIT_CHANGES_MOST, &n, d)) return false;
        o->audit_changes = (unsigned)n;
    } else {
        if (!parse_number(option, value, 1, UINT32_MAX, &n, d)) return false;
        o->silence = n;
    }
    return true;
}

int options_take(void *state, const char *option, const char *value, struct diag *d) {
    static const char *const TEXTS[] = {"--sim",         "--memory",       "--machine", "--after",
                                        "--wave",        "--coverage",     "--waive",   "--waivers",
                                        "--check-trace", "--final-memory", "--audit"};
    static const char *const NUMBERS[] = {"--cores", "--sms", "--seed", "--silence", "--keep-going", "--audit-changes"};
    struct options *o = state;
    const struct {
        const char *name;
        bool *given;
    } flags[] = {
        {"--unchecked",      &o->sim.unchecked},
        {"--relaunch",       &o->relaunch     },
        {"--no-wave",        &o->no_wave      },
        {RACE_REPORT_OPTION, &o->check_races  }
    };
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (strcmp(option, flags[i].name) == 0) {
            *flags[i].given = true;
            return 1;
        }
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++)
        if (strcmp(option, TEXTS[i]) == 0) return take_text(o, option, value, d) ? 2 : -1;
    o->has_global_bytes |= strcmp(option, "--global-bytes") == 0;
    const int used = launch_take_machine(option, value, &o->sim.machine, d);
    if (used != 0) return used;
    for (size_t i = 0; i < sizeof NUMBERS / sizeof NUMBERS[0]; i++)
        if (strcmp(option, NUMBERS[i]) == 0) return take_number(o, option, value, d) ? 2 : -1;
    return 0;
}

enum status options_check_launch(const struct options *o, struct launch *run, struct diag *d) {
    struct declared declared = o->declared;
    declared.machine = o->sim.machine;
    if (print_place(run, &o->sim.machine, d) != STATUS_OK) return d->status;
    return o->machine != NULL ? declared_check(&declared, run, d) : launch_check(run, &o->sim.machine, d);
}

/* "KERNEL" or "KERNEL OPTIONS", as for a compiled file: words separated by blanks, unless a file of that name
 * exists. */
static enum status parse_before(const struct options *o, struct launch *before, struct diag *d) {
    char *text = strdup(o->after), *rest = text, name[] = "", *arguments[BEFORE_WORDS + 2] = {name};
    int count = 1;
    if (text == NULL) return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    if (access(text, F_OK) == 0) {
        arguments[count++] = text;
    } else {
        for (char *word; count <= BEFORE_WORDS && (word = strsep(&rest, " ")) != NULL;)
            if (*word != '\0') arguments[count++] = word;
    }
    const enum status status = launch_parse(count, arguments, NULL, NULL, &o->sim.machine, stderr, before, d);
    free(text);
    return status;
}

enum status options_read_before(struct options *o, const struct launch *run, struct launch *before, struct diag *d) {
    if (o->after == NULL && !o->relaunch) return STATUS_OK;
    if (o->sim.unchecked || (o->after != NULL && o->relaunch))
        return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "%s cannot be combined with %s",
                        o->after != NULL ? "--after" : "--relaunch", o->sim.unchecked ? "--unchecked" : "--relaunch");
    o->before = o->relaunch ? run : before;
    if (o->relaunch) return STATUS_OK;
    enum status status = parse_before(o, before, d);
    if (status == STATUS_OK) status = options_check_launch(o, before, d);
    if (status != STATUS_OK) return status;
    o->sim.machine.has_atomics |= launch_has_atomics(before);
    launch_warn(before, &o->sim.machine, stderr);
    return STATUS_OK;
}

/* Two options that exclude each other. */
struct pair {
    const char *one, *other;
    bool both;
};

enum status options_check(struct options *o, const struct launch *run, struct diag *d) {
    const bool trace = o->check_trace != NULL, waives = o->waivers != NULL || o->keep_going > 0;
    const bool offline = trace || o->audit != NULL, before = o->after != NULL || o->relaunch;
    const char *file = trace ? "--check-trace" : "--audit";
    const struct pair pairs[] = {
        {"--unchecked",    "--waive, --waivers or --keep-going", o->sim.unchecked && waives                 },
        {"--check-races",  "--unchecked",                        o->check_races && o->sim.unchecked         },
        {"--check-races",  "--audit",                            o->check_races && o->audit != NULL         },
        {"--machine",      "--global-bytes",                     o->machine != NULL && o->has_global_bytes  },
        {"--check-trace",  "--audit",                            trace && o->audit != NULL                  },
        {file,             "--sim",                              offline && o->sim_name != NULL             },
        {file,             "--unchecked",                        offline && o->sim.unchecked                },
        {file,             "--after or --relaunch",              offline && before                          },
        {file,             "--wave",                             offline && o->sim.wave_path != NULL        },
        {"--audit",        "--keep-going",                       o->audit != NULL && o->keep_going > 0      },
        {"--audit",        "--trace",                            o->audit != NULL && run->trace_path != NULL},
        {"--final-memory", "simulation",                         !trace && o->final_memory != NULL          },
        {file,             "--memory",                           offline && o->sim.bus.used                 },
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (pairs[i].both)
            return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "%s cannot be combined with %s", pairs[i].one,
                            pairs[i].other);
    const char *given = trace ? o->check_trace : o->audit != NULL ? o->audit : o->after;
    if (given != NULL && file_is_standard(given) && file_is_standard(run->path))
        return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "standard input is the kernel and cannot be another file, too");
    if (trace && o->final_memory == NULL && run->dump_count > 0)
        return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "--dump of a trace needs --final-memory");
    return bus_check(&o->sim.bus, o->sim.cores, d);
}
