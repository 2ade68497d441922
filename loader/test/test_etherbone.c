/* SPDX-License-Identifier: Apache-2.0 */
/* Words by datagrams: what goes over the network, byte by byte, and each fault at each datagram of a few transfers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka.h needs the headers above */
#include <cmocka.h>

#include "../../testbench/lockstep/host_regs.h"
#include "../etherbone.h"
#include "../transfer.h"
#include "fake_board.h"

enum { WAIT_MS = 40, BAUD = 1000000, AREA = 400, FIRST = 5, COUNT = 300, LATEST_MS = 250 };

static uint32_t meant(unsigned i) { return UINT32_C(0x01020304) * (i + 1); }

struct session {
    struct fake_options options;
    size_t counted[2];
    struct transfer transfer;
};

static void begin(struct session *s, const struct fake_fault *faults, size_t count) {
    *s = (struct session){
        .options = {.datagrams = true, .faults = faults, .fault_count = count, .global_bytes = 4 * AREA}
    };
    s->transfer = transfer_over(bridge_on(fake_line_open(&s->options, s->counted), BAUD, WAIT_MS), 1);
}

static void end(struct session *s) { line_close(s->transfer.bridge.line); }

/* Three datagrams of words each way, and the account. */
static enum transfer_result converse(struct transfer *t, uint32_t back[COUNT]) {
    uint32_t words[COUNT];
    for (unsigned i = 0; i < COUNT; i++) words[i] = meant(i);
    enum transfer_result result = transfer_begin(t);
    if (result == TRANSFER_OK) result = transfer_write(t, HOST_GLOBAL + 4 * FIRST, words, COUNT);
    if (result == TRANSFER_OK) result = transfer_read(t, HOST_GLOBAL + 4 * FIRST, back, COUNT);
    return result == TRANSFER_OK ? transfer_check_writes(t) : result;
}

static void check_area(struct transfer *t, const struct fake_fault *f) {
    uint32_t area[AREA] = {0};
    assert_int_equal(transfer_read(t, HOST_GLOBAL, area, AREA), TRANSFER_OK);
    for (unsigned i = 0; i < AREA; i++) {
        const uint32_t expected = i >= FIRST && i < FIRST + COUNT ? meant(i - FIRST) : 0xa5a5a5a5;
        if (area[i] != expected)
            fail_msg("fault %d, value %u, byte %u, datagram %zu to the %s: word %u is %08x, not %08x", (int)f->kind,
                     f->value, f->byte, f->at, f->to_host ? "host" : "board", i, area[i], expected);
    }
}

/* Whether the first attempt's word was that all is as meant: then it is; else another attempt makes it so. */
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
    assert_int_equal(result, TRANSFER_OK);
    for (unsigned i = 0; i < COUNT; i++)
        if (back[i] != meant(i))
            fail_msg("fault %d, datagram %zu to the %s: read %08x, not %08x", (int)fault->kind, fault->at,
                     fault->to_host ? "host" : "board", back[i], meant(i));
    end(&s);
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
    struct session s;
    uint32_t back[COUNT];
    size_t counted[2];
    (void)state;
    begin(&s, NULL, 0);
    assert_int_equal(converse(&s.transfer, back), TRANSFER_OK);
    assert_int_equal(s.transfer.faults, 0);
    memcpy(counted, s.counted, sizeof counted);
    end(&s);
    assert_true(counted[0] == 2 * (1 + 3) + 5 + 1 && counted[1] == 1 + 3 + 5 + 1);
    for (unsigned way = 0; way < 2; way++)
        for (size_t at = 0; at < counted[way]; at++)
            for (unsigned i = 0; i < sizeof FAULTS / sizeof FAULTS[0]; i++) {
                struct fake_fault fault = FAULTS[i];
                fault.to_host = way != 0;
                fault.at = at;
                /* what is only lost does not cost a transfer, but for an answer to a read that is in a sum */
                if (!try_fault(&fault) && fault.kind == FAULT_DROP)
                    fail_msg("datagram %zu to the %s, lost: all of it was repeated", at, way != 0 ? "host" : "board");
            }
}

/* One in eight lost, each way: still right, and writes are not done again and again. */
static void test_etherbone_goes_on_where_many_are_lost(void **state) {
    struct fake_fault loss[200];
    struct session s;
    uint32_t back[COUNT];
    (void)state;
    for (unsigned i = 0; i < 200; i++)
        loss[i] = (struct fake_fault){.kind = FAULT_DROP, .to_host = i % 2 != 0, .at = 8 * (i / 2) + i * 5 % 8};
    begin(&s, loss, 200);
    for (unsigned i = 0; i < 10; i++) {
        assert_int_equal(converse(&s.transfer, back), TRANSFER_OK);
        check_area(&s.transfer, loss);
    }
    end(&s);
}

static void test_etherbone_says_what_is_wrong(void **state) {
    const struct fake_fault unplug = {.kind = FAULT_UNPLUG, .at = 5};
    struct session s;
    uint32_t back[COUNT];
    (void)state;
    begin(&s, &unplug, 1);
    assert_int_equal(converse(&s.transfer, back), TRANSFER_SILENT);
    end(&s);
}

/* ------------------------------------------------------------------------------------------------------ byte by byte */

/* Keeps what is sent, answers what it is told to; before that, something that is too late where there is such. */
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
    struct recorder r = {.line = {&KIND}, .answer = done, .answer_size = sizeof done};
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
        cmocka_unit_test(test_etherbone_says_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
