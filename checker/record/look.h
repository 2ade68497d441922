/* SPDX-License-Identifier: Apache-2.0 */
/* Where to look if RTL and model differ (look.def): the rule, the stages of the pipeline, the files.
 *
 *     struct look look = look_for(&insn, "dst");
 *     if (look.rtl != NULL) printf("rtl/%s, stages %s; rule %s\n", look.rtl, look.stages, look.section);
 */
#ifndef WARPSTEP_LOOK_H
#define WARPSTEP_LOOK_H

#include "../../assembler/isa/isa.h"
#include "../../cmodel/retire.h"

enum { LOOK_FILES = 200 };

/* A pointer is NULL, a text empty if unknown. Of several files, ", " stands between two. */
struct look {
    const char *section; /* of docs/isa.md, "3.1" */
    const char *stages;  /* as docs/architecture.md names them */
    const char *rtl;     /* files that make the value */
    const char *model;   /* file of cmodel/core/ */
    bool is_result;      /* the operation decides the value */
    /* operands: of a result, files that bring the operands of this instruction. decode: of a result, or of a value that
     * decode decides, files that decode the instruction. */
    char operands[LOOK_FILES], decode[LOOK_FILES];
    const char *past;   /* of a result: files that let the instruction wait for its registers */
    const char *writer; /* of a result: files that write it */
};

/* For a field of retire.def, in a record of this instruction; NULL: a word that is none. */
struct look look_for(const struct isa_insn *insn, const char *field);

/* A load's value is wrong in these bits, all those beyond a cell of one or two bytes: it has been extended by the wrong
 * sign, or as if it had one. */
bool look_is_extension(const struct isa_insn *insn, uint32_t bits);

/* For a trap that only one side raises. */
struct look look_for_trap(const struct isa_insn *insn, enum trap trap);

#endif
