/* SPDX-License-Identifier: Apache-2.0 */
#include "trace_line.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../../cmodel/run/trace.h"

enum { NAME_BYTES = 24, HEX = 16, DECIMAL = 10 };

struct parser {
    const char *line, *at;
    const struct reported *reported;
    struct retire *r;
    struct trace_line_error *error;
    bool seen[RETIRE_FIELD_COUNT]; /* fields on this line */
};

static bool fail(struct parser *p, const char *at, const char *format, ...) __attribute__((format(printf, 3, 4)));

static bool fail(struct parser *p, const char *at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(p->error->text, sizeof p->error->text, format, args);
    va_end(args);
    p->error->offset = (size_t)(at - p->line);
    return false;
}

/* ----------------------------------------------------------------------------------------------------- small parts */

/* Length of the line's text up to the next blank, for a message. */
static int word_length(const char *at) { return (int)strcspn(at, " \t") < 30 ? (int)strcspn(at, " \t") : 30; }

static bool take_text(struct parser *p, const char *text) {
    const size_t length = strlen(text);
    if (strncmp(p->at, text, length) != 0)
        return fail(p, p->at, "expected '%s', found '%.*s'", text, word_length(p->at), p->at);
    p->at += length;
    return true;
}

/* Digits of a number of at most `bits` bits. */
static bool take_number(struct parser *p, int base, unsigned bits, uint64_t *number) {
    const char *from = p->at;
    *number = 0;
    for (; isxdigit((unsigned char)*p->at) && (base == HEX || isdigit((unsigned char)*p->at)); p->at++) {
        const char digit[2] = {*p->at, 0};
        if (*number > UINT64_MAX / (unsigned)base) return fail(p, from, "a number with more than %u bits", bits);
        *number = *number * (unsigned)base + strtoul(digit, NULL, HEX);
    }
    if (p->at == from)
        return fail(p, from, "expected a %s number, found '%.*s'", base == HEX ? "hexadecimal" : "decimal",
                    word_length(from), from);
    if (bits < 64 && *number >> bits != 0) return fail(p, from, "a number with more than %u bits", bits);
    return true;
}

static bool see(struct parser *p, const char *field) {
    bool *seen = &p->seen[retire_field_index(retire_field_named(field))];
    const bool is_new = !*seen;
    *seen = true;
    return is_new;
}

static uint32_t *member(struct parser *p, const struct retire_field *f) {
    return (uint32_t *)(void *)((char *)p->r + f->offset);
}

/* A scalar or mask field, in its width. */
static bool take_field(struct parser *p, const char *name, int base) {
    const struct retire_field *f = retire_field_named(name);
    uint64_t number;
    if (!see(p, name)) return fail(p, p->at, "%s occurs twice", name);
    if (!take_number(p, base, f->bits, &number)) return false;
    *member(p, f) = (uint32_t)number;
    return true;
}

/* ------------------------------------------------------------------------------------------------------ the place */

static bool take_place(struct parser *p) {
    uint64_t sm;
    if (!take_number(p, DECIMAL, 64, &p->r->cycle) || !take_text(p, " sm") || !take_number(p, DECIMAL, 8, &sm))
        return false;
    p->r->sm = sm;
    return take_text(p, " slot") && take_field(p, "slot", DECIMAL) && take_text(p, " block(") &&
           take_field(p, "block_x", DECIMAL) && take_text(p, ",") && take_field(p, "block_y", DECIMAL) &&
           take_text(p, ") warp") && take_field(p, "warp", DECIMAL) && take_text(p, " ") && take_field(p, "pc", HEX) &&
           take_text(p, ":");
}

/* The instruction is only for readers. The last bar ends it: an operand may contain bars. */
static bool skip_instruction(struct parser *p) {
    const char *bar = NULL;
    for (const char *next = strstr(p->at, " |"); next != NULL; next = strstr(next + 1, " |"))
        if (next[2] == ' ' || next[2] == 0) bar = next;
    if (bar == NULL) return fail(p, p->line + strlen(p->line), "the line ends before ' | active='");
    p->at = bar + 2;
    return true;
}

/* ------------------------------------------------------------------------------------------------------ the items */

/* True if the line, or the declaration of missing fields, has settled a field. */
static bool has(const struct parser *p, const char *field) {
    return p->seen[retire_field_index(retire_field_named(field))];
}

/* The lanes of "/MASK", otherwise those that executed. */
static bool take_mask(struct parser *p, const char *mask_name, uint32_t *mask) {
    uint64_t number;
    const struct retire_field *f = retire_field_named(mask_name);
    *mask = has(p, "exec") ? p->r->exec : UINT32_MAX;
    if (*p->at == '/') {
        p->at++;
        if (!take_number(p, HEX, 32, &number)) return false;
        *mask = (uint32_t)number;
    }
    if (has(p, mask_name) && *member(p, f) != *mask)
        return fail(p, p->at, "values of other lanes than the list before them");
    (void)see(p, mask_name);
    *member(p, f) = *mask;
    return true;
}

/* Values separated by commas: one for each lane of the mask, or 32. */
static bool take_values(struct parser *p, uint32_t mask, unsigned bits, uint32_t values[WARP_LANES]) {
    const char *from = p->at;
    uint32_t all[WARP_LANES] = {0};
    unsigned count = 0, next = 0;
    uint64_t number;
    const unsigned lanes = (unsigned)__builtin_popcount(mask);
    while (*p->at != 0 && *p->at != ' ' && *p->at != '\t') {
        if (count > 0 && !take_text(p, ",")) return false;
        if (count == WARP_LANES) return fail(p, p->at, "more than 32 values");
        if (!take_number(p, HEX, bits, &number)) return false;
        all[count++] = (uint32_t)number;
    }
    if (count != lanes && count != WARP_LANES)
        return fail(p, from, "%u values for %u lanes: expected one for each, or 32", count, lanes);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if ((mask >> lane & 1) == 0) continue;
        values[lane] = all[count == lanes ? next : lane];
        next++;
    }
    return true;
}

static bool take_lanes(struct parser *p, const char *field, const char *mask_name, unsigned bits,
                       uint32_t values[WARP_LANES]) {
    uint32_t mask;
    const char *from = p->at;
    if (!see(p, field)) return fail(p, from, "%s occurs twice", field);
    return take_mask(p, mask_name, &mask) && take_text(p, "=") && take_values(p, mask, bits, values);
}

/* R5=, R5L=, R5H=; after the first register of a wide load its further ones. */
static bool take_register(struct parser *p) {
    struct retire *r = p->r;
    const char *from = p->at++;
    uint64_t number;
    if (!take_number(p, DECIMAL, 8, &number)) return false;
    const bool half = *p->at == 'L' || *p->at == 'H';
    if (half) {
        r->dst_kind = RETIRE_DST_REG16;
        r->dst_reg = (uint32_t)(2 * number + (*p->at++ == 'H'));
    } else if (has(p, "dst")) {
        static const char *const REST[] = {"dst", "dst.1", "dst.2", "dst.3"};
        const uint64_t word = number - r->dst_reg;
        if (number <= r->dst_reg || word >= RETIRE_WORDS || r->dst_kind != RETIRE_DST_REG32)
            return fail(p, from, "a second register that does not follow the first");
        return take_lanes(p, REST[word], "dst_mask", 32, r->dst_rest[word - 1]);
    } else {
        r->dst_kind = RETIRE_DST_REG32;
        r->dst_reg = (uint32_t)number;
    }
    if (r->dst_reg > 255) return fail(p, from, "no such register");
    return take_lanes(p, "dst", "dst_mask", half ? 16 : 32, r->dst);
}

static bool take_flags(struct parser *p) {
    p->at++;
    return take_field(p, "c_reg", DECIMAL) && take_lanes(p, "c", "c_mask", 4, p->r->c);
}

static bool take_areg(struct parser *p) {
    p->at++;
    return take_field(p, "a_reg", DECIMAL) && take_lanes(p, "a", "a_mask", 16, p->r->a);
}

/* "gst4": kind and bytes of an access. False, without a message, for another word. */
static bool is_access(struct parser *p) {
    for (unsigned kind = 1; trace_memory_name(kind) != NULL; kind++) {
        const char *name = trace_memory_name(kind);
        const size_t length = strlen(name);
        if (strncmp(p->at, name, length) != 0 || !isdigit((unsigned char)p->at[length])) continue;
        p->r->mem_kind = kind;
        p->at += length;
        return true;
    }
    return false;
}

static bool take_access(struct parser *p) {
    const char *from = p->at;
    if (!take_field(p, "mem_bytes", DECIMAL)) return false;
    const uint32_t bytes = p->r->mem_bytes;
    if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16) return true;
    return fail(p, from, "an access of %u bytes: expected 1, 2, 4, 8 or 16", bytes);
}

static bool take_data(struct parser *p) {
    static const char *const REST[] = {"data", "data.1", "data.2", "data.3"};
    const char *from = p->at;
    uint64_t offset = 0;
    if (*p->at == '+') {
        p->at++;
        if (!take_number(p, DECIMAL, 8, &offset)) return false;
    }
    if (offset % 4 != 0 || offset / 4 >= RETIRE_WORDS) return fail(p, from, "expected +4, +8 or +12");
    const uint64_t word = offset / 4;
    const unsigned bits = p->r->mem_bytes > 0 && p->r->mem_bytes < 4 ? 8 * p->r->mem_bytes : 32;
    return take_lanes(p, REST[word], "mem_mask", bits, word == 0 ? p->r->data : p->r->data_rest[word - 1]);
}

static bool take_next(struct parser *p) {
    return take_field(p, "next_pc", HEX) && take_text(p, ",") && take_field(p, "next_active", HEX);
}

static bool take_word(struct parser *p) {
    if (!take_field(p, "word_lo", HEX)) return false;
    (void)see(p, "word_hi");
    if (*p->at != ',') return true;
    p->at++;
    uint64_t high;
    if (!take_number(p, HEX, 32, &high)) return false;
    p->r->word_hi = (uint32_t)high;
    return true;
}

/* The rest of the line names the trap, followed by a colon and its details for readers. */
static bool take_trap(struct parser *p) {
    p->at += strspn(p->at, " ");
    (void)see(p, "trap");
    for (unsigned code = TRAP_NONE + 1; code < 16; code++) {
        const char *name = trap_name((enum trap)code);
        const size_t length = strlen(name);
        if (strncmp(p->at, name, length) == 0 && (p->at[length] == '\0' || p->at[length] == ':')) {
            p->r->trap = code;
            p->r->state = RETIRE_TRAPPED;
            p->at += strlen(p->at);
            return true;
        }
    }
    return fail(p, p->at, "no trap is called '%.60s'", p->at);
}

static bool take_item(struct parser *p) {
    static const struct {
        const char *name;
        const char *field; /* a hexadecimal scalar; NULL: `take` */
        bool (*take)(struct parser *p);
        uint32_t state;
    } ITEMS[] = {
        {"active=",    "active", NULL,      0              },
        {"exec=",      "exec",   NULL,      0              },
        {"word=",      NULL,     take_word, 0              },
        {"data",       NULL,     take_data, 0              },
        {"next=",      NULL,     take_next, 0              },
        {"trap:",      NULL,     take_trap, 0              },
        {"at barrier", NULL,     NULL,      RETIRE_BARRIER },
        {"finished",   NULL,     NULL,      RETIRE_FINISHED},
        {"trapped",    NULL,     NULL,      RETIRE_TRAPPED },
    };
    if (strncmp(p->at, "depth=", 6) == 0) {
        p->at += 6;
        return take_field(p, "depth", DECIMAL);
    }
    if (strncmp(p->at, "addr", 4) == 0) {
        p->at += 4;
        return take_lanes(p, "addr", "mem_mask", 32, p->r->addr);
    }
    for (size_t i = 0; i < sizeof ITEMS / sizeof ITEMS[0]; i++) {
        const size_t length = strlen(ITEMS[i].name);
        if (strncmp(p->at, ITEMS[i].name, length) != 0) continue;
        p->at += length;
        if (ITEMS[i].field != NULL) return take_field(p, ITEMS[i].field, HEX);
        if (ITEMS[i].take != NULL) return ITEMS[i].take(p);
        p->r->state = ITEMS[i].state;
        return true;
    }
    if (*p->at == 'R') return take_register(p);
    if (*p->at == 'C') return take_flags(p);
    if (*p->at == 'A') return take_areg(p);
    if (is_access(p)) return take_access(p);
    return fail(p, p->at, "unknown item '%.*s'", word_length(p->at), p->at);
}

/* ----------------------------------------------------------------------------------------------------- the record */

/* The fields that every record has, unless they are not reported. */
static bool check_complete(struct parser *p) {
    static const char *const ALWAYS[] = {"active", "exec", "word_lo", "depth"};
    static const char *const NEXT[] = {"next_pc", "next_active"};
    const struct retire *r = p->r;
    const char *missing = NULL;
    const bool trapped = r->trap != TRAP_NONE;
    const bool load = r->mem_kind == RETIRE_MEM_GLOBAL_LOAD || r->mem_kind == RETIRE_MEM_LOCAL_LOAD;
    const bool access = has(p, "mem_bytes");
    for (size_t i = 0; i < sizeof ALWAYS / sizeof ALWAYS[0] && missing == NULL; i++)
        if (!reported_misses(p->reported, ALWAYS[i]) && !has(p, ALWAYS[i])) missing = ALWAYS[i];
    for (size_t i = 0; i < sizeof NEXT / sizeof NEXT[0] && missing == NULL && !trapped; i++)
        if (!reported_misses(p->reported, NEXT[i]) && !has(p, NEXT[i])) missing = NEXT[i];
    if (missing == NULL && access && !reported_misses(p->reported, "addr") && !has(p, "addr")) missing = "addr";
    if (missing == NULL && access && !load && !reported_misses(p->reported, "data") && !has(p, "data"))
        missing = "data";
    if (missing == NULL) return true;
    return fail(p, p->line + strlen(p->line),
                "%s is missing: the header must say 'unreported %s' where no record has it", missing, missing);
}

bool trace_line_parse(const char *line, const struct reported *reported, struct retire *r,
                      struct trace_line_error *error) {
    struct parser p = {.line = line, .at = line, .reported = reported, .r = r, .error = error};
    memset(r, 0, sizeof *r);
    if (!take_place(&p) || !skip_instruction(&p)) return false;
    while (*(p.at += strspn(p.at, " \t")) != 0) {
        if (!take_item(&p)) return false;
        if (*p.at != 0 && *p.at != ' ' && *p.at != '\t')
            return fail(&p, p.at, "expected a blank, found '%.*s'", word_length(p.at), p.at);
    }
    return check_complete(&p);
}
