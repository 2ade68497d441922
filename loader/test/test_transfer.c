/* SPDX-License-Identifier: Apache-2.0 */
/* Each fault at each byte of a few transfers: success is reported exactly for transfers that were done. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka.h needs the headers above */
#include <cmocka.h>

#include "../../spec/host_regs.h"
#include "../crc.h"
#include "conversation.h"

enum { WAIT_MS = CONVERSATION_WAIT_MS, AREA = 16, FIRST = 5, COUNT = 3 };

static const uint32_t MEANT[COUNT] = {0x00000000, 0x01020304, 0xffffffff};

static void begin(struct conversation *c, const struct fake_fault *faults, size_t count) {
    conversation_begin(c, &(struct fake_options){.faults = faults, .fault_count = count, .global_bytes = 1024});
}

/* The number of bytes in each direction without a fault. */
static void measure(size_t bytes[2]) {
    struct conversation s;
    uint32_t back[COUNT];
    const struct fake_fault none = {.kind = FAULT_DROP, .at = SIZE_MAX};
    begin(&s, NULL, 0);
    assert_int_equal(converse(&s.transfer, FIRST, MEANT, back, COUNT), TRANSFER_OK);
    assert_memory_equal(back, MEANT, sizeof back);
    memcpy(bytes, s.counted, sizeof s.counted);
    conversation_check(&s.transfer, &none, FIRST, MEANT, COUNT, AREA);
    assert_int_equal(s.transfer.faults, 0);
    conversation_end(&s);
}

static bool try_fault(const struct fake_fault *fault) {
    struct conversation c;
    begin(&c, fault, 1);
    const bool at_once = conversation_survives(&c, fault, FIRST, MEANT, COUNT, AREA);
    conversation_end(&c);
    return at_once && c.transfer.faults == 0;
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
    struct conversation s;
    uint32_t word;
    (void)state;
    const struct fake_fault unplug = {.kind = FAULT_UNPLUG, .at = 20};
    begin(&s, &unplug, 1);
    enum transfer_result result = TRANSFER_OK;
    for (unsigned i = 0; i < 4 && result == TRANSFER_OK; i++) result = transfer_read(&s.transfer, HOST_ID, &word, 1);
    assert_int_equal(result, TRANSFER_GONE);
    conversation_end(&s);
    struct fake_fault noise[200];
    for (unsigned i = 0; i < 200; i++) noise[i] = (struct fake_fault){.kind = FAULT_DROP, .to_host = true, .at = 4 * i};
    begin(&s, noise, 200);
    assert_int_equal(transfer_read(&s.transfer, HOST_ID, &word, 1), TRANSFER_NOISY);
    conversation_end(&s);
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
