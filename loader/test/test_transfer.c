/* SPDX-License-Identifier: Apache-2.0 */
/* Each fault at each byte of a few transfers: what is said to be done is done, and nothing else is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka.h needs the headers above */
#include <cmocka.h>

#include "../../testbench/lockstep/host_regs.h"
#include "../crc.h"
#include "../transfer.h"
#include "fake_board.h"

enum { WAIT_MS = 40, BAUD = 1000000, AREA = 16, FIRST = 5, COUNT = 3 };

static const uint32_t AS_FOUND = 0xa5a5a5a5, MEANT[COUNT] = {0x00000000, 0x01020304, 0xffffffff};

struct session {
    struct fake_options options;
    size_t bytes[2];
    struct transfer transfer;
};

static void begin(struct session *s, const struct fake_fault *faults, size_t count) {
    *s = (struct session){
        .options = {.faults = faults, .fault_count = count, .global_bytes = 1024}
    };
    s->transfer = transfer_over(bridge_on(fake_line_open(&s->options, s->bytes), BAUD, WAIT_MS), 1);
}

static void end(struct session *s) { line_close(s->transfer.bridge.line); }

/* Writes three words, reads them back, checks the account. */
static enum transfer_result converse(struct transfer *t, uint32_t back[COUNT]) {
    enum transfer_result result = transfer_begin(t);
    if (result == TRANSFER_OK) result = transfer_write(t, HOST_GLOBAL + 4 * FIRST, MEANT, COUNT);
    if (result == TRANSFER_OK) result = transfer_read(t, HOST_GLOBAL + 4 * FIRST, back, COUNT);
    return result == TRANSFER_OK ? transfer_check_writes(t) : result;
}

static void check_area(struct transfer *t, const struct fake_fault *f) {
    uint32_t area[AREA] = {0};
    assert_int_equal(transfer_read(t, HOST_GLOBAL, area, AREA), TRANSFER_OK);
    for (unsigned i = 0; i < AREA; i++) {
        const uint32_t expected = i >= FIRST && i < FIRST + COUNT ? MEANT[i - FIRST] : AS_FOUND;
        if (area[i] != expected)
            fail_msg("fault %d at byte %zu to the %s, %02x: word %u is %08x", (int)f->kind, f->at,
                     f->to_host ? "host" : "board", f->value, i, area[i]);
    }
}

/* How many bytes go each way where there is no fault. */
static void measure(size_t bytes[2]) {
    struct session s;
    uint32_t back[COUNT];
    const struct fake_fault none = {.kind = FAULT_DROP, .at = SIZE_MAX};
    begin(&s, NULL, 0);
    assert_int_equal(converse(&s.transfer, back), TRANSFER_OK);
    assert_memory_equal(back, MEANT, sizeof back);
    memcpy(bytes, s.bytes, sizeof s.bytes);
    check_area(&s.transfer, &none);
    assert_int_equal(s.transfer.faults, 0);
    end(&s);
}

/* With the first attempt's word for it, all is as meant; else another attempt makes it so. */
static bool try_fault(const struct fake_fault *fault) {
    struct session s;
    uint32_t back[COUNT] = {0};
    begin(&s, fault, 1);
    enum transfer_result result = converse(&s.transfer, back);
    const bool at_once = result == TRANSFER_OK;
    if (at_once) check_area(&s.transfer, fault);
    for (unsigned attempt = 0; attempt < 4 && result != TRANSFER_OK; attempt++) {
        transfer_recover(&s.transfer, attempt);
        result = converse(&s.transfer, back);
    }
    if (result != TRANSFER_OK || memcmp(back, MEANT, sizeof back) != 0)
        fail_msg("fault %d at byte %zu to the %s, %02x: result %d", (int)fault->kind, fault->at,
                 fault->to_host ? "host" : "board", fault->value, (int)result);
    end(&s);
    return at_once && s.transfer.faults == 0;
}

static void test_transfer_survives_each_fault_at_each_byte(void **state) {
    static const struct fake_fault FAULTS[] = {
        {.kind = FAULT_CHANGE, .value = 0x01},
        {.kind = FAULT_CHANGE, .value = 0x03},
        {.kind = FAULT_DROP  },
        {.kind = FAULT_TWICE                   },
        {.kind = FAULT_EXTRA,                    .value = 0x01             },
    };
    size_t bytes[2];
    unsigned unnoticed = 0, all = 0;
    (void)state;
    measure(bytes);
    assert_true(bytes[0] > 40 && bytes[1] > 20);
    for (unsigned way = 0; way < 2; way++)
        for (size_t at = 0; at < bytes[way]; at++)
            for (unsigned i = 0; i < sizeof FAULTS / sizeof FAULTS[0]; i++, all++) {
                struct fake_fault fault = FAULTS[i];
                fault.to_host = way != 0;
                fault.at = at;
                unnoticed += try_fault(&fault);
            }
    /* a fault in the first command may leave sums clear that were clear before, one in the last byte comes too late */
    if (unnoticed > all / 4) fail_msg("%u of %u faults made no difference", unnoticed, all);
}

static void test_transfer_takes_late_answers_for_none(void **state) {
    static const struct fake_fault LATE[] = {
        {.kind = FAULT_LATE,    .to_host = true, .at = 0,           .value = 2 * WAIT_MS},
        {.kind = FAULT_LATE,                     .to_host = true,                   .at = 6, .value = WAIT_MS + 2},
        {.kind = FAULT_LATE, .to_host = true,                .at = 9,                .value = 3 * WAIT_MS},
        {.kind = FAULT_LATE,              .at = 12,.value = BRIDGE_FORGETS_MS + 1},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof LATE / sizeof LATE[0]; i++) assert_false(try_fault(&LATE[i]));
}

static void test_transfer_says_what_is_wrong(void **state) {
    struct session s;
    uint32_t word;
    (void)state;
    const struct fake_fault unplug = {.kind = FAULT_UNPLUG, .at = 20};
    begin(&s, &unplug, 1);
    enum transfer_result result = TRANSFER_OK;
    for (unsigned i = 0; i < 4 && result == TRANSFER_OK; i++) result = transfer_read(&s.transfer, HOST_ID, &word, 1);
    assert_int_equal(result, TRANSFER_GONE);
    end(&s);
    struct fake_fault noise[200];
    for (unsigned i = 0; i < 200; i++) noise[i] = (struct fake_fault){.kind = FAULT_DROP, .to_host = true, .at = 4 * i};
    begin(&s, noise, 200);
    assert_int_equal(transfer_read(&s.transfer, HOST_ID, &word, 1), TRANSFER_NOISY);
    end(&s);
}

/* The check value that catalogues of CRCs give for CRC-32, of "123456789", without its last byte (computed with zlib):
 * whole words. */
static void test_crc_is_that_of_zlib(void **state) {
    (void)state;
    assert_int_equal(crc_word(crc_word(CRC_NOTHING, 0x34333231), 0x38373635), 0x9ae0daaf);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crc_is_that_of_zlib),
        cmocka_unit_test(test_transfer_survives_each_fault_at_each_byte),
        cmocka_unit_test(test_transfer_takes_late_answers_for_none),
        cmocka_unit_test(test_transfer_says_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
