/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles PTX to images: the steps of README.md. */
#include "compile.h"

#include <stdlib.h>
#include <string.h>

#include "../assembler/base/memstream.h"
#include "../assembler/image/printed.h"
#include "../assembler/listing/listing.h"
#include "../assembler/source/assemble.h"
#include "alloc/alloc.h"
#include "calls/calls.h"
#include "emit/emit.h"
#include "flow/cfg.h"
#include "lower/lower.h"
#include "select/select.h"

enum { MOST_REGISTERS = 124, BLOCK_HEADER = 16, FIRST_ATOMIC = 11 };

struct job {
    struct cc cc;
    struct compiled *program;
    struct ptx_module module;
    struct ptx_module support; /* routines for operations that sm_10 lacks */
    bool constants_in_global;
    bool wants_constants_in_global;
    bool tags, wants_tags;              /* of generic addresses, see lower.h */
    uint32_t spilled_at, spilled_bytes; /* address and size of COMPILE_PARAMETERS; size 0 if unused */
    uint32_t printed_at;                /* address of PRINTED */
    char *text;                         /* text of the current kernel */
    struct diag diag;
    size_t notes_size;
    bool done;
};

/* ---- names ---- */

/* Returns the source name: "_Z6vecaddPiS_i" gives vecadd, "_ZN3abc6vecaddEPi" its last part. */
static char *demangle(const char *name) {
    if (strncmp(name, "_Z", 2) != 0) return strdup(name);
    const char *at = name + 2, *found = name;
    size_t length = strlen(name);
    bool nested = *at == 'N';
    if (nested) at++;
    if (*at == 'L') at++; /* internal linkage */
    while (*at >= '0' && *at <= '9') {
        char *end;
        const unsigned long n = strtoul(at, &end, 10);
        if (n == 0 || strlen(end) < n) break;
        found = end;
        length = n;
        at = end + n;
        if (!nested) break;
    }
    return strndup(found, length);
}

static bool equals_name(const char *name, const char *wanted) { return name != NULL && strcmp(name, wanted) == 0; }

static void *check_memory(struct job *job, void *memory) {
    if (memory == NULL) cc_no_memory(&job->cc);
    return memory;
}

/* ---- variables ---- */

static uint32_t align_up(uint32_t value, uint32_t align) {
    return align > 1 ? (value + align - 1) / align * align : value;
}

/* Places parameters in source order; if they exceed the limit, arrays first, because code may index them and cannot
 * index constants. The rest gets offsets behind the limit. */
static uint32_t *place_parameters(struct job *job, const struct ptx_function *f, uint32_t *bytes, uint32_t *spilled) {
    const uint32_t limit = job->cc.options->parameter_bytes;
    uint32_t *offsets = CC_ARRAY(&job->cc, uint32_t, f->parameter_count), end = 0;
    *spilled = 0;
    for (size_t i = 0; i < f->parameter_count; i++) {
        const struct ptx_symbol *s = f->parameters[i];
        if (s->kind != PTX_PARAMETER) cc_fail(&job->cc, &s->place, "a kernel parameter must be .param");
        offsets[i] = align_up(end, s->align);
        end = offsets[i] + s->size;
        if (end > 4096) cc_fail(&job->cc, &s->place, "more than 4 KB of parameters");
    }
    *bytes = align_up(end, 4);
    if (limit == 0 || end <= limit) return offsets;
    end = 0;
    for (size_t i = 0; i < 2 * f->parameter_count; i++) {
        const struct ptx_symbol *s = f->parameters[i % f->parameter_count];
        if (s->is_array != (i < f->parameter_count)) continue;
        const uint32_t at = align_up(end, s->align), behind = align_up(*spilled, s->align);
        const bool fits = at + s->size <= limit;
        if (!fits && s->is_array) cc_fail(&job->cc, &s->place, "more than %u bytes of arrays as parameters", limit);
        offsets[i % f->parameter_count] = fits ? at : limit + behind;
        if (fits) end = at + s->size;
        if (!fits) *spilled = behind + s->size;
    }
    *bytes = align_up(end, 4);
    *spilled = align_up(*spilled, 4);
    return offsets;
}

/* Reserves constants for the spilled parameters of any kernel. */
static void reserve_spilled_parameters(struct job *job, uint64_t bank) {
    job->spilled_at = align_up((uint32_t)bank, 16);
    job->spilled_bytes = 0;
    for (size_t i = 0; i < job->module.function_count; i++) {
        uint32_t bytes, spilled = 0;
        if (job->module.functions[i]->is_kernel) place_parameters(job, job->module.functions[i], &bytes, &spilled);
        if (spilled > job->spilled_bytes) job->spilled_bytes = spilled;
    }
    if (job->spilled_bytes > 0 && job->spilled_at + job->spilled_bytes > IMAGE_BANK_BYTES)
        cc_fail(&job->cc, NULL, "more than 64 KB of constants and parameters");
    job->printed_at = job->spilled_at + job->spilled_bytes;
}

static bool is_in_constant_bank(const struct job *job, const struct ptx_symbol *s) {
    return s->space == PTX_SPACE_CONST && !job->constants_in_global;
}

static bool needs_address(const struct ptx_symbol *s) {
    return s->space == PTX_SPACE_GLOBAL || s->space == PTX_SPACE_CONST;
}

static void place_variables(struct job *job) {
    uint64_t global = job->cc.options->variables, bank = 0;
    for (size_t i = 0; i < job->module.variable_count; i++) {
        struct ptx_symbol *s = job->module.variables[i];
        if (!needs_address(s)) continue;
        uint64_t *end = is_in_constant_bank(job, s) ? &bank : &global;
        s->address = align_up((uint32_t)*end, s->align);
        *end = (uint64_t)s->address + s->size;
        if (bank > IMAGE_BANK_BYTES && job->cc.options->constant_bytes == 0)
            cc_fail(&job->cc, &s->place, "more than 64 KB of constants");
        if (global > UINT32_MAX / 2) cc_fail(&job->cc, &s->place, "the variables do not fit in global memory");
    }
    const uint32_t limit = job->cc.options->constant_bytes;
    if (limit != 0 && bank > limit) {
        job->constants_in_global = true;
        place_variables(job);
        return;
    }
    reserve_spilled_parameters(job, bank);
    job->program->variables_end = align_up((uint32_t)global, 256);
}

/* Code that loads an address from memory assumes global memory. */
static bool has_constant_address(const struct ptx_module *m) {
    for (size_t i = 0; i < m->variable_count; i++)
        for (size_t k = 0; k < m->variables[i]->patch_count; k++)
            if (m->variables[i]->patches[k].symbol->space == PTX_SPACE_CONST) return true;
    return false;
}

static void apply_patches(struct job *job, struct ptx_symbol *s) {
    (void)job;
    for (size_t i = 0; i < s->patch_count; i++) {
        const struct ptx_patch *p = &s->patches[i];
        const uint64_t value = p->symbol->address + (uint64_t)p->addend;
        for (unsigned k = 0; k < p->bytes; k++) s->data[p->offset + k] = k < 8 ? (uint8_t)(value >> (8 * k)) : 0;
    }
}

static void list_spilled_parameters(struct job *job, struct compile_variable *v) {
    *v = (struct compile_variable){
        .space = IMAGE_CONSTANT, .type = "b8", .address = job->spilled_at, .size = job->spilled_bytes, .align = 16};
    v->name = check_memory(job, strdup(COMPILE_PARAMETERS));
    v->source_name = check_memory(job, strdup(COMPILE_PARAMETERS));
}

static void list_variables(struct job *job) {
    struct compiled *out = job->program;
    out->variables = check_memory(job, calloc(job->module.variable_count + 2, sizeof *out->variables));
    for (size_t i = 0; i < job->module.variable_count; i++) {
        struct ptx_symbol *s = job->module.variables[i];
        if (!needs_address(s)) continue;
        apply_patches(job, s);
        struct compile_variable *v = &out->variables[out->variable_count++];
        *v = (struct compile_variable){.space = is_in_constant_bank(job, s) ? IMAGE_CONSTANT : IMAGE_GLOBAL,
                                       .address = s->address,
                                       .size = s->size,
                                       .align = s->align};
        v->name = check_memory(job, strdup(s->name));
        v->source_name = check_memory(job, demangle(s->name));
        snprintf(v->type, sizeof v->type, "%s", s->is_array ? "b8" : ptx_type_name(s->type));
        if (s->data == NULL) continue;
        v->data = check_memory(job, malloc(s->size + 1));
        memcpy(v->data, s->data, s->size);
    }
    if (job->spilled_bytes > 0) list_spilled_parameters(job, &out->variables[out->variable_count++]);
}

static bool is_address(const struct job *job, const struct ptx_symbol *s) {
    return !s->is_array && ptx_type_bytes(s->type) == job->module.address_bytes && ptx_type_kind(s->type) != 'f';
}

/* Returns whether pointer parameters are declared with .ptr, as in PTX of OpenCL. */
static bool declares_pointers(const struct ptx_module *m) {
    for (size_t i = 0; i < m->function_count; i++)
        for (size_t k = 0; k < m->functions[i]->parameter_count; k++)
            if (m->functions[i]->parameters[k]->is_pointer) return true;
    return false;
}

static bool is_parameter_read(const struct ptx_function *f, const struct ptx_symbol *s) {
    for (size_t i = 0; i < f->insn_count; i++)
        for (unsigned k = 0; k < f->insns[i].operand_count; k++)
            if (f->insns[i].operand[k].symbol == s) return true;
    return false;
}

static enum image_space parameter_space(const struct job *job, const struct ptx_function *f,
                                        const struct ptx_symbol *s) {
    if (!s->is_pointer && !s->is_buffer && is_address(job, s) && !declares_pointers(&job->module) &&
        !is_parameter_read(f, s))
        return IMAGE_UNUSED;
    if (!s->is_pointer && !(s->is_buffer && is_address(job, s))) return IMAGE_VALUE;
    return s->points_to == PTX_SPACE_SHARED  ? IMAGE_SHARED
           : s->points_to == PTX_SPACE_CONST ? IMAGE_CONSTANT
                                             : IMAGE_GLOBAL;
}

static void describe_parameters(struct job *job, const struct lower *l, struct image *img) {
    const struct ptx_function *f = l->kernel;
    enum status status = STATUS_OK;
    img->has_signature = true;
    for (size_t i = 0; i < f->parameter_count && status == STATUS_OK; i++) {
        const struct ptx_symbol *s = f->parameters[i];
        struct image_parameter p = {
            .size = s->size, .align = s->align, .offset = l->parameter_offset[i], .space = parameter_space(job, f, s)};
        snprintf(p.type, sizeof p.type, "%s", ptx_type_name(s->type));
        status = image_add_parameter(img, &p);
    }
    const struct image_parameter open = {.type = "b8", .align = 16, .space = IMAGE_SHARED};
    if (l->uses_dynamic_shared && status == STATUS_OK) status = image_add_parameter(img, &open);
    if (status != STATUS_OK) cc_no_memory(&job->cc);
}

/* ---- one kernel ---- */

static void optimise(struct job *job, struct ir *ir) {
    cfg_clean(ir);
    cfg_make_reducible(ir);
    cfg_define(ir);
    select_simplify(ir);
    select_share(ir);
    select_simplify(ir);
    select_find_ranges(ir);
    select_expand(ir);
    select_share(ir);
    select_simplify(ir);
    select_compare(ir);
    select_fuse(ir);
    cfg_clean(ir);
    if (job->cc.options->level > 0) cfg_predicate(ir);
    select_remove_dead(ir);
}

static unsigned register_limit(const struct job *job, const struct ptx_function *f) {
    const struct compile_options *o = job->cc.options;
    const unsigned most = o->max_registers != 0 ? o->max_registers : MOST_REGISTERS;
    if (f->max_registers != 0 && f->max_registers < most) return f->max_registers < 8 ? 8 : f->max_registers;
    return most;
}

static struct calls_use select_and_allocate(struct ir *ir, unsigned most) {
    cfg_reconverge(ir);
    select_addresses(ir);
    select_grow_addresses(ir);
    select_hoist_addresses(ir);
    select_fold_loads(ir);
    select_increment(ir);
    select_expand_selects(ir);
    select_legalise(ir);
    alloc_sink(ir);
    if (ir->cc->options->level > 0) alloc_schedule(ir, most);
    const unsigned used = alloc_registers(ir, most);
    emit_merge_joins(ir);
    return calls_find_use(ir, used);
}

/* Finishes a routine; its callees are finished already. Its spilled registers get local memory of their own. */
static void generate_routine(struct job *job, struct ir_routine *r, unsigned most, uint32_t *local_bytes) {
    optimise(job, r->ir);
    r->ir->local_bytes = *local_bytes;
    const struct calls_use use = select_and_allocate(r->ir, most);
    r->registers = use.registers;
    r->flags = use.flags;
    r->addresses = use.addresses;
    r->depth = cfg_stack_depth(r->ir);
    *local_bytes = r->ir->local_bytes;
}

/* Converts lines of text to source lines of instructions. `number` has room for the number in the image of each
 * file, from 1, and of the PTX. Returns false if memory is exhausted. */
static bool convert_lines(const struct cc *cc, struct image *img, const struct assembly *a,
                          const struct emit_text *text, uint32_t *number) {
    for (size_t i = 0; i < img->file_count; i++) free(img->files[i]);
    img->file_count = img->line_count = 0;
    const struct cc_place *last = NULL;
    for (size_t i = 0; i < a->item_count; i++) {
        const uint32_t at = a->items[i].line;
        const struct cc_place *place = at < text->line_count ? text->places[at] : NULL;
        uint32_t line, column;
        if (place == NULL) place = last; /* code added by the compiler gets the previous line */
        last = place;
        if (place == NULL) continue;
        const char *file = cc_place_file(cc, place, &line, &column);
        const size_t slot = file == cc->options->file ? cc->file_count : place->source_file;
        if (number[slot] == 0) {
            if (image_add_file(img, file, strlen(file)) != STATUS_OK) return false;
            number[slot] = (uint32_t)img->file_count;
        }
        if (image_add_line(img, a->items[i].pc, line, number[slot] - 1) != STATUS_OK) return false;
    }
    return true;
}

/* Returns the source name, or the PTX name if another variable has the same source name. */
static char *variable_name(const struct compiled *program, const struct compile_variable *v) {
    for (size_t i = 0; i < program->variable_count; i++) {
        const struct compile_variable *other = &program->variables[i];
        if (other != v && equals_name(other->source_name, v->source_name)) return v->name;
    }
    return v->source_name;
}

static void add_print_variable(struct job *job, struct image *img) {
    static const uint8_t zeros[PRINTED_BYTES];
    char name[] = PRINTED_WARPS;
    if (compile_prints_by_atomics(job->cc.options)) memcpy(name, PRINTED, sizeof PRINTED);
    const struct image_variable v = {
        .name = name, .type = "b8", .space = IMAGE_CONSTANT, .addr = job->printed_at, .size = PRINTED_BYTES};
    if (v.addr + v.size > IMAGE_BANK_BYTES)
        cc_fail(&job->cc, NULL, "constants leave no room for the print buffer's addresses in 64 KB");
    if (image_set_const(img, 0, v.addr, zeros, v.size) != STATUS_OK || image_add_variable(img, &v) != STATUS_OK)
        cc_no_memory(&job->cc);
}

static void add_variables(struct job *job, const struct compile_kernel *k) {
    struct image *img = k->image;
    const struct compiled *out = job->program;
    for (size_t i = 0; i < out->variable_count; i++) {
        const struct compile_variable *v = &out->variables[i];
        enum status status = STATUS_OK;
        uint8_t *zeros = v->data == NULL ? check_memory(job, calloc(v->size + 1, 1)) : NULL;
        const uint8_t *bytes = zeros != NULL ? zeros : v->data;
        if (v->space == IMAGE_CONSTANT)
            status = image_set_const(img, 0, v->address, bytes, v->size);
        else if (v->size > 0)
            status = image_add_global(img, v->address, bytes, v->size);
        free(zeros);
        struct image_variable named = {.space = v->space, .addr = v->address, .size = v->size};
        named.name = variable_name(out, v);
        memcpy(named.type, v->type, sizeof named.type);
        if (status == STATUS_OK) status = image_add_variable(img, &named);
        if (status != STATUS_OK) cc_no_memory(&job->cc);
    }
    if (k->prints) add_print_variable(job, img);
}

static struct image *assemble_image(struct job *job, const struct emit_text *text) {
    struct messages m;
    struct assembly a = {0};
    uint32_t *number = CC_ARRAY(&job->cc, uint32_t, job->cc.file_count + 1);
    messages_init(&m, "listing", text->text, text->size);
    const enum status status = assemble_text(NULL, &a, &m);
    if (status != STATUS_OK) {
        char why[sizeof m.list->text] = "";
        if (m.count > 0) snprintf(why, sizeof why, "%s", m.list[0].text);
        messages_release(&m);
        assembly_release(&a);
        if (status == STATUS_NO_MEMORY) cc_no_memory(&job->cc);
        cc_fail(&job->cc, NULL, "internal error: the assembler rejects the compiled text: %s", why);
    }
    messages_release(&m);
    struct image *img = a.image;
    const bool read = convert_lines(&job->cc, img, &a, text, number);
    if (read) a.image = NULL;
    assembly_release(&a);
    if (!read) cc_no_memory(&job->cc);
    return img;
}

static void compile_kernel(struct job *job, const struct ptx_function *f) {
    struct cc *cc = &job->cc;
    uint32_t parameter_bytes, spilled;
    const uint32_t *offsets = place_parameters(job, f, &parameter_bytes, &spilled);
    const unsigned most = register_limit(job, f);
    struct ir *ir = CC_NEW(cc, struct ir);
    ir->cc = cc;
    ir->literals = CC_NEW(cc, struct ir_literals);
    ir->stack_room = IR_STACK_ROOM;
    struct lower l = {.cc = cc,
                      .ir = ir,
                      .module = &job->module,
                      .support = &job->support,
                      .kernel = f,
                      .parameter_offset = offsets,
                      .parameter_limit = cc->options->parameter_bytes,
                      .spilled_at = job->spilled_at,
                      .printed_at = job->printed_at,
                      .shared_end = BLOCK_HEADER + parameter_bytes,
                      .constants_in_global = job->constants_in_global,
                      .tags = job->tags};
    lower_kernel(&l);
    job->wants_constants_in_global |= l.wants_constants_in_global && !job->constants_in_global;
    job->wants_tags |= l.wants_tags && !job->tags;
    ir->place = &f->place;
    calls_resolve(ir, l.routines, l.routine_count, most);
    for (size_t i = 0; i < l.routine_count; i++)
        if (l.routines[i]->stays) generate_routine(job, l.routines[i], most, &ir->local_bytes);
    optimise(job, ir);
    unsigned registers = select_and_allocate(ir, most).registers;
    if (registers < 1) registers = 1;
    struct emit_text text;
    const unsigned arch = l.prints && cc->options->arch == 0 ? FIRST_ATOMIC : cc->options->arch;
    const struct emit_head head = {f->name, arch, registers, l.shared_end, (ir->local_bytes + 3) / 4 * 4};
    emit_kernel(ir, l.routines, l.routine_count, &head, &text);
    job->text = text.text;
    struct compile_kernel *k = &job->program->kernels[job->program->kernel_count++];
    *k = (struct compile_kernel){0};
    k->image = assemble_image(job, &text);
    k->name = check_memory(job, strdup(f->name));
    k->source_name = check_memory(job, demangle(f->name));
    k->parameter_bytes = parameter_bytes;
    k->shared_bytes = l.shared_end;
    k->local_bytes = head.local_bytes;
    k->registers = registers;
    k->prints = l.prints;
    memcpy(k->block, f->block, sizeof k->block);
    memcpy(k->image->block, f->block, sizeof f->block);
    describe_parameters(job, &l, k->image);
    k->body = check_memory(job, strndup(text.text + text.body, text.body_size));
    free(text.text);
    job->text = NULL;
}

static void compile_module(struct job *job) {
    const struct ptx_module *m = &job->module;
    job->wants_constants_in_global = job->wants_tags = false;
    place_variables(job);
    for (size_t i = 0; i < m->function_count; i++)
        if (m->functions[i]->is_kernel && m->functions[i]->has_body) compile_kernel(job, m->functions[i]);
}

static void release_kernels(struct compiled *program) {
    for (size_t i = 0; i < program->kernel_count; i++) {
        struct compile_kernel *k = &program->kernels[i];
        free(k->name);
        free(k->source_name);
        free(k->body);
        image_destroy(k->image);
    }
    program->kernel_count = 0;
}

/* Names the image by its source name, or by its PTX name if another kernel has the same source name. */
static void name_image(struct job *job, const struct compile_kernel *k) {
    struct image *img = k->image;
    if (compiled_find(job->program, k->source_name) != k || strcmp(k->source_name, k->name) == 0) return;
    if (image_set_name(img, k->source_name, strlen(k->source_name)) != STATUS_OK ||
        image_set_linkage(img, k->name, strlen(k->name)) != STATUS_OK)
        cc_no_memory(&job->cc);
}

/* Writes all kernels as text. Each is like the listing of its image, but with labels and source lines. */
static void write_listing(struct job *job) {
    struct compiled *out = job->program;
    FILE *file = check_memory(job, open_memstream(&out->listing, &out->listing_size));
    for (size_t i = 0; i < out->kernel_count; i++) {
        struct compile_kernel *k = &out->kernels[i];
        if (i > 0) fputc('\n', file);
        k->listing_at = (size_t)ftell(file);
        fprintf(file, ".kernel %s\n\t.arch %s\n", k->image->name, image_arch_name(k->image->arch));
        listing_print_launch(k->image, file);
        fputs(k->body, file);
        k->listing_size = (size_t)ftell(file) - k->listing_at;
    }
    if (!memstream_close(file, &out->listing)) cc_no_memory(&job->cc);
}

static void compile_text(struct job *job, const char *text, size_t size) {
    struct compiled *out = job->program;
    ptx_read(&job->cc, text, size, &job->module);
    out->kernels = check_memory(job, calloc(job->module.function_count + 1, sizeof *out->kernels));
    job->constants_in_global = has_constant_address(&job->module);
    compile_module(job);
    while (job->wants_constants_in_global || job->wants_tags) {
        job->constants_in_global = true; /* compile again with all constants in global memory, perhaps with tags */
        job->tags |= job->wants_tags;
        release_kernels(out);
        compile_module(job);
    }
    if (out->kernel_count == 0 && !job->cc.options->may_be_empty) cc_fail(&job->cc, NULL, "there is no kernel");
    list_variables(job);
    for (size_t i = 0; i < out->kernel_count; i++) add_variables(job, &out->kernels[i]);
    for (size_t i = 0; i < out->kernel_count; i++) name_image(job, &out->kernels[i]);
    write_listing(job);
}

/* cc_fail returns here. */
static void compile_catching_errors(struct job *job, const char *text, size_t size) {
    if (setjmp(job->cc.out) != 0) return;
    job->cc.notes = check_memory(job, open_memstream(&job->program->notes, &job->notes_size));
    compile_text(job, text, size);
    FILE *notes = job->cc.notes;
    job->cc.notes = NULL;
    if (!memstream_close(notes, &job->program->notes)) cc_no_memory(&job->cc);
    job->done = true;
}

enum status compile_ptx(const char *text, size_t size, const struct compile_options *options, struct compiled *program,
                        struct diag *d) {
    struct job *job = calloc(1, sizeof *job);
    *program = (struct compiled){0};
    if (job == NULL) return diag_set(d, STATUS_NO_MEMORY, options->file, 0, 0, "out of memory");
    job->cc.options = options;
    job->cc.d = &job->diag;
    job->program = program;
    compile_catching_errors(job, text, size);
    const enum status status = job->done ? STATUS_OK : job->diag.status;
    if (!job->done && d != NULL) *d = job->diag;
    cc_release(&job->cc);
    free(job->text);
    free(job);
    if (status != STATUS_OK) compiled_release(program);
    return status;
}

void compiled_release(struct compiled *program) {
    release_kernels(program);
    free(program->kernels);
    for (size_t i = 0; i < program->variable_count; i++) {
        free(program->variables[i].name);
        free(program->variables[i].source_name);
        free(program->variables[i].data);
    }
    free(program->variables);
    free(program->listing);
    free(program->notes);
    *program = (struct compiled){0};
}

const struct compile_kernel *compiled_find(const struct compiled *program, const char *name) {
    const struct compile_kernel *found = NULL;
    for (size_t i = 0; i < program->kernel_count; i++)
        if (equals_name(program->kernels[i].name, name)) return &program->kernels[i];
    for (size_t i = 0; i < program->kernel_count; i++) {
        if (!equals_name(program->kernels[i].source_name, name)) continue;
        if (found != NULL) return NULL;
        found = &program->kernels[i];
    }
    return found;
}
