/* SPDX-License-Identifier: Apache-2.0 */
#include "wave_view.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../assembler/base/outfile.h"
#include "../../cmodel/run/trace.h"

enum {
    PATH_BYTES = 256,
    LANES_SHOWN = 4,
    LOADS_SHOWN = 8, /* no machine has fewer */
    SLOT_BITS = 5,
    ROW_BITS = 2,
    PC_BITS = 24,
    WARPS = 32,
    /* flags of a trace in GTKWave */
    SHOW_HEX = 0x22,
    SHOW_DECIMAL = 0x24,
    SHOW_BIT = 0x28,
    SHOW_TEXT = 0x2022,
    SHOW_REMARK = 0x200,
};

/* A file format: the path of the machine in it, and its unit of time. */
struct kind {
    const char *sim, *suffix, *root;
    uint64_t cycle, second; /* in the file's unit of time */
    double zoom;            /* 2 to this power: units a pixel of GTKWave, so that a screen has some 60 cycles */
    bool bits;              /* GTKWave names each bit of a vector, and [N] for the copy of a `generate` */
};
static const struct kind KINDS[] = {
    {"verilator", ".fst", "gpu_flat.gpu_clocked.gpu_flat.u_gpu", 10000,    1000000000000,    9,  false},
    {"ghdl",      ".ghw", "top.gpu_tb.u_all.u_gpu",              10000000, 1000000000000000, 19, true },
};

static const struct kind *kind_of(const struct wave_view *v) {
    const char *suffix = strrchr(v->path, '.');
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++)
        if (suffix != NULL && strcmp(KINDS[i].sim, v->sim) == 0 && strcmp(KINDS[i].suffix, suffix) == 0)
            return &KINDS[i];
    return NULL;
}

bool wave_view_knows(const struct wave_view *v) { return kind_of(v) != NULL; }

const char *wave_view_path(const char *wave, const char *suffix, char text[WAVE_VIEW_PATH]) {
    const char *end = strrchr(wave, '.');
    const size_t length = end != NULL ? (size_t)(end - wave) : strlen(wave);
    snprintf(text, WAVE_VIEW_PATH, "%.*s%s", (int)length, wave, suffix);
    return text;
}

/* A viewer's file under construction. */
struct view {
    const struct wave_view *of;
    const struct kind *kind;
    const char *path, *texts; /* of the waves and of the pc texts, from the root */
    FILE *out;
    void (*signal)(const struct view *w, const char *label, const char *path, unsigned bits, unsigned show);
    void (*divide)(const struct view *w, const char *title);
};

static uint64_t time_of(const struct view *w, uint64_t cycle) {
    return cycle * w->kind->cycle + (w->of->second ? w->kind->second : 0);
}

/* ------------------------------------------------------------------------------------------------------------- all */

static void show_number(const struct view *w, const char *label, const char *path, unsigned bits) {
    w->signal(w, label, path, bits, bits == 1 ? SHOW_BIT : SHOW_HEX);
}

static void show_stage(const struct view *w, const char *name, const char *const paths[4]) {
    char label[32];
    snprintf(label, sizeof label, "%s valid", name);
    w->signal(w, label, paths[0], 1, SHOW_BIT);
    snprintf(label, sizeof label, "%s warp", name);
    w->signal(w, label, paths[1], SLOT_BITS, SHOW_DECIMAL);
    snprintf(label, sizeof label, "%s row", name);
    if (paths[2] != NULL) w->signal(w, label, paths[2], ROW_BITS, SHOW_DECIMAL);
    if (paths[3] == NULL) return;
    snprintf(label, sizeof label, "%s pc", name);
    w->signal(w, label, paths[3], PC_BITS, SHOW_HEX);
    snprintf(label, sizeof label, "%s", name);
    w->signal(w, label, paths[3], PC_BITS, SHOW_TEXT);
}

static void show_lane(const struct view *w, unsigned lane) {
    char title[64], path[PATH_BYTES];
    const unsigned core = lane % w->of->cores;
    snprintf(title, sizeof title, "lane %u: row %u of processor %u", lane, lane / w->of->cores, core);
    w->divide(w, title);
#define LANE(label, format, bits)              \
    snprintf(path, sizeof path, format, core); \
    show_number(w, label, path, bits);
#include "wave_view.def"
}

static void show_load(const struct view *w, unsigned load) {
    char label[32], path[PATH_BYTES];
#define LOAD(name, format, bits)                             \
    snprintf(label, sizeof label, "load %u %s", load, name); \
    snprintf(path, sizeof path, format, load);               \
    show_number(w, label, path, bits);
#include "wave_view.def"
}

static void show_all(const struct view *w) {
    char title[64];
    snprintf(title, sizeof title, "SM %u, stages in their order", w->of->sm);
    w->divide(w, title);
#define STAGE(name, valid, warp, row, pc) show_stage(w, name, (const char *const[]){valid, warp, row, pc});
#include "wave_view.def"
    unsigned shown = 0;
    for (unsigned lane = 0; lane < WARPS; lane++)
        if ((w->of->lanes >> lane & 1) != 0 && shown++ < LANES_SHOWN) show_lane(w, lane);
    snprintf(title, sizeof title, "all warps, a bit each; this one is %u", w->of->slot);
    w->divide(w, title);
#define WARP(label, path) w->signal(w, label, path, WARPS, SHOW_HEX);
#include "wave_view.def"
    w->divide(w, "loads under way");
    for (unsigned load = 0; load < LOADS_SHOWN; load++) show_load(w, load);
}

/* --------------------------------------------------------------------------------------------------------- GTKWave */

/* GTKWave's name for a path: below the SM, where a GHW has brackets everywhere. */
static void print_name(const struct view *w, const char *path) {
    const bool bits = w->kind->bits;
    fprintf(w->out, bits ? "%s.multiprocessor[%u].u_sm." : "%s.multiprocessor(%u).u_sm.", w->kind->root, w->of->sm);
    for (const char *c = path; *c != 0; c++) fputc(!bits ? *c : *c == '(' ? '[' : *c == ')' ? ']' : *c, w->out);
}

static void print_gtkwave(const struct view *w, const char *label, const char *path, unsigned bits, unsigned show) {
    fprintf(w->out, "@%x\n", show);
    if (show == SHOW_TEXT) fprintf(w->out, "^1 %s\n", w->texts);
    if (!w->kind->bits || bits == 1) {
        fprintf(w->out, "+{%s} ", label);
        print_name(w, path);
        if (bits > 1) fprintf(w->out, "[%u:0]", bits - 1);
    } else {
        fprintf(w->out, "#{%s}", label);
        for (unsigned bit = bits; bit-- > 0;) {
            fputc(' ', w->out);
            print_name(w, path);
            fprintf(w->out, "[%u]", bit);
        }
    }
    fputc('\n', w->out);
}

static void divide_gtkwave(const struct view *w, const char *title) {
    fprintf(w->out, "@%x\n-%s\n", SHOW_REMARK, title);
}

static void write_gtkwave(struct view *w) {
    const uint64_t from = w->of->cycle > 40 ? w->of->cycle - 40 : 0;
    w->signal = print_gtkwave;
    w->divide = divide_gtkwave;
    fprintf(w->out, "[dumpfile] \"%s\"\n[timestart] %" PRIu64 "\n", w->path, time_of(w, from));
    fprintf(w->out, "*%f %" PRIu64 "\n", -w->kind->zoom, time_of(w, w->of->cycle));
    show_all(w);
}

/* The text of each instruction, by its pc in GTKWave's form. */
static void write_texts(struct view *w) {
    const struct image *image = w->of->image;
    char text[TRACE_TEXT_MAX];
    for (size_t i = 0; i < image->code_words;) {
        const uint32_t lo = image->code[i];
        const bool is_long = isa_is_long(lo) && i + 1 < image->code_words;
        const uint32_t pc = 4 * (uint32_t)i;
        fprintf(w->out, "%06" PRIX32 " %s\n", pc, trace_instruction(pc, lo, is_long ? image->code[i + 1] : 0, text));
        i += is_long ? 2 : 1;
    }
}

/* ---------------------------------------------------------------------------------------------------------- Surfer */

static void print_surfer(const struct view *w, const char *label, const char *path, unsigned bits, unsigned show) {
    (void)label;
    (void)bits;
    if (show != SHOW_TEXT)
        fprintf(w->out, "variable_add %s.multiprocessor(%u).u_sm.%s\n", w->kind->root, w->of->sm, path);
}

static void divide_surfer(const struct view *w, const char *title) { fprintf(w->out, "divider_add %s\n", title); }

static void write_surfer(struct view *w) {
    w->signal = print_surfer;
    w->divide = divide_surfer;
    show_all(w);
    fprintf(w->out, "cursor_set %" PRIu64 "\ngoto_cursor\n", time_of(w, w->of->cycle));
}

/* ----------------------------------------------------------------------------------------------------------- files */

static enum status write_file(struct view w, const char *suffix, void (*write)(struct view *), struct diag *d) {
    char path[WAVE_VIEW_PATH];
    struct outfile f;
    const enum status status = outfile_open(&f, wave_view_path(w.of->path, suffix, path), d);
    if (status != STATUS_OK) return status;
    w.out = f.stream;
    write(&w);
    return outfile_close(&f, true, d);
}

enum status wave_view_write(const struct wave_view *v, struct diag *d) {
    char texts[WAVE_VIEW_PATH], absolute[PATH_MAX];
    struct view w = {.of = v, .kind = kind_of(v), .texts = texts};
    if (w.kind == NULL) return diag_set(d, STATUS_BAD_INPUT, v->path, 0, 0, "waves of this format have no records");
    w.path = realpath(v->path, absolute) != NULL ? absolute : v->path;
    wave_view_path(w.path, ".pc.txt", texts);
    enum status status = write_file(w, ".pc.txt", write_texts, d);
    if (status == STATUS_OK) status = write_file(w, ".gtkw", write_gtkwave, d);
    if (status == STATUS_OK) status = write_file(w, ".sucl", write_surfer, d);
    return status;
}
