/* SPDX-License-Identifier: Apache-2.0 */
/* The control signals (spec/control.def) as a VHDL package, and as wires of a Verilog vector for proofs. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "gen.h"

struct enumerated {
    const char *type, *name, *text;
};

struct control_signal {
    const char *name, *type;
    unsigned bits;
    const char *text;
};

static const struct enumerated values[] = {
#define SOURCE(name, text)  {"source", "SRC_" #name, text},
#define DEST(name, text)    {"dest", "DST_" #name, text},
#define ALU(name, text)     {"alu", "ALU_" #name, text},
#define MEM(name, text)     {"mem", "MEM_" #name, text},
#define FLOW(name, text)    {"flow", "FLOW_" #name, text},
#define FLOAT(name, text)   {"float", "FLOAT_" #name, text},
#define SPECIAL(name, text) {"special", "SPECIAL_" #name, text},
#include "../control.def"
};

static const struct control_signal fields[] = {
#define CONTROL(name, type, bits, text) {#name, #type, bits, text},
#include "../control.def"
};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static bool is_enumeration(const char *type) {
    return strcmp(type, "bit") != 0 && strcmp(type, "bits") != 0 && strcmp(type, "number") != 0;
}

static void write_enumerations(void) {
    for (size_t i = 0; i < COUNT(values); i++) {
        bool first = i == 0 || strcmp(values[i].type, values[i - 1].type) != 0;
        bool last = i + 1 == COUNT(values) || strcmp(values[i].type, values[i + 1].type) != 0;
        char name[64];
        snprintf(name, sizeof name, "%s%s", values[i].name, last ? "" : ",");
        if (first) printf("  type %s_t is (\n", values[i].type);
        printf("    %-20s  -- %s\n", name, values[i].text);
        if (last) printf("  );\n\n");
    }
}

static void vhdl_type(const struct control_signal *f, char *out, size_t size) {
    if (strcmp(f->type, "bit") == 0)
        snprintf(out, size, "std_ulogic");
    else if (strcmp(f->type, "bits") == 0)
        snprintf(out, size, "std_ulogic_vector(%u downto 0)", f->bits - 1);
    else if (strcmp(f->type, "number") == 0)
        snprintf(out, size, "unsigned(%u downto 0)", f->bits - 1);
    else
        snprintf(out, size, "%s_t", f->type);
}

static void write_record(void) {
    printf("  type control_t is record\n");
    for (size_t i = 0; i < COUNT(fields); i++) {
        char type[64], member[80];
        vhdl_type(&fields[i], type, sizeof type);
        snprintf(member, sizeof member, "%s;", type);
        printf("    %-12s : %-31s -- %s\n", fields[i].name, member, fields[i].text);
    }
    printf("  end record control_t;\n\n");
}

/* ghdl 2.0 writes a wide constant that is not all zeros as a string literal, so all bits are zero. */
static void write_init(void) {
    printf("  -- All bits zero.\n  constant CONTROL_INIT : control_t := (\n");
    for (size_t i = 0; i < COUNT(fields); i++) {
        const char *type = fields[i].type, *zero = strcmp(type, "bit") == 0 ? "'0'" : "(others => '0')";
        char first[32];
        snprintf(first, sizeof first, "%s_t'val(0)", type);
        printf("    %-12s => %s%s\n", fields[i].name, is_enumeration(type) ? first : zero,
               i + 1 < COUNT(fields) ? "," : "");
    }
    printf("  );\n\n");
}

static unsigned count_bits(void) {
    unsigned bits = 0;
    for (size_t i = 0; i < COUNT(fields); i++) bits += fields[i].bits;
    return bits;
}

static void write_to_vector(void) {
    printf("  function to_vector(c : control_t) return std_ulogic_vector is\n"
           "    variable v : std_ulogic_vector(CONTROL_BITS - 1 downto 0);\n  begin\n    v := ");
    for (size_t i = 0; i < COUNT(fields); i++) {
        const struct control_signal *f = &fields[i];
        if (i > 0) printf("\n         & ");
        if (is_enumeration(f->type))
            printf("std_ulogic_vector(to_unsigned(%s_t'pos(c.%s), %u))", f->type, f->name, f->bits);
        else if (strcmp(f->type, "number") == 0)
            printf("std_ulogic_vector(c.%s)", f->name);
        else
            printf("c.%s", f->name);
    }
    printf(";\n    return v;\n  end function to_vector;\n\n");
}

static void write_to_control(void) {
    printf("  function to_control(v : std_ulogic_vector(CONTROL_BITS - 1 downto 0)) return control_t is\n"
           "    variable c : control_t;\n  begin\n");
    unsigned place = count_bits();
    for (size_t i = 0; i < COUNT(fields); i++) {
        const struct control_signal *f = &fields[i];
        place -= f->bits;
        char slice[32];
        snprintf(slice, sizeof slice, "v(%u downto %u)", place + f->bits - 1, place);
        printf("    c.%-12s := ", f->name);
        if (is_enumeration(f->type))
            printf("%s_t'val(to_integer(unsigned(%s)));\n", f->type, slice);
        else if (strcmp(f->type, "number") == 0)
            printf("unsigned(%s);\n", slice);
        else if (strcmp(f->type, "bit") == 0)
            printf("v(%u);\n", place);
        else
            printf("%s;\n", slice);
    }
    printf("    return c;\n  end function to_control;\n\n");
}

void write_control_pkg(void) {
    printf("-- Generated by spec/gen/gen_control.c from spec/control.def: do not edit.\n"
           "-- SPDX-License-Identifier: Apache-2.0\n"
           "-- A decoded instruction: every control signal that a stage needs, as decode_*.vhd set them.\n"
           "library ieee;\nuse ieee.std_logic_1164.all;\nuse ieee.numeric_std.all;\n\npackage control_pkg is\n\n");
    write_enumerations();
    write_record();
    write_init();
    printf("  constant CONTROL_BITS : positive := %u;\n\n"
           "  -- Fields in list order, the first most significant; enumerations by position.\n"
           "  function to_vector(c : control_t) return std_ulogic_vector;\n"
           "  function to_control(v : std_ulogic_vector(CONTROL_BITS - 1 downto 0)) return control_t;\n\n"
           "end package control_pkg;\n\npackage body control_pkg is\n\n",
           count_bits());
    write_to_vector();
    write_to_control();
    printf("end package body control_pkg;\n");
}

void write_control_wires(void) {
    printf(
        "// Generated by spec/gen/gen_control.c from spec/control.def: do not edit.\n"
        "// SPDX-License-Identifier: Apache-2.0\n"
        "// The fields of decode_flat's vector as wires c_NAME, AT_NAME their lowest bit; values of enumerations.\n");
    unsigned place = count_bits();
    printf("localparam CONTROL_BITS = %u, AT_is_long = %u;\nwire [CONTROL_BITS:0] control;\nwire c_is_long = "
           "control[AT_is_long];\n",
           place, place);
    for (size_t i = 0; i < COUNT(fields); i++) {
        const struct control_signal *f = &fields[i];
        place -= f->bits;
        printf("localparam AT_%s = %u;\nwire [%u:0] c_%s = control[%u:%u];\n", f->name, place, f->bits - 1, f->name,
               place + f->bits - 1, place);
    }
    unsigned number = 0;
    for (size_t i = 0; i < COUNT(values); i++) {
        number = i > 0 && strcmp(values[i].type, values[i - 1].type) == 0 ? number + 1 : 0;
        printf("localparam %s = %u;\n", values[i].name, number);
    }
}
