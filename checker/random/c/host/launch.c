/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a kernel compiled for this machine: k(in, out, cells), the work items of a block in turn, each up to its next
 * barrier.
 *
 *     launch BLOCKS THREADS IN OUT-BYTES OUT CELLS CELLS-OUT      files, CELLS of 32 bytes */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

enum { THREADS_MOST = 64, STACK = 1 << 18, CELLS = 32 };

struct item {
    ucontext_t context;
    int running;
    char stack[STACK];
};

struct launch {
    unsigned blocks, threads, block, thread;
    uint32_t *in, *out, *cells;
    ucontext_t scheduler;
    struct item item[THREADS_MOST];
};

extern void k(const uint32_t *in, uint32_t *out, uint32_t *cells);
unsigned get_global_id(unsigned dimension);
unsigned get_local_id(unsigned dimension);
unsigned get_group_id(unsigned dimension);
unsigned get_local_size(unsigned dimension);
void barrier(unsigned fences);

static struct launch launch;

unsigned get_local_id(unsigned dimension) { return dimension == 0 ? launch.thread : 0; }
unsigned get_group_id(unsigned dimension) { return dimension == 0 ? launch.block : 0; }
unsigned get_local_size(unsigned dimension) { return dimension == 0 ? launch.threads : 1; }
unsigned get_global_id(unsigned dimension) {
    return get_group_id(dimension) * get_local_size(dimension) + get_local_id(dimension);
}

void barrier(unsigned fences) {
    (void)fences;
    swapcontext(&launch.item[launch.thread].context, &launch.scheduler);
}

static void begin(void) {
    k(launch.in, launch.out, launch.cells);
    launch.item[launch.thread].running = 0;
}

static void run_block(void) {
    for (unsigned i = 0; i < launch.threads; i++) {
        struct item *item = &launch.item[i];
        getcontext(&item->context);
        item->context.uc_stack.ss_sp = item->stack;
        item->context.uc_stack.ss_size = STACK;
        item->context.uc_link = &launch.scheduler;
        item->running = 1;
        makecontext(&item->context, begin, 0);
    }
    for (int running = 1; running != 0;) {
        running = 0;
        for (launch.thread = 0; launch.thread < launch.threads; launch.thread++) {
            if (!launch.item[launch.thread].running) continue;
            swapcontext(&launch.scheduler, &launch.item[launch.thread].context);
            running |= launch.item[launch.thread].running;
        }
    }
}

static int load(const char *path, void *data, size_t size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return 0;
    const size_t count = fread(data, 1, size, file);
    return fclose(file) == 0 && count > 0;
}

static int save(const char *path, const void *data, size_t size) {
    FILE *file = fopen(path, "wb");
    if (file == NULL) return 0;
    const size_t count = fwrite(data, 1, size, file);
    return fclose(file) == 0 && count == size;
}

int main(int argc, char **argv) {
    enum { IN = 1 << 16, ALIGN = 128 };
    if (argc != 8) return 2;
    const size_t size = strtoul(argv[4], NULL, 0);
    launch.blocks = (unsigned)strtoul(argv[1], NULL, 0);
    launch.threads = (unsigned)strtoul(argv[2], NULL, 0);
    launch.in = aligned_alloc(ALIGN, IN);
    launch.out = aligned_alloc(ALIGN, (size + ALIGN) / ALIGN * ALIGN);
    launch.cells = aligned_alloc(ALIGN, ALIGN);
    if (launch.in == NULL || launch.out == NULL || launch.cells == NULL || launch.threads > THREADS_MOST) return 2;
    for (size_t i = 0; i < size / 4; i++) launch.out[i] = 0;
    if (!load(argv[3], launch.in, IN) || !load(argv[6], launch.cells, CELLS)) return 2;
    for (launch.block = 0; launch.block < launch.blocks; launch.block++) run_block();
    const int good = save(argv[5], launch.out, size) && save(argv[7], launch.cells, CELLS);
    free(launch.in);
    free(launch.out);
    free(launch.cells);
    return good ? 0 : 2;
}
