/* SPDX-License-Identifier: Apache-2.0 */
#include "findings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../assembler/base/word_at.h"

enum { WORD = 4, WORDS = 3, LINE = 256, STEPS = 32 };

/* The threads with the same first wrong step. */
struct finding {
    unsigned threads;
    uint32_t lanes, bits;
    unsigned first_warp, last_warp;
};

static size_t threads_of(const struct image *img) {
    return (size_t)img->grid[0] * img->grid[1] * block_threads(img->block);
}

bool findings_are_there(const struct launch *run) {
    const struct image *img = run->image;
    size_t expected = 0;
    bool from_start = false;
    for (size_t i = 0; i < img->expect_count; i++) {
        expected += img->expect[i].size;
        from_start |= img->expect[i].addr == 0;
    }
    return from_start && expected == WORDS * WORD * threads_of(img);
}

static uint32_t expected_at(const struct image *img, uint32_t addr) {
    for (size_t i = 0; i < img->expect_count; i++) {
        const struct image_piece *p = &img->expect[i];
        if (addr >= p->addr && addr + WORD <= p->addr + p->size) return word_at(p->bytes + (addr - p->addr));
    }
    return 0;
}

/* The text of "// N TEXT" in the kernel's file; "" if missing. */
static void find_text(const char *path, unsigned step, char text[LINE]) {
    char line[LINE];
    FILE *file = fopen(path, "r");
    text[0] = '\0';
    while (file != NULL && text[0] == '\0' && fgets(line, sizeof line, file) != NULL) {
        unsigned number = 0;
        int at = 0;
        if (sscanf(line, "// %u %n", &number, &at) == 1 && number == step && at > 0) {
            line[strcspn(line, "\n")] = '\0';
            snprintf(text, LINE, "%s", line + at);
        }
    }
    if (file != NULL) fclose(file);
}

/* "3 11 19 27", or "all". */
static void print_numbers(uint32_t mask, uint32_t all, FILE *out) {
    if (mask == all) fputs(" all", out);
    for (unsigned i = 0; i < WARP_LANES && mask != all; i++)
        if ((mask >> i & 1) != 0) fprintf(out, " %u", i);
}

static void print_lanes(const struct finding *f, unsigned cores, FILE *out) {
    uint32_t used = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) used |= (f->lanes >> lane & 1) << lane % cores;
    fputs("lanes", out);
    print_numbers(f->lanes, UINT32_MAX, out);
    fputs(", cores", out);
    print_numbers(used, cores < WARP_LANES ? (UINT32_C(1) << cores) - 1 : UINT32_MAX, out);
    fprintf(out, ", warps %u to %u", f->first_warp, f->last_warp);
}

static void add(struct finding *f, const struct image *img, size_t thread, uint32_t bits) {
    const unsigned in_block = block_threads(img->block);
    const unsigned of_block = (unsigned)(thread % in_block);
    const unsigned warp = (unsigned)(thread / in_block) * block_warps(img->block) + of_block / WARP_LANES;
    if (f->threads == 0) f->first_warp = warp;
    f->last_warp = warp;
    f->threads++;
    f->lanes |= UINT32_C(1) << of_block % WARP_LANES;
    f->bits |= bits;
}

void findings_print(const struct launch *run, unsigned cores, const uint8_t *global, FILE *out) {
    const struct image *img = run->image;
    const size_t threads = threads_of(img);
    struct finding found[STEPS] = {{0}}, nonsense = {0}, signature = {0};
    for (size_t t = 0; t < threads; t++) {
        const uint32_t step = word_at(global + WORD * (threads + t));
        const uint32_t bits = word_at(global + WORD * (2 * threads + t));
        if (step >= STEPS)
            add(&nonsense, img, t, step);
        else if (step != 0 || bits != 0)
            add(&found[step], img, t, bits);
        else if (word_at(global + WORD * t) != expected_at(img, (uint32_t)(WORD * t)))
            add(&signature, img, t, 0);
    }
    for (unsigned step = 0; step < STEPS; step++) {
        char text[LINE];
        if (found[step].threads == 0) continue;
        find_text(run->path, step, text);
        fprintf(out, "  %s, step %u (%s): ", img->name != NULL ? img->name : "", step, text);
        print_lanes(&found[step], cores, out);
        fprintf(out, ", bits %08" PRIx32 "\n", found[step].bits);
    }
    if (signature.threads != 0) {
        fprintf(out, "  %s, signature alone: ", img->name != NULL ? img->name : "");
        print_lanes(&signature, cores, out);
        fputc('\n', out);
    }
    if (nonsense.threads != 0) {
        fprintf(out, "  %s, no step has the number that is there: ", img->name != NULL ? img->name : "");
        print_lanes(&nonsense, cores, out);
        fputc('\n', out);
    }
}
