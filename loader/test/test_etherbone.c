/* SPDX-License-Identifier: Apache-2.0 */
/* Words by datagrams: the bytes on the network, and each fault at each datagram of a few transfers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka.h needs the headers above */
#include <cmocka.h>

#include "../../spec/host_regs.h"
#include "../etherbone.h"
#include "conversation.h"

enum { WAIT_MS = CONVERSATION_WAIT_MS, AREA = 400, FIRST = 5, COUNT = 300, LATEST_MS = 250 };

/* Three datagrams of words each way. */
static uint32_t meant[COUNT];

static int make_words(void **state) {
    (void)state;
    for (uint32_t i = 0; i < COUNT; i++) meant[i] = UINT32_C(0x01020304) * (i + 1);
    return 0;
}

static void begin(struct conversation *c, const struct fake_fault *faults, size_t count) {
    conversation_begin(
        c, &(struct fake_options){
               .datagrams = true, .faults = faults, .fault_count = count, .global_bytes = sizeof(uint32_t) * AREA});
}

static bool try_fault(const struct fake_fault *fault) {
    struct conversation c;
    begin(&c, fault, 1);
    const bool at_once = conversation_survives(&c, fault, FIRST, meant, COUNT, AREA);
    conversation_end(&c);
    return at_once;
}

static void test_etherbone_survives_each_fault_at_each_datagram(void **state) {
    static const struct fake_fault FAULTS[] = {
        {FAULT_DROP,   false, 0, 0,               0  },
        {FAULT_TWICE,  false, 0, 0,               0  },
        {FAULT_LATE,   false, 0, WAIT_MS / 8 + 1, 0  },
        {FAULT_LATE,   false, 0, LATEST_MS,       0  },
        {FAULT_EXTRA,  false, 0, 1,               0  },
        {FAULT_EXTRA,  false, 0, LATEST_MS,       0  },
        {FAULT_CHANGE, false, 0, 1,               0  },
        {FAULT_CHANGE, false, 0, 4,               10 },
        {FAULT_CHANGE, false, 0, 1,               11 },
        {FAULT_CHANGE, false, 0, 4,               15 },
        {FAULT_CHANGE, false, 0, 0x80,            17 },
        {FAULT_CHANGE, false, 0, 3,               200},
    };
    struct conversation s;
    uint32_t back[COUNT];
    size_t counted[2];
    (void)state;
    begin(&s, NULL, 0);
    assert_int_equal(converse(&s.transfer, FIRST, meant, back, COUNT), TRANSFER_OK);
    assert_int_equal(s.transfer.faults, 0);
    memcpy(counted, s.counted, sizeof counted);
    conversation_end(&s);
    assert_true(counted[0] == 2 * (1 + 3) + 5 + 1 && counted[1] == 1 + 3 + 5 + 1);
    for (unsigned way = 0; way < 2; way++)
        for (size_t at = 0; at < counted[way]; at++)
            for (unsigned i = 0; i < sizeof FAULTS / sizeof FAULTS[0]; i++) {
                struct fake_fault fault = FAULTS[i];
                fault.to_host = way != 0;
                fault.at = at;
                /* a mere loss does not cost a transfer */
                if (!try_fault(&fault) && fault.kind == FAULT_DROP)
                    fail_msg("datagram %zu to the %s, lost: all of it was repeated", at, way != 0 ? "host" : "board");
            }
}

/* One in eight lost, in both directions: still right, without a repeated transfer. */
static void test_etherbone_goes_on_where_many_are_lost(void **state) {
    struct fake_fault loss[200];
    struct conversation s;
    uint32_t back[COUNT];
    (void)state;
    for (unsigned i = 0; i < 200; i++)
        loss[i] = (struct fake_fault){.kind = FAULT_DROP, .to_host = i % 2 != 0, .at = 8 * (i / 2) + i * 5 % 8};
    begin(&s, loss, 200);
    for (unsigned i = 0; i < 10; i++) {
        assert_int_equal(converse(&s.transfer, FIRST, meant, back, COUNT), TRANSFER_OK);
        conversation_check(&s.transfer, loss, FIRST, meant, COUNT, AREA);
    }
    conversation_end(&s);
}

static void test_etherbone_says_what_is_wrong(void **state) {
    const struct fake_fault unplug = {.kind = FAULT_UNPLUG, .at = 5};
    struct conversation s;
    uint32_t back[COUNT];
    (void)state;
    begin(&s, &unplug, 1);
    assert_int_equal(converse(&s.transfer, FIRST, meant, back, COUNT), TRANSFER_SILENT);
    conversation_end(&s);
}

/* Answers to earlier requests arrive again and again, and the expected one does not: all attempts together take as long
 * as without them, which is less than twice the time-out. */
static void test_etherbone_waits_no_longer_for_what_is_stale(void **state) {
    enum { STALE = 50, EVERY_MS = 3, ASKED = 4 };
    struct fake_fault faults[STALE + ASKED] = {{0}};
    struct conversation s;
    uint32_t word;
    (void)state;
    for (unsigned i = 0; i < STALE; i++)
        faults[i] =
            (struct fake_fault){.kind = FAULT_EXTRA, .to_host = true, .at = i, .value = (uint8_t)(EVERY_MS * (i + 1))};
    for (unsigned i = STALE; i < STALE + ASKED; i++)
        faults[i] = (struct fake_fault){.kind = FAULT_DROP, .to_host = true, .at = i};
    begin(&s, faults, STALE + ASKED);
    struct bridge *bridge = &s.transfer.bridge;
    for (unsigned i = 0; i < STALE; i++) assert_int_equal(bridge_read(bridge, HOST_GLOBAL, &word, 1), LINE_OK);
    const long start_ms = line_now_ms(bridge->line);
    assert_int_not_equal(bridge_read(bridge, HOST_GLOBAL, &word, 1), LINE_OK);
    assert_int_equal(s.counted[1], STALE + ASKED);
    assert_in_range(line_now_ms(bridge->line) - start_ms, WAIT_MS, 2 * WAIT_MS);
    assert_int_equal(bridge_read(bridge, HOST_GLOBAL, &word, 1), LINE_OK); /* among the late ones */
    conversation_end(&s);
}

/* ----------------------------------------------------------------------------------------------------- byte by byte */

/* Records what is sent and gives prepared answers, preceded by a late one if there is any. */
struct recorder {
    struct line line;
    uint8_t sent[ETHERBONE_BYTES];
    size_t size;
    const uint8_t *late, *answer;
    size_t answer_size;
};

static enum line_result keep(struct line *line, const uint8_t *bytes, size_t size) {
    struct recorder *r = (struct recorder *)line;
    assert_true(r->size + size <= sizeof r->sent);
    memcpy(r->sent + r->size, bytes, size);
    r->size += size;
    return LINE_OK;
}

static enum line_result tell(struct line *line, uint8_t *bytes, size_t size, unsigned wait_ms) {
    struct recorder *r = (struct recorder *)line;
    (void)wait_ms;
    assert_int_equal(size, r->answer_size);
    memcpy(bytes, r->late != NULL ? r->late : r->answer, size);
    r->late = NULL;
    return LINE_OK;
}

#define HEAD 0x4e, 0x6f, 0x10, 0x44, 0, 0, 0, 0

static void test_etherbone_bytes(void **state) {
    static const struct line_kind KIND = {.send = keep, .receive = tell, .datagrams = true};
    static const uint8_t writes[] = {HEAD, 0, 0x0f, 2, 0, 0x40, 0, 0, 0x10, 1, 2, 3, 4, 0xff, 0xfe, 0xfd, 0xfc};
    static const uint8_t asks[] = {HEAD, 0, 0x0f, 0, 1, 0, 0x10, 0x20, 4, 0, 0, 4, 0};
    static const uint8_t done[] = {HEAD, 0, 0x0f, 1, 0, 0, 0x10, 0x20, 4, 0x12, 0x34, 0x56, 0x78};
    static const uint8_t reads[] = {HEAD, 0, 0x0f, 0, 2, 0, 0x10, 0x20, 8, 0x40, 0, 0, 0x10, 0x40, 0, 0, 0x14};
    static const uint8_t late[] = {HEAD, 0, 0x0f, 2, 0, 0, 0x10, 0x20, 4, 9, 9, 9, 9, 9, 9, 9, 9};
    static const uint8_t words[] = {HEAD, 0, 0x0f, 2, 0, 0, 0x10, 0x20, 8, 1, 2, 3, 4, 5, 6, 7, 8};
    struct recorder r = {.line = {.kind = &KIND}, .answer = done, .answer_size = sizeof done};
    struct bridge bridge = bridge_on(&r.line, 0, WAIT_MS);
    uint32_t word[2] = {0x01020304, 0xfffefdfc};
    (void)state;
    bridge.number = 0x00102000;
    assert_int_equal(bridge_write(&bridge, HOST_GLOBAL + 16, word, 2), LINE_OK);
    assert_int_equal(r.size, sizeof writes + sizeof asks);
    assert_memory_equal(r.sent, writes, sizeof writes);
    assert_memory_equal(r.sent + sizeof writes, asks, sizeof asks);
    assert_int_equal(bridge.sum, 0x12345678);
    r.size = 0;
    r.late = late;
    r.answer = words;
    r.answer_size = sizeof words;
    assert_int_equal(bridge_read(&bridge, HOST_GLOBAL + 16, word, 2), LINE_OK);
    assert_int_equal(r.size, sizeof reads);
    assert_memory_equal(r.sent, reads, sizeof reads);
    assert_true(word[0] == 0x01020304 && word[1] == 0x05060708);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_etherbone_bytes),
        cmocka_unit_test(test_etherbone_survives_each_fault_at_each_datagram),
        cmocka_unit_test(test_etherbone_goes_on_where_many_are_lost),
        cmocka_unit_test(test_etherbone_waits_no_longer_for_what_is_stale),
        cmocka_unit_test(test_etherbone_says_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, make_words, NULL);
}
