/* SPDX-License-Identifier: Apache-2.0 */
/* A simulation without RTL: a second C model behind sim_api, with faults planted on demand. It shows that the checker
 * can fail. sim_options.seed carries the fault: `FAKE_LANE` plants it in the first record that can show it, `FAKE_LANE
 * | n << 8` in the first such record from number n on. */
#ifndef WARPSTEP_FAKE_SIM_H
#define WARPSTEP_FAKE_SIM_H

#include "../port/sim.h"

enum fake_fault {
    FAKE_NONE,
    FAKE_LANE,       /* one bit of one lane of a register result */
    FAKE_LOAD,       /* one bit of one lane of a loaded value */
    FAKE_FLAG,       /* one flag of one lane */
    FAKE_MASK,       /* a lane executes that must not */
    FAKE_WRITE_MASK, /* a lane is not written */
    FAKE_NEXT_PC,
    FAKE_NEXT_ACTIVE,
    FAKE_DEPTH,
    FAKE_STATE,
    FAKE_ADDRESS,
    FAKE_DATA, /* the data of a store */
    FAKE_SHARED_DATA,
    FAKE_WORD1, /* one lane of word 1, 2, 3 of a wide load, */
    FAKE_WORD2,
    FAKE_WORD3,
    FAKE_DATA1, /* store data */
    FAKE_DATA3,
    FAKE_BEYOND,      /* no fault: words beyond a wide access */
    FAKE_RECORD_TRAP, /* a record reports a trap */
    FAKE_MISSING,     /* a record is missing */
    FAKE_REPEATED,    /* a record is repeated */
    FAKE_OUTSIDE,     /* a block outside the grid */
    FAKE_SLOT,        /* a warp changes its slot */
    FAKE_EARLY,       /* done before the end */
    FAKE_EMPTY,       /* done at once */
    FAKE_SILENT,      /* nothing more */
    FAKE_NEVER_DONE,  /* all retired, but never done */
    FAKE_LATE,        /* a record after done */
    FAKE_FAILED,      /* an assertion */
    FAKE_UNLOADED,    /* nothing can be loaded */
    FAKE_GLOBAL,      /* one byte of global memory at the end */
    FAKE_GLOBAL_LAST, /* the very last byte of it */
    FAKE_CODE,
    FAKE_CONST,
    FAKE_UNREADABLE, /* memory cannot be read */
    FAKE_WARP_COUNT, /* counters */
    FAKE_THREAD_COUNT,
    FAKE_CAUSE_SUM,   /* a cycle without a cause */
    FAKE_CAUSE_SM,    /* a cycle counted on another SM */
    FAKE_CAUSE_SM1,   /* a cycle too many on SM 1 */
    FAKE_CAUSE_ISSUE, /* a cycle too many issued, one too few for a cause */
    FAKE_CAUSE_WAIT,  /* a cycle too few on SM 0 */
    FAKE_TRAP_STATUS, /* done, but the status register reports a trap */
    FAKE_TRAP_CODE,   /* trapped, with another code in the status register */
    FAKE_TRAP_PC,
    FAKE_TRAP_SM,
    FAKE_TRAP_SLOT,
    FAKE_TRAP_AS_DONE,  /* trapped, but the status register reports done */
    FAKE_PARTIAL_STORE, /* no fault: a trapping store that has written some of its lanes */
    FAKE_TRAP_COUNTED,  /* no fault: the counters include the trapping instruction */
    FAKE_TRAP_HALF,     /* no fault: one of the counters includes it */
    FAKE_STRAY_STORE,   /* a trapping store that has written elsewhere */
    FAKE_ASTRAY,        /* a byte of global memory, FAKE_ASTRAY_AT, at the end of a launch that keeps memory; once */
    FAKE_ORDER,         /* no fault: two warps of one block run in another order than the model's own */
    FAKE_FAULTS
};

enum { FAKE_ASTRAY_AT = 0x5123 };

const struct sim_api *fake_sim_api(void);
const struct sim_api *fake_telling_api(void); /* the same, with the pages of its stores */

#endif
