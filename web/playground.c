/* SPDX-License-Identifier: Apache-2.0 */
#include "playground.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../checker/view/picture.h"
#include "../cmodel/debug/debug.h"
#include "../cmodel/run/end_report.h"
#include "../cmodel/run/json_string.h"
#include "../cmodel/run/results.h"
#include "../cmodel/run/state_report.h"
#include "../cmodel/run/trace.h"

enum { PICTURE_RECORDS = 1 << 18 /* a few megabytes */ };

struct playground {
    struct machine machine;
    struct launch run;
    struct model *model; /* NULL: none loaded */
    struct debug *debug;
    struct picture *picture;
    unsigned records;         /* in the picture */
    bool goes_on;             /* the last command resumed the run */
    enum model_result result; /* MODEL_RETIRED: it has not ended */
    FILE *log;                /* output of the debugger and the reports */
    char *log_text;
    size_t log_size, said; /* the part already returned in answers */
    char *answer;
    size_t answer_size;
};

static const char NO_MEMORY[] = "null";

struct playground *playground_create(void) {
    return calloc(1, sizeof(struct playground));
}

static void unload(struct playground *p) {
    debug_destroy(p->debug);
    model_destroy(p->model);
    picture_destroy(p->picture);
    launch_release(&p->run);
    if (p->log != NULL) fclose(p->log);
    free(p->log_text);
    free(p->answer);
    *p = (struct playground){.machine = MACHINE_DEFAULT};
}

void playground_destroy(struct playground *p) {
    if (p != NULL) unload(p);
    free(p);
}

/* ---------------------------------------------------------------------------- answers */

/* The stream that an answer is written to; NULL if out of memory. */
static FILE *begin_answer(struct playground *p) {
    free(p->answer);
    p->answer = NULL;
    return open_memstream(&p->answer, &p->answer_size);
}

static const char *end_answer(struct playground *p, FILE *out) {
    const bool whole = ferror(out) == 0;
    return fclose(out) == 0 && whole ? p->answer : NO_MEMORY;
}

static const char *comma(size_t i) { return i == 0 ? "" : ","; }

static void put_string(const char *name, const char *text, FILE *out) {
    fprintf(out, "\"%s\":", name);
    json_print_string(text, out);
}

static void put_code(const struct image *image, FILE *out) {
    fputs(",\"code\":[", out);
    for (uint32_t at = 0, bytes; at / 4 < image->code_words; at += bytes) {
        char text[TRACE_TEXT_MAX];
        unsigned line = 0;
        const uint32_t lo = image->code[at / 4];
        bytes = isa_is_long(lo) ? 8 : 4;
        const char *file = image_find_line(image, at, &line);
        fprintf(out, "%s{\"pc\":%" PRIu32 ",", comma(at), at);
        put_string("text",
                   trace_instruction(at, lo, at / 4 + 1 < image->code_words ? image->code[at / 4 + 1] : 0, text), out);
        fputc(',', out);
        put_string("file", file != NULL ? file : "", out);
        fprintf(out, ",\"line\":%u}", line);
    }
    fputc(']', out);
}

static void put_memories(const struct playground *p, FILE *out) {
    const struct image *image = p->run.image;
    fprintf(out, ",\"memories\":[{\"name\":\"global\",\"bytes\":%" PRIu32 "},{\"name\":\"shared\",\"bytes\":%u}",
            p->machine.global_bytes, image->shared_bytes);
    if (image->local_bytes > 0) fprintf(out, ",{\"name\":\"local\",\"bytes\":%u}", image->local_bytes);
    for (unsigned i = 0; i < IMAGE_CONST_BANKS; i++)
        if (image->bank[i].size > 0)
            fprintf(out, ",{\"name\":\"const\",\"bank\":%u,\"bytes\":%zu}", i, image->bank[i].size);
    fputc(']', out);
}

static void put_lanes(const char *name, unsigned number, const uint32_t lanes[WARP_LANES], FILE *out) {
    fprintf(out, "%s\"%s%u\":[", name[0] == 'R' && number == 0 ? "" : ",", name, number);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) fprintf(out, "%s%" PRIu32, comma(lane), lanes[lane]);
    fputc(']', out);
}

static void put_registers(const struct playground *p, unsigned sm, unsigned slot, FILE *out) {
    uint32_t lanes[WARP_LANES];
    fputs(",\"registers\":{", out);
    for (unsigned reg = 0; reg < p->run.image->regs; reg++) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++) lanes[lane] = model_peek_reg(p->model, sm, slot, lane, reg);
        put_lanes("R", reg, lanes, out);
    }
    for (unsigned reg = 1; reg < MODEL_AREGS; reg++) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++) lanes[lane] = model_peek_areg(p->model, sm, slot, lane, reg);
        put_lanes("A", reg, lanes, out);
    }
    for (unsigned reg = 0; reg < MODEL_CREGS; reg++) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++) lanes[lane] = model_peek_creg(p->model, sm, slot, lane, reg);
        put_lanes("C", reg, lanes, out);
    }
    fputc('}', out);
}

static void put_stack(const struct model *m, unsigned sm, unsigned slot, unsigned depth, FILE *out) {
    fputs(",\"stack\":[", out);
    for (unsigned i = 0; i < depth; i++) {
        const struct model_stack_entry e = model_peek_stack(m, sm, slot, i);
        fprintf(out, "%s{\"token\":\"%s\",\"mask\":%" PRIu32 ",\"pc\":%" PRIu32 "}", comma(i),
                state_report_token(e.token), e.mask, e.pc);
    }
    fputc(']', out);
}

static void put_warps(const struct playground *p, FILE *out) {
    size_t count = 0;
    fputs(",\"warps\":[", out);
    for (unsigned slot = 0; slot < p->machine.warps; slot++) {
        struct model_warp w;
        model_peek_warp(p->model, 0, slot, &w);
        if (!w.present) continue;
        fprintf(out,
                "%s{\"sm\":0,\"slot\":%u,\"block\":[%u,%u],\"warp\":%u,\"state\":\"%s\",\"pc\":%" PRIu32
                ",\"active\":%" PRIu32 ",\"alive\":%" PRIu32 "}",
                comma(count++), slot, w.block_x, w.block_y, w.warp, state_report_state(&w), w.pc, w.active, w.alive);
    }
    fputc(']', out);
}

static void put_warp(const struct playground *p, FILE *out) {
    struct model_warp w;
    unsigned sm, slot;
    debug_get_warp(p->debug, &sm, &slot);
    model_peek_warp(p->model, sm, slot, &w);
    if (!w.present) {
        fputs(",\"warp\":null", out);
        return;
    }
    fprintf(out, ",\"warp\":{\"sm\":%u,\"slot\":%u,\"pc\":%" PRIu32 ",\"active\":%" PRIu32 ",\"alive\":%" PRIu32, sm,
            slot, w.pc, w.active, w.alive);
    put_registers(p, sm, slot, out);
    put_stack(p->model, sm, slot, w.depth, out);
    fputc('}', out);
}

/* ---------------------------------------------------------------------------- the run */

static const char *how_it_ended(const struct playground *p) {
    switch (p->result) {
    case MODEL_RETIRED: return "";
    case MODEL_DONE: return results_compare(&p->run, model_global(p->model), NULL) == 0 ? "pass" : "failed";
    case MODEL_TRAPPED: return "trap";
    case MODEL_STUCK:
    case MODEL_REFUSED: break;
    }
    return "hang";
}

static void put_expectations(const struct playground *p, FILE *out) {
    const struct image *image = p->run.image;
    fputs(",\"expect\":[", out);
    for (size_t i = 0; i < image->expect_count && p->result == MODEL_DONE; i++)
        fprintf(out, "%s{\"addr\":%" PRIu32 ",\"bytes\":%zu,\"wrong\":%" PRIu64 "}", comma(i), image->expect[i].addr,
                image->expect[i].size, results_count_wrong(image, i, model_global(p->model)));
    fputc(']', out);
}

/* The final report of warp-run. */
static void report_end(struct playground *p) {
    state_report_undefined(p->model, &p->run, p->log);
    if (p->result == MODEL_TRAPPED)
        end_report_trap(p->model, &p->run, &p->machine, p->log);
    else if (p->result != MODEL_DONE)
        end_report_hang(p->model, &p->run, &p->machine, false, p->log);
    else
        results_compare(&p->run, model_global(p->model), p->log);
    end_report_summary(p->model, &p->run, how_it_ended(p), p->log);
}

static const char *answer_state(struct playground *p) {
    FILE *out = begin_answer(p);
    if (out == NULL || fflush(p->log) != 0) return NO_MEMORY;
    struct model_counts counts;
    model_get_counts(p->model, &counts);
    fputc('{', out);
    put_string("said", p->log_text + p->said, out);
    p->said = p->log_size;
    fprintf(out, ",\"goes_on\":%s,\"ended\":\"%s\",\"instructions\":%" PRIu64, p->goes_on ? "true" : "false",
            how_it_ended(p), counts.warp_instructions);
    put_expectations(p, out);
    put_warps(p, out);
    put_warp(p, out);
    fputc('}', out);
    return end_answer(p, out);
}

const char *playground_command(struct playground *p, const char *line) {
    if (p->model == NULL) return NO_MEMORY;
    p->goes_on = debug_execute(p->debug, line);
    if (p->goes_on && p->result != MODEL_RETIRED) {
        fputs("the run has ended\n", p->log);
        p->goes_on = false;
    }
    return answer_state(p);
}

const char *playground_run(struct playground *p, unsigned limit) {
    struct retire record;
    if (p->model == NULL) return NO_MEMORY;
    for (unsigned i = 0; p->goes_on && i < limit; i++) {
        p->result = model_run_step(p->model, &record);
        if (p->result == MODEL_RETIRED && p->records < PICTURE_RECORDS && picture_add(p->picture, &record))
            p->records++;
        p->goes_on = p->result == MODEL_RETIRED && !debug_stops(p->debug, &record);
        if (p->result == MODEL_RETIRED && model_finished(p->model)) p->result = model_run_step(p->model, NULL);
        p->goes_on = p->goes_on && p->result == MODEL_RETIRED;
        if (p->result != MODEL_RETIRED) report_end(p);
    }
    return answer_state(p);
}

/* ---------------------------------------------------------------------------- a kernel */

static enum status no_memory(struct diag *d) { return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory"); }

static enum status start(struct playground *p, struct diag *d) {
    p->model = model_create(&p->machine);
    if (p->model == NULL || p->log == NULL || p->picture == NULL) return no_memory(d);
    const struct debug_options options = {
        .model = p->model, .image = p->run.image, .machine = &p->machine, .out = p->log};
    p->debug = debug_create(&options);
    return p->debug != NULL ? model_launch(p->model, p->run.image, d) : no_memory(d);
}

static enum status load(struct playground *p, const char *path, const char *text, FILE *messages) {
    struct diag d = {0};
    char *copy = strdup(text);
    enum status status = copy == NULL ? no_memory(&d) : launch_read(path, copy, strlen(copy), messages, &p->run, &d);
    free(copy);
    if (status == STATUS_OK) {
        p->machine.has_atomics = launch_has_atomics(&p->run);
        status = launch_check(&p->run, &p->machine, &d);
    }
    if (status == STATUS_OK) {
        launch_warn(&p->run, &p->machine, messages);
        status = start(p, &d);
    }
    if (status != STATUS_OK) diag_report(messages, &d);
    return status;
}

const char *playground_load(struct playground *p, const char *path, const char *text) {
    char *messages_text = NULL;
    size_t messages_size;
    unload(p);
    p->log = open_memstream(&p->log_text, &p->log_size);
    p->picture = picture_create();
    FILE *messages = open_memstream(&messages_text, &messages_size);
    if (messages == NULL) return NO_MEMORY;
    const enum status status = load(p, path, text, messages);
    FILE *out = fclose(messages) == 0 ? begin_answer(p) : NULL;
    if (out != NULL) {
        fprintf(out, "{\"ok\":%s,", status == STATUS_OK ? "true" : "false");
        put_string("messages", messages_text, out);
        if (status == STATUS_OK) {
            fputc(',', out);
            put_string("name", p->run.image->name, out);
            put_code(p->run.image, out);
            put_memories(p, out);
        }
        fputc('}', out);
    }
    free(messages_text);
    if (status != STATUS_OK) {
        model_destroy(p->model);
        p->model = NULL;
    }
    return out != NULL ? end_answer(p, out) : NO_MEMORY;
}

/* ---------------------------------------------------------------------------- memories, picture */

static const uint8_t *find_memory(struct playground *p, const char *memory, unsigned which, size_t *size) {
    const struct image *image = p->run.image;
    unsigned sm, slot;
    debug_get_warp(p->debug, &sm, &slot);
    *size = 0;
    if (strcmp(memory, "global") == 0) {
        *size = p->machine.global_bytes;
        return model_global(p->model);
    }
    if (strcmp(memory, "shared") == 0) {
        *size = image->shared_bytes;
        return model_shared(p->model, sm, slot);
    }
    if (strcmp(memory, "local") == 0) {
        *size = image->local_bytes;
        return model_local(p->model, sm, slot, which);
    }
    if (strcmp(memory, "const") != 0 || which >= IMAGE_CONST_BANKS) return NULL;
    *size = image->bank[which].size;
    return image->bank[which].bytes;
}

const char *playground_memory(struct playground *p, const char *memory, unsigned lane_or_bank, unsigned addr,
                              unsigned bytes) {
    size_t size;
    FILE *out = p->model != NULL ? begin_answer(p) : NULL;
    if (out == NULL) return NO_MEMORY;
    const uint8_t *there = find_memory(p, memory, lane_or_bank, &size);
    fputs("{\"hex\":\"", out);
    for (size_t i = addr; there != NULL && i < size && i - addr < bytes; i++) fprintf(out, "%02x", there[i]);
    fputs("\"}", out);
    return end_answer(p, out);
}

const char *playground_picture(struct playground *p) {
    char *svg = NULL;
    size_t size;
    if (p->model == NULL) return NO_MEMORY;
    FILE *drawing = open_memstream(&svg, &size);
    if (drawing == NULL) return NO_MEMORY;
    const struct picture_options options = {.title = p->run.path, .source = p->run.image};
    const bool drawn = picture_draw(p->picture, &options, drawing);
    FILE *out = fclose(drawing) == 0 && drawn ? begin_answer(p) : NULL;
    if (out != NULL) {
        fprintf(out, "{\"records\":%u,", p->records);
        put_string("svg", svg, out);
        fputc('}', out);
    }
    free(svg);
    return out != NULL ? end_answer(p, out) : NO_MEMORY;
}
