/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of warp-run for tests of the tool. Their files are in the scratch directory, $D in the arguments; the output of
 * the last run is in its files "out" and "err". */
#ifndef WARPSTEP_TEST_RUNNER_H
#define WARPSTEP_TEST_RUNNER_H

#define RUNNER_TOOL "build/bin/warp-run"

/* A kernel that stores thread id + 1 in word [thread id] of global memory at the first parameter. */
#define RUNNER_STORE                                   \
    ".kernel store\n.block 32\n.reg 4\n.param 0x100\n" \
    "        I2I.U32.U16 R1, R0L\n"                    \
    "        SHL R2, R1, 0x2\n"                        \
    "        IADD R2, g [0x4], R2\n"                   \
    "        IADD32I R3, R1, 0x1\n"                    \
    "        GST.U32 global14 [R2], R3\n"              \
    "        RET\n"

/* Returns the exit code. */
int runner_run(const char *arguments);

/* The same with standard output on a full device. */
int runner_run_full(const char *arguments);

/* Runs, and fails the test unless the exit code is `code` and the file contains the text. */
void runner_check(const char *arguments, int code, const char *file, const char *text);

#endif
