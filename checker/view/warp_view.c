/* SPDX-License-Identifier: Apache-2.0 */
/* warp-view: shows a trace as a picture, or converts it for another viewer. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../assembler/base/options.h"
#include "../../assembler/base/outfile.h"
#include "../../assembler/base/stop.h"
#include "../../cmodel/run/argument.h"
#include "../../cmodel/run/trace.h"
#include "../record/trace_read.h"
#include "picture.h"

static const char USAGE[] =
    "usage: warp-view TRACE -o FILE [options]\n"
    "Draws a trace (.txt, as --trace of warp-run and warp-lockstep writes it; -: standard input). Each warp slot of "
    "each\n"
    "SM has a row, cycles go to the right; the colour is the cause of a stall, the height the number of active lanes. "
    "For\n"
    "a kernel in C, also lists the source lines that take most of the time.\n"
    "\n"
    "  -o FILE            .svg: the picture; .json, .kanata: the whole trace, for Perfetto or Konata\n"
    "  --from CYCLE       first cycle, default the first of the trace\n"
    "  --to CYCLE         last cycle, default the last of the trace\n"
    "  --title TEXT       title above the picture, default the name of the trace\n"
    "  --help, --version\n";

struct view {
    const char *path, *output, *from, *to, *title;
};

static const char *suffix_of(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot != NULL ? dot : "";
}

/* The destination of records: a picture, or a trace of another form. */
struct sink {
    struct picture *picture;
    struct trace *trace;
};

static enum status take_record(const struct sink *sink, const char *path, const struct retire *r, struct diag *d) {
    if (sink->trace != NULL) {
        trace_record(sink->trace, r, NULL);
        return STATUS_OK;
    }
    if (r->sm >= PICTURE_SMS || r->slot >= PICTURE_SLOTS)
        return diag_set(d, STATUS_BAD_INPUT, path, 0, 0,
                        "sm%" PRIu64 " slot%" PRIu32 ": a picture has %d SMs of %d slots", r->sm, r->slot, PICTURE_SMS,
                        PICTURE_SLOTS);
    return picture_add(sink->picture, r) ? STATUS_OK : diag_set(d, STATUS_NO_MEMORY, path, 0, 0, "out of memory");
}

/* A truncated trace gives a truncated one; a picture shows the available part. The reason follows a colon. */
static void tell_cut(const char *path, const char *cut, struct trace *trace) {
    const char *why = strrchr(cut, ':');
    if (cut[0] == '\0') return;
    fprintf(stderr, "%s: warning: the trace was cut %s\n", path, cut);
    trace_cut(trace, why != NULL ? why + 2 : cut);
}

static enum status read_records(const char *path, struct trace_reader *reader, const struct sink *sink,
                                struct diag *d) {
    struct retire record;
    bool more = true;
    uint64_t cycle = 0;
    enum status status = STATUS_OK;
    while (status == STATUS_OK && more) {
        memset(&record, 0, sizeof record);
        status = trace_reader_next(reader, &record, &more, d);
        if (status == STATUS_OK && !more) tell_cut(path, trace_reader_cut(reader), sink->trace);
        if (status != STATUS_OK || !more) break;
        if (record.cycle < cycle)
            status = diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "cycle %" PRIu64 " follows cycle %" PRIu64, record.cycle,
                              cycle);
        else
            status = take_record(sink, path, &record, d);
        cycle = record.cycle;
    }
    return status;
}

static enum status convert(const struct view *v, struct diag *d) {
    struct sink sink = {.trace = NULL};
    struct diag later = {0};
    struct trace_reader *reader = NULL;
    enum status status = trace_reader_open(v->path, &reader, d);
    if (status == STATUS_OK) status = trace_open(v->output, trace_reader_source(reader), &sink.trace, d);
    if (status == STATUS_OK) status = read_records(v->path, reader, &sink, d);
    const enum status closed = trace_close(sink.trace, status == STATUS_OK, &later);
    trace_reader_close(reader);
    if (status == STATUS_OK && closed != STATUS_OK) *d = later;
    return status == STATUS_OK ? closed : status;
}

static void print_totals(const struct view *v, const struct picture_totals *t) {
    printf("%s: %" PRIu64 " warp instruction%s, cycles %" PRIu64 " to %" PRIu64
           ", %.1f of %d lanes active; of the warps' time",
           v->path, t->records, t->records == 1 ? "" : "s", t->from, t->to, t->lanes, WARP_LANES);
    for (unsigned w = 0; w < TIMELINE_WAITS; w++)
        printf("%s %s %.1f %%", w > 0 ? "," : "", timeline_wait_name((enum timeline_wait)w), 100 * t->share[w]);
    putchar('\n');
}

/* The range between --from and --to is not empty, or the whole trace is. */
static enum status check_range(const struct view *v, const struct picture *p, const struct picture_options *options,
                               struct diag *d) {
    const struct picture_options whole = {.from = 0};
    const struct picture_totals all = picture_measure(p, &whole);
    if (all.records == 0 || options->from < all.to) return STATUS_OK;
    return diag_set(d, STATUS_BAD_INPUT, v->path, 0, 0,
                    "--from %" PRIu64 ": the trace has cycles %" PRIu64 " to %" PRIu64, options->from, all.from,
                    all.to);
}

static enum status draw(const struct view *v, struct picture_options *options, struct diag *d) {
    struct sink sink = {.picture = picture_create()};
    struct outfile file;
    struct trace_reader *reader = NULL;
    enum status status = sink.picture == NULL ? diag_set(d, STATUS_NO_MEMORY, v->path, 0, 0, "out of memory")
                                              : trace_reader_open(v->path, &reader, d);
    if (status == STATUS_OK) status = read_records(v->path, reader, &sink, d);
    if (status == STATUS_OK) options->source = trace_reader_source(reader);
    if (status == STATUS_OK) status = check_range(v, sink.picture, options, d);
    if (status == STATUS_OK) status = outfile_open(&file, v->output, d);
    if (status == STATUS_OK) {
        const bool whole = picture_draw(sink.picture, options, file.stream);
        status = outfile_close(&file, whole, d);
        if (status == STATUS_OK && !whole) status = diag_set(d, STATUS_NO_MEMORY, v->output, 0, 0, "out of memory");
    }
    if (status == STATUS_OK) {
        const struct picture_totals totals = picture_measure(sink.picture, options);
        print_totals(v, &totals);
    }
    trace_reader_close(reader);
    picture_destroy(sink.picture);
    return status;
}

int main(int argc, char **argv) {
    struct view v = {NULL};
    struct picture_options options = {.from = 0};
    const struct options_value values[] = {
        {"-o",      &v.output},
        {"--from",  &v.from  },
        {"--to",    &v.to    },
        {"--title", &v.title },
        {NULL,      NULL     }
    };
    const struct options_flag flags[] = {
        {NULL, NULL}
    };
    const struct options_tool tool = {"warp-view", USAGE, values, flags, NULL, NULL};
    struct diag d = {0};
    stop_install();
    const int code = options_parse(&tool, argc, argv, &v.path);
    if (code >= 0) return code;
    if (v.path == NULL || v.output == NULL) return options_error(&tool, "a trace and -o FILE are needed", NULL);
    if (v.from != NULL && !argument_number(v.from, UINT64_MAX, &options.from, NULL))
        return options_error(&tool, "--from is a cycle, not", v.from);
    if (v.to != NULL && (!argument_number(v.to, UINT64_MAX, &options.to, NULL) || options.to <= options.from))
        return options_error(&tool, "--to is a cycle behind --from, not", v.to);
    options.title = v.title != NULL ? v.title : v.path;
    enum status status;
    if (strcmp(suffix_of(v.output), ".svg") == 0)
        status = draw(&v, &options, &d);
    else if (strcmp(suffix_of(v.output), ".json") == 0 || strcmp(suffix_of(v.output), ".kanata") == 0)
        status = convert(&v, &d);
    else
        return options_error(&tool, "the output is .svg, .json or .kanata by its suffix, not", v.output);
    return status == STATUS_OK ? outfile_finish(0) : diag_report(stderr, &d);
}
