/* SPDX-License-Identifier: Apache-2.0 */
/* Several models at a time, one a thread, each from its source to its last record, beside assemblers, disassemblers and
 * checkers: no library call may share state with another. Built with the thread sanitizer. Each thread's result must
 * equal that of a single thread.
 *
 *     threads KERNEL.sass|.ptx|.cl|.cu ...       prints TAP */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../assembler/base/file.h"
#include "../../assembler/check/warn.h"
#include "../../assembler/listing/listing.h"
#include "../../assembler/source/assemble.h"
#include "../../checker/record/digest.h"
#include "../../checker/report/report.h"
#include "../../checker/test/fake_sim.h"
#include "../../checker/verdict/lockstep.h"
#include "../../cmodel/model.h"
#include "../../cmodel/run/launch.h"
#include "../../compiler/compiler.h"

enum { THREADS = 8, ROUNDS = 2, STEPS = 20000, LISTING_BYTES = 1 << 18 };

struct job {
    const char *path;
    uint64_t result; /* of all work */
    char why[640];   /* reason of a failure */
};

static uint64_t mix_text(uint64_t digest, const char *text) {
    for (; *text != 0; text++) digest = (digest ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return digest;
}

/* Source to messages and a listing. */
static void assemble(struct job *job) {
    char *text = NULL, *listing = calloc(1, LISTING_BYTES);
    size_t size = 0;
    struct diag d = {0};
    struct assembly a;
    struct messages m;
    if (listing == NULL || file_read(job->path, &text, &size, &d) != STATUS_OK) {
        snprintf(job->why, sizeof job->why, "%s", d.text);
        free(listing);
        return;
    }
    FILE *out = fmemopen(listing, LISTING_BYTES, "w");
    messages_init(&m, job->path, text, size);
    if (out != NULL && assemble_text(NULL, &a, &m) == STATUS_OK) {
        warn_kernel(&a, &m);
        listing_print(a.image, ISA_DIALECT_5, out);
        assembly_release(&a);
    }
    if (out != NULL) {
        messages_print(&m, out);
        fclose(out);
    }
    job->result = mix_text(job->result, listing);
    messages_release(&m);
    free(listing);
    free(text);
}

static void run_model(struct job *job, const struct launch *run, const struct machine *machine) {
    struct diag d = {0};
    struct retire r;
    struct model *m = model_create(machine);
    if (m == NULL || model_launch(m, run->image, &d) != STATUS_OK)
        snprintf(job->why, sizeof job->why, "no model: %s", d.text);
    else
        for (unsigned i = 0; i < STEPS && model_run_step(m, &r) == MODEL_RETIRED; i++)
            job->result = digest_record(job->result, &r);
    model_destroy(m);
}

/* The checker with another model as its machine. */
static void run_lockstep(struct job *job, const struct launch *run, const struct machine *machine) {
    const struct sim_options sim = {.cores = 8, .machine = *machine};
    const struct lockstep_options options = {.run = run, .machine = *machine, .max_cycles = STEPS};
    struct diag d = {0};
    struct lockstep *l = lockstep_create(&options, &d);
    if (l == NULL || !lockstep_run(l, fake_sim_api(), &sim, &d))
        snprintf(job->why, sizeof job->why, "no checker: %s", d.text);
    else
        job->result = mix_text(job->result ^ lockstep_result(l)->digest, lockstep_result(l)->text);
    lockstep_destroy(l);
}

static int no_option(void *state, const char *option, const char *value, struct diag *d) {
    (void)state, (void)option, (void)value, (void)d;
    return 0;
}

static void run_kernel(struct job *job) {
    char *path = strdup(job->path);
    char tool[] = "threads";
    char *arguments[] = {tool, path};
    struct machine machine = MACHINE_DEFAULT;
    struct launch run;
    struct diag d = {0};
    machine.sms = 2;
    if (path == NULL || launch_parse(2, arguments, no_option, NULL, &machine, NULL, &run, &d) != STATUS_OK) {
        snprintf(job->why, sizeof job->why, "%s", d.text);
    } else {
        machine.has_atomics = launch_has_atomics(&run);
        if (launch_check(&run, &machine, &d) == STATUS_OK) {
            run_model(job, &run, &machine);
            run_lockstep(job, &run, &machine);
        } else {
            snprintf(job->why, sizeof job->why, "%s", d.text);
        }
        launch_release(&run);
    }
    free(path);
}

static bool is_source(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot != NULL && (strcmp(dot, ".ptx") == 0 || strcmp(dot, ".cl") == 0 || strcmp(dot, ".cu") == 0);
}

/* Source to text and the bytes of images. */
static void compile(struct job *job) {
    struct compiler_options options = COMPILER_OPTIONS;
    struct compilation *c = NULL;
    struct diag d = {0};
    char *text = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0;
    options.name = job->path;
    options.describe = true;
    if (file_read(job->path, &text, &size, &d) != STATUS_OK ||
        compile_source(text, size, &options, &c, &d) != STATUS_OK ||
        compilation_write(c, &bytes, &size, &d) != STATUS_OK)
        snprintf(job->why, sizeof job->why, "%s", d.text);
    for (size_t i = 0; i < size && bytes != NULL; i++) job->result = (job->result ^ bytes[i]) * UINT64_C(0x100000001b3);
    job->result = mix_text(mix_text(job->result, compilation_listing(c)), compilation_ptx(c));
    compilation_destroy(c);
    free(bytes);
    free(text);
}

static void *work(void *state) {
    struct job *job = state;
    job->result = DIGEST_EMPTY;
    for (unsigned i = 0; i < ROUNDS && job->why[0] == 0; i++) {
        if (is_source(job->path)) {
            compile(job);
            continue;
        }
        assemble(job);
        run_kernel(job);
    }
    return NULL;
}

int main(int argc, char **argv) {
    int failed = argc < 2;
    printf("1..%d\n", argc - 1);
    for (int k = 1; k < argc; k++) {
        pthread_t thread[THREADS];
        struct job alone = {.path = argv[k]}, job[THREADS];
        bool same = true;
        work(&alone);
        if (strstr(alone.why, "clang not found") != NULL) {
            printf("ok %d - %s # SKIP %s\n", k, argv[k], alone.why);
            continue;
        }
        for (unsigned i = 0; i < THREADS; i++) job[i] = (struct job){.path = argv[(k - 1 + (int)i) % (argc - 1) + 1]};
        unsigned started = 0;
        while (started < THREADS && pthread_create(&thread[started], NULL, work, &job[started]) == 0) started++;
        for (unsigned i = 0; i < started; i++) pthread_join(thread[i], NULL);
        for (unsigned i = 0; i < started; i++)
            if (strcmp(job[i].path, alone.path) == 0) same = same && job[i].result == alone.result;
        same = same && started == THREADS && alone.why[0] == 0;
        printf("%s %d - %u threads, one with %s\n", same ? "ok" : "not ok", k, started, argv[k]);
        if (!same)
            printf("# alone %016" PRIx64 ", together %016" PRIx64 " %s\n", alone.result, job[0].result, alone.why);
        failed |= !same;
    }
    return failed;
}
