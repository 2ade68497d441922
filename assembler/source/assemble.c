/* SPDX-License-Identifier: Apache-2.0 */
/* The assembler's outline: scan, read, choose a kernel, emit. */
#include "assemble.h"

#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "emit.h"
#include "expand.h"
#include "statement.h"

/* ---- which kernel ---- */

/* The lines before the first .kernel are a kernel only if they have instructions. */
static bool is_live(const struct kernel *kernel) { return kernel->named || kernel->has_items; }

static size_t live_kernels(const struct assembler *a) {
    size_t n = 0;
    for (size_t i = 0; i < a->kernel_count; i++) n += is_live(&a->kernels[i]) ? 1 : 0;
    return n;
}

/* True if the kernels are for several architectures, as in a fat binary. */
static bool is_fat(const struct assembler *a) {
    unsigned arch = 0;
    for (size_t i = 0; i < a->kernel_count; i++) {
        if (!is_live(&a->kernels[i])) continue;
        if (arch != 0 && a->kernels[i].image->arch != arch) return true;
        arch = a->kernels[i].image->arch;
    }
    return false;
}

/* Names of the kernels for a message: "a, b", or "sm_10: a, b; sm_11: a, b". */
static void list_names(const struct assembler *a, char *text, size_t size) {
    size_t at = 0;
    const bool fat = is_fat(a);
    unsigned arch = 0;
    text[0] = '\0';
    for (size_t i = 0; i < a->kernel_count && at < size; i++) {
        const struct image *image = a->kernels[i].image;
        const bool next = fat && (i == 0 || image->arch != arch);
        at += (size_t)snprintf(text + at, size - at, "%s%s%s%s",
                               i == 0 ? ""
                               : next ? "; "
                                      : ", ",
                               next ? image_arch_name(image->arch) : "", next ? ": " : "", image->name);
        arch = image->arch;
    }
}

/* By its name, or in a listing for several architectures by "sm_10:NAME". */
static bool has_name(const struct kernel *kernel, const char *name) {
    const char *colon = strchr(name, ':');
    const unsigned arch = colon != NULL ? image_arch(name, (size_t)(colon - name)) : 0;
    if (strcmp(kernel->image->name, name) == 0) return true;
    return arch != 0 && kernel->image->arch == arch && strcmp(kernel->image->name, colon + 1) == 0;
}

/* Kernels with the same name may exist for other architectures. */
static bool is_ambiguous(const struct assembler *a, const char *name) {
    unsigned arch = 0;
    for (size_t i = 0; i < a->kernel_count; i++) {
        if (!has_name(&a->kernels[i], name)) continue;
        if (arch != 0 && a->kernels[i].image->arch != arch) return true;
        arch = a->kernels[i].image->arch;
    }
    return false;
}

static bool choose_kernel(struct assembler *a, const struct image_choice *choice) {
    const char *name = choice->kernel;
    char names[160];
    list_names(a, names, sizeof names);
    const bool several = live_kernels(a) > 1;
    if (name == NULL && choice->number == 0 && several) {
        messages_add(a->messages, a->kernels[1].name_offset, 1,
                     "file has several kernels (%s); choose one with --kernel%s", names,
                     is_fat(a) ? ", sm_10:NAME where it is for several architectures" : "");
        return false;
    }
    if (name != NULL && is_ambiguous(a, name)) {
        messages_add(a->messages, a->kernels[1].name_offset, 1,
                     "'%s' is for several architectures (%s); choose with --kernel sm_10:NAME", name, names);
        return false;
    }
    for (size_t i = 0, number = 0; i < a->kernel_count; i++) {
        number += is_live(&a->kernels[i]) ? 1 : 0;
        if (name != NULL && !has_name(&a->kernels[i], name)) continue;
        if (several && choice->number != 0 && (number != choice->number || !is_live(&a->kernels[i]))) continue;
        a->kernel = (uint32_t)i;
        return true;
    }
    messages_add(a->messages, 0, 1, "there is no kernel '%s'; the file has %s", name, names);
    return false;
}

/* ---- the whole ---- */

static void release(struct assembler *a) {
    scan_release(&a->scan);
    symbols_release(&a->symbols);
    for (size_t i = 0; i < a->kernel_count; i++) image_destroy(a->kernels[i].image);
    free(a->kernels);
    free(a->items);
    free(a->lex);
}

/* The first pass; false if it found no kernel to continue with. */
static bool read_source(struct assembler *a) {
    if (a->messages->no_memory) return no_memory(a);
    const struct source_file *source = &a->messages->sources.file[0];
    if (scan_text(source->text, source->size, &a->scan, a->messages) != STATUS_OK ||
        expand_scan(&a->scan, a->messages) != STATUS_OK)
        return no_memory(a);
    assembler_read(a);
    return !a->no_memory;
}

static void emit_kernel(struct assembler *a, size_t kernel) {
    a->kernel = (uint32_t)kernel;
    a->emitting = true;
    a->slip = 0;
    assembler_emit(a, a->kernel);
}

static void report_empty(struct assembler *a) {
    struct message *m = messages_add(a->messages, 0, 1, "file has no instructions");
    if (m != NULL && a->listing.saw_ptx)
        snprintf(m->help, sizeof m->help, "it has PTX, which is no machine code; cuobjdump -sass prints that");
}

static enum status finish(struct assembler *a) {
    if (a->no_memory) return messages_no_memory(a->messages);
    return a->messages->errors == 0 ? STATUS_OK : STATUS_BAD_INPUT;
}

/* Moves the chosen kernel's image and items into the result. */
static void hand_over(struct assembler *a, struct assembly *result) {
    result->image = a->kernels[a->kernel].image;
    result->image->kernels = live_kernels(a);
    a->kernels[a->kernel].image = NULL;
    size_t n = 0;
    for (size_t i = 0; i < a->item_count; i++)
        if (a->items[i].kernel == a->kernel) a->items[n++] = a->items[i];
    result->items = a->items;
    result->item_count = n;
    a->items = NULL;
    result->text = a->scan.clean;
    result->text_size = a->scan.size;
    a->scan.clean = NULL;
}

enum status assemble_text(const char *kernel, struct assembly *result, struct messages *m) {
    const struct image_choice choice = {.kernel = kernel};
    return assemble_chosen(&choice, result, m);
}

enum status assemble_chosen(const struct image_choice *choice, struct assembly *result, struct messages *m) {
    *result = (struct assembly){0};
    struct assembler a = {.messages = m, .by_words = choice->by_words};
    const bool chosen = read_source(&a) && choose_kernel(&a, choice);
    if (chosen) {
        emit_kernel(&a, a.kernel);
        if (a.item_count == 0 && m->errors == 0) report_empty(&a);
    }
    enum status status = finish(&a);
    if (status == STATUS_OK && chosen) hand_over(&a, result);
    release(&a);
    return status;
}

/* Lists the kernels that have instructions, and moves their items into place. */
static size_t list_kernels(const struct assembler *a, struct assembly *list) {
    size_t count = 0, item = 0;
    for (size_t i = 0; i < a->kernel_count; i++) {
        struct assembly *one = &list[count];
        *one = (struct assembly){.image = a->kernels[i].image, .items = a->items + item};
        one->text = a->scan.clean;
        one->text_size = a->scan.size;
        for (; item < a->item_count && a->items[item].kernel == i; item++) one->item_count++;
        if (one->item_count > 0) count++;
    }
    return count;
}

enum status assemble_all(assembly_visitor *visit, void *state, struct messages *m) {
    struct assembler a = {.messages = m};
    bool read = read_source(&a);
    for (size_t i = 0; i < a.kernel_count && read; i++) emit_kernel(&a, i);
    struct assembly *list = calloc(a.kernel_count + 1, sizeof *list);
    if (read && a.item_count == 0 && m->errors == 0) report_empty(&a);
    enum status status = list != NULL ? finish(&a) : messages_no_memory(m);
    if (status == STATUS_OK) visit(state, list, list_kernels(&a, list));
    free(list);
    release(&a);
    return status;
}

void assembly_release(struct assembly *a) {
    image_destroy(a->image);
    free(a->items);
    free(a->text);
    *a = (struct assembly){0};
}
