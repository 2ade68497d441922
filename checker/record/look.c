/* SPDX-License-Identifier: Apache-2.0 */
#include "look.h"

#include <stdio.h>
#include <string.h>

enum { UNITS = UNIT_DIVIDE + 1 };

/* Appends those files that are not there yet. */
static void add_files(char text[LOOK_FILES], const char *files) {
    while (files != NULL && *files != '\0') {
        char file[LOOK_FILES];
        const size_t length = strcspn(files, ","), used = strlen(text);
        snprintf(file, sizeof file, "%.*s", (int)length, files);
        if (strstr(text, file) == NULL) snprintf(text + used, LOOK_FILES - used, "%s%s", used > 0 ? ", " : "", file);
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
static void find_operands(const struct isa_insn *insn, char text[LOOK_FILES]) {
    static const struct {
        enum isa_operand_kind kind;
        const char *files;
    } OPERANDS[] = {
#define RESULT(op, section, stages, rtl, model)
#define FIELD(name, stages, rtl)
#define OPERAND(kind, rtl) {ISA_##kind, rtl},
#define DECODER(unit, rtl)
#include "look.def"
    };
    for (size_t i = 0; i < sizeof OPERANDS / sizeof OPERANDS[0]; i++)
        if (has_operand(insn, OPERANDS[i].kind)) add_files(text, OPERANDS[i].files);
}

/* Half words have a decoder of their own, and so have the moves of section 4, which share a unit with arithmetic. */
static void find_decoder(const struct isa_insn *insn, const char *section, char text[LOOK_FILES]) {
    static const char *const DECODERS[UNITS] = {
#define RESULT(op, section, stages, rtl, model)
#define FIELD(name, stages, rtl)
#define OPERAND(kind, rtl)
#define DECODER(unit, rtl) [UNIT_##unit] = rtl,
#include "look.def"
    };
    const bool moves = section[0] == '4' && insn->unit == UNIT_ALU;
    add_files(text, insn->bytes == 4 ? "front/decode_half.vhd"
                    : moves          ? "front/decode_move.vhd"
                                     : DECODERS[insn->unit]);
    add_files(text, "front/decode_operands.vhd");
}

struct look look_for(const struct isa_insn *insn, const char *field) {
    static const struct look RESULTS[OP_COUNT] = {
#define RESULT(op, section, stages, rtl, model) [OP_##op] = {section, stages, rtl, model, "", ""},
#define FIELD(name, stages, rtl)
#define OPERAND(kind, rtl)
#define DECODER(unit, rtl)
#include "look.def"
    };
    static const struct {
        const char *name, *stages, *rtl;
    } FIELDS[] = {
#define RESULT(op, section, stages, rtl, model)
#define FIELD(name, stages, rtl) {#name, stages, rtl},
#define OPERAND(kind, rtl)
#define DECODER(unit, rtl)
#include "look.def"
    };
    struct look look = insn != NULL ? RESULTS[insn->op] : (struct look){0};
    for (size_t i = 0; i < sizeof FIELDS / sizeof FIELDS[0]; i++) {
        if (strcmp(FIELDS[i].name, field) != 0) continue;
        look.stages = FIELDS[i].stages;
        look.rtl = FIELDS[i].rtl;
        return look;
    }
    if (insn == NULL || look.section == NULL) return look;
    find_operands(insn, look.operands);
    find_decoder(insn, look.section, look.decode);
    return look;
}
