/* SPDX-License-Identifier: Apache-2.0 */
/* Where to look if RTL and model differ (look.def): the rule, the stages of the pipeline, the files.
 *
 *     struct look look = look_for(OP_IADD, "dst");
 *     if (look.rtl != NULL) printf("rtl/%s, stages %s; rule %s\n", look.rtl, look.stages, look.section);
 */
#ifndef WARPSTEP_LOOK_H
#define WARPSTEP_LOOK_H

#include "../../assembler/isa/isa.h"

/* A member is NULL if unknown. */
struct look {
    const char *section; /* of docs/isa.md, "3.1" */
    const char *stages;  /* as docs/architecture.md names them */
    const char *rtl;     /* files, ", " between them */
    const char *model;   /* file of cmodel/core/ */
};

/* For a field of retire.def, in a record of this operation; op OP_COUNT: a word that is no instruction. */
struct look look_for(enum isa_op op, const char *field);

#endif
