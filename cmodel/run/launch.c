/* SPDX-License-Identifier: Apache-2.0 */
/* The launch flags, see launch.h. Options are collected, then the kernel is loaded, then the options are applied in
 * their order, so that the kernel may stand anywhere on the line. */
#include "launch.h"

#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../assembler/base/options.h"
#include "../../assembler/base/version.h"
#include "../../assembler/image_load.h"
#include "../../assembler/isa/isa.h"
#include "../../assembler/isa/lex.h"
#include "argument.h"
#include "bind.h"
#include "from_source.h"
#include "variable.h"

/* State for applying the options. */
struct overrides {
    struct launch *run;
    const struct machine *limits;
    struct image_choice choice;
    struct driver_options compiler; /* options of a source */
    const char **words;             /* words for clang */
    const char **args;              /* arguments of the kernel */
    size_t word_count, arg_count;
    bool params_given, expect_given;
    struct diag *d;
};

typedef enum status apply_fn(struct overrides *o, const char *value);

static enum status bad_value(struct overrides *o, const char *option, const char *value, const char *expected) {
    return diag_set(o->d, STATUS_BAD_INPUT, "", 0, 0, "%s '%.60s': expected %s", option, value, expected);
}

static enum status no_memory(struct overrides *o) {
    return diag_set(o->d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
}

/* 1 to `most` numbers from 1 to `max`, separated by commas; missing ones are 1. */
static bool parse_dimensions(const char *value, unsigned most, uint64_t max, uint32_t *dimensions) {
    const char *p = value;
    unsigned count = 0;
    for (;;) {
        uint64_t number;
        if (count == most || !argument_number(p, max, &number, &p) || number == 0) return false;
        dimensions[count++] = (uint32_t)number;
        if (*p != ',') break;
        p++;
    }
    while (count < most) dimensions[count++] = 1;
    return *p == '\0';
}

static enum status apply_grid(struct overrides *o, const char *value) {
    if (!parse_dimensions(value, 2, IMAGE_GRID_MAX, o->run->image->grid))
        return bad_value(o, "--grid", value, "X[,Y], each from 1 to 65535");
    return STATUS_OK;
}

static enum status apply_block(struct overrides *o, const char *value) {
    if (!parse_dimensions(value, 3, IMAGE_GRID_MAX, o->run->image->block))
        return bad_value(o, "--block", value, "X[,Y[,Z]], each at least 1");
    return STATUS_OK;
}

static enum status apply_number(struct overrides *o, const char *option, const char *value, uint64_t min, uint64_t max,
                                unsigned *number) {
    uint64_t parsed;
    if (!argument_number(value, max, &parsed, NULL) || parsed < min) {
        char expected[64];
        snprintf(expected, sizeof expected, "a number from %llu to %llu", (unsigned long long)min,
                 (unsigned long long)max);
        return bad_value(o, option, value, expected);
    }
    *number = (unsigned)parsed;
    return STATUS_OK;
}

static enum status apply_reg(struct overrides *o, const char *value) {
    return apply_number(o, "--reg", value, 1, ISA_REGS, &o->run->image->regs);
}

static enum status apply_arch(struct overrides *o, const char *value) {
    const unsigned arch = image_arch(value, strlen(value));
    if (arch == 0) return bad_value(o, "--arch", value, IMAGE_ARCH_NAMES);
    o->run->image->arch = arch;
    return STATUS_OK;
}

static enum status apply_shared(struct overrides *o, const char *value) {
    return apply_number(o, "--shared", value, 0, 1u << 24, &o->run->image->shared_bytes);
}

static enum status apply_local(struct overrides *o, const char *value) {
    return apply_number(o, "--local", value, 0, 1u << 24, &o->run->image->local_bytes);
}

/* The first --param replaces the kernel's own parameters, later ones are appended. */
static enum status apply_param(struct overrides *o, const char *value) {
    if (!o->params_given) {
        o->run->image->param_count = 0;
        o->params_given = true;
    }
    const char *p = value;
    for (;;) {
        uint32_t word;
        if (!argument_word(p, &word, &p) || (*p != ',' && *p != '\0'))
            return bad_value(o, "--param", value, "32-bit words, decimal or 0x, separated by commas");
        if (image_add_param(o->run->image, word) != STATUS_OK) return no_memory(o);
        if (*p++ == '\0') return STATUS_OK;
    }
}

/* Binds the arguments to the parameters once all are known. */
static enum status apply_arg(struct overrides *o, const char *value) {
    o->args[o->arg_count++] = value;
    return STATUS_OK;
}

static enum status apply_const(struct overrides *o, const char *value) {
    const char *p = value;
    uint64_t bank, offset;
    if (!argument_number(p, IMAGE_CONST_BANKS - 1, &bank, &p) || *p++ != ':' ||
        !argument_number(p, IMAGE_BANK_BYTES_MAX - 1, &offset, &p) || *p++ != '=')
        return bad_value(o, "--const", value, "BANK:OFFSET=SRC, BANK from 0 to 15, OFFSET below 65536");
    uint8_t *bytes;
    size_t size;
    enum status status = argument_bytes(p, IMAGE_BANK_BYTES_MAX, &bytes, &size, o->d);
    if (status != STATUS_OK) return status;
    if (offset + size > IMAGE_BANK_BYTES_MAX) {
        status = diag_set(o->d, STATUS_BAD_INPUT, "", 0, 0, "--const bank %u: %" PRIu64 " bytes, a bank has at most %d",
                          (unsigned)bank, offset + size, IMAGE_BANK_BYTES_MAX);
    } else if (image_set_const(o->run->image, (unsigned)bank, (size_t)offset, bytes, size) != STATUS_OK) {
        status = no_memory(o);
    }
    free(bytes);
    return status;
}

typedef enum status add_piece_fn(struct image *img, uint32_t addr, const uint8_t *bytes, size_t size);

/* "NAME=SRC": the contents of a variable, at its address. */
static enum status apply_to_variable(struct overrides *o, const char *option, const char *value, add_piece_fn *add) {
    const struct image_variable *v;
    uint8_t *bytes = NULL;
    size_t size = 0;
    const size_t length = strcspn(value, "=");
    if (value[length] != '=') return bad_value(o, option, value, "ADDR=SRC or NAME=SRC");
    enum status status = variable_find(o->run->image, option, value, length, &v, o->d);
    if (status == STATUS_OK) status = variable_bytes(v, option, value + length + 1, &bytes, &size, o->d);
    if (status != STATUS_OK) return status;
    if (v->space == IMAGE_GLOBAL)
        status = add(o->run->image, v->addr, bytes, size);
    else if (add == image_add_global)
        status = image_set_const(o->run->image, 0, v->addr, bytes, size);
    else
        status = bad_value(o, option, value, "a variable of global memory, which a kernel can change");
    free(bytes);
    return status == STATUS_NO_MEMORY ? no_memory(o) : status;
}

static enum status apply_piece(struct overrides *o, const char *option, const char *value, add_piece_fn *add) {
    const char *p = value;
    uint64_t addr;
    if (variable_is_name(value)) return apply_to_variable(o, option, value, add);
    if (!argument_number(p, UINT32_MAX, &addr, &p) || *p++ != '=')
        return bad_value(o, option, value, "ADDR=SRC or NAME=SRC");
    uint8_t *bytes;
    size_t size;
    enum status status = argument_bytes(p, o->limits->global_bytes, &bytes, &size, o->d);
    if (status == STATUS_OK && add(o->run->image, (uint32_t)addr, bytes, size) != STATUS_OK) status = no_memory(o);
    free(bytes);
    return status;
}

static enum status apply_global(struct overrides *o, const char *value) {
    return apply_piece(o, "--global", value, image_add_global);
}

/* The first --expect replaces the expectations of the kernel's file, which hold for its own inputs; later ones are
 * added. */
static enum status apply_expect(struct overrides *o, const char *value) {
    struct image *img = o->run->image;
    if (!o->expect_given) {
        while (img->expect_count > 0) free(img->expect[--img->expect_count].bytes);
        o->expect_given = true;
    }
    return apply_piece(o, "--expect", value, image_add_expect);
}

/* "ADDR:BYTES" or "NAME", up to *end. */
static enum status dump_place(struct overrides *o, const char *value, struct launch_dump *dump, const char **end) {
    const struct image_variable *v;
    const char *p = value;
    uint64_t addr, bytes;
    if (variable_is_name(value)) {
        *end = value + strcspn(value, "=");
        const enum status status = variable_find(o->run->image, "--dump", value, (size_t)(*end - value), &v, o->d);
        if (status != STATUS_OK) return status;
        if (v->space != IMAGE_GLOBAL)
            return bad_value(o, "--dump", value, "a variable of global memory, which a kernel can change");
        *dump = (struct launch_dump){.addr = v->addr, .bytes = v->size};
        return STATUS_OK;
    }
    if (!argument_number(p, UINT32_MAX, &addr, &p) || *p++ != ':' || !argument_number(p, UINT32_MAX, &bytes, end) ||
        bytes == 0)
        return bad_value(o, "--dump", value, "ADDR:BYTES[=FILE] or NAME[=FILE]");
    *dump = (struct launch_dump){.addr = (uint32_t)addr, .bytes = (size_t)bytes};
    return STATUS_OK;
}

static enum status apply_dump(struct overrides *o, const char *value) {
    struct launch *run = o->run;
    struct launch_dump dump;
    const char *end = value;
    const enum status status = dump_place(o, value, &dump, &end);
    if (status != STATUS_OK) return status;
    if ((*end != '\0' && *end != '=') || strcmp(end, "=") == 0)
        return bad_value(o, "--dump", value, "ADDR:BYTES[=FILE] or NAME[=FILE]");
    struct launch_dump *dumps = realloc(run->dumps, (run->dump_count + 1) * sizeof *dumps);
    if (dumps == NULL) return no_memory(o);
    run->dumps = dumps;
    if (*end == '=' && (dump.path = strdup(end + 1)) == NULL) return no_memory(o);
    run->dumps[run->dump_count++] = dump;
    return STATUS_OK;
}

static enum status apply_max_cycles(struct overrides *o, const char *value) {
    if (!argument_number(value, UINT64_MAX / 2, &o->run->max_cycles, NULL) || o->run->max_cycles == 0)
        return bad_value(o, "--max-cycles", value, "a number of at least 1");
    return STATUS_OK;
}

static enum status apply_trace(struct overrides *o, const char *value) {
    free(o->run->trace_path);
    o->run->trace_path = strdup(value);
    return o->run->trace_path != NULL ? STATUS_OK : no_memory(o);
}

/* A number of bytes, or with the suffix K, M or G in units of 1024, 1024^2, 1024^3. */
static enum status apply_trace_limit(struct overrides *o, const char *value) {
    static const char UNITS[] = "KMG";
    const char *p = value, *unit;
    if (!argument_number(p, UINT64_MAX >> 32, &o->run->trace_limit, &p))
        return bad_value(o, "--trace-limit", value, "a number of bytes, 64M, 4G, 0 for no limit");
    unit = *p != '\0' ? strchr(UNITS, toupper((unsigned char)*p)) : NULL;
    if (unit != NULL) {
        o->run->trace_limit <<= 10 * (unit - UNITS + 1);
        p++;
    }
    return *p == '\0' ? STATUS_OK : bad_value(o, "--trace-limit", value, "a number of bytes, 64M, 4G, 0 for no limit");
}

static enum status apply_json(struct overrides *o, const char *value) {
    (void)value;
    o->run->json = true;
    return STATUS_OK;
}

static enum status apply_strict(struct overrides *o, const char *value) {
    (void)value;
    o->run->strict = true;
    return STATUS_OK;
}

/* The one list of the launch flags: --help prints it in this order. */
static const struct option {
    const char *usage; /* the option, and a name for its value if it takes one */
    apply_fn *apply;   /* NULL: needed for loading, see take_choice */
    const char *help;
} OPTIONS[] = {
    {"--kernel NAME",            NULL,              "select a kernel of the file"                                    },
    {"--variables ADDR",         NULL,              "address of a cubin's __device__ variables (default 0x20000)"    },
    {"--grid X[,Y]",             apply_grid,        "blocks in the grid"                                             },
    {"--block X[,Y[,Z]]",        apply_block,       "threads in a block"                                             },
    {"--arch sm_1N",             apply_arch,        "sm_10 to sm_13; sm_11 and later have atomic operations"         },
    {"--reg N",                  apply_reg,         "registers a thread; higher ones read zero and ignore writes"    },
    {"--shared BYTES",           apply_shared,      "shared memory a block; at least its header and the parameters"  },
    {"--local BYTES",            apply_local,       "local memory a thread"                                          },
    {"--param W[,W...]",         apply_param,       "32-bit parameter words, decimal or 0x; repeatable, in order"    },
    {"--arg ARG",                apply_arg,
     "argument of a kernel in C, in order: NUMBER, FILE, zero:BYTES or local:BYTES; ,out=FILE saves a buffer"        },
    {"--const BANK:OFFSET=SRC",  apply_const,
     "constants; SRC: hex bytes, or @FILE (raw; by suffix .hex .mif .coe .mem)"                                      },
    {"--global ADDR=SRC",        apply_global,
     "initial global memory; NAME=SRC: a variable of a kernel in C, SRC also a NUMBER"                               },
    {"--expect ADDR=SRC",        apply_expect,
     "compare global memory, or a variable by its NAME, after the run; exit 1 if it differs"                         },
    {"--dump ADDR:BYTES[=FILE]", apply_dump,
     "write global memory after the run, also NAME[=FILE]: hexdump, or raw bytes to FILE"                            },
    {"--max-cycles N",           apply_max_cycles,  "stop a run that does not end (default 20000000)"                },
    {"--trace FILE",             apply_trace,       "write each instruction: .txt, .json (Perfetto) or .kanata"      },
    {"--trace-limit BYTES",      apply_trace_limit, "limit of the trace; K, M or G; 0: none (default 4G)"            },
    {"--strict",                 apply_strict,      "errors: undefined reads, accesses outside buffers, racing loads"},
    {"-w",                       NULL,              "no warnings"                                                    },
    {"--json",                   apply_json,        "print results and counters as one JSON object"                  },
};
enum { OPTION_COUNT = sizeof OPTIONS / sizeof OPTIONS[0] };

void launch_print_help(FILE *out) {
    fprintf(
        out, "  %-27s %s\n", "KERNEL",
        "image, .sass, cuobjdump listing, cubin; OpenCL C (.cl), CUDA C (.cu), .ptx; words: .hex .mif .coe .mem .bin");
    for (size_t i = 0; i < OPTION_COUNT; i++) fprintf(out, "  %-27s %s\n", OPTIONS[i].usage, OPTIONS[i].help);
    fprintf(out, "  %-27s %s\n", "-DNAME, -IDIR, -O1, ...", "options of the compiler for a kernel in C, see docs/c.md");
}

/* An option of the machine: a number, or a unit that it removes. */
struct machine_option {
    const char *usage, *help;
    size_t member; /* offset in struct machine */
    bool is_unit;
    unsigned least, most;
};

#define NUMBER(GENERIC, member, usual, least, most, key, usage, help, ...) \
    {usage, help, offsetof(struct machine, member), false, least, most},
#define UNIT(GENERIC, member, model, key, usage, help, ...) {usage, help, offsetof(struct machine, member), true, 0, 0},
static const struct machine_option MACHINE_OPTIONS[] = {
    MACHINE_LIST(MACHINE_NOTHING, NUMBER, UNIT, NUMBER, MACHINE_NOTHING)};
#undef NUMBER
#undef UNIT
enum { MACHINE_OPTION_COUNT = sizeof MACHINE_OPTIONS / sizeof MACHINE_OPTIONS[0] };

static int refuse_number(const char *option, const char *text, const struct machine_option *o, bool is_number,
                         struct diag *d) {
    if (o->least == 0)
        diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "%s '%.40s': expected 0 or a power of two up to %u", option, text,
                 o->most);
    else if (!is_number)
        diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "%s '%.40s': expected a number from %u to %u", option, text, o->least,
                 o->most);
    else
        diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "%s '%.40s': expected a power of two", option, text);
    return -1;
}

static int take_machine_number(const char *option, const char *value, const struct machine_option *o,
                               struct machine *machine, struct diag *d) {
    uint64_t number;
    const char *text = value != NULL ? value : "";
    const bool is_number = argument_number(text, o->most, &number, NULL) && number >= o->least;
    if (!is_number || (number & (number - 1)) != 0) return refuse_number(option, text, o, is_number, d);
    *(unsigned *)((char *)machine + o->member) = (unsigned)number;
    return 2;
}

int launch_take_machine(const char *option, const char *value, struct machine *machine, struct diag *d) {
    for (size_t i = 0; i < MACHINE_OPTION_COUNT; i++) {
        const struct machine_option *o = &MACHINE_OPTIONS[i];
        const size_t length = strcspn(o->usage, " ");
        if (length == 0 || strlen(option) != length || memcmp(option, o->usage, length) != 0) continue;
        if (!o->is_unit) return take_machine_number(option, value, o, machine, d);
        *(bool *)((char *)machine + o->member) = false;
        return 1;
    }
    return 0;
}

bool launch_answer(int argc, char **argv, const char *tool, void (*help)(void)) {
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const bool version = strcmp(argv[i], "--version") == 0;
        if (!version && strcmp(argv[i], "--help") != 0 && strcmp(argv[i], "-h") != 0) continue;
        if (version)
            printf("%s (Warpstep) %s\n", tool, WARPSTEP_VERSION);
        else
            help();
        return true;
    }
    return false;
}

void launch_print_machine_help(FILE *out) {
    for (size_t i = 0; i < MACHINE_OPTION_COUNT; i++)
        if (MACHINE_OPTIONS[i].usage[0] != 0)
            fprintf(out, "  %-28s%s\n", MACHINE_OPTIONS[i].usage, MACHINE_OPTIONS[i].help);
}

static bool takes_value(const struct option *option) { return strchr(option->usage, ' ') != NULL; }

static const struct option *find_option(const char *name) {
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const size_t length = strcspn(OPTIONS[i].usage, " ");
        if (strlen(name) == length && memcmp(name, OPTIONS[i].usage, length) == 0) return &OPTIONS[i];
    }
    return NULL;
}

/* ", did you mean '--block'?", among the options of all tools. */
static const char *nearest_option(const char *name, char text[64]) {
    unsigned nearest = 3;
    text[0] = '\0';
    if (name[1] != '-' && strlen(name) > 2) snprintf(text, 64, "; options begin with --");
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const size_t length = strcspn(OPTIONS[i].usage, " ");
        const unsigned distance = lex_edit_distance(name, strlen(name), OPTIONS[i].usage, length);
        if (distance >= nearest) continue;
        nearest = distance;
        snprintf(text, 64, "; did you mean '%.*s'?", (int)length, OPTIONS[i].usage);
    }
    return text;
}

/* --kernel, --variables and -w affect the loading of the kernel. */
static enum status take_choice(struct overrides *o, const char *option, const char *value) {
    if (strcmp(option, "-w") == 0) {
        o->choice.quiet = o->run->quiet = true;
        return STATUS_OK;
    }
    if (strcmp(option, "--kernel") == 0) {
        o->choice.kernel = value;
        return STATUS_OK;
    }
    const enum status status = apply_number(o, option, value, 0, UINT32_MAX - 15, &o->choice.variables);
    o->compiler.compile.variables = o->choice.variables;
    return status;
}

/* -DNAME, -O1, ... of a kernel in C; --arch selects the instructions that the compiler may use. */
static bool take_compiler_option(struct overrides *o, const char *arg) {
    if (!driver_parse_option(&o->compiler.compile, arg)) return false;
    o->words[o->word_count++] = arg;
    return true;
}

/* An argument of the command line: a launch option with its value, an option of the tool, or the kernel. */
struct argument {
    const char *name, *value; /* the value may be NULL; `own`: it follows a = in the same argument */
    bool joined;
    const struct option *option; /* a launch option */
    char own[OPTIONS_NAME_MAX];
};

static void take_argument(char **args, struct argument *a) {
    a->value = options_split(args[0], a->own);
    a->joined = a->value != NULL;
    a->name = a->joined ? a->own : args[0];
    a->option = find_option(a->name);
    if (!a->joined) a->value = args[1];
}

static enum status no_value(struct overrides *o, const struct argument *a) {
    return diag_set(o->d, STATUS_BAD_INPUT, "", 0, 0, "%s takes no value", a->name);
}

static enum status scan_ours(struct overrides *o, const struct argument *a, int *used) {
    const bool wants = takes_value(a->option);
    if (wants && a->value == NULL) return diag_set(o->d, STATUS_BAD_INPUT, "", 0, 0, "%s needs a value", a->name);
    if (!wants && a->joined) return no_value(o, a);
    *used = wants && !a->joined ? 2 : 1;
    if (a->option->apply == apply_arch) o->compiler.compile.arch = image_arch(a->value, strlen(a->value));
    return a->option->apply == NULL ? take_choice(o, a->name, a->value) : STATUS_OK;
}

/* Takes an option of the tool; *used is the number of its arguments. */
static enum status scan_other(struct overrides *o, launch_option_fn *other, void *state, const struct argument *a,
                              int *used) {
    char help[64];
    *used = other != NULL ? other(state, a->name, a->value, o->d) : 0;
    if (*used < 0) return STATUS_BAD_INPUT;
    if (*used == 0)
        return diag_set(o->d, STATUS_BAD_INPUT, "", 0, 0, "unknown option '%.60s', see --help%s", a->name,
                        nearest_option(a->name, help));
    if (!a->joined) return STATUS_OK;
    return --*used > 0 ? STATUS_OK : no_value(o, a);
}

static enum status scan_kernel(struct overrides *o, const char *path) {
    if (o->run->path != NULL)
        return diag_set(o->d, STATUS_BAD_INPUT, "", 0, 0, "two kernels: '%.60s' and '%.60s'", o->run->path, path);
    o->run->path = strdup(path);
    return o->run->path != NULL ? STATUS_OK : no_memory(o);
}

/* First pass: finds the kernel and its name, and passes on the options of the tool. */
static enum status scan(struct overrides *o, int argc, char **argv, launch_option_fn *other, void *state, bool *ours) {
    enum status status = STATUS_OK;
    bool only_files = false;
    for (int i = 1, used; i < argc && status == STATUS_OK; i += used) {
        struct argument a;
        used = 1;
        if (only_files || !options_is(argv[i])) {
            status = scan_kernel(o, argv[i]);
            continue;
        }
        only_files = strcmp(argv[i], "--") == 0;
        if (only_files || take_compiler_option(o, argv[i])) continue;
        take_argument(argv + i, &a);
        ours[i] = a.option != NULL;
        status = ours[i] ? scan_ours(o, &a, &used) : scan_other(o, other, state, &a, &used);
    }
    if (status != STATUS_OK || o->run->path != NULL) return status;
    return diag_set(o->d, STATUS_BAD_INPUT, "", 0, 0, "no kernel given, see --help");
}

/* Second pass: applies the launch options to the loaded kernel. */
static enum status apply(struct overrides *o, int argc, char **argv, const bool *ours) {
    for (int i = 1; i < argc; i++) {
        struct argument a;
        if (!ours[i]) continue;
        take_argument(argv + i, &a);
        if (a.option->apply == NULL) continue;
        const enum status status = a.option->apply(o, takes_value(a.option) ? a.value : NULL);
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

/* Compiles a source, or reads any other file. */
static enum status load(struct overrides *o) {
    struct launch *run = o->run;
    if (driver_is_source(run->path)) {
        o->compiler.arguments = o->words;
        return from_source_load(run->path, &o->choice, &o->compiler, &run->image, o->d);
    }
    if (o->word_count > 0)
        return diag_set(o->d, STATUS_BAD_INPUT, "", 0, 0,
                        "%.60s is an option of the compiler, but %.60s is not a .cl, .cu or .ptx file", o->words[0],
                        run->path);
    return image_load_as(run->path, &o->choice, &run->image, o->d);
}

/* --param works without a signature, as for other kernels. */
static enum status bind(struct overrides *o) {
    const struct image *image = o->run->image;
    const bool wanted = image->has_signature && image->signature_count > 0 && !o->params_given;
    if (o->arg_count > 0 && o->params_given)
        return diag_set(o->d, STATUS_BAD_INPUT, "", 0, 0, "--arg and --param exclude each other");
    return o->arg_count > 0 || wanted ? bind_arguments(o->run, o->args, o->arg_count, o->limits, o->d) : STATUS_OK;
}

/* A compiled kernel has no shape of its own. */
static void note_shape(const struct launch *run, FILE *out) {
    const struct image *image = run->image;
    if (!image->has_signature || image->block[0] != 0) return;
    if (image->grid[0] == 0)
        fprintf(out, "%s: note: no --block and no --grid: one block of one thread\n", run->path);
    else
        fprintf(out, "%s: note: no --block: one thread a block\n", run->path);
}

enum status launch_parse(int argc, char **argv, launch_option_fn *other, void *state, const struct machine *limits,
                         FILE *messages, struct launch *run, struct diag *d) {
    struct overrides o = {
        .run = run,
        .limits = limits,
        .choice = {.variables = IMAGE_VARIABLES, .messages = messages, .by_words = true},
        .compiler = {.compile = COMPILE_DEFAULT,                            .messages = messages                      },
        .d = d
    };
    *run = (struct launch){.max_cycles = LAUNCH_MAX_CYCLES, .trace_limit = LAUNCH_TRACE_LIMIT};
    o.compiler.compile.variables = DRIVER_VARIABLES;
    bool *ours = calloc((size_t)argc + 1, sizeof *ours);
    o.words = calloc((size_t)argc + 1, sizeof *o.words);
    o.args = calloc((size_t)argc + 1, sizeof *o.args);
    const bool has_memory = ours != NULL && o.words != NULL && o.args != NULL;
    enum status status = STATUS_NO_MEMORY;
    if (!has_memory)
        no_memory(&o);
    else
        status = scan(&o, argc, argv, other, state, ours);
    if (status == STATUS_OK) status = load(&o);
    if (status == STATUS_OK) status = apply(&o, argc, argv, ours);
    if (status == STATUS_OK) status = bind(&o);
    free(ours);
    free(o.words);
    free(o.args);
    if (status != STATUS_OK) {
        launch_release(run);
        return status;
    }
    if (messages != NULL && !run->quiet) note_shape(run, messages);
    image_set_shape(run->image);
    return STATUS_OK;
}

int launch_report(const char *tool, struct diag *d) {
    if (d->file[0] == '\0') snprintf(d->file, sizeof d->file, "%s", tool);
    return diag_report(stderr, d);
}
