/* SPDX-License-Identifier: Apache-2.0 */
/* The machine's tops, whose pins pins.def lists: a shell each, around an entity with records. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "gen.h"

enum { FLAT = 1, MEMORY = 2, BOARD = 4 };

enum kind { KIND_GROUP, KIND_PIN, KIND_WORDS, KIND_RESPONSE, KIND_FIXED, KIND_TRACE };
enum direction { IN, IN_ZERO, OUT };

struct pin {
    enum kind kind;
    unsigned tops;
    const char *name;  /* of a group: its text */
    const char *words; /* of KIND_WORDS: how many */
    enum direction direction;
    unsigned bits; /* of the pin, or of each word */
    const char *inside, *value;
};

static const struct pin pins[] = {
#define GROUP(tops, text)                                 {KIND_GROUP, tops, text, "", IN, 0, "", ""},
#define PIN(tops, name, direction, bits, inside)          {KIND_PIN, tops, #name, "", direction, bits, inside, ""},
#define WORDS(tops, name, direction, words, bits, inside) {KIND_WORDS, tops, #name, words, direction, bits, inside, ""},
#define RESPONSE(tops, name, inside)                      {KIND_RESPONSE, tops, #name, "", IN_ZERO, 2, inside, ""},
#define FIXED(tops, name, bits, value)                    {KIND_FIXED, tops, #name, "", OUT, bits, "", value},
#define TRACE(tops, name)                                 {KIND_TRACE, tops, #name, "", OUT, 0, "retire_o", ""},
#include "../pins.def"
};
enum { PINS = sizeof pins / sizeof pins[0] };

struct top {
    unsigned which;
    const char *name, *inside, *usual;                /* entity, the one in it, its machine unless told otherwise */
    const char *label, *generic, *generic_map, *text; /* its label, further generics, the comment of the shell */
};

#define HASH_GENERIC "    HAS_HASH : boolean := false -- hashes what retires: retire_hash\n"

static const struct top tops[] = {
    {.which = FLAT,
     .name = "gpu_flat",
     .inside = "gpu",
     .usual = "C8-S1",
     .label = "u_gpu",
     .generic = "",
     .generic_map = "",
     .text = "-- The machine (rtl/gpu.vhd), for simulators, Yosys, and users with a bus of their own.\n"          },
    {.which = MEMORY,
     .name = "gpu_on_bus",
     .inside = "gpu_and_memory",
     .usual = "C8-S1-B8",
     .label = "u_gpu",
     .generic = "",
     .generic_map = "",
     .text = "-- The machine with global memory behind a bus, and that memory: simulations with `--memory bus`.\n"},
    {.which = BOARD,
     .name = "gpu_board",
     .inside = "board",
     .usual = "C8-S1-code4096-G32768-noatomics-nofpu-nosfu",
     .label = "u_board",
     .generic = HASH_GENERIC,
     .generic_map = ", HAS_HASH => HAS_HASH",
     .text = "-- The machine as a board has it (board.vhd).\n"                                                    },
};

/* The words of a vector, of the top's machine: in a port there are no constants yet. */
static const char *words_of(const struct pin *p) {
    return strcmp(p->words, "CORES") == 0 ? "config_of(MACHINE).CORES" : "axi_words(config_of(MACHINE).BUS_WORDS)";
}

/* Of a vector's name: the letters before _i or _o, which name the array. */
static int stem(const struct pin *p) { return (int)strlen(p->name) - 2; }

static bool is_inside(const struct pin *p, const struct top *top) {
    return (p->tops & top->which) && p->inside[0] != '\0';
}

/* Of the longest name of the top's pins. */
static int width_of(const struct top *top) {
    size_t width = 0;
    for (const struct pin *p = pins; p < pins + PINS; p++)
        if ((p->tops & top->which) && p->kind != KIND_GROUP && strlen(p->name) > width) width = strlen(p->name);
    return (int)width;
}

static void write_type(const struct pin *p) {
    if (p->kind == KIND_TRACE)
        printf("std_ulogic_vector(config_of(MACHINE).SMS\n"
               "                        * (RETIRE_BITS + config_of(MACHINE).CORES * RETIRE_LANE_BITS) - 1 downto 0)");
    else if (p->kind == KIND_WORDS)
        printf("std_ulogic_vector(%s * %u - 1 downto 0)", words_of(p), p->bits);
    else if (p->bits == 1)
        printf("std_ulogic");
    else
        printf("std_ulogic_vector(%u downto 0)", p->bits - 1);
}

static void write_ports(const struct top *top) {
    const char *separator = "";
    printf("  port (\n");
    for (const struct pin *p = pins; p < pins + PINS; p++) {
        if (!(p->tops & top->which)) continue;
        printf("%s", separator);
        separator = "";
        if (p->kind == KIND_GROUP) {
            printf("    -- %s\n", p->name);
            continue;
        }
        printf("    %-*s : %-3s ", width_of(top), p->name, p->direction == OUT ? "out" : "in");
        write_type(p);
        if (p->direction == IN_ZERO) printf(" := %s", p->bits == 1 ? "'0'" : "(others => '0')");
        separator = ";\n";
    }
    printf("\n  );\nend entity;\n\n");
}

/* Inside, a vector is an array. */
static void write_signals(const struct top *top) {
    for (const struct pin *p = pins; p < pins + PINS; p++) {
        if (!(p->tops & top->which)) continue;
        if (p->kind == KIND_WORDS)
            printf("  signal %.*s : %s(0 to %s - 1);\n", stem(p), p->name, p->bits == 32 ? "words_t" : "nibbles_t",
                   p->words);
        if (p->kind == KIND_TRACE)
            printf("  constant SM_BITS : positive := RETIRE_BITS + CORES * RETIRE_LANE_BITS;\n"
                   "  signal retire : retires_t(0 to SMS - 1);\n"
                   "  signal lanes  : retire_lanes_t(0 to SMS * CORES - 1);\n");
    }
}

static bool same_port(const struct pin *a, const struct pin *b) {
    const size_t length = strcspn(a->inside, ".");
    return length == strcspn(b->inside, ".") && strncmp(a->inside, b->inside, length) == 0;
}

static void write_association(const struct pin *p) {
    if (p->kind == KIND_TRACE)
        printf("      %-16s => retire,\n      %-16s => lanes", "retire_o", "retire_lanes_o");
    else if (p->kind == KIND_WORDS)
        printf("      %-16s => %.*s", p->inside, stem(p), p->name);
    else
        printf("      %-16s => %s%s", p->inside, p->name, p->kind == KIND_RESPONSE ? "(1)" : "");
}

/* The fields of a record have to stand together. */
static void write_map(const struct top *top) {
    printf("  %s : entity work.%s\n    generic map (CONFIG => CONFIG%s)\n    port map (\n", top->label, top->inside,
           top->generic_map);
    const char *separator = "";
    bool written[PINS] = {false};
    for (size_t i = 0; i < PINS; i++) {
        if (!is_inside(&pins[i], top)) continue;
        for (size_t k = i; k < PINS; k++) {
            if (written[k] || !is_inside(&pins[k], top) || !same_port(&pins[i], &pins[k])) continue;
            printf("%s", separator);
            write_association(&pins[k]);
            separator = ",\n";
            written[k] = true;
        }
    }
    printf("\n    );\n");
}

static void write_words(const struct pin *p) {
    const int length = stem(p);
    printf("\n  each_%.*s : for w in 0 to %s - 1 generate\n", length, p->name, p->words);
    if (p->direction == OUT)
        printf("    %s((w + 1) * %u - 1 downto w * %u) <= %.*s(w);\n", p->name, p->bits, p->bits, length, p->name);
    else
        printf("    %.*s(w) <= %s((w + 1) * %u - 1 downto w * %u);\n", length, p->name, p->name, p->bits, p->bits);
    printf("  end generate;\n");
}

static void write_trace(const struct pin *p) {
    printf("\n  each_sm : for s in 0 to SMS - 1 generate\n"
           "    %s(s * SM_BITS + RETIRE_BITS - 1 downto s * SM_BITS) <= to_vector(retire(s));\n"
           "    lane : for l in 0 to CORES - 1 generate\n"
           "      %s(s * SM_BITS + RETIRE_BITS + (l + 1) * RETIRE_LANE_BITS - 1 downto\n"
           "               s * SM_BITS + RETIRE_BITS + l * RETIRE_LANE_BITS) <= to_vector(lanes(s * CORES + l));\n"
           "    end generate;\n  end generate;\n",
           p->name, p->name);
}

static void write_assignments(const struct top *top) {
    for (const struct pin *p = pins; p < pins + PINS; p++) {
        if (!(p->tops & top->which)) continue;
        if (p->kind == KIND_FIXED) printf("  %-*s <= %s;\n", width_of(top), p->name, p->value);
    }
    for (const struct pin *p = pins; p < pins + PINS; p++) {
        if (!(p->tops & top->which)) continue;
        if (p->kind == KIND_WORDS) write_words(p);
        if (p->kind == KIND_TRACE) write_trace(p);
    }
}

static void write_shell(const struct top *top) {
    printf("-- Generated by spec/gen/gen_pins.c from spec/pins.def: do not edit.\n"
           "-- SPDX-License-Identifier: Apache-2.0\n%s\n"
           "library ieee;\nuse ieee.std_logic_1164.all;\nuse ieee.numeric_std.all;\n\n"
           "use work.gpu_pkg.all;\nuse work.machine_pkg.all;\nuse work.memory_pkg.all;\nuse work.retire_pkg.all;\n\n"
           "entity %s is\n  generic (\n    MACHINE  : string  := \"%s\"%s%s  );\n",
           top->text, top->name, top->usual, top->generic[0] != '\0' ? ";\n" : "\n", top->generic);
    write_ports(top);
    printf("architecture rtl of %s is\n  constant CONFIG     : config_t := config_of(MACHINE);\n", top->name);
    if (top->which & (FLAT | MEMORY)) printf("  constant SMS        : positive := CONFIG.SMS;\n");
    printf("  constant CORES      : positive := CONFIG.CORES;\n");
    if (top->which & (FLAT | BOARD)) printf("  constant BEAT_WORDS : positive := axi_words(CONFIG.BUS_WORDS);\n");
    write_signals(top);
    printf("begin\n\n");
    write_map(top);
    if (top->which & (FLAT | BOARD)) printf("\n");
    write_assignments(top);
    printf("\nend architecture;\n");
}

bool write_top(const char *name) {
    for (const struct top *top = tops; top < tops + sizeof tops / sizeof tops[0]; top++)
        if (strcmp(top->name, name) == 0) {
            write_shell(top);
            return true;
        }
    return false;
}
