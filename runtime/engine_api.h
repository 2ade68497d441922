/* SPDX-License-Identifier: Apache-2.0 */
/* Interface between engine.c and a kind of engine: a row of its table. Each kind has a struct that begins with
 * struct engine. */
#ifndef WARPSTEP_ENGINE_API_H
#define WARPSTEP_ENGINE_API_H

#include <stdatomic.h>

#include "../cmodel/run/launch.h"
#include "../cmodel/run/trace.h"
#include "engine.h"

struct engine_api {
    const char *name;     /* "model": the text is the name, or "model:REST" */
    uint64_t usual_limit; /* default of engine_options.limit */
    /* `rest` is "" if absent. Sets the properties of *engine, which `close` closes. */
    enum status (*open)(const char *rest, const struct engine_options *options, struct engine **engine, struct diag *d);
    /* Within the host's memory, at least one byte. */
    enum status (*write)(struct engine *engine, uint32_t addr, const uint8_t *bytes, size_t size, struct diag *d);
    enum status (*read)(struct engine *engine, uint32_t addr, uint8_t *bytes, size_t size, struct diag *d);
    /* Runs a launch that fits. The report is all 0 before; its text is written to `text`. */
    enum status (*launch)(struct engine *engine, const struct launch *run, struct engine_report *report, FILE *text,
                          struct diag *d);
    void (*close)(struct engine *engine);
    uint8_t *(*memory)(struct engine *engine); /* global memory, for direct copies; NULL to use read and write */
};

extern const struct engine_api engine_model, engine_rtl, engine_ghdl, engine_board;

struct engine {
    const struct engine_api *api;
    struct engine_properties properties;
    struct engine_options options; /* its texts belong to the engine, its limit is not 0 */
    atomic_bool stops;             /* set by engine_stop */
    unsigned launches;             /* number so far, including the current launch */
    char *label;                   /* for file names: "model", "rtl8" */
    char *trace_directory, *wave;  /* texts of the options */
};

/* Returns DIRECTORY/ENGINE-0001-KERNEL.SUFFIX for the current launch, which the caller frees; NULL if memory is
 * exhausted. */
char *engine_file(const struct engine *engine, const char *directory, const struct image *image, const char *suffix);

/* Opens the trace of the current launch if the options ask for one; else *trace is NULL. */
enum status engine_open_trace(const struct engine *engine, const struct image *image, struct trace **trace,
                              struct diag *d);

#endif
