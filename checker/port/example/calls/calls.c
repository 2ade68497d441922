/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that calls_core.vhd calls: the checker from a testbench with its own main program. VHPIDIRECT passes no
 * handle, and the process serves one simulation: hence the static objects. CALLS_KERNEL is the file of the kernel. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../report/report.h"
#include "../../../verdict/lockstep.h"

static const struct machine MACHINE = MACHINE_DEFAULT;
static struct launch run;
static struct lockstep *checker;
static struct retire record;
static bool ended;

/* The names in the VHDL. */
int32_t calls_threads(void);
int32_t calls_blocks(void);
int32_t calls_word(int32_t index);
void calls_lane(int32_t lane, int32_t dst, int32_t addr, int32_t data);
int32_t calls_retire(int32_t block_x, int32_t warp, int32_t pc, int32_t active, int32_t dst_reg, int32_t is_store,
                     int32_t next_pc, int32_t finished);
void calls_end(void);

int32_t calls_threads(void) {
    char *arguments[] = {(char *)"calls", getenv("CALLS_KERNEL"), NULL};
    struct diag d = {0};
    enum status status = launch_parse(2, arguments, NULL, NULL, &MACHINE, NULL, &run, &d);
    if (status == STATUS_OK) status = launch_check(&run, &MACHINE, &d);
    const struct lockstep_options options = {.run = &run, .machine = MACHINE};
    if (status == STATUS_OK) checker = lockstep_create(&options, &d);
    if (checker == NULL) exit(diag_report(stderr, &d));
    return (int32_t)block_threads(run.image->block);
}

int32_t calls_blocks(void) { return (int32_t)run.image->grid[0]; }

int32_t calls_word(int32_t index) {
    return (size_t)index < run.image->code_words ? (int32_t)run.image->code[index] : 0;
}

void calls_lane(int32_t lane, int32_t dst, int32_t addr, int32_t data) {
    record.dst[lane] = (uint32_t)dst;
    record.addr[lane] = (uint32_t)addr;
    record.data[lane] = (uint32_t)data;
}

int32_t calls_retire(int32_t block_x, int32_t warp, int32_t pc, int32_t active, int32_t dst_reg, int32_t is_store,
                     int32_t next_pc, int32_t finished) {
    record.cycle++;
    record.block_x = (uint32_t)block_x;
    record.slot = record.warp = (uint32_t)warp;
    record.pc = (uint32_t)pc;
    record.word_lo = (uint32_t)calls_word(pc / 4);
    record.word_hi = (uint32_t)calls_word(pc / 4 + 1);
    record.active = record.exec = (uint32_t)active;
    record.next_pc = (uint32_t)next_pc;
    record.next_active = finished ? 0 : (uint32_t)active;
    record.state = finished ? RETIRE_FINISHED : RETIRE_READY;
    if (is_store) {
        record.mem_kind = RETIRE_MEM_GLOBAL_STORE;
        record.mem_bytes = 4;
        record.mem_mask = record.exec;
        memset(record.dst, 0, sizeof record.dst);
    } else if (!finished) {
        record.dst_kind = RETIRE_DST_REG32;
        record.dst_reg = (uint32_t)dst_reg;
        record.dst_mask = record.exec;
    }
    const bool good = lockstep_check(checker, &record);
    record = (struct retire){.cycle = record.cycle};
    return good;
}

/* Memory is not compared here: lockstep_check_memory would do it. */
void calls_end(void) {
    if (ended) return;
    ended = true;
    lockstep_finish(checker, SIM_DONE, NULL, NULL);
    lockstep_report(checker, NULL, stdout);
    const int code = lockstep_exit_code(lockstep_result(checker));
    lockstep_destroy(checker);
    launch_release(&run);
    fflush(stdout);
    _Exit(code);
}
