/* SPDX-License-Identifier: Apache-2.0 */
#include "declared.h"

#include <assert.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../../assembler/base/file.h"
#include "../../assembler/isa/isa.h"

enum { WORD_BYTES = 64, MAX_LOCAL = 65532 };

/* Statements of one number. */
static const struct number {
    const char *name;
    size_t offset;
    uint32_t low, high, unit; /* a multiple of the unit */
} NUMBERS[] = {
    {"registers",     offsetof(struct declared, registers),            1,  ISA_REGS,                  1 },
    {"register_file", offsetof(struct declared, machine.registers),    32, 1 << 20,                   32},
    {"blocks",        offsetof(struct declared, machine.blocks),       1,  32,                        1 },
    {"warps",         offsetof(struct declared, machine.warps),        1,  64,                        1 },
    {"threads",       offsetof(struct declared, machine.threads),      1,  2048,                      1 },
    {"shared",        offsetof(struct declared, machine.shared_bytes), 16, 1 << 16,                   4 },
    {"constant",      offsetof(struct declared, machine.const_bytes),  0,  1 << 20,                   4 },
    {"code",          offsetof(struct declared, machine.code_bytes),   8,  1 << 24,                   8 },
    {"global",        offsetof(struct declared, machine.global_bytes), 4,  MACHINE_MOST_GLOBAL_BYTES, 4 },
    {"local",         offsetof(struct declared, local_bytes),          0,  MAX_LOCAL,                 4 },
    {"stack",         offsetof(struct declared, machine.stack_depth),  1,  128,                       1 },
    {"parameters",    offsetof(struct declared, machine.param_words),  0,  60,                        1 },
};
static const struct flag {
    const char *name;
    size_t offset;
} FLAGS[] = {
    {"whole_warps", offsetof(struct declared, whole_warps)},
    {"no_traps",    offsetof(struct declared, no_traps)   },
};

void declared_default(struct declared *m) {
    *m = (struct declared){.machine = MACHINE_DEFAULT, .registers = ISA_REGS, .local_bytes = MAX_LOCAL};
    m->banks = UINT16_MAX;
}

/* ---- reading ---- */

/* The reader's position. */
struct place {
    const char *path, *line_start, *at;
    unsigned line;
};

static enum status wrong(const struct place *p, const char *at, struct diag *d, const char *what, const char *word,
                         const char *expected) {
    return diag_set(d, STATUS_BAD_INPUT, p->path, p->line, (unsigned)(at - p->line_start) + 1, "%s '%s'; expected %s",
                    what, word, expected);
}

/* The next word of the line; false at its end. *from is its beginning. */
static bool next_word(struct place *p, char word[WORD_BYTES], const char **from) {
    p->at += strspn(p->at, " \t\r");
    *from = p->at;
    const size_t length = *p->at == '#' ? 0 : strcspn(p->at, " \t\r\n#");
    snprintf(word, WORD_BYTES, "%.*s", (int)length, p->at);
    p->at += length;
    return length > 0;
}

static enum status read_number(struct place *p, const struct number *n, struct declared *m, struct diag *d) {
    char word[WORD_BYTES], expected[WORD_BYTES];
    const char *from = NULL;
    char *end = NULL;
    next_word(p, word, &from);
    errno = 0;
    const unsigned long value = word[0] >= '0' && word[0] <= '9' ? strtoul(word, &end, 0) : 0;
    const bool good = end != NULL && *end == 0 && errno == 0 && value >= n->low && value <= n->high;
    if (good && value % n->unit == 0) {
        const uint32_t number = (uint32_t)value;
        memcpy((char *)m + n->offset, &number, sizeof number);
        return STATUS_OK;
    }
    const int length = snprintf(expected, sizeof expected, "a number from %" PRIu32 " to %" PRIu32, n->low, n->high);
    if (n->unit > 1) snprintf(expected + length, sizeof expected - (size_t)length, ", a multiple of %" PRIu32, n->unit);
    return wrong(p, from, d, n->name, word, expected);
}

/* Mnemonics or row names, or a pattern of either; case is ignored. */
static bool set_rows(struct declared *m, const char *name, bool lacks) {
    bool found = false;
    for (size_t row = 0; row < isa_row_count(); row++)
        if (fnmatch(name, isa_row_mnemonic(row), FNM_CASEFOLD) == 0 ||
            fnmatch(name, isa_row_id(row), FNM_CASEFOLD) == 0) {
            m->lacks[row] = lacks;
            found = true;
        }
    return found;
}

static enum status read_rows(struct place *p, bool lacks, struct declared *m, struct diag *d) {
    char word[WORD_BYTES];
    const char *from = NULL;
    unsigned count = 0;
    for (; next_word(p, word, &from); count++)
        if (!set_rows(m, word, lacks))
            return wrong(p, from, d, "no instruction", word,
                         "a mnemonic as R2C or RCP*, or rows of docs/isa.md as imad_*24*");
    return count > 0 ? STATUS_OK : wrong(p, from, d, lacks ? "lacks" : "has", word, "names of instructions");
}

/* The existing banks; no others exist. */
static enum status read_banks(struct place *p, struct declared *m, struct diag *d) {
    static const char EXPECTED[] = "numbers of constant banks from 0 to 15";
    char word[WORD_BYTES];
    const char *from = NULL;
    m->banks = 0;
    while (next_word(p, word, &from)) {
        char *end = NULL;
        const unsigned long number = word[0] >= '0' && word[0] <= '9' ? strtoul(word, &end, 0) : IMAGE_CONST_BANKS;
        if (number >= IMAGE_CONST_BANKS || *end != 0) return wrong(p, from, d, "banks", word, EXPECTED);
        m->banks |= (uint16_t)(1u << number);
    }
    return m->banks != 0 ? STATUS_OK : wrong(p, from, d, "banks", word, EXPECTED);
}

static enum status read_statement(struct place *p, const char *name, const char *from, struct declared *m,
                                  struct diag *d) {
    char expected[400] = "lacks, has, banks";
    for (size_t n = 0; n < sizeof NUMBERS / sizeof *NUMBERS; n++) {
        if (strcasecmp(name, NUMBERS[n].name) == 0) return read_number(p, &NUMBERS[n], m, d);
        snprintf(expected + strlen(expected), sizeof expected - strlen(expected), ", %s", NUMBERS[n].name);
    }
    for (size_t n = 0; n < sizeof FLAGS / sizeof *FLAGS; n++) {
        if (strcasecmp(name, FLAGS[n].name) == 0) {
            *(bool *)((char *)m + FLAGS[n].offset) = true;
            return STATUS_OK;
        }
        snprintf(expected + strlen(expected), sizeof expected - strlen(expected), ", %s", FLAGS[n].name);
    }
    const bool lacks = strcasecmp(name, "lacks") == 0;
    if (lacks || strcasecmp(name, "has") == 0) return read_rows(p, lacks, m, d);
    if (strcasecmp(name, "banks") == 0) return read_banks(p, m, d);
    return wrong(p, from, d, "unknown", name, expected);
}

static enum status read_line(struct place *p, struct declared *m, struct diag *d) {
    char word[WORD_BYTES];
    const char *from = NULL;
    if (!next_word(p, word, &from)) return STATUS_OK;
    const enum status status = read_statement(p, word, from, m, d);
    if (status != STATUS_OK || !next_word(p, word, &from)) return status;
    return wrong(p, from, d, "unexpected", word, "the end of the line");
}

enum status declared_read_text(const char *path, const char *text, struct declared *m, struct diag *d) {
    assert(isa_row_count() <= DECLARED_ROWS);
    declared_default(m);
    struct place p = {.path = path, .line_start = text, .at = text, .line = 1};
    for (;;) {
        const enum status status = read_line(&p, m, d);
        if (status != STATUS_OK) return status;
        p.at += strcspn(p.at, "\n");
        if (*p.at == 0) break;
        p.line_start = ++p.at;
        p.line++;
    }
    m->machine.sms = 1;
    return STATUS_OK;
}

enum status declared_read_file(const char *path, struct declared *m, struct diag *d) {
    char *text = NULL;
    size_t size = 0;
    enum status status = file_read(path, &text, &size, d);
    if (status == STATUS_OK && strlen(text) != size)
        status = diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "a NUL byte is in the text");
    if (status == STATUS_OK) status = declared_read_text(path, text, m, d);
    free(text);
    return status;
}

/* ---- checking ---- */

bool declared_has(const struct declared *m, const char *mnemonic) {
    for (size_t row = 0; row < isa_row_count(); row++)
        if (!m->lacks[row] && strcmp(isa_row_mnemonic(row), mnemonic) == 0) return true;
    return false;
}

const char *declared_find_lacking(const struct declared *m, const uint32_t *words, size_t count, uint32_t *pc) {
    struct isa_insn insn;
    for (size_t n = 0; n < count; n += isa_is_long(words[n]) ? 2 : 1) {
        const uint32_t hi = n + 1 < count ? words[n + 1] : 0;
        if (isa_decode(words[n], hi, &insn) != ISA_OK || !m->lacks[insn.row]) continue;
        *pc = (uint32_t)(4 * n);
        return isa_row_mnemonic(insn.row);
    }
    return NULL;
}

static bool has_bank(const struct declared *m, unsigned bank) { return (m->banks >> bank & 1) != 0; }

bool declared_find_bank(const struct declared *m, const uint32_t *words, size_t count, uint32_t *pc, unsigned *bank) {
    struct isa_insn insn;
    for (size_t n = 0; n < count && m->banks != UINT16_MAX; n += isa_is_long(words[n]) ? 2 : 1) {
        const uint32_t hi = n + 1 < count ? words[n + 1] : 0;
        if (isa_decode(words[n], hi, &insn) != ISA_OK) continue;
        for (size_t i = 0; i < sizeof insn.src / sizeof *insn.src; i++) {
            if (insn.src[i].kind != ISA_CONST || has_bank(m, insn.src[i].bank)) continue;
            *pc = (uint32_t)(4 * n);
            *bank = insn.src[i].bank;
            return true;
        }
    }
    return false;
}

/* A bank with contents that the machine lacks; IMAGE_CONST_BANKS: none. */
static unsigned find_contents(const struct declared *m, const struct image *image) {
    unsigned bank = 0;
    while (bank < IMAGE_CONST_BANKS && (image->bank[bank].size == 0 || has_bank(m, bank))) bank++;
    return bank;
}

/* The message of launch_check, after our own words. */
static enum status cannot(const struct launch *run, struct diag *d, const char *why) {
    static const char THEIRS[] = "launch does not fit: ";
    char text[sizeof d->text];
    snprintf(text, sizeof text, "%s", strncmp(why, THEIRS, sizeof THEIRS - 1) == 0 ? why + sizeof THEIRS - 1 : why);
    return diag_set(d, STATUS_BAD_INPUT, run->path != NULL ? run->path : "", 0, 0, "cannot run this: %s", text);
}

enum status declared_check(const struct declared *m, struct launch *run, struct diag *d) {
    char why[WORD_BYTES * 2];
    uint32_t pc = 0;
    unsigned bank = 0;
    const enum status status = launch_check(run, &m->machine, d);
    if (status == STATUS_NO_MEMORY) return status;
    if (status != STATUS_OK) return cannot(run, d, d->text);
    const struct image *image = run->image;
    const unsigned threads = block_threads(image->block), contents = find_contents(m, image);
    const char *lacking = declared_find_lacking(m, image->code, image->code_words, &pc);
    if (image->regs > m->registers)
        snprintf(why, sizeof why, "registers a thread %u, the machine has %u", image->regs, m->registers);
    else if (image->local_bytes > m->local_bytes)
        snprintf(why, sizeof why, "local bytes a thread %u, the machine has %" PRIu32, image->local_bytes,
                 m->local_bytes);
    else if (m->whole_warps && threads % WARP_LANES != 0)
        snprintf(why, sizeof why, "threads in a block %u, the machine has whole warps only", threads);
    else if (lacking != NULL)
        snprintf(why, sizeof why, "%s at pc 0x%" PRIx32 ", which the machine lacks", lacking, pc);
    else if (declared_find_bank(m, image->code, image->code_words, &pc, &bank))
        snprintf(why, sizeof why, "c [0x%x] at pc 0x%" PRIx32 ", a bank that the machine lacks", bank, pc);
    else if (contents < IMAGE_CONST_BANKS)
        snprintf(why, sizeof why, "constants in c [0x%x], a bank that the machine lacks", contents);
    else
        return STATUS_OK;
    return cannot(run, d, why);
}
