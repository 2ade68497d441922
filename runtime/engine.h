/* SPDX-License-Identifier: Apache-2.0 */
/* Engines: what kernels run on, by a text that names it. Global memory is zero when an engine is opened and lasts until
 * it is closed: launches and the host change it, nothing clears it.
 *
 *     model, model:BYTES       the C model; with so many bytes of global memory (64M, 1G)
 *     rtl:8, rtl:16, rtl:32    the RTL in Verilator with so many cores an SM, in lockstep with the model
 *     rtl:8-S2-G1048576-B8     that build of it, build/sim/libsim-verilator-C8-S2-G1048576-B8.so
 *     ghdl:8                   the RTL in GHDL, in lockstep
 *     board:/dev/ttyUSB0       a board at a serial port
 *     board:tcp:HOST:PORT      a board at a socket, or the simulated one (board:udp:HOST:PORT, too)
 *
 *     struct engine *e = NULL; struct diag d = {0}; struct engine_options options; struct engine_report report;
 *     engine_options_from_environment(&options);
 *     if (engine_open("model", &options, &e, &d) != STATUS_OK) return diag_report(stderr, &d);
 *     engine_write(e, 0x1000, bytes, size, &d);
 *     if (engine_launch(e, image, &report, &d) != STATUS_OK) return diag_report(stderr, &d);
 *     if (report.outcome != ENGINE_DONE) fputs(report.text, stderr);
 *     engine_report_release(&report);
 *     engine_read(e, 0x1000, bytes, size, &d);
 *     engine_close(e);
 *
 * Several engines may be used at once, each by one thread at a time; only engine_stop may be called beside. Nothing is
 * printed here. Where a function fails, *d has the status that it returns, and why. */
#ifndef WARPSTEP_ENGINE_H
#define WARPSTEP_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../assembler/base/diag.h"
#include "../assembler/base/linkage.h"
#include "../assembler/image/image.h"
#include "../cmodel/machine.h"

C_LINKAGE_BEGIN

struct engine;

/* All 0: nothing is recorded. The usual limit: 2^31 warp instructions of the model, minutes; 2^28 cycles of the RTL,
 * half an hour or more; 2^33 cycles of a board, minutes. */
struct engine_options {
    /* Not of boards: a trace of records for each launch, DIRECTORY/ENGINE-0001-KERNEL.txt; or NULL. */
    const char *trace_directory;
    const char *wave; /* of RTL: a directory, for waves of each launch likewise, or a file for all of them; or NULL */
    bool races;       /* look for races in every launch; they are in its text */
    uint64_t limit;   /* most warp instructions (model) or cycles of a launch, which has hung then; 0: the usual one */
};

/* WARPSTEP_TRACE, WARPSTEP_WAVE, WARPSTEP_RACES=1 and WARPSTEP_LIMIT. The texts are the environment's. */
void engine_options_from_environment(struct engine_options *options);

struct engine_properties {
    char name[96];          /* for people: "Warpstep RTL, 1 SM of 8 cores, verilator, lockstep" */
    struct machine machine; /* sizes: shared_bytes of an SM, const_bytes, registers, has_atomics, ... */
    unsigned cores;         /* of an SM: threads that execute in a cycle */
    uint64_t clock_hz;      /* of the cycles in reports; of model and RTL ENGINE_CLOCK_HZ, which is a convention */
    bool lockstep;          /* the model follows, and every difference is found */
    uint32_t host_bytes;    /* of global memory, from byte 0: the host's. What is behind holds local memory */
    char larger[512];       /* why it is not the same machine with larger memory, and which goal makes that; or "" */
};

enum { ENGINE_CLOCK_HZ = 100000000 };

/* STATUS_BAD_INPUT: the text, or a simulation or board that is not there; STATUS_NO_MEMORY. *engine is NULL then. */
enum status engine_open(const char *text, const struct engine_options *options, struct engine **engine, struct diag *d);
void engine_close(struct engine *engine); /* NULL is nothing */

/* Valid until the engine is closed. */
const struct engine_properties *engine_get_properties(const struct engine *engine);

/* Global memory, by byte address. STATUS_BAD_INPUT: it is not all below host_bytes, or board or simulation are gone.
 * engine_read: STATUS_DIFFERS where lockstep finds that the RTL holds something else there than the model; `bytes` are
 * the RTL's. engine_copy: the two places may overlap. engine_fill: `size` bytes, a multiple of `pattern_size`, which is
 * 1 to ENGINE_PATTERN_MOST. */
enum { ENGINE_PATTERN_MOST = 128 };
enum status engine_write(struct engine *engine, uint32_t addr, const void *bytes, size_t size, struct diag *d);
enum status engine_read(struct engine *engine, uint32_t addr, void *bytes, size_t size, struct diag *d);
enum status engine_copy(struct engine *engine, uint32_t to, uint32_t from, size_t size, struct diag *d);
enum status engine_fill(struct engine *engine, uint32_t addr, const void *pattern, size_t pattern_size, size_t size,
                        struct diag *d);

enum engine_outcome {
    ENGINE_DONE,
    ENGINE_TRAPPED,
    ENGINE_HUNG,     /* no warp gets on, or the limit was reached */
    ENGINE_MISMATCH, /* lockstep: RTL and model differ; the engine goes on with the model's memory in both */
    ENGINE_STOPPED,  /* engine_stop */
    ENGINE_LOST,     /* the board or the simulation is gone: the engine can only be closed */
};

struct engine_report {
    enum engine_outcome outcome;
    uint64_t cycles; /* of the model: its warp instructions, one a cycle */
    uint64_t warp_instructions, thread_instructions;
    char *text; /* what to show a person, lines; NULL: nothing. By malloc; engine_report_release frees it */
};

/* Runs the image's kernel to its end. Of the image: code, constants, parameters, grid, block, registers, shared and
 * local bytes, lines; its pieces of global memory are not looked at. What is not given is set as launch_check of
 * cmodel/run/launch.h does, which may be called again; nothing else changes. Whatever the outcome, what the kernel has
 * stored stays. STATUS_BAD_INPUT: the launch does not fit the machine, and has not begun; STATUS_NO_MEMORY likewise.
 * *report is all 0 then. */
enum status engine_launch(struct engine *engine, struct image *image, struct engine_report *report, struct diag *d);
void engine_report_release(struct engine_report *report);
const char *engine_outcome_name(enum engine_outcome outcome); /* "done", "trap", "hang", "mismatch", ... */

/* From any thread: the launch that is running ends soon, with ENGINE_STOPPED; where none is, the next one does at once.
 */
void engine_stop(struct engine *engine);

C_LINKAGE_END

#endif
