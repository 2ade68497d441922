/* SPDX-License-Identifier: Apache-2.0 */
/* The model reproduces the examples of docs/isa.md that have states before and after. Their tables are headed "|
 * instruction | words | before | after |"; a state is a list of
 *
 *     R1=5 C0=OS A1=14 g[0x10]=64 global[0x100]=7 c1[0x8]=8 pc=80 trap=2
 *
 * in hexadecimal: registers, flags that are set ("-" none), address registers, 32-bit words of shared and global memory
 * and of constant bank 1, the next pc, the code of the trap. Each instruction of the example is executed once. Unnamed
 * R, C and A registers are 0 before, and unchanged after. */
#include <stdlib.h>
#include <string.h>

#include "fixture.h"

enum { LINE_BYTES = 4096, CELLS_MAX = 6, REGS = 16, CREGS = 4, AREGS = 5, CONST_BYTES = 64, SHARED_BYTES = 64 };

static const char DOC[] = "docs/isa.md";
static const char HEAD[] = "| instruction | words | before | after |";

struct state {
    uint32_t reg[REGS], areg[AREGS], creg[CREGS];
};

static size_t cut_cells(char *line, char **cell) {
    size_t count = 0;
    for (char *s = line + 1; *s != '\0' && *s != '\n' && count < CELLS_MAX;) {
        char *to = cell[count++] = s += strspn(s, " `");
        while (*s != '|' && *s != '\0') {
            s += s[0] == '\\' && s[1] == '|' ? 1 : 0;
            *to++ = *s++;
        }
        s += *s == '|' ? 1 : 0;
        while (to > cell[count - 1] && strchr(" `", to[-1]) != NULL) to--;
        *to = '\0';
    }
    return count;
}

static uint8_t nibble(const char *flags) {
    uint8_t value = 0;
    for (const char *s = flags; *s != '\0' && *s != ' '; s++) {
        const char *at = strchr("ZSCO", *s);
        value |= at != NULL ? (uint8_t)(1u << (at - "ZSCO")) : 0;
    }
    return value;
}

static uint32_t word_at(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* The left side of a "what=value". */
struct item {
    char kind; /* R C A, 'g' shared, 'G' global, 'c' constant, 'p' pc, 't' trap */
    uint32_t number, value;
};

static bool next_item(const char **s, struct item *item) {
    *s += strspn(*s, " ");
    const char *equals = strchr(*s, '=');
    if (equals == NULL) return false;
    const char *bracket = memchr(*s, '[', (size_t)(equals - *s));
    item->kind = strncmp(*s, "global", 6) == 0 ? 'G' : **s;
    item->number = (uint32_t)strtoul(bracket != NULL ? bracket + 1 : *s + 1, NULL, 0);
    item->value = item->kind == 'C' ? nibble(equals + 1) : (uint32_t)strtoul(equals + 1, NULL, 16);
    *s = equals + strcspn(equals, " ");
    return true;
}

static void put_word(uint8_t *p, uint32_t value) {
    for (unsigned i = 0; i < 4; i++) p[i] = (uint8_t)(value >> 8 * i);
}

static void set_before(struct fixture *f, const char *s, struct state *state) {
    struct item item;
    memset(state, 0, sizeof *state);
    while (next_item(&s, &item)) {
        switch (item.kind) {
        case 'R': state->reg[item.number % REGS] = item.value; break;
        case 'C': state->creg[item.number % CREGS] = item.value; break;
        case 'g': put_word(model_shared(f->m, 0, 0) + item.number % SHARED_BYTES, item.value); break;
        case 'G': put_word(model_global(f->m) + item.number, item.value); break;
        case 'c': break; /* set before the launch */
        default: fail_msg("'%c' cannot be set", item.kind);
        }
    }
    for (unsigned i = 0; i < REGS; i++) fixture_poke(f, i, state->reg[i], 0);
    for (unsigned i = 0; i < CREGS; i++) fixture_poke_c(f, i, (uint8_t)state->creg[i]);
}

static bool check(const char *text, const char *what, unsigned number, uint32_t is, uint32_t must) {
    if (is != must) print_error("%s: %s%x is %x, not %x\n", text, what, number, is, must);
    return is == must;
}

static bool check_after(struct fixture *f, const char *text, const char *s, struct state *state,
                        const struct retire *r) {
    struct item item;
    uint32_t trap = TRAP_NONE;
    bool good = true;
    while (next_item(&s, &item)) {
        switch (item.kind) {
        case 'R': state->reg[item.number % REGS] = item.value; break;
        case 'C': state->creg[item.number % CREGS] = item.value; break;
        case 'A': state->areg[item.number % AREGS] = item.value; break;
        case 'g':
            good &= check(text, "g", item.number, word_at(model_shared(f->m, 0, 0) + item.number % SHARED_BYTES),
                          item.value);
            break;
        case 'G':
            good &= check(text, "global", item.number, word_at(model_global(f->m) + item.number), item.value);
            break;
        case 'p': good &= check(text, "pc", 0, r->next_pc, item.value); break;
        case 't': trap = item.value; break;
        default: fail_msg("'%c' cannot be checked", item.kind);
        }
    }
    good &= check(text, "trap", 0, r->trap, trap);
    for (unsigned i = 0; i < REGS; i++) good &= check(text, "R", i, model_peek_reg(f->m, 0, 0, 0, i), state->reg[i]);
    for (unsigned i = 0; i < CREGS; i++) good &= check(text, "C", i, model_peek_creg(f->m, 0, 0, 0, i), state->creg[i]);
    for (unsigned i = 1; i < AREGS; i++) good &= check(text, "A", i, model_peek_areg(f->m, 0, 0, 0, i), state->areg[i]);
    return good;
}

/* "a; b" as lines; returns their number. */
static unsigned split_texts(const char *text, char *lines, size_t size) {
    unsigned count = 1;
    snprintf(lines, size, "%s", text);
    for (char *s = lines; (s = strstr(s, "; ")) != NULL; s++, count++) s[0] = '\n';
    return count;
}

static void set_constants(struct fixture *f, const char *s, uint8_t *bytes) {
    struct item item;
    memset(bytes, 0, CONST_BYTES);
    while (next_item(&s, &item))
        if (item.kind == 'c') put_word(bytes + item.number % CONST_BYTES, item.value);
    f->image.bank[1].bytes = bytes;
    f->image.bank[1].size = CONST_BYTES;
}

static bool replay(const char *text, const char *before, const char *after) {
    struct fixture f;
    struct state state;
    char lines[LINE_BYTES];
    uint8_t constants[CONST_BYTES];
    const unsigned steps = split_texts(text, lines, sizeof lines);
    fixture_source(&f, lines);
    f.machine.has_atomics = true;
    f.machine.wide = f.machine.dividers = 1;
    f.image.block[0] = 1;
    f.image.local_bytes = 16;
    f.image.shared_bytes = SHARED_BYTES;
    set_constants(&f, before, constants);
    fixture_launch(&f);
    set_before(&f, before, &state);
    const struct retire r = fixture_steps(&f, steps);
    const bool good = check_after(&f, text, after, &state, &r);
    fixture_teardown(&f);
    return good;
}

static void test_isa_doc_examples(void **state) {
    (void)state;
    char line[LINE_BYTES], *cell[CELLS_MAX];
    unsigned examples = 0, wrong = 0;
    bool inside = false;
    FILE *f = fopen(DOC, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL) {
        if (strncmp(line, HEAD, strlen(HEAD)) == 0) {
            inside = true;
        } else if (line[0] != '|') {
            inside = false;
        } else if (inside && line[1] == ' ' && cut_cells(line, cell) == 4) {
            examples++;
            wrong += replay(cell[0], cell[2], cell[3]) ? 0 : 1;
        }
    }
    fclose(f);
    print_message("%s: %u of %u examples passed\n", DOC, examples - wrong, examples);
    assert_true(examples > 100);
    assert_int_equal(wrong, 0);
}

/* A wrong state must be noticed. */
static void test_isa_doc_check_can_fail(void **state) {
    (void)state;
    assert_true(replay("IADD.C0 R1, R2, R3", "R2=5 R3=6", "R1=b"));
    assert_false(replay("IADD.C0 R1, R2, R3", "R2=5 R3=6", "R1=c"));
    assert_false(replay("IADD.C0 R1, R2, R3", "R2=5 R3=6", "R1=b C0=Z"));
    assert_false(replay("IADD.C0 R1, R2, R3", "R2=5 R3=6", "R1=b pc=10"));
    assert_false(replay("GST.U32 global14 [R2], R1", "R1=5 R2=100", "global[0x100]=6"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_isa_doc_examples),
        cmocka_unit_test(test_isa_doc_check_can_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
