/* SPDX-License-Identifier: Apache-2.0 */
#include "registers.h"

#include <string.h>

#include "../checker/port/host_plan.h"
#include "../spec/host_regs.h"

enum { WORD = 4, MOST = 64 };

/* Addresses of the registers to write and read; of the optional ones, only those of the machine's features. */
static size_t launch_registers(uint32_t *adr) {
    static const struct {
        uint32_t adr;
        const char *access;
    } ALL[] = {
#define HOST_REG(name, address, access, text) {(address), (access)},
#include "../spec/host_regs.def"
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof ALL / sizeof ALL[0]; i++)
        if (strcmp(ALL[i].access, "rw") == 0 && ALL[i].adr < HOST_CONST_BANK && ALL[i].adr != HOST_FEATURES)
            adr[count++] = ALL[i].adr;
    for (uint32_t bank = 0; bank < IMAGE_CONST_BANKS; bank++) adr[count++] = HOST_CONST_BANK + bank * WORD;
    return count;
}

/* Of each two rounds the second inverts the bits of the first; in the first two all registers hold the same value. */
static uint32_t pattern(unsigned round, uint32_t adr) {
    const uint32_t first = round < 2 ? 0x55555555 : adr * 0x9e3779b1;
    return round % 2 != 0 ? ~first : first;
}

enum status registers_march(struct board *board, uint32_t *wrong, struct diag *d) {
    enum { ROUNDS = 4 };
    uint32_t adr[MOST];
    const size_t count = launch_registers(adr);
    enum status status = STATUS_OK;
    *wrong = 0;
    for (unsigned round = 0; round < ROUNDS && status == STATUS_OK && *wrong == 0; round++) {
        for (size_t i = 0; i < count && status == STATUS_OK; i++) {
            const uint32_t value = pattern(round, adr[i]);
            unsigned astray;
            status = board_poke(board, adr[i], &value, 1, &astray, d);
        }
        for (size_t i = 0; i < count && status == STATUS_OK && *wrong == 0; i++) {
            uint32_t found;
            status = board_peek(board, adr[i], &found, 1, d);
            if (status == STATUS_OK && ((found ^ pattern(round, adr[i])) & host_plan_readable(adr[i])) != 0)
                *wrong = adr[i];
        }
    }
    return status;
}
