/* SPDX-License-Identifier: Apache-2.0 */
/* What a kind of engine is to engine.c: a row of its table. A kind has a struct of its own, with struct engine in
 * front. */
#ifndef WARPSTEP_ENGINE_API_H
#define WARPSTEP_ENGINE_API_H

#include <stdatomic.h>

#include "../cmodel/run/launch.h"
#include "../cmodel/run/trace.h"
#include "engine.h"

struct engine_api {
    const char *name;     /* "model": the text is that, or "model:REST" */
    uint64_t usual_limit; /* engine_options.limit where none is given */
    /* `rest` is "" where there is none. *engine has its properties then, and is closed by `close`. */
    enum status (*open)(const char *rest, const struct engine_options *options, struct engine **engine, struct diag *d);
    /* Inside of what is the host's, at least one byte. */
    enum status (*write)(struct engine *engine, uint32_t addr, const uint8_t *bytes, size_t size, struct diag *d);
    enum status (*read)(struct engine *engine, uint32_t addr, uint8_t *bytes, size_t size, struct diag *d);
    /* A launch that fits. The report is all 0 before, and its text is written to `text`. */
    enum status (*launch)(struct engine *engine, const struct launch *run, struct engine_report *report, FILE *text,
                          struct diag *d);
    void (*close)(struct engine *engine);
    uint8_t *(*memory)(struct engine *engine); /* global memory, to be copied from and to; NULL: by read and write */
};

extern const struct engine_api engine_model, engine_rtl, engine_ghdl, engine_board;

struct engine {
    const struct engine_api *api;
    struct engine_properties properties;
    struct engine_options options; /* its texts are the engine's, its limit is not 0 */
    atomic_bool stops;             /* engine_stop */
    unsigned launches;             /* so far; of the one that runs, its number */
    char *label;                   /* of files: "model", "rtl8" */
    char *trace_directory, *wave;  /* what options has */
};

/* DIRECTORY/ENGINE-0001-KERNEL.SUFFIX of the launch that runs, which the caller frees; NULL: memory is out. */
char *engine_file(const struct engine *engine, const char *directory, const struct image *image, const char *suffix);

/* The trace that the options ask for of the launch that runs; NULL: none. */
enum status engine_open_trace(const struct engine *engine, const struct image *image, struct trace **trace,
                              struct diag *d);

#endif
