/* SPDX-License-Identifier: Apache-2.0 */
#include "look.h"

#include <stdio.h>
#include <string.h>

enum { UNITS = UNIT_DIVIDE + 1 };

/* Appends those files that are neither there yet nor in `told`. */
static void add_files(char text[LOOK_FILES], const char *files, const char *told) {
    while (files != NULL && *files != '\0') {
        char file[LOOK_FILES];
        const size_t length = strcspn(files, ","), used = strlen(text);
        snprintf(file, sizeof file, "%.*s", (int)length, files);
        if (strstr(text, file) == NULL && strstr(told, file) == NULL)
            snprintf(text + used, LOOK_FILES - used, "%s%s", used > 0 ? ", " : "", file);
        files += length;
        files += strspn(files, ", ");
    }
}

static bool has_operand(const struct isa_insn *insn, enum isa_operand_kind kind) {
    for (size_t i = 0; i < sizeof insn->src / sizeof insn->src[0]; i++)
        if (insn->src[i].kind == kind) return true;
    /* A store has its place where others have a destination. */
    return insn->dst.kind == kind && (kind == ISA_SHARED || kind == ISA_GLOBAL || kind == ISA_LOCAL);
}

/* In the order of look.def. */
static void find_operands(const struct isa_insn *insn, const char *told, char text[LOOK_FILES]) {
    static const struct {
        enum isa_operand_kind kind;
        const char *files;
    } OPERANDS[] = {
#define OPERAND(kind, rtl) {ISA_##kind, rtl},
#include "look.def"
    };
    for (size_t i = 0; i < sizeof OPERANDS / sizeof OPERANDS[0]; i++)
        if (has_operand(insn, OPERANDS[i].kind)) add_files(text, OPERANDS[i].files, told);
}

/* Half words and those with an immediate of 32 bits have a decoder of their own, and so have the moves of section 4,
 * which share a unit with arithmetic. */
static void find_decoder(const struct isa_insn *insn, const char *section, char text[LOOK_FILES]) {
    static const char *const DECODERS[UNITS] = {
#define DECODER(unit, rtl) [UNIT_##unit] = rtl,
#include "look.def"
    };
    const bool moves = section[0] == '4' && insn->unit == UNIT_ALU;
    const enum isa_shape shape = isa_row_shape(insn->row);
    const bool is_short = shape == ISA_SHAPE_HALF || shape == ISA_SHAPE_IMM;
    add_files(text, is_short ? "front/decode_half.vhd" : moves ? "front/decode_move.vhd" : DECODERS[insn->unit], "");
    add_files(text, "front/decode_operands.vhd", "");
    if (has_operand(insn, ISA_SHARED) || has_operand(insn, ISA_CONST)) add_files(text, "front/decode_cells.vhd", "");
}

static void find_field(struct look *look, const char *field) {
    static const struct {
        const char *name, *stages, *rtl;
    } FIELDS[] = {
#define FIELD(name, stages, rtl) {#name, stages, rtl},
#include "look.def"
    };
    for (size_t i = 0; i < sizeof FIELDS / sizeof FIELDS[0]; i++) {
        if (strcmp(FIELDS[i].name, field) != 0) continue;
        look->stages = FIELDS[i].stages;
        look->rtl = FIELDS[i].rtl;
        look->is_result = false;
    }
}

static void find_increment(struct look *look) {
#define INCREMENT(made_in, files) \
    look->stages = (made_in);     \
    look->rtl = (files);
#include "look.def"
    look->is_result = false;
}

/* The rule and the files of an operation. */
static struct look look_at_result(const struct isa_insn *insn) {
    static const struct look RESULTS[OP_COUNT] = {
#define RESULT(op, section, stages, rtl, model) [OP_##op] = {section, stages, rtl, model, true, "", "", NULL, NULL},
#include "look.def"
    };
    return insn != NULL ? RESULTS[insn->op] : (struct look){0};
}

struct look look_for(const struct isa_insn *insn, const char *field) {
    struct look look = look_at_result(insn);
    find_field(&look, field);
    if (insn == NULL || look.section == NULL) return look;
    if (insn->areg_inc && field[0] == 'a' && (field[1] == '\0' || strcmp(field, "a_mask") == 0)) find_increment(&look);
    if (look.is_result) {
        find_operands(insn, look.rtl, look.operands);
#define PAST(rtl)   look.past = rtl;
#define WRITER(rtl) look.writer = rtl;
#include "look.def"
    }
    if (look.is_result || strcmp(look.stages, "decode") == 0) find_decoder(insn, look.section, look.decode);
    return look;
}

bool look_is_extension(const struct isa_insn *insn, uint32_t bits) {
    static const enum isa_operand_kind CELLS[] = {ISA_GLOBAL, ISA_LOCAL, ISA_SHARED, ISA_CONST};
    for (size_t i = 0; i < sizeof CELLS / sizeof CELLS[0]; i++)
        for (size_t n = 0; n < sizeof insn->src / sizeof insn->src[0]; n++)
            if (insn->src[n].kind == CELLS[i] && insn->src[n].bytes < 4 && bits == UINT32_MAX << 8 * insn->src[n].bytes)
                return true;
    return false;
}

struct look look_for_trap(const struct isa_insn *insn, enum trap trap) {
    static const struct {
        const char *stages, *rtl;
    } TRAPS[] = {
#define TRAPPED(trap, stages, rtl) [TRAP_##trap] = {stages, rtl},
#include "look.def"
    };
    struct look look = look_at_result(insn);
    look.is_result = false;
    look.stages = look.rtl = NULL;
    if ((size_t)trap >= sizeof TRAPS / sizeof TRAPS[0] || TRAPS[trap].rtl == NULL) return look;
    look.stages = TRAPS[trap].stages;
    look.rtl = TRAPS[trap].rtl;
    if (insn != NULL && look.section != NULL && strcmp(look.stages, "decode") == 0)
        find_decoder(insn, look.section, look.decode);
    return look;
}
