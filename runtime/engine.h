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

/* All 0: records nothing. Default limit: 2^31 warp instructions of the model, some minutes; 2^28 cycles of the RTL,
 * half an hour or more; 2^33 cycles of a board, some minutes. */
struct engine_options {
    /* Directory for a trace of each launch, DIRECTORY/ENGINE-0001-KERNEL.txt; or NULL. Not for boards. */
    const char *trace_directory;
    /* RTL only: directory for waves of each launch, named likewise, or a file for all launches; or NULL */
    const char *wave;
    bool races; /* detects races in every launch, and reports them in its text */
    /* maximum warp instructions (model) or cycles of a launch, which then counts as hung; 0 for the default */
    uint64_t limit;
};

/* Reads WARPSTEP_TRACE, WARPSTEP_WAVE, WARPSTEP_RACES=1 and WARPSTEP_LIMIT. The texts belong to the environment. */
void engine_options_from_environment(struct engine_options *options);

struct engine_properties {
    char name[96];          /* for people: "Warpstep RTL, 1 SM of 8 cores, verilator, lockstep" */
    struct machine machine; /* sizes: shared_bytes of an SM, const_bytes, registers, has_atomics, ... */
    unsigned cores;         /* threads that an SM executes in a cycle */
    uint64_t clock_hz;      /* frequency of the cycles in reports; ENGINE_CLOCK_HZ, by convention, for model and RTL */
    bool lockstep;          /* runs in lockstep with the model */
    uint32_t host_bytes;    /* global memory of the host, from byte 0; local memory lies behind it */
    char larger[512];       /* why a build with larger memory is not used, and the goal that makes it; or "" */
};

enum { ENGINE_CLOCK_HZ = 100000000 };

/* Opens an engine. STATUS_BAD_INPUT: an error in the text, or simulation or board not found; STATUS_NO_MEMORY.
 * *engine is then NULL. */
enum status engine_open(const char *text, const struct engine_options *options, struct engine **engine, struct diag *d);
void engine_close(struct engine *engine); /* ignores NULL */

/* Valid until the engine is closed. */
const struct engine_properties *engine_get_properties(const struct engine *engine);

/* Access to global memory by byte address. STATUS_BAD_INPUT: not all of it is below host_bytes, or the board or
 * simulation is lost. engine_read: STATUS_DIFFERS if RTL and model differ there in lockstep; `bytes` are the RTL's.
 * engine_copy: ranges may overlap. engine_fill: `size` bytes, a multiple of `pattern_size`, which is 1 to
 * ENGINE_PATTERN_MAX. */
enum { ENGINE_PATTERN_MAX = 128 };
enum status engine_write(struct engine *engine, uint32_t addr, const void *bytes, size_t size, struct diag *d);
enum status engine_read(struct engine *engine, uint32_t addr, void *bytes, size_t size, struct diag *d);
enum status engine_copy(struct engine *engine, uint32_t to, uint32_t from, size_t size, struct diag *d);
enum status engine_fill(struct engine *engine, uint32_t addr, const void *pattern, size_t pattern_size, size_t size,
                        struct diag *d);

enum engine_outcome {
    ENGINE_DONE,
    ENGINE_TRAPPED,
    ENGINE_HUNG,     /* no warp makes progress, or the limit was reached */
    ENGINE_MISMATCH, /* RTL and model differ in lockstep; both continue with the model's memory */
    ENGINE_STOPPED,  /* set by engine_stop */
    ENGINE_LOST,     /* the board or the simulation is lost: the engine can only be closed */
};

struct engine_report {
    enum engine_outcome outcome;
    uint64_t cycles; /* model: warp instructions, one a cycle */
    uint64_t warp_instructions, thread_instructions;
    char *text; /* lines for the user, or NULL; allocated, freed by engine_report_release */
};

/* Runs the image's kernel to its end. Uses the image's code, constants, parameters, grid, block, registers, shared
 * and local bytes, and lines; ignores its pieces of global memory. Missing values are set as by launch_check of
 * cmodel/run/launch.h, which may be called again; nothing else changes. Stores of the kernel stay, whatever the
 * outcome. STATUS_BAD_INPUT: the launch does not fit the machine and has not begun; STATUS_NO_MEMORY likewise.
 * *report is then all 0. */
enum status engine_launch(struct engine *engine, struct image *image, struct engine_report *report, struct diag *d);
void engine_report_release(struct engine_report *report);
const char *engine_outcome_name(enum engine_outcome outcome); /* "done", "trap", "hang", "mismatch", ... */

/* Stops the current launch, or the next one if none is running, with ENGINE_STOPPED. May be called from any thread. */
void engine_stop(struct engine *engine);

C_LINKAGE_END

#endif
