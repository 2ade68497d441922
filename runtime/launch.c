/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that execute kernels. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../assembler/base/word_at.h"
#include "api.h"
#include "command.h"
#include "kernel.h"
#include "lock.h"
#include "print.h"
#include "queue.h"
#include "range.h"

enum { LOCAL_ALIGN = 16, SECOND = 1000000000 };

/* A pointer to global memory among the arguments. */
struct pointer {
    struct memory *memory; /* held */
    unsigned offset;       /* byte offset in the parameters */
    bool is_written;
};

/* A kernel with its arguments at the time of enqueueing. */
struct launch_command {
    struct program *program; /* held */
    struct code *code;       /* held */
    const struct code_kernel *kernel;
    const struct image *image; /* image of the code, with room for the range's groups */
    struct range range;
    unsigned shared_bytes;
    uint8_t *parameters;
    struct pointer *pointers;
    size_t pointer_count;
    bool has_lost_text; /* of printf */
};

static void release(void *payload) {
    struct launch_command *l = payload;
    for (size_t i = 0; i < l->pointer_count; i++) object_drop(l->pointers[i].memory);
    free(l->pointers);
    free(l->parameters);
    code_drop(l->code);
    object_drop(l->program);
    free(l);
}

/* ---- execution ---- */

static cl_int place_pointers(struct launch_command *l, struct device *d) {
    cl_int error = CL_COMPLETE;
    for (size_t i = 0; i < l->pointer_count && error == CL_COMPLETE; i++) {
        const struct pointer *p = &l->pointers[i];
        uint32_t address;
        error = memory_prepare(p->memory, d, 0, p->memory->size,
                               p->is_written ? MEMORY_READ | MEMORY_WRITE : MEMORY_READ, &address);
        put_word_at(l->parameters + p->offset, address);
    }
    return error;
}

/* Reports an error of the device or the kernel: on standard error, to the application, in the build log. */
static cl_int report_error(const struct event *e, struct launch_command *l, const char *what, const char *text) {
    char *all = NULL;
    if (asprintf(&all, "warpstep: device %s: program %u, launch %" PRIu64 ", kernel %s: %s\n%s", e->device->text,
                 l->program->number, program_count_launch(l->program, 0), l->kernel->image->name, what,
                 text != NULL ? text : "") < 0)
        return CL_OUT_OF_HOST_MEMORY;
    program_log(l->program, e->device, all);
    context_report(e->context, true, "%s", all);
    free(all);
    return CL_OUT_OF_RESOURCES;
}

static cl_int check_outcome(const struct event *e, struct launch_command *l, const struct engine_report *report) {
    struct device *d = e->device;
    if (report->outcome == ENGINE_DONE) {
        if (report->text != NULL) fprintf(stderr, "%s", report->text);
        return CL_COMPLETE;
    }
    if (report->outcome == ENGINE_STOPPED) return CL_OUT_OF_RESOURCES; /* the process ends */
    report_error(e, l, engine_outcome_name(report->outcome), report->text);
    if (report->outcome != ENGINE_LOST) return CL_OUT_OF_RESOURCES;
    lock_acquire(&d->lock);
    d->is_lost = true;
    lock_release(&d->lock);
    return CL_DEVICE_NOT_AVAILABLE;
}

/* Sets the words of the range if the kernel uses them, in its constants or in global memory. */
static enum status set_range(struct device *d, const struct launch_command *l, const struct range_part *part,
                             struct image *image, struct diag *diag) {
    const struct image_variable *variable = l->kernel->range;
    uint32_t words[COMPILER_RANGE_WORDS];
    uint8_t bytes[sizeof words];
    if (variable == NULL) return STATUS_OK;
    range_words(&l->range, part, words);
    words[COMPILER_RANGE_LOCKS] = d->locks;
    for (unsigned i = 0; i < COMPILER_RANGE_WORDS; i++) put_word_at(bytes + 4 * i, words[i]);
    if (variable->space == IMAGE_GLOBAL) return engine_write(d->engine, variable->addr, bytes, sizeof bytes, diag);
    memcpy(image->bank[0].bytes + variable->addr, bytes, sizeof bytes);
    return STATUS_OK;
}

/* Sets the parameters; those that do not fit in the launch are constants. */
static void set_parameters(const struct launch_command *l, struct image *image, uint32_t *words) {
    const struct code_kernel *k = l->kernel;
    const unsigned most = COMPILER_PARAMETER_BYTES;
    const unsigned bytes = k->parameter_bytes < most ? k->parameter_bytes : most;
    for (unsigned i = 0; i < bytes / 4; i++) words[i] = word_at(l->parameters + 4 * i);
    image->params = words;
    image->param_count = bytes / 4;
    if (k->spilled != NULL) memcpy(image->bank[0].bytes + k->spilled->addr, l->parameters + most, k->spilled->size);
}

/* Releases the locks after an unfinished launch. */
static void clear_locks(struct device *d) {
    const uint32_t zero = 0;
    engine_fill(d->engine, d->locks, &zero, sizeof zero, 4 * COMPILER_LOCKS, NULL);
}

/* A trap leaves the text before it. A full buffer is reported once a launch. */
static cl_int print_output(const struct event *e, struct launch_command *l, const struct image *image,
                           const struct engine_report *report) {
    struct diag diag = {0};
    if (report->outcome == ENGINE_STOPPED || report->outcome == ENGINE_LOST) return CL_COMPLETE;
    bool is_full = l->has_lost_text;
    const cl_int error = print_end(e->device, l->kernel, image, &is_full, &diag);
    if (error != CL_COMPLETE) report_error(e, l, diag.text, NULL);
    if (is_full && !l->has_lost_text) report_error(e, l, "warning: printf: its buffer was full", NULL);
    l->has_lost_text = is_full;
    return error;
}

static cl_int launch_part(struct event *e, struct launch_command *l, struct image *image, const struct range_part *part,
                          cl_ulong *cycles) {
    struct device *d = e->device;
    struct engine_report report = {0};
    struct diag diag = {0};
    memcpy(image->grid, part->grid, sizeof image->grid);
    program_count_launch(l->program, 1);
    cl_int error = print_begin(d, l->kernel, image, &diag);
    if (error != CL_COMPLETE) {
        report_error(e, l, diag.text, NULL);
        return error;
    }
    pthread_mutex_lock(&d->engine_lock);
    enum status status = set_range(d, l, part, image, &diag);
    if (status == STATUS_OK) status = engine_launch(d->engine, image, &report, &diag);
    if (status == STATUS_OK && report.outcome != ENGINE_DONE) clear_locks(d);
    pthread_mutex_unlock(&d->engine_lock);
    if (status != STATUS_OK) return report_error(e, l, diag.text, NULL);
    *cycles += report.cycles;
    const cl_int printed = print_output(e, l, image, &report);
    error = check_outcome(e, l, &report);
    engine_report_release(&report);
    return error != CL_COMPLETE ? error : printed;
}

/* Launches a copy of the kernel's image with the values of this launch. */
static cl_int launch_parts(struct event *e, struct launch_command *l, uint32_t *words, uint8_t *bank) {
    struct image image = *l->image;
    struct range_part part;
    cl_ulong cycles = 0;
    image.shared_bytes = l->shared_bytes;
    image.global_count = image.expect_count = 0;
    memcpy(image.block, l->range.local, sizeof image.block);
    if (image.bank[0].size > 0) memcpy(bank, image.bank[0].bytes, image.bank[0].size);
    image.bank[0].bytes = bank;
    set_parameters(l, &image, words);
    range_begin(&l->range, &part);
    cl_int error;
    do {
        error = launch_part(e, l, &image, &part, &cycles);
    } while (error == CL_COMPLETE && range_next(&l->range, &part));
    const cl_ulong hz = e->device->properties.clock_hz;
    if (hz > 0) e->device_time = cycles / hz * SECOND + cycles % hz * SECOND / hz;
    return error;
}

static cl_int run_launch(struct event *e, void *payload) {
    struct launch_command *l = payload;
    cl_int error = code_initialise(l->code, e->context);
    if (error == CL_COMPLETE) error = place_pointers(l, e->device);
    if (error != CL_COMPLETE) return error;
    uint32_t *words = calloc(l->kernel->parameter_bytes / 4 + 1, sizeof *words);
    uint8_t *bank = malloc(l->image->bank[0].size + 1);
    error = words != NULL && bank != NULL ? launch_parts(e, l, words, bank) : CL_OUT_OF_HOST_MEMORY;
    free(words);
    free(bank);
    return error;
}

/* ---- enqueueing ---- */

static cl_int set_pointer(struct launch_command *l, struct queue *q, const struct code_argument *about,
                          const struct kernel_argument *a) {
    struct memory *m;
    if (a->memory == NULL) return CL_SUCCESS;
    if (memory_check_handle(a->memory, q->context, &m) != CL_SUCCESS) return CL_INVALID_KERNEL_ARGS;
    const bool is_constant = about->space == IMAGE_CONSTANT || about->is_const || (m->flags & CL_MEM_READ_ONLY) != 0;
    object_hold(m);
    l->pointers[l->pointer_count++] = (struct pointer){m, about->offset, !is_constant};
    return memory_check_device(m, q->device);
}

/* Local buffers follow the kernel's own shared memory. */
static void set_local(struct launch_command *l, const struct code_argument *about, const struct kernel_argument *a) {
    const uint64_t at = ((uint64_t)l->shared_bytes + LOCAL_ALIGN - 1) / LOCAL_ALIGN * LOCAL_ALIGN;
    const uint64_t end = at + a->local_bytes;
    put_word_at(l->parameters + about->offset, (uint32_t)at);
    l->shared_bytes = end < UINT32_MAX / 2 ? (unsigned)end : UINT32_MAX / 2;
}

/* With the kernel's lock. The code of the device has the arguments of k->about; other properties may differ. */
static cl_int set_arguments(struct launch_command *l, struct queue *q, const struct kernel *k) {
    cl_int error = CL_SUCCESS;
    const unsigned room = l->kernel->parameter_bytes, bytes = k->about->parameter_bytes;
    memcpy(l->parameters, k->values, bytes < room ? bytes : room);
    for (size_t i = 0; i < l->kernel->argument_count && error == CL_SUCCESS; i++) {
        const struct code_argument *about = &l->kernel->arguments[i];
        const struct kernel_argument *a = &k->arguments[i];
        if (!a->is_set) return CL_INVALID_KERNEL_ARGS;
        if (about->space == IMAGE_SHARED) set_local(l, about, a);
        if (about->space == IMAGE_GLOBAL || about->space == IMAGE_CONSTANT) error = set_pointer(l, q, about, a);
    }
    return error;
}

static struct launch_command *create(struct kernel *k, struct code *code, const struct code_kernel *about,
                                     const struct image *image, const struct range *range) {
    struct launch_command *l = calloc(1, sizeof *l);
    if (l != NULL) {
        l->parameters = calloc(about->parameter_bytes + 1, 1);
        l->pointers = calloc(about->argument_count + 1, sizeof *l->pointers);
    }
    if (l == NULL || l->parameters == NULL || l->pointers == NULL) {
        if (l != NULL) free(l->parameters);
        if (l != NULL) free(l->pointers);
        free(l);
        return NULL;
    }
    object_hold(l->program = k->program);
    l->code = code_hold(code);
    l->kernel = about;
    l->image = image;
    l->shared_bytes = image->shared_bytes;
    l->range = *range;
    return l;
}

/* Checks the sizes of arguments, which the range does not cover. */
static cl_int check_sizes(const struct launch_command *l, const struct device *d, char *reason) {
    const struct machine *m = &d->properties.machine;
    if (l->shared_bytes > m->shared_bytes) {
        snprintf(reason, RANGE_REASON, "%u bytes of local memory, with header and parameters: the device has %u",
                 l->shared_bytes, (unsigned)m->shared_bytes);
        return CL_OUT_OF_RESOURCES;
    }
    if (l->kernel->parameter_bytes <= DEVICE_PARAMETERS_MAX) return CL_SUCCESS;
    snprintf(reason, RANGE_REASON, "%u bytes of parameters: the device takes %u", l->kernel->parameter_bytes,
             (unsigned)DEVICE_PARAMETERS_MAX);
    return CL_OUT_OF_RESOURCES;
}

/* Reports the reason, if any, to the application and in the build log. */
static cl_int report_refusal(struct queue *q, struct kernel *k, cl_int error, const char *reason) {
    char text[RANGE_REASON + 256];
    if (reason[0] == '\0') return error;
    snprintf(text, sizeof text, "kernel %.128s: %s\n", k->about->image->name, reason);
    program_log(k->program, q->device, text);
    context_report(q->context, false, "%s", text);
    return error;
}

/* The application's range. */
struct given {
    cl_uint dimensions;
    const size_t *offset, *global, *local;
};

static cl_int prepare_command(struct queue *q, struct kernel *k, struct code *code, const struct given *given,
                              struct launch_command **result) {
    char reason[RANGE_REASON] = "";
    struct range range;
    const struct code_kernel *about = code_find(code, k->about->image->name);
    if (about == NULL || !code_same_arguments(about, k->about)) return CL_INVALID_PROGRAM_EXECUTABLE;
    cl_int error = range_read(given->dimensions, given->offset, given->global, given->local, about,
                              &q->device->properties, &range, reason);
    if (error != CL_SUCCESS) return report_refusal(q, k, error, reason);
    range_limit(&range, print_max_groups(q->device, about, range.local));
    const size_t threads = (size_t)range.local[0] * range.local[1] * range.local[2];
    const struct image *image = code_image(about, &q->device->properties, threads);
    struct launch_command *l = create(k, code, about, image, &range);
    if (l == NULL) return CL_OUT_OF_HOST_MEMORY;
    lock_acquire(&k->lock);
    error = set_arguments(l, q, k);
    lock_release(&k->lock);
    if (error == CL_SUCCESS) error = check_sizes(l, q->device, reason);
    if (error == CL_SUCCESS) {
        *result = l;
        return CL_SUCCESS;
    }
    release(l);
    return report_refusal(q, k, error, reason);
}

static cl_int enqueue(cl_command_queue queue, cl_kernel kernel, cl_command_type type, const struct given *given,
                      cl_uint count, const cl_event *list, cl_event *event) {
    struct queue *q = object_of(queue, OBJECT_QUEUE);
    struct kernel *k = object_of(kernel, OBJECT_KERNEL);
    struct launch_command *l = NULL;
    if (q == NULL) return CL_INVALID_COMMAND_QUEUE;
    if (k == NULL) return CL_INVALID_KERNEL;
    if (k->program->context != q->context) return CL_INVALID_CONTEXT;
    struct code *code = program_code_for(k->program, q->device);
    if (code == NULL) return CL_INVALID_PROGRAM_EXECUTABLE;
    cl_int error = prepare_command(q, k, code, given, &l);
    code_drop(code);
    if (error != CL_SUCCESS) return error;
    struct event *e = command_create(q, type, count, list, &error);
    if (e == NULL) {
        release(l);
        return error;
    }
    e->run = run_launch;
    e->release = release;
    e->payload = l;
    return command_submit(e, false, event);
}

cl_int CL_API_CALL api_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                              const size_t *offset, const size_t *global, const size_t *local,
                                              cl_uint count, const cl_event *list, cl_event *event) {
    const struct given given = {dimensions, offset, global, local};
    return enqueue(queue, kernel, CL_COMMAND_NDRANGE_KERNEL, &given, count, list, event);
}

cl_int CL_API_CALL api_clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint count, const cl_event *list,
                                     cl_event *event) {
    const size_t one = 1;
    return enqueue(queue, kernel, CL_COMMAND_TASK, &(struct given){1, NULL, &one, &one}, count, list, event);
}

/* Native kernels are not supported, see CL_DEVICE_EXECUTION_CAPABILITIES. */
cl_int CL_API_CALL api_clEnqueueNativeKernel(cl_command_queue queue, void(CL_CALLBACK *function)(void *), void *data,
                                             size_t size, cl_uint memory_count, const cl_mem *memories,
                                             const void **places, cl_uint count, const cl_event *list,
                                             cl_event *event) {
    (void)function, (void)data, (void)size, (void)memory_count, (void)memories, (void)places;
    (void)count, (void)list, (void)event;
    return object_of(queue, OBJECT_QUEUE) != NULL ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}
