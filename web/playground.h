/* SPDX-License-Identifier: Apache-2.0 */
/* The interface of the page: assembles a kernel file, launches it on the model, runs it under the debugger's commands
 * (docs/debug.md), and shows its state. Compiled to WebAssembly for the page, and for the host for its test.
 *
 *     struct playground *p = playground_create();
 *     puts(playground_load(p, "kernel.sass", text));
 *     puts(playground_command(p, "break :12"));
 *     puts(playground_command(p, "continue"));                  // "goes_on": true
 *     while (...) puts(playground_run(p, 100000));              // until it does not
 *     playground_destroy(p);
 *
 * An answer is JSON, valid until the next call; "null" if out of memory. */
#ifndef WARPSTEP_PLAYGROUND_H
#define WARPSTEP_PLAYGROUND_H

struct playground;

struct playground *playground_create(void); /* NULL if out of memory */
void playground_destroy(struct playground *p);

/* Takes another kernel. `path` is its name in messages; files that it names are beside it. {"ok", "messages": as
 * warp-as prints them, "name", "code": [{"pc", "text", "file", "line"}],
 *  "memories": [{"name": "global", "bytes"}]}; if not ok, the first two alone. */
const char *playground_load(struct playground *p, const char *path, const char *text);

/* One of the debugger's commands, and up to `limit` instructions after one that resumes the run. Both answer {"said":
 * output of the debugger, "goes_on", "ended": "", "pass", "failed", "trap" or "hang", "instructions",
 *  "expect": [{"addr", "bytes", "wrong"}], once it has ended,
 *  "warps": [{"sm", "slot", "block", "warp", "state", "pc", "active", "alive"}],
 *  "warp": this warp (null: none is there) {"sm", "slot", "pc", "active", "alive",
 *      "registers": {"R0": 32 numbers, ..., "A1", ..., "C0", ...}, "stack": [{"token", "mask", "pc"}]}}
 * with the bottom of the stack first. */
const char *playground_command(struct playground *p, const char *line);
const char *playground_run(struct playground *p, unsigned limit);

/* {"hex"}: bytes of "global", "shared" (of this warp's block), "local" (of the lane) or "const" (the bank), as many as
 * exist. */
const char *playground_memory(struct playground *p, const char *memory, unsigned lane_or_bank, unsigned addr,
                              unsigned bytes);

/* {"svg", "records"}: the run so far as warp-view draws it, up to a number of records. */
const char *playground_picture(struct playground *p);

#endif
