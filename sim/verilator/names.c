// SPDX-License-Identifier: Apache-2.0
// Rewrites names in Verilator's code for waves to match GHDL's: the Nth copy of a `for ... generate`, lane_nN_u_lane,
// where all ranges begin at 0, becomes lane(N-1).u_lane; a field of a record port, x2_i_float, x2_i.float; an array in
// a box of the pass `records`, stages.at[1], stages[1]; a field that is a C++ keyword, __SYM__float, float.
//
// In Verilator 5.006 a blank in a name separates levels of the hierarchy in waves. 5.032 has a call for each level,
// pushPrefix and popPrefix; that of an array only joins its name to the next one, and may not be empty. The calls match
// across functions and files, in the order of the files.
//
//     names Vgpu_flat__Trace__0__Slow.cpp ...      changes each of them
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/netlist/text.h"

struct names {
    struct pool *pool;
    FILE *out;
    const char *held;   // the previous line, which the next one may change
    const char *around; // the open parts of the current signals
    unsigned *opened;   // the number of parts that each prefix has opened
    size_t depth;
};

static void put(struct names *n, const char *line) {
    if (*n->held) fprintf(n->out, "%s\n", n->held);
    n->held = line;
}

static void push(struct names *n, const char *name, size_t length, const char *type) {
    put(n, pool_format(n->pool, "    tracep->pushPrefix(\"%.*s\", VerilatedTracePrefixType::%s);", (int)length, name,
                       type));
}

// Opens all parts of a name but the last, like pushPrefix; returns their number.
static unsigned open_parts(struct names *n, const char *name) {
    unsigned count = 0;
    for (const char *blank; (blank = strchr(name, ' ')) != NULL; name = blank + 1) {
        if (blank == name) continue;
        push(n, name, (size_t)(blank - name), "SCOPE_MODULE");
        count++;
    }
    return count;
}

static void close_parts(struct names *n, unsigned count) {
    while (count-- > 0) put(n, "    tracep->popPrefix();");
}

static unsigned parts_in(const char *parts) {
    unsigned count = *parts ? 1 : 0;
    for (; *parts; parts++) count += *parts == ' ';
    return count;
}

// The parts around a signal stay open for the next one, because a record's fields are consecutive.
static void show_within(struct names *n, const char *parts) {
    if (strcmp(parts, n->around) == 0) return;
    close_parts(n, parts_in(n->around));
    n->around = parts;
    if (*parts) open_parts(n, pool_format(n->pool, "%s .", parts));
}

// -------------------------------------------------------------------------------------------------- names in a line

// Replaces `length` characters at `at` by `with`.
static char *replaced(struct names *n, const char *line, const char *at, size_t length, const char *with) {
    return pool_format(n->pool, "%.*s%s%s", (int)(at - line), line, with, at + length);
}

static char *without_prefixes(struct names *n, char *line) {
    for (const char *at; (at = strstr(line, "\"__SYM__")) != NULL;) line = replaced(n, line, at, 8, "\"");
    return line;
}

// The first _n12_u of a line, and the length of its digits.
static const char *copy_in(const char *line, size_t *digits) {
    for (; (line = strstr(line, "_n")) != NULL; line++) {
        *digits = strspn(line + 2, "0123456789");
        if (*digits > 0 && line[2 + *digits] == '_' && islower((unsigned char)line[3 + *digits])) return line;
    }
    return NULL;
}

static char *with_copies(struct names *n, char *line) {
    size_t digits;
    for (const char *at; (at = copy_in(line, &digits)) != NULL;)
        line = replaced(n, line, at, digits + 3, pool_format(n->pool, "(%ld) ", strtol(at + 2, NULL, 10) - 1));
    return line;
}

// Adds a blank after the last _i or _o of the first name that continues after one.
static char *with_fields(struct names *n, char *line) {
    for (const char *quote = line; (quote = strchr(quote, '"')) != NULL; quote++) {
        size_t length = strspn(quote + 1, "abcdefghijklmnopqrstuvwxyz_0123456789");
        for (const char *at = quote + length; at > quote + 3; at--)
            if (at[-3] == '_' && (at[-2] == 'i' || at[-2] == 'o') && at[-1] == '_' && islower((unsigned char)at[0]))
                return replaced(n, line, at - 1, 1, " ");
    }
    return line;
}

// stages\123 "at" of an array in a box
static char *without_box(struct names *n, char *line) {
    const char *at = strstr(line, "pushNamePrefix(\"at\")");
    if (!at) return line;
    for (const char *back = n->held; (back = strchr(back, '\\')) != NULL; back++) {
        size_t digits = strspn(back + 1, "0123456789");
        if (digits == 0 || strncmp(back + 1 + digits, " \"", 2) != 0) continue;
        n->held = replaced(n, n->held, back, digits + 3, "\"");
        break;
    }
    at = strstr(line, "\"at\"");
    return replaced(n, line, at, 4, "\"\"");
}

// ------------------------------------------------------------------------------------------------------------- lines

// The prefixes of an array and of its box become one, which may not be empty: its last letter comes from the box.
static char *join_box(struct names *n, char *line, const char *name) {
    static const char before[] = "pushPrefix(\"";
    const char *at = strstr(n->held, before);
    if (strcmp(name, "at") != 0 || !at || !strstr(line, "ARRAY_PACKED")) return line;
    at += sizeof before - 1;
    size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz_0123456789");
    if (length < 2 || strncmp(at + length, "\", ", 3) != 0) return line;
    n->held = "";
    push(n, at, length - 1, "ARRAY_PACKED");
    return replaced(n, line, strstr(line, "\"at\""), 4, pool_format(n->pool, "\"%c\"", at[length - 1]));
}

// A name's last part stays, the others become prefixes.
static char *divide(struct names *n, char *line, bool is_signal) {
    const char *open = strchr(line, '"'), *close = open ? strchr(open + 1, '"') : NULL;
    if (!close || (!strstr(line, "VerilatedTracePrefix") && !strstr(line, "VerilatedTraceSig"))) return line;
    const char *whole = pool_text(n->pool, open + 1, (size_t)(close - open) - 1), *blank = strrchr(whole, ' ');
    const char *name = blank ? blank + 1 : whole;
    const char *parts = blank ? pool_text(n->pool, whole, (size_t)(blank - whole)) : "";
    line = replaced(n, line, open + 1, (size_t)(close - open) - 1, name);
    show_within(n, is_signal ? parts : "");
    if (is_signal) return line;
    n->opened = pool_grow(n->pool, n->opened, n->depth, sizeof *n->opened);
    n->opened[n->depth++] = open_parts(n, pool_format(n->pool, "%s %s", parts, name));
    return join_box(n, line, name);
}

static void change(struct names *n, char *line) {
    bool is_signal = strstr(line, "tracep->decl") != NULL;
    if (is_signal || strstr(line, "tracep->pushPrefix") || strstr(line, "tracep->pushNamePrefix")) {
        line = with_copies(n, without_prefixes(n, line));
        if (is_signal) line = with_fields(n, line);
        line = without_box(n, line);
    }
    line = divide(n, line, is_signal);
    if (!is_signal) show_within(n, "");
    if (strstr(line, "tracep->popPrefix()") && n->depth > 0) close_parts(n, n->opened[--n->depth]);
    put(n, line);
}

// The last line of a file is held until it is complete.
static bool change_file(struct names *n, const char *path) {
    char *text = text_read(n->pool, path);
    n->out = text ? fopen(path, "w") : NULL;
    if (!n->out) return false;
    for (char *line; (line = strsep(&text, "\n")) != NULL && (text || *line);) change(n, line);
    put(n, "");
    return fclose(n->out) == 0;
}

int main(int argc, char **argv) {
    struct pool pool = {0};
    struct names names = {.pool = &pool, .held = "", .around = ""};
    for (int i = 1; i < argc; i++) {
        if (change_file(&names, argv[i])) continue;
        perror(argv[i]);
        return 2;
    }
    pool_free(&pool);
    return 0;
}
