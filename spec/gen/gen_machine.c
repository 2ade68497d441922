/* SPDX-License-Identifier: Apache-2.0 */
/* The machine's parameters as VHDL, and the name of the machine that has the given generics. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../machine_name.h"
#include "gen.h"

struct parameter {
    const char *name, *key, *text;
    bool is_unit;
    unsigned usual, least, most;
    size_t member; /* offset in struct machine_build */
};

#define BUILD(GENERIC, member, usual, least, most, key, text) \
    {#GENERIC, key, text, false, usual, least, most, offsetof(struct machine_build, member)},
#define NUMBER(GENERIC, member, usual, least, most, key, option, help, text) \
    {#GENERIC, key, text, false, usual, least, most, offsetof(struct machine_build, member)},
#define UNITS(GENERIC, member, usual, least, most, key, option, help, text, bit, remedy) \
    NUMBER(GENERIC, member, usual, least, most, key, option, help, text)
#define UNIT(GENERIC, member, model, key, option, help, text, bit, remedy) \
    {#GENERIC, key, text, true, 1, 0, 1, offsetof(struct machine_build, member)},
static const struct parameter parameters[] = {MACHINE_LIST(BUILD, NUMBER, UNIT, UNITS, BUILD_NOTHING)};
enum { PARAMETERS = sizeof parameters / sizeof parameters[0] };

/* The part of the package that does not depend on the list. ghdl 2.0 --synth evaluates it during elaboration and
 * crashes on a bounded number in the record or on characters compared by order. */
static const char READING[] =
    "  -- Length of the part of a name that begins at `from`.\n"
    "  function part_length(name : string; from : positive) return natural is\n"
    "  begin\n"
    "    for i in from to name'length loop\n"
    "      if name(i) = '-' then\n"
    "        return i - from;\n"
    "      end if;\n"
    "    end loop;\n"
    "    return name'length + 1 - from;\n"
    "  end function;\n"
    "\n"
    "  -- True if the part of the name at `from` is KEY, with a number if `numbered`.\n"
    "  function is_part(name : string; from : positive; key : string; numbered : boolean) return boolean is\n"
    "    constant length : natural := part_length(name, from);\n"
    "  begin\n"
    "    if length < key'length or (length > key'length) /= numbered then\n"
    "      return false;\n"
    "    end if;\n"
    "    for i in 1 to length loop\n"
    "      if i <= key'length then\n"
    "        if name(from + i - 1) /= key(i) then\n"
    "          return false;\n"
    "        end if;\n"
    "      elsif character'pos(name(from + i - 1)) < 48 or character'pos(name(from + i - 1)) > 57 then\n"
    "        return false;\n"
    "      end if;\n"
    "    end loop;\n"
    "    return true;\n"
    "  end function;\n"
    "\n"
    "  -- The index after KEY at the beginning of a part; 0: no part has it.\n"
    "  function find(name, key : string; numbered : boolean) return natural is\n"
    "    variable from : positive := 1;\n"
    "  begin\n"
    "    while from <= name'length loop\n"
    "      if is_part(name, from, key, numbered) then\n"
    "        return from + key'length;\n"
    "      end if;\n"
    "      from := from + part_length(name, from) + 1;\n"
    "    end loop;\n"
    "    return 0;\n"
    "  end function;\n"
    "\n"
    "  function number_of(name, key : string; usual : natural) return natural is\n"
    "    constant at     : natural := find(name, key, true);\n"
    "    variable number : natural := 0;\n"
    "  begin\n"
    "    if at = 0 then\n"
    "      return usual;\n"
    "    end if;\n"
    "    for i in at to at + part_length(name, at) - 1 loop\n"
    "      number := number * 10 + character'pos(name(i)) - 48;\n"
    "    end loop;\n"
    "    return number;\n"
    "  end function;\n"
    "\n"
    "  function parts_of(name : string) return natural is\n"
    "    variable parts : natural := 1;\n"
    "  begin\n"
    "    for i in 1 to name'length loop\n"
    "      if name(i) = '-' then\n"
    "        parts := parts + 1;\n"
    "      end if;\n"
    "    end loop;\n"
    "    return parts;\n"
    "  end function;\n"
    "\n";

/* The separator behind line `i`; none behind the last line. */
static const char *behind(size_t i, const char *separator) { return i + 1 < PARAMETERS ? separator : ""; }

static void write_record(void) {
    printf("  type config_t is record\n");
    for (size_t i = 0; i < PARAMETERS; i++) {
        const struct parameter *p = &parameters[i];
        const char *type = p->is_unit ? "boolean" : p->least > 0 ? "positive" : "natural";
        printf("    -- %s\n    %-12s : %s;\n", p->text, p->name, type);
    }
    printf("  end record;\n\n");
}

static void write_known_parts(void) {
    printf("  function known_parts(machine : string) return natural is\n  begin\n    return 0");
    for (size_t i = 0; i < PARAMETERS; i++)
        printf("\n      + boolean'pos(find(machine, \"%s\", %s) > 0)", parameters[i].key,
               parameters[i].is_unit ? "false" : "true");
    printf(";\n  end function;\n\n");
}

static void write_config_of(void) {
    printf("  function config_of(machine : string) return config_t is\n  begin\n"
           "    assert known_parts(machine) = parts_of(machine)\n"
           "      report \"no machine is called \" & machine severity failure;\n    return (\n");
    for (size_t i = 0; i < PARAMETERS; i++) {
        const struct parameter *p = &parameters[i];
        if (p->is_unit)
            printf("      %-12s => find(machine, \"%s\", false) = 0%s\n", p->name, p->key, behind(i, ","));
        else
            printf("      %-12s => number_of(machine, \"%s\", %u)%s\n", p->name, p->key, p->usual, behind(i, ","));
    }
    printf("    );\n  end function;\n\n");
}

static void write_in_range(void) {
    printf("  function in_range(config : config_t) return boolean is\n  begin\n    return true");
    for (size_t i = 0; i < PARAMETERS; i++) {
        const struct parameter *p = &parameters[i];
        if (!p->is_unit) printf("\n      and config.%s >= %u and config.%s <= %u", p->name, p->least, p->name, p->most);
    }
    printf(";\n  end function;\n\n");
}

void write_machine_pkg(const char *usual) {
    printf("-- Generated by spec/gen/gen_machine.c from spec/machine.def: do not edit.\n"
           "-- SPDX-License-Identifier: Apache-2.0\n"
           "-- The parameters of the machine, and their values in the machine of a name: C8-S1-nofpu.\n"
           "package machine_pkg is\n\n");
    write_record();
    printf("  function config_of(machine : string) return config_t;\n"
           "  function in_range(config : config_t) return boolean;\n\n"
           "  constant CONFIG_DEFAULT : config_t;\n\n"
           "end package machine_pkg;\n\npackage body machine_pkg is\n\n%s",
           READING);
    write_known_parts();
    write_config_of();
    write_in_range();
    printf("  constant CONFIG_DEFAULT : config_t := config_of(\"%s\");\n\nend package body machine_pkg;\n", usual);
}

static void take_value(struct machine_build *build, const char *name, size_t length, const char *value) {
    for (size_t i = 0; i < PARAMETERS; i++) {
        const struct parameter *p = &parameters[i];
        void *member = (char *)build + p->member;
        if (strlen(p->name) != length || memcmp(p->name, name, length) != 0) continue;
        if (p->is_unit)
            *(bool *)member = strcmp(value, "true") == 0;
        else
            *(unsigned *)member = (unsigned)strtoul(value, NULL, 10);
        return;
    }
    gen_fail("no generic has the name %.*s", (int)length, name);
}

void check_machine_name(const char *name) {
    struct machine_build build;
    char usual[MACHINE_NAME_BYTES];
    if (!machine_name_read(name, &build))
        gen_fail("'%s' is no machine: spec/machine.def has the parts of a name", name);
    machine_name(&build, usual);
    if (strcmp(name, usual) != 0) gen_fail("the machine '%s' has the name %s", name, usual);
}

void write_machine_name(char **values) {
    struct machine_build build = MACHINE_BUILD_DEFAULT;
    char name[MACHINE_NAME_BYTES];
    for (; *values != NULL; values++) {
        const char *equals = strchr(*values, '=');
        if (equals == NULL) gen_fail("'%s': expected GENERIC=VALUE", *values);
        take_value(&build, *values, (size_t)(equals - *values), equals + 1);
    }
    machine_name(&build, name);
    puts(name);
}
